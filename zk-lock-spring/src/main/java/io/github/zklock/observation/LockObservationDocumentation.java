package io.github.zklock.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation.Context;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** The observations of a call of a method with {@link io.github.zklock.annotation.DistributedLock}. */
public enum LockObservationDocumentation implements ObservationDocumentation {
    /** From asking for the lock to its outcome. */
    ACQUIRE("zklock.acquire"),
    /** From the grant until the method has ended; what the method observes is within it. */
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
    public String getPrefix() {
        return "zklock";
    }

    @Override
    public KeyName[] getLowCardinalityKeyNames() {
        return LowCardinalityKey.values();
    }

    @Override
    public KeyName[] getHighCardinalityKeyNames() {
        return HighCardinalityKey.values();
    }

    /** Keys with few values: tags of meters as well as of spans. */
    public enum LowCardinalityKey implements KeyName {
        /** The lock as the annotation says it, before evaluation. */
        LOCK("zklock.lock"),
        /** With whom the method shares its lock: {@code exclusive}, {@code read}, {@code write} or {@code permits}. */
        MODE("zklock.mode"),
        /** How it ended; see {@link LockObservationContext.Outcome}. */
        OUTCOME("zklock.outcome"),
        /** The bean name of the registry. */
        REGISTRY("zklock.registry");

        private final String key;

        LowCardinalityKey(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }

    /** Keys with any number of values: on spans only. */
    public enum HighCardinalityKey implements KeyName {
        /** The name of the lock, evaluated; several are separated by commas. */
        NAME("zklock.name"),
        /** The fencing token of the grant, once there is one. */
        TOKEN("zklock.token");

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
