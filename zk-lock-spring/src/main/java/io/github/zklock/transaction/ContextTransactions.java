package io.github.zklock.transaction;

import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.aop.ReactiveTransactions;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.reactive.ReactiveLockContext;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Ties locks to the reactive transaction in the context of their subscription. */
final class ContextTransactions implements ReactiveTransactions {

    private static final Object KEY = ContextTransactions.class;

    /** Guards the synchronizations of all transactions. Branches of one transaction can end at the same time. */
    private static final ReentrantLock REGISTERING = new ReentrantLock();

    private final InTransaction rule;
    private final Supplier<TransactionFence> fence;
    private final Supplier<Boolean> transactionsCanBegin;

    /** The tie of calls outside transactions. */
    private final TransactionTie outside = new TransactionTie() {
        @Override
        public void acquired(Handle handle, Method method, Class<?> targetClass) {
            rejectIfFenced(handle);
        }
    };

    /** @param transactionsCanBegin returns whether the application has a manager of reactive transactions */
    ContextTransactions(InTransaction rule, Supplier<TransactionFence> fence, Supplier<Boolean> transactionsCanBegin) {
        this.rule = rule;
        this.fence = fence;
        this.transactionsCanBegin = transactionsCanBegin;
    }

    @Override
    public TransactionTie of(ContextView context) {
        TransactionSynchronizationManager transaction = in(context);
        return transaction == null ? outside : guarded(() -> new Tie(transaction, context));
    }

    /**
     * Rejects a lock whose transactions have to be fenced if a reactive transaction may begin under it. Such a
     * transaction is on no thread, so the fence cannot find its connection.
     */
    private void rejectIfFenced(Handle handle) {
        List<LockHandle> covered = fence.get().coveredOf(handle.parts());
        if (!covered.isEmpty() && transactionsCanBegin.get()) {
            throw new IllegalStateException(
                    ("Lock '%s' of a reactive method is covered by zk.lock.fence.jdbc, which cannot fence reactive"
                                    + " transactions. Use JDBC transactions under this lock, or leave its name out of"
                                    + " zk.lock.fence.jdbc.names and compare fencing tokens in your statements")
                            .formatted(covered.get(0).name()));
        }
    }

    /**
     * Wraps the result of a transactional method so that each subscription first registers with the method's
     * transaction. A listener of the transaction manager cannot read the context of the subscription.
     *
     * @param exempt the name of the transactions that this method begins and exempts; null if they are checked
     */
    static Object entering(Object result, ReactiveAdapter adapter, Method method, @Nullable String exempt) {
        Publisher<?> own = adapter.toPublisher(result);
        Mono<Void> entry = Mono.deferContextual(context -> {
            enter(context, method, exempt);
            return Mono.empty();
        });
        return adapter.fromPublisher(
                adapter.isMultiValue() ? entry.thenMany(Flux.from(own)) : entry.then(Mono.fromDirect(own)));
    }

    private static void enter(ContextView context, Method method, @Nullable String exempt) {
        if (context.getOrDefault(ReactiveTransactions.key(method), null) instanceof TransactionTie tie) {
            tie.entered();
        }
        List<LockHandle> around = ReactiveLockContext.of(context);
        TransactionSynchronizationManager transaction = around.isEmpty() && exempt == null ? null : in(context);
        if (transaction == null) {
            return;
        }
        guarded(() -> {
            if (runs(transaction)) {
                Guard guard = Guard.running(transaction);
                if (exempt != null && exempt.equals(transaction.getCurrentTransactionName())) {
                    guard.exempt = true;
                }
                guard.around.addAll(around);
            }
            return true;
        });
    }

    /** Returns the synchronizations of the transaction in this context; null if there is none. */
    private static @Nullable TransactionSynchronizationManager in(ContextView context) {
        // completes immediately, because it reads only the context
        return TransactionSynchronizationManager.forCurrentTransaction()
                .onErrorResume(NoTransactionException.class, none -> Mono.empty())
                .contextWrite(context)
                .toFuture()
                .getNow(null);
    }

    private static boolean runs(TransactionSynchronizationManager transaction) {
        return transaction.isActualTransactionActive() && transaction.isSynchronizationActive();
    }

    private static <T extends @Nullable Object> T guarded(Supplier<T> change) {
        REGISTERING.lock();
        try {
            return change.get();
        } finally {
            REGISTERING.unlock();
        }
    }

