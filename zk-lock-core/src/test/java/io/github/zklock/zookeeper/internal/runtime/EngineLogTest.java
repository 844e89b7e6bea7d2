package io.github.zklock.zookeeper.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

class EngineLogTest {

    private final Logger target = (Logger) LoggerFactory.getLogger(EngineLogTest.class);
    private final org.slf4j.Logger log = EngineLog.of(EngineLogTest.class);

    @Test
    void anAppenderThatBlocksOrThrowsHoldsUpNobodyWhoLogs() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AppenderBase<ILoggingEvent> bad = appender(() -> {
            begun.countDown();
            await(goOn);
            throw new LinkageError("planted");
        });
        target.addAppender(bad);
        target.setAdditive(false);
        try {
            log.warn("first");
            await(begun);
            for (int i = 0; i < 2 * EngineLog.CAPACITY; i++) {
                log.warn("line {}", i);
            }

            assertThat(EngineLog.dropped()).isPositive();
        } finally {
            goOn.countDown();
            target.detachAppender(bad);
        }

        CountDownLatch written = new CountDownLatch(1);
        AppenderBase<ILoggingEvent> good = appender(written::countDown);
        target.addAppender(good);
        while (!written.await(10, TimeUnit.MILLISECONDS)) {
            log.warn("last");
        }
        target.detachAppender(good);
    }

    @Test
    void filtersRunOnTheThreadOfTheLog() throws Exception {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        CountDownLatch filtered = new CountDownLatch(5);
        TurboFilter filter = new TurboFilter() {
            @Override
            public FilterReply decide(
                    Marker marker, Logger logger, Level level, String format, Object[] params, Throwable thrown) {
                if (logger != target) {
                    return FilterReply.NEUTRAL;
                }
                threads.add(Thread.currentThread().getName());
                filtered.countDown();
                return FilterReply.DENY;
            }
        };
        target.getLoggerContext().addTurboFilter(filter);
        try {
            log.trace("line");
            log.debug("line");
            log.info("line");
            log.warn("line");
            log.error("line");
            await(filtered);
        } finally {
            target.getLoggerContext().getTurboFilterList().remove(filter);
        }

        assertThat(filtered.getCount()).isZero();
        assertThat(threads).containsExactly("zk-lock-log");
    }

    private AppenderBase<ILoggingEvent> appender(Runnable action) {
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                action.run();
            }
        };
        appender.setContext(target.getLoggerContext());
        appender.start();
        return appender;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
