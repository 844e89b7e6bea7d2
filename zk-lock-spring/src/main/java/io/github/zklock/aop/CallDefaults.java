package io.github.zklock.aop;

import io.github.zklock.LockName;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import java.time.Duration;

/** The settings of calls whose annotations leave them open. For one name, the settings never change. */
public interface CallDefaults {

    /** The defaults of an application that configures none. */
    CallDefaults STANDARD = new CallDefaults() {

        private static final Defaults ALL =
                new Defaults(new WaitTime(Duration.ofSeconds(10)), OnBusy.THROW, OnLost.THROW_AFTER);

        @Override
        public Defaults of(LockName name) {
            return ALL;
        }

        @Override
        public Defaults general() {
            return ALL;
        }
    };

    /** Returns the settings for the lock of this name. */
    Defaults of(LockName name);

    /**
     * Returns the settings for names without an entry of their own. Validation at start-up uses them for names that
     * only a call can evaluate.
     */
    Defaults general();

    /** The three settings that an annotation may leave open. */
    record Defaults(WaitTime waitTime, OnBusy onBusy, OnLost onLost) {

        public Defaults {
            if (onBusy == OnBusy.AS_CONFIGURED || onLost == OnLost.AS_CONFIGURED) {
                throw new IllegalArgumentException(
                        "AS_CONFIGURED refers to the default and cannot be the default itself; use another value");
            }
        }

        /**
         * Combines the settings of several locks of one call: the shorter wait, and the standard reaction if the
         * reactions differ.
         */
        public Defaults stricter(Defaults other) {
            return new Defaults(
                    waitTime.orLess(other.waitTime),
                    onBusy == other.onBusy ? onBusy : OnBusy.THROW,
                    onLost == other.onLost ? onLost : OnLost.THROW_AFTER);
        }
    }
}
