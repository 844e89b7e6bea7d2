package io.github.zklock.zookeeper.internal.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.slf4j.LoggerFactory;

/**
 * Keeps the engine from writing millions of warnings about losses that are planned. What it calls an error is kept: that
 * is a bug of its own which it survived.
 */
final class SimSilence implements AutoCloseable {

    private static final int KEPT = 20;

    /** That of all rooms. */
    private final Logger engine = (Logger) LoggerFactory.getLogger(PlantCompiler.PACKAGE);

    private final Level before = engine.getLevel();
    private final Ear ear = new Ear();
    private final long errorsBefore = EngineLog.errors();

    SimSilence() {
        ear.setContext(engine.getLoggerContext());
        ear.start();
        engine.setLevel(Level.ERROR);
        engine.setAdditive(false);
        engine.addAppender(ear);
    }

    List<String> errors() {
        return errorsBut(List.of());
    }

    /** Returns the logged errors, but for those whose message names one of these nodes. */
    List<String> errorsBut(Collection<String> nodes) {
        // the engine's log has a thread of its own
        Awaitility.await().until(() -> ear.heard.get() >= EngineLog.errors() - errorsBefore);
        return ear.errors.stream()
                .filter(error -> nodes.stream().noneMatch(error::contains))
                .toList();
    }

    @Override
    public void close() {
        engine.detachAppender(ear);
        engine.setAdditive(true);
        engine.setLevel(before);
    }

    /** Keeps the first errors. */
    private static final class Ear extends AppenderBase<ILoggingEvent> {
        private final List<String> errors = new CopyOnWriteArrayList<>();
        private final AtomicLong heard = new AtomicLong();

        @Override
        protected void append(ILoggingEvent event) {
            heard.incrementAndGet();
            if (errors.size() < KEPT) {
                errors.add(event.getFormattedMessage() + " ("
                        + (event.getThrowableProxy() == null
                                ? "no cause"
                                : event.getThrowableProxy().getClassName()) + ")");
            }
        }
    }
}
