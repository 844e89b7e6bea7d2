package io.github.zklock.aop;

import io.github.zklock.LockName;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import java.time.Duration;

/** What applies to the calls that ask for a lock, where their annotation says nothing. Constant for each name. */
public interface CallDefaults {

    /** The defaults where nothing is configured. */
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

    /** What applies to this lock. */
    Defaults of(LockName name);

    /** What applies to locks of which nothing else is said; more is not known when the application starts. */
    Defaults general();

    /** The three things that a call may leave open. */
    record Defaults(WaitTime waitTime, OnBusy onBusy, OnLost onLost) {

        public Defaults {
            if (onBusy == OnBusy.AS_CONFIGURED || onLost == OnLost.AS_CONFIGURED) {
                throw new IllegalArgumentException(
                        "AS_CONFIGURED refers to the default and cannot be the default itself; use another value");
            }
        }

        /** Of several locks of one call: the shortest wait, and the default answer where they differ. */
        public Defaults stricter(Defaults other) {
            return new Defaults(
                    waitTime.orLess(other.waitTime),
                    onBusy == other.onBusy ? onBusy : OnBusy.THROW,
                    onLost == other.onLost ? onLost : OnLost.THROW_AFTER);
        }
    }
}