    /** The tie of one call. */
    private final class Tie implements TransactionTie {

        private final TransactionSynchronizationManager transaction;
        private final ContextView context;
        private final @Nullable Guard around;
        private volatile boolean apart;

        private Tie(TransactionSynchronizationManager transaction, ContextView context) {
            this.transaction = transaction;
            this.context = context;
            this.around = holds() ? Guard.running(transaction) : null;
        }

        private boolean holds() {
            return rule == InTransaction.HOLD && runs(transaction);
        }

        @Override
        public TransactionTie forCall(List<LockName> locks) {
            if (rule == InTransaction.REFUSE
                    && runs(transaction)
                    && !ThreadTransactionTie.areAmong(ReactiveLockContext.of(context), locks)) {
                throw ThreadTransactionTie.refusal(locks, transaction.getCurrentTransactionName());
            }
            return this;
        }

        @Override
        public void acquired(Handle handle, Method method, Class<?> targetClass) {
            rejectIfFenced(handle);
        }

        @Override
        public List<LockHandle> held() {
            return around == null
                    ? List.of()
                    : around.kept.stream()
                            .flatMap(kept -> kept.acquired().parts().stream())
                            .toList();
        }

        @Override
        public void entered() {
            apart = guarded(() -> Guard.current(transaction)) != around;
        }

        @Override
        public boolean takeOver(Hold hold) {
            return guarded(() -> {
                if (apart || !holds()) {
                    return false;
                }
                Guard guard = Guard.running(transaction);
                guard.kept.add(hold);
                transaction.registerSynchronization(new Kept(hold, guard));
                return true;
            });
        }

        @Override
        public void lost(Hold hold, LockLostException loss) {
            guarded(() -> {
                if (!apart && holds() && OwnershipCheck.concerns(hold.acquired())) {
                    Guard.running(transaction).loss = loss;
                }
                return true;
            });
        }
    }

    /** The counterpart of {@link ThreadTransaction} for a reactive transaction. */
    private static final class Guard implements TransactionSynchronization {

        private final TransactionSynchronizationManager transaction;

        /** The locks around the methods that take part in the transaction. */
        private final Set<LockHandle> around = new LinkedHashSet<>();

        /**
         * The locks that are kept until the transaction has completed. Further calls in the transaction re-enter them.
         */
        private final List<TransactionTie.Hold> kept = new CopyOnWriteArrayList<>();

        private boolean exempt;
        private @Nullable LockLostException loss;

        private Guard(TransactionSynchronizationManager transaction) {
            this.transaction = transaction;
        }

        static @Nullable Guard current(TransactionSynchronizationManager transaction) {
            return (Guard) transaction.getResource(KEY);
        }

        static Guard running(TransactionSynchronizationManager transaction) {
            Guard current = current(transaction);
            if (current == null) {
                current = new Guard(transaction);
                transaction.registerSynchronization(current);
                transaction.bindResource(KEY, current);
            }
            return current;
        }

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return ifChecked(readOnly, () -> {
                if (loss != null) {
                    throw OwnershipCheck.refusal(loss);
                }
                around.forEach(OwnershipCheck::ensureHeld);
            });
        }

        Mono<Void> ifChecked(boolean readOnly, Runnable commitCheck) {
            return Mono.fromRunnable(() -> guarded(() -> {
                if (!readOnly && !exempt) {
                    commitCheck.run();
                }
                return true;
            }));
        }

        @Override
        public Mono<Void> suspend() {
            return Mono.fromRunnable(() -> guarded(() -> transaction.unbindResourceIfPossible(KEY)));
        }

        @Override
        public Mono<Void> resume() {
            return Mono.fromRunnable(() -> guarded(() -> {
                transaction.bindResource(KEY, this);
                return true;
            }));
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.fromRunnable(
                    () -> guarded(() -> current(transaction) == this ? transaction.unbindResource(KEY) : this));
        }
    }

    /** The counterpart of {@link HoldUntilCompletion} for a reactive transaction. */
    private static final class Kept implements TransactionSynchronization {

        private final TransactionTie.Hold hold;
        private final Guard guard;

        private Kept(TransactionTie.Hold hold, Guard guard) {
            this.hold = hold;
            this.guard = guard;
        }

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return guard.ifChecked(readOnly, () -> OwnershipCheck.ensureHeld(hold.acquired()));
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.fromRunnable(() -> HoldUntilCompletion.end(hold, status));
        }
    }
}
