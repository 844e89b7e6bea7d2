package io.github.zklock.zookeeper.internal.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/**
 * Keeps the engine from writing millions of warnings about losses that are planned. What it calls an error is kept: that
 * is a bug of its own which it survived.
 */
final class SimSilence implements AutoCloseable {

    private static final int KEPT = 20;

    private final Logger engine = (Logger) LoggerFactory.getLogger(Engine.class.getPackageName());
    private final Level before = engine.getLevel();
    private final Ear ear = new Ear();

    SimSilence() {
        ear.setContext(engine.getLoggerContext());
        ear.start();
        engine.setLevel(Level.ERROR);
        engine.setAdditive(false);
        engine.addAppender(ear);
    }

    List<String> errors() {
        return List.copyOf(ear.errors);
    }

    /** Without those that speak of one of these nodes. */
    List<String> errorsBut(Collection<String> nodes) {
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

        @Override
        protected void append(ILoggingEvent event) {
            if (errors.size() < KEPT) {
                errors.add(event.getFormattedMessage() + " ("
                        + (event.getThrowableProxy() == null
                                ? "no cause"
                                : event.getThrowableProxy().getClassName()) + ")");
            }
        }
    }
}
