package io.github.zklock.console;

import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Session;
import io.github.zklock.LockName;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Inspectors without a cluster. */
final class Inspectors {

    private Inspectors() {}

    /** Nothing is held, awaited or queued. */
    static LockInspector idle() {
        return withLocks(0);
    }

    /** So many locks are in the cluster: {@code /l000000} and so on. */
    static LockInspector withLocks(int count) {
        return (LockInspector) Proxy.newProxyInstance(
                LockInspector.class.getClassLoader(),
                new Class<?>[] {LockInspector.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "session" -> new Session(true, "1", Duration.ofSeconds(20), Duration.ofSeconds(20), 0);
                    case "names" -> page(count, (String) arguments[1], (int) arguments[2]);
                    default -> List.of();
                });
    }

    private static List<LockName> page(int count, String after, int limit) {
        int from = after.isEmpty() ? 0 : Integer.parseInt(after.substring(2)) + 1;
        return IntStream.range(from, Math.min(count, from + limit))
                .mapToObj(i -> LockName.of("/l%06d".formatted(i)))
                .toList();
    }
}
