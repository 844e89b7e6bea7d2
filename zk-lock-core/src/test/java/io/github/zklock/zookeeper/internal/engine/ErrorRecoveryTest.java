package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockState;
import io.github.zklock.zookeeper.internal.local.Claim;
import io.github.zklock.zookeeper.internal.local.Patience;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatIds;
import io.github.zklock.zookeeper.internal.runtime.DirectSteps;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.runtime.Threads;
import io.github.zklock.zookeeper.internal.session.QuickSettings;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.transport.AccessLists;
import io.github.zklock.zookeeper.internal.transport.Connection;
import io.github.zklock.zookeeper.internal.transport.CuratorWire;
import io.github.zklock.zookeeper.internal.transport.IdealWire;
import io.github.zklock.zookeeper.internal.transport.LockClient;
import io.github.zklock.zookeeper.internal.transport.Wire;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.junit.jupiter.api.Test;

/** L26: single places at which an Error, or a false alarm about one, was once more than a replaced engine. */
@SuppressWarnings({"FutureReturnValueIgnored", "NullAway"}) // outcomes are looked at where they arrive
class ErrorRecoveryTest {

    private static final long SECOND = 1_000_000_000L;
    private static final AtomicInteger CLOSES = new AtomicInteger();

    private final ManualTime time = new ManualTime(Runnable::run);
    private final List<Throwable> failures = new ArrayList<>();
    private final AtomicReference<String> failingCall = new AtomicReference<>("");
    private final AtomicReference<Throwable> planted = new AtomicReference<>();
    private final AtomicReference<Throwable> lossesFail = new AtomicReference<>();
    private final AtomicReference<Throwable> callbacksFail = new AtomicReference<>();
    private HandOff handOff = HandOff.strict();
    private long timeout = 20 * SECOND;
    private WireSession.Liveness liveness = WireSession.Liveness.CONNECTED;
    private boolean pinnable = true;
    private EngineKeeper keeper;
    private EngineAccess access;

    private Executor failing(AtomicReference<Throwable> once) {
        return task -> {
            Throwable error = once.getAndSet(null);
            if (error instanceof Error e) {
                throw e;
            }
            task.run();
        };
    }

