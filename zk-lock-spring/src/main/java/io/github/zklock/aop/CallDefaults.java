package io.github.zklock.aop;

import io.github.zklock.LockName;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;

/** What applies to the calls that ask for a lock, where their annotation says nothing. Constant for each name. */
public interface CallDefaults {

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
    }
}
