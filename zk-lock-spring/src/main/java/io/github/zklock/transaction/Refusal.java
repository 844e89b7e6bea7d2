package io.github.zklock.transaction;

import io.github.zklock.LockName;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Why a lock is not acquired inside a transaction. */
final class Refusal {

    private Refusal() {}

    static IllegalStateException of(List<LockName> locks, @Nullable String transaction) {
        return new IllegalStateException(
                ("Lock '%s' not acquired: transaction '%s' runs already, and zk.lock.transaction is 'refuse'. Call the locked"
                                + " method before the transaction begins, or set zk.lock.transaction to 'hold', which keeps"
                                + " the lock until the transaction is over")
                        .formatted(
                                locks.stream().map(LockName::value).collect(Collectors.joining("', '")),
                                transaction == null ? "without a name" : transaction));
    }
}
