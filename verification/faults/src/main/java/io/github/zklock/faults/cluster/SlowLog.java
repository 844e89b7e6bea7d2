package io.github.zklock.faults.cluster;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.io.function.Uncheck;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.slf4j.LoggerFactory;

/**
 * The log of a server. While a file in the server's folder says so, each line about a session that expires takes time,
 * as on a slow disk or a full pipe. The thread that expires sessions writes these lines ({@code
 * ZooKeeperServer.expire}); no other thread becomes slower.
 */
public final class SlowLog extends UnsynchronizedAppenderBase<ILoggingEvent> {

    private static final String SLOW = "slow-log";
    private static final String EXPIRING = "Expiring session";

    private final Path folder;

    private SlowLog(Path folder) {
        this.folder = folder;
    }

    /** Lets the log of this process be slow while the file in the folder says so. */
    static void install(Path folder) {
        Logger logger = (Logger) LoggerFactory.getLogger(ZooKeeperServer.class);
        SlowLog appender = new SlowLog(folder);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    /** Makes each line about a session that expires take this long. */
    public static void slow(Path folder, Duration time) {
        FaultyDisk.write(folder.resolve(SLOW), Long.toString(time.toNanos()));
    }

    static void heal(Path folder) {
        Uncheck.run(() -> Files.deleteIfExists(folder.resolve(SLOW)));
    }

    @Override
    protected void append(ILoggingEvent line) {
        if (!line.getMessage().startsWith(EXPIRING)) {
            return;
        }
        try {
            long end = System.nanoTime() + Long.parseLong(Files.readString(folder.resolve(SLOW)));
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
            }
        } catch (NoSuchFileException fast) {
            // the log is as fast as usual
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
