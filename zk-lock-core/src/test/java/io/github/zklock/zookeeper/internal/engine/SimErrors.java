package io.github.zklock.zookeeper.internal.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Errors in the middle of the tasks of one schedule's engines, at any call and any allocation. Only where {@link ErrorPoints} has
 * loaded the engine; elsewhere there are none. (L26)
 */
final class SimErrors {

    private static final int MOST_ERRORS = 3;
    /** Tasks have up to some hundred points; from one error to the next there may be many tasks. */
    private static final int MOST_POINTS = 3_000;

    private final SimWorld world;
    private final SimRandom random;
    private int left;
    private int target;

    SimErrors(SimWorld world) {
        this.world = world;
        this.random = new SimRandom(world.plan().seed() ^ 0x7E57E44L);
        if (ErrorPoint.isWoven()) {
            left = 1 + random.below(MOST_ERRORS);
            plantNext();
        }
    }

    private void plantNext() {
        target = random.below(world.plan().members().size());
        ErrorPoint.plant(1 + random.below(MOST_POINTS), random.chance(0.3));
    }

    /** Runs what belongs to the engine of a process, on its loop. */
    void enter(SimProcess process, Runnable action) {
        if (left == 0 || process.id() != target || world.faults().isHealing()) {
            action.run();
            return;
        }
        try {
            ErrorPoint.enter(action);
        } finally {
            if (ErrorPoint.hasFailed()) {
                left--;
                ErrorPoint.end();
                if (left > 0) {
                    plantNext();
                }
            }
        }
    }

    /** The same, where nothing fails: it stands for what is no engine. */
    @SuppressWarnings("unchecked")
    <T> T outside(Class<T> type, T part) {
        if (!ErrorPoint.isWoven()) {
            return part;
        }
        return (T) Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> ErrorPoint.leaving(() -> {
                    try {
                        return method.invoke(part, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                }));
    }
}
