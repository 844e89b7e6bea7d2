package io.github.zklock.zookeeper.internal.transport;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.zookeeper.ClientCnxn;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** The credentials that a ZooKeeper handle sends to the servers on each connection. */
final class Credentials {

    /*
     * Handles have a method that adds credentials and none that returns them, and Curator does not publish those of its
     * builder. Therefore they are read from the field from which ZooKeeper's client sends them
     * (ClientCnxn.SendThread.primeConnection). ZkLockRuntimeHints names these fields for native images.
     */

    /** @param data null if the scheme needs none */
    @SuppressWarnings("ArrayRecordComponent") // compared by isOneOf only
    private record Credential(String scheme, byte @Nullable [] data) {

        boolean isOneOf(List<Credential> others) {
            return others.stream().anyMatch(each -> each.scheme.equals(scheme) && Arrays.equals(each.data, data));
        }
    }

    private Credentials() {}

    /**
     * Adds the credentials of one handle to another one that does not have them.
     *
     * @throws IllegalStateException if they cannot be read
     */
    static void copy(ZooKeeper from, ZooKeeper to) {
        List<Credential> present = of(to);
        of(from).stream()
                .filter(each -> !each.isOneOf(present))
                .forEach(each -> to.addAuthInfo(each.scheme(), each.data()));
    }

    private static List<Credential> of(ZooKeeper handle) {
        try {
            Object connection = read(ZooKeeper.class, "cnxn", handle);
            List<Credential> found = new ArrayList<>();
            for (Object each : (Collection<?>) read(ClientCnxn.class, "authInfo", connection)) {
                found.add(new Credential((String) read(each.getClass(), "scheme", each), (byte[])
                        field(each.getClass(), "data").get(each)));
            }
            return found;
        } catch (ReflectiveOperationException | RuntimeException unreadable) {
            throw new IllegalStateException(
                    "The credentials of the client cannot be read from this version of ZooKeeper's client. Use ZooKeeper"
                            + " 3.9, or a registry with a connect string",
                    unreadable);
        }
    }

    private static Object read(Class<?> type, String name, Object of) throws ReflectiveOperationException {
        return Objects.requireNonNull(field(type, name).get(of), name);
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
