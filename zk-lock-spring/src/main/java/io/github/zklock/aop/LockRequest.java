package io.github.zklock.aop;

import io.github.zklock.LockName;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What one call asks for, once its names are evaluated and nothing is left open.
 *
 * @param names one, or several that are acquired as one
 */
record LockRequest(Acquirable lock, List<LockName> names, WaitTime waitTime, OnBusy onBusy, OnLost onLost) {

    /** For messages and logs. */
    String described() {
        return names.size() == 1
                ? names.get(0).value()
                : names.stream().map(LockName::value).collect(Collectors.joining(","));
    }
}
