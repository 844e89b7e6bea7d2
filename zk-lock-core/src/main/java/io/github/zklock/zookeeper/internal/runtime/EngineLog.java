package io.github.zklock.zookeeper.internal.runtime;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loggers of the engine. Their appenders and filters run on a thread of their own, so that one which blocks or throws
 * stops no lock and no caller. Lines beyond {@link #CAPACITY} are dropped and counted.
 */
public final class EngineLog {

    public static final int CAPACITY = 1024;

    /** Short, so that a search for leaked threads after the close of the last registry does not find this one. */
    private static final int IDLE_MILLIS = 100;

    private static final AtomicLong DROPPED = new AtomicLong();
    private static final AtomicLong ERRORS = new AtomicLong();
    private static final ThreadPoolExecutor WRITER = writer();

    private EngineLog() {}

    /** Returns a logger whose errors are counted by {@link #errors}. */
    public static Logger of(Class<?> type) {
        return logger(type, true);
    }

    /** Returns a logger whose errors report failures of code of users. */
    public static Logger ofUserFailures(Class<?> type) {
        return logger(type, false);
    }

    private static Logger logger(Class<?> type, boolean countsErrors) {
        Logger target = LoggerFactory.getLogger(type);
        return (Logger) Proxy.newProxyInstance(
                EngineLog.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    if (countsErrors && method.getName().equals("error")) {
                        ERRORS.incrementAndGet();
                    }
                    return call(target, method, arguments);
                });
    }

    /** Returns the number of dropped lines, for which the appenders were too slow. */
    public static long dropped() {
        return DROPPED.get();
    }

    /**
     * Returns the number of logged errors. Each one is a bug that the engine survived, or a node that should not exist.
     */
    public static long errors() {
        return ERRORS.get();
    }

    private static @Nullable Object call(Logger target, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getReturnType() != void.class) {
            return method.invoke(target, arguments);
        }
        try {
            // not even the level is checked here, because that calls the filters of the log
            WRITER.execute(() -> write(target, method, arguments));
        } catch (Throwable noThread) {
            // the engine must not fail because of a line of the log
            DROPPED.incrementAndGet();
        }
        return null;
    }

    private static void write(Logger target, Method method, Object @Nullable [] arguments) {
        try {
            method.invoke(target, arguments);
            long dropped = DROPPED.getAndSet(0);
            if (dropped > 0) {
                target.warn("{} log lines of the lock engine were dropped: the log appenders are too slow", dropped);
            }
        } catch (InvocationTargetException | IllegalAccessException failed) {
            // the failure cannot be logged
            DROPPED.incrementAndGet();
        }
    }

    private static ThreadPoolExecutor writer() {
        ThreadPoolExecutor writer = new ThreadPoolExecutor(
                1,
                1,
                IDLE_MILLIS,
                TimeUnit.MILLISECONDS,
                new ArrayBlockingQueue<>(CAPACITY),
                task -> Threads.plain(task, "zk-lock-log"),
                (task, rejecting) -> DROPPED.incrementAndGet());
        writer.allowCoreThreadTimeOut(true);
        return writer;
    }
}