    private void build() {
        AtomicLong ids = new AtomicLong();
        IdealWire memory = new IdealWire(task -> keeper.loop().execute(task));
        Notices notices = new Notices(failing(lossesFail), failing(callbacksFail));
        SeatIds seatIds = new SeatIds(new UUID(0, 0), ids::incrementAndGet);
        keeper = new EngineKeeper(
                Runnable::run,
                (run, successor) -> new Engine(
                        run, QuickSettings.SETTINGS, wire(memory, run), time.of(run), notices, seatIds, successor),
                failures::add);
        access = new EngineAccess(
                keeper,
                name -> LockPolicy.defaults().handOff(handOff),
                null,
                failing(lossesFail),
                failing(callbacksFail),
                () -> false,
                new DirectSteps(),
                null);
        keeper.loop().execute(keeper::start);
        pass(60);
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            time.advance(SECOND);
            access.look();
        }
    }

    private Wire wire(IdealWire memory, EngineRun run) {
        return FailingWire.around(memory, run, (call, isRequest) -> {
            Throwable error = call.equals(failingCall.get()) ? planted.getAndSet(null) : null;
            if (error != null) {
                throw error;
            }
            return switch (call) {
                case "connection" -> connection();
                case "liveness" -> liveness;
                case "pin" -> pinnable ? null : new Wire.Pin.NotYet("down");
                default -> null;
            };
        });
    }

    private Connection connection() {
        Connection.Attempt attempt = new Connection.Attempt(0, OptionalLong.empty(), true);
        return new Connection(1, timeout, timeout, attempt, OptionalLong.of(0));
    }

    private EngineLock lock(String name) {
        return new EngineLock(LockName.of(name), Demand.EXCLUSIVE, access);
    }

    @Test
    void aHandleThatIsClosedTwiceAtTheEndOfAStackLeavesTheLoopAlive() throws Exception {
        build();
        LockHandle handle = lock("/a").acquire();
        Thread deep = new Thread(null, () -> closeAtEachFrame(handle), "deep", 256 * 1024);
        deep.setUncaughtExceptionHandler((thread, end) -> {});
        deep.start();
        deep.join();
        Thread watch = new Thread(access::look, "watch");
        watch.setDaemon(true);
        watch.start();
        watch.join(10_000);
        assertThat(watch.isAlive())
                .as("spinning at %s", List.of(watch.getStackTrace()))
                .isFalse();
    }

    @SuppressWarnings("InfiniteRecursion")
    private static void closeAtEachFrame(LockHandle handle) {
        try {
            closeAtEachFrame(handle);
        } catch (StackOverflowError end) {
            // as who tries again further up, where there is still no room
            if (CLOSES.getAndIncrement() < 30) {
                handle.close();
            }
            throw end;
        }
    }

    @Test
    void aCloseThatAnErrorInterruptsReleasesTheLockInTheBackground() throws Exception {
        build();
        LockHandle handle = lock("/a").acquire();
        planted.set(new OutOfMemoryError("planted"));
        failingCall.set("connection");

        assertThatThrownBy(handle::close).isInstanceOf(OutOfMemoryError.class);
        pass(10);

        assertThat(failures).isEmpty();
        assertThat(lock("/a").acquireAsync()).isCompleted();
    }

    @Test
    void aRequestThatCouldNotBeSentIsNotTakenForOneWithoutAnAnswer() throws Exception {
        build();
        LockHandle other = lock("/healthy").acquire();
        planted.set(new IllegalStateException("the access list of /locks/x is not known any more"));
        failingCall.set("change");
        CompletableFuture<LockHandle> refused = lock("/bad").acquireAsync();
        assertThat(refused).isCompletedExceptionally();
        assertThat(other.isHeld()).isTrue();
        pass(100);
        assertThat(failures).isEmpty();
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void looksThatCouldNotRunInTimeAreNoReasonToReplaceTheEngine() throws Exception {
        build();
        LockHandle other = lock("/healthy").acquire();
        // whoever runs the loop stands still for 40 s (a debugger, a virtual thread without a carrier)
        keeper.loop().execute(() -> {
            for (int i = 0; i < 40; i++) {
                access.look();
            }
        });
        assertThat(failures).isEmpty();
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void aTickThatWaitsBehindAnswersIsNoReasonToReplaceTheEngine() {
        build();

        lookOften(true);
        assertThat(failures).isEmpty();

        lookOften(false);
        assertThat(failures).hasSize(1);
    }

    /** More often than a tick may be late, in one task of the loop. */
    private void lookOften(boolean behind) {
        keeper.loop().execute(() -> {
            if (behind) {
                keeper.loop().lanes().answer(() -> {});
            }
            for (int i = 0; i < 100; i++) {
                keeper.look();
            }
        });
    }

    @Test
    void requestsThatWaitEndWithTheEngine() throws Exception {
        build();
        LockHandle held = lock("/a").acquire();
        CompletableFuture<LockHandle> waiting = lock("/a").acquireAsync();

        access.run(engine -> {
            throw new OutOfMemoryError("planted");
        });

        assertThat(held.state()).isEqualTo(LockState.LOST);
        assertThat(waiting).isCompletedExceptionally();
        CompletableFuture<LockHandle> next = lock("/a").acquireAsync();
        pass(10);
        assertThat(next).isCompleted();
    }

    @Test
    void anErrorWhileALossIsToldDoesNotLoseTheLossAction() throws Exception {
        build();
        LockHandle handle = lock("/a").acquire();
        AtomicInteger told = new AtomicInteger();
        handle.onLost(told::incrementAndGet);
        lossesFail.set(new OutOfMemoryError("planted"));
        handle.loseAfter(Duration.ofSeconds(2));
        pass(100);
        assertThat(handle.state().toString()).isEqualTo("LOST");
        assertThat(told).hasValue(1);
    }

    @Test
    void anErrorWhileAReleaseIsToldDoesNotLeaveItsFutureOpen() throws Exception {
        build();
        LockHandle handle = lock("/a").acquire();
        CompletableFuture<Void> released = handle.released().toCompletableFuture();
        callbacksFail.set(new OutOfMemoryError("planted"));
        handle.close();
        pass(100);
        assertThat(released).isDone();
    }

    @Test
    void aLossIsKnownBeforeTheReleaseThatFollowsIt() {
        // two readers share a seat, so the release of one is seen at once
        handOff = LockPolicy.defaults().handOff();
        build();
        EngineLock reading = new EngineLock(LockName.of("/read"), Demand.READ, access);
        LockHandle limited = reading.acquireAsync().join();
        LockHandle other = reading.acquireAsync().join();
        List<LockState> seen = new ArrayList<>();
        limited.released().thenRun(() -> seen.add(limited.state()));

        limited.loseAfter(Duration.ofSeconds(5));
        pass(10);

        assertThat(seen).containsExactly(LockState.LOST);
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void anErrorInShutDownDoesNotLeaveTheRegistryUnterminated() {
        build();
        AtomicBoolean terminated = new AtomicBoolean();
        planted.set(new OutOfMemoryError("unable to create native thread"));
        failingCall.set("close");
        access.shutDown(() -> terminated.set(true));
        pass(100);
        assertThat(terminated).isTrue();
    }

    @Test
    void theEndOfASessionWithALongTimeoutIsNoReasonToReplaceTheEngine() {
        timeout = 300 * SECOND;
        build();
        pass(300);
        assertThat(failures).isEmpty();
        pinnable = false;
        liveness = WireSession.Liveness.ENDED;
        pass(120);
        assertThat(failures).isEmpty();
    }

    @Test
    void aClaimThatCouldNotEvenBeListedIsAnswered() {
        build();
        AtomicReference<Throwable> fails = new AtomicReference<>(new OutOfMemoryError("planted in the answer"));
        AtomicInteger answers = new AtomicInteger();
        Claim claim = new Claim(LockName.of("/a"), Demand.EXCLUSIVE, Patience.forever(), null, 1, new Claim.Answer() {
            @Override
            public void granted(Turn turn) {
                answers.incrementAndGet();
            }

            @Override
            public void refused(Refusal refusal) {
                if (fails.getAndSet(null) instanceof Error error) {
                    throw error;
                }
                answers.incrementAndGet();
            }

            @Override
            public boolean hasArrived() {
                return answers.get() > 0;
            }

            @Override
            public String asker() {
                return "asker";
            }
        });
        // an Error before OpenClaims.add, as the first of ask()
        EngineKeeper.Request asking = keeper.asking(claim, List.of());
        keeper.loop().execute(new EngineKeeper.Request() {
            @Override
            public void run() {
                throw new OutOfMemoryError("planted before the claim is listed");
            }

            @Override
            void failed(Throwable error) {
                asking.failed(error);
            }
        });
        pass(10);
        assertThat(answers).hasValue(1);
    }

    @Test
    void anErrorOnTheClientThreadDoesNotLeaveTheRegistryWithoutASession() throws Exception {
        AtomicBoolean fails = new AtomicBoolean(true);
        CuratorFramework client = (CuratorFramework) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CuratorFramework.class}, (proxy, method, arguments) -> {
                    if (fails.getAndSet(false)) {
                        throw new OutOfMemoryError("planted");
                    }
                    throw new IllegalStateException("not now");
                });
        EngineRun run = new EngineRun(Runnable::run);
        AtomicInteger answers = new AtomicInteger();
        CuratorWire wire = new CuratorWire(new LockClient(client, false), "/locks", null, run, task -> {
            try {
                task.run();
            } catch (Throwable diesOnItsThread) {
                // as in a pool
            }
        });
        wire.pin(pin -> answers.incrementAndGet());
        assertThat(answers.get() == 1 || run.isBroken()).isTrue();
    }

    @Test
    void theAccessListsOfAFolderInUseStayKnown() {
        AccessLists lists = new AccessLists(new DefaultACLProvider(), null, "/locks");
        String folder = "/locks/tenant/a";
        for (int i = 0; i < 100_000; i++) {
            lists.ask(folder);
            // what each create of a seat asks
            lists.of(folder + "/_c_1-lock-");
            lists.ask("/locks/other/" + i);
        }
        lists.ask(folder);
        for (int slash = folder.indexOf('/', 1); slash > 0; slash = folder.indexOf('/', slash + 1)) {
            lists.of(folder.substring(0, slash));
        }
        lists.of(folder);
    }

    @Test
    void anInterruptDoesNotMakeTheWatchSpin() throws Exception {
        Threads threads = new Threads("interrupted");
        AtomicInteger looks = new AtomicInteger();
        threads.watch(looks::incrementAndGet, () -> {}, System::nanoTime);
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("zk-lock-interrupted-watch"))
                .forEach(Thread::interrupt);
        // so long that a thread that spins has looked thousands of times
        new CountDownLatch(1).await(2, TimeUnit.SECONDS);
        threads.shutDown();
        assertThat(looks.get()).isLessThan(20);
    }
}
