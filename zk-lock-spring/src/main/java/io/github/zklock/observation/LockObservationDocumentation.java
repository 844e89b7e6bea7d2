package io.github.zklock.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation.Context;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** The observations of a call of a method with {@link io.github.zklock.annotation.DistributedLock}. */
public enum LockObservationDocumentation implements ObservationDocumentation {
    /** From the request for the lock to its outcome. */
    ACQUIRE("zklock.acquire"),
    /** From the grant until the method has ended. Observations that the method makes are its children. */
    HOLD("zklock.hold");

    private final String name;

    LockObservationDocumentation(String name) {
        this.name = name;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public Class<? extends ObservationConvention<? extends Context>> getDefaultConvention() {
        return DefaultLockObservationConvention.class;
    }

    @Override
    public KeyName[] getLowCardinalityKeyNames() {
        return LowCardinalityKey.values();
    }

    @Override
    public KeyName[] getHighCardinalityKeyNames() {
        return HighCardinalityKey.values();
    }

    /** Keys with few values, used as tags of timers and of spans. They have the names of the tags of all other meters. */
    public enum LowCardinalityKey implements KeyName {
        /** The lock name as the annotation declares it, before evaluation. */
        LOCK("lock"),
        /** The kind of the lock: {@code exclusive}, {@code read}, {@code write} or {@code permits}. */
        KIND("kind"),
        /** The outcome, see {@link LockObservationContext.Outcome}. */
        OUTCOME("outcome"),
        /** The bean name of the registry. */
        REGISTRY("registry");

        private final String key;

        LowCardinalityKey(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }

    /** Keys with an unlimited number of values, used as tags of spans only. */
    public enum HighCardinalityKey implements KeyName {
        /** The evaluated name of the lock. Several names are separated by commas. */
        NAME("lock.name"),
        /** The fencing token of the grant. Absent before the grant. */
        TOKEN("lock.token"),
        /**
         * Why the lock was not acquired: the message of the exception, which names the process in front after waits of
         * half a second. Absent if the lock is acquired.
         */
        REASON("lock.reason");

        private final String key;

        HighCardinalityKey(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }
}
