package io.github.zklock.zookeeper.internal.runtime;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.slf4j.LoggerFactory;

/** The lines that one class logs by {@link EngineLog}, which writes them on a thread of its own. They reach no other appender. */
public final class CapturedLog implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String BEGIN = "captured from here on";

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Logger logger;
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getLevel() + " " + event.getFormattedMessage());
        }
    };

    public CapturedLog(Class<?> type) {
        logger = (Logger) LoggerFactory.getLogger(type);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        forgetEarlierLines(type);
    }

    /** What was logged before may not be written yet. Lines are written in order. */
    private void forgetEarlierLines(Class<?> type) {
        EngineLog.of(type).warn(BEGIN);
        await("WARN " + BEGIN);
        lines.clear();
    }

    /** Returns the lines so far, each with its level in front. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Waits for a line that begins with this level and text. */
    public void await(String beginning) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> lines.stream().anyMatch(line -> line.startsWith(beginning)));
    }

    /** Waits until all lines that were logged before are captured. */
    public static void awaitAll() {
        try (CapturedLog end = new CapturedLog(CapturedLog.class)) {
            EngineLog.of(CapturedLog.class).warn("all lines before this one are written");
            end.await("WARN all");
        }
    }

    @Override
    public void close() {
        logger.setAdditive(true);
        logger.detachAppender(appender);
    }
}
