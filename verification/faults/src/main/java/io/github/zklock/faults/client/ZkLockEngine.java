package io.github.zklock.faults.client;

import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.DeadlockReaction;
import io.github.zklock.HandOff;
import io.github.zklock.Leadership;
import io.github.zklock.LockContext;
import io.github.zklock.LockEvent;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.OncePer;
import io.github.zklock.faults.client.CallResult.Outcome;
import io.github.zklock.faults.client.Engine.Work;
import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

/** Our locks, by calls of a registry. */
abstract class ZkLockEngine implements Engine {

    private final Acquirer acquirer;

    ZkLockEngine(Acquirer acquirer) {
        this.acquirer = acquirer;
    }

    /** Returns blocking calls on a shared client. */
    static ZkLockEngine onASharedClient(ClientConfig config, HandOff handOff) {
        CuratorFramework shared = SharedClient.client(config);
        return new OfRegistry(builder(config, handOff).client(shared).build(), Acquirer.BLOCKING, shared);
    }

    /** Returns futures on the registry's own client. */
    static ZkLockEngine onItsOwnClient(ClientConfig config, HandOff handOff) {
        ZooKeeperLockRegistry registry = builder(config, handOff)
                .connectString(config.connectString())
                .sessionTimeout(config.sessionTimeout())
                .connectionTimeout(config.sessionTimeout())
                .build();
        return new OfRegistry(registry, Acquirer.ASYNC, null);
    }

    private static ZooKeeperLockRegistry.Builder builder(ClientConfig config, HandOff handOff) {
        DeadlockReaction reaction = DeadlockReaction.valueOf(
                System.getProperty("faults.on-deadlock", "warn").toUpperCase(Locale.ROOT));
        return ZooKeeperLockRegistry.builder()
                .basePath(config.basePath())
                .instance(config.instance())
                .handOff(handOff)
                .onDeadlock(reaction)
                .listener(event -> reportDeadlock(config, event));
    }

    private static void reportDeadlock(ClientConfig config, LockEvent event) {
        if (event instanceof LockEvent.Deadlocked deadlock) {
            String lock = deadlock.name().value().substring(1);
            config.report(Kind.DEADLOCK, "lock rejected circle", lock, deadlock.rejected(), deadlock.requests());
        }
    }

    @Override
    public abstract ZooKeeperLockRegistry registry();

    /** Returns the client of the registry; null if it is its own. */
    abstract @Nullable CuratorFramework client();

    @Override
    public CallResult call(LockCall call, Work work) throws InterruptedException {
        try {
            Optional<LockHandle> granted = acquirer.acquire(registry(), call);
            if (granted.isEmpty()) {
                return CallResult.of(Outcome.EMPTY);
            }
            try (LockHandle handle = granted.get()) {
                work.under(new HeldHandle(handle), Work.NOTHING_ELSE);
            }
            return CallResult.of(Outcome.RELEASED);
        } catch (LockException e) {
            return CallResult.of(e);
        }
    }

    @Override
    public CompletableFuture<CallResult> begin(LockCall call, Duration time, Runnable granted) {
        Executor later = CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS, Runnable::run);
        return Acquirer.begin(registry(), call)
                .thenCompose(handle -> {
                    granted.run();
                    // a close does not wait
                    return CompletableFuture.runAsync(handle::close, later);
                })
                .handle((closed, failure) -> failure == null ? CallResult.of(Outcome.RELEASED) : answer(failure));
    }

    private static CallResult answer(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof LockException refusal) {
            return CallResult.of(refusal);
        }
        throw new IllegalStateException("A future for a lock has failed", cause);
    }

    @Override
    public CallResult downgrade(String lock, Work writing, Work reading) throws InterruptedException {
        ClusterReadWriteLock both = registry().readWriteLock(lock);
        try (LockHandle writer = both.writeLock().acquire();
                LockContext.Scope scope = LockContext.open(writer)) {
            writing.under(new HeldHandle(writer), Work.NOTHING_ELSE);
            try (LockHandle reader = both.readLock().acquire()) {
                scope.close();
                writer.close();
                reading.under(new HeldHandle(reader), Work.NOTHING_ELSE);
            }
            return CallResult.of(Outcome.RELEASED);
        } catch (LockException e) {
            return CallResult.of(e);
        }
    }

    @Override
    public void lead(String name, CountDownLatch end, Term term) throws InterruptedException {
        Semaphore betweenTerms = new Semaphore(1);
        try (Leadership leadership = registry().leadership(name)) {
            leadership.runWhileLeader(token -> {
                betweenTerms.acquire();
                try {
                    LockHandle handle = LockContext.current(name).orElseThrow();
                    term.under(new HeldHandle(handle, leadership::isLeader));
                } finally {
                    betweenTerms.release();
                }
                leadership.stepDown(Duration.ZERO);
            });
            leadership.start();
            end.await();
            // the end of a leadership interrupts a term, which would look like a loss
            betweenTerms.acquire();
        }
    }

    @Override
    public CallResult job(String name, Duration window, Work work) throws InterruptedException {
        try {
            boolean ran = registry().job(name, OncePer.of(window)).run(handle -> {
                work.under(new HeldHandle(handle), Work.NOTHING_ELSE);
                return name;
            });
            return CallResult.of(ran ? Outcome.RELEASED : Outcome.EMPTY);
        } catch (LockException e) {
            return CallResult.of(e);
        }
    }

    @Override
    public String session() {
        return registry().inspector().session().id();
    }

    @Override
    public void disrupt(Disruption disruption) throws Exception {
        CuratorFramework shared = client();
        if (shared == null) {
            throw new UnsupportedOperationException("The client of this registry is not shared: " + disruption);
        }
        SharedClient.apply(disruption, shared);
    }

    /** One registry, which is closed with its client. */
    private static final class OfRegistry extends ZkLockEngine {

        private final ZooKeeperLockRegistry registry;
        private final @Nullable CuratorFramework client;

        OfRegistry(ZooKeeperLockRegistry registry, Acquirer acquirer, @Nullable CuratorFramework client) {
            super(acquirer);
            this.registry = registry;
            this.client = client;
        }

        @Override
        public ZooKeeperLockRegistry registry() {
            return registry;
        }

        @Override
        @Nullable CuratorFramework client() {
            return client;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // holders may continue after the close
        public void close() {
            registry.close();
            if (client != null) {
                registry.terminated().thenRun(client::close);
            }
        }
    }
}
