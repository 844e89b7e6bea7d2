package io.github.zklock.autoconfigure.startup;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Records the events of some loggers, with a log level of its own, until it is closed. */
final class LogRecording extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final @Nullable Level before;

    LogRecording(String name, @Nullable Level level) {
        logger = (Logger) LoggerFactory.getLogger(name);
        before = logger.getLevel();
        logger.setLevel(level);
        setContext(logger.getLoggerContext());
        start();
        logger.addAppender(this);
    }

    List<String> messages() {
        return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    List<String> messagesOf(String name) {
        return events.stream()
                .filter(event -> event.getLoggerName().endsWith("." + name))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    protected void append(ILoggingEvent event) {
        events.add(event);
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(before);
    }
}
