package io.github.zklock.planted.zookeeper.internal.queue;

import org.slf4j.LoggerFactory;

/** Code of the engine that a log appender can block. */
final class LogsItself {

    void log() {
        LoggerFactory.getLogger(LogsItself.class).warn("planted");
    }
}
