package io.github.zklock.faults;

import io.github.zklock.HandOff;
import io.github.zklock.LockRegistry;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;

/** What a client process takes its locks from. */
interface EngineFactory {

    /** Names the class to use instead of ours; handed on to the client processes. */
    String PROPERTY = "faults.engine";

    /** A registry that is also {@link AutoCloseable}. */
    LockRegistry open(String connectString, String basePath, Duration sessionTimeout, String instance);

    static EngineFactory chosen() throws ReflectiveOperationException {
        String name = System.getProperty(PROPERTY, ZkLock.class.getName());
        return Class.forName(name)
                .asSubclass(EngineFactory.class)
                .getDeclaredConstructor()
                .newInstance();
    }

    /** Ours, as a user would build it. */
    final class ZkLock implements EngineFactory {

        // small, so that seats change often
        private static final HandOff HAND_OFF = HandOff.bounded(4, Duration.ofMillis(200));

        @Override
        public LockRegistry open(String connectString, String basePath, Duration sessionTimeout, String instance) {
            return ZooKeeperLockRegistry.builder()
                    .connectString(connectString)
                    .basePath(basePath)
                    .sessionTimeout(sessionTimeout)
                    .connectionTimeout(sessionTimeout)
                    .instance(instance)
                    .handOff(HAND_OFF)
                    .build();
        }
    }
}
