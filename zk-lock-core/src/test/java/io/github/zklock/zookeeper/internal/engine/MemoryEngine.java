package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.ClusterLock;
import io.github.zklock.HandOff;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.LockFolder;
import io.github.zklock.zookeeper.internal.queue.SeatIds;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.DirectSteps;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.QuickSettings;
import io.github.zklock.zookeeper.internal.transport.IdealWire;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** The engine on {@link IdealWire}, with a clock that stands still and no thread of its own. */
final class MemoryEngine {

    private static final Time STANDING_STILL = new Time() {
        @Override
        public long nanoTime() {
            return 1;
        }

        @Override
        public long wallNanos() {
            return 1;
        }

        @Override
        public Alarm after(long delayNanos, Runnable action) {
            return () -> {};
        }
    };

    private final EngineAccess access;
    private final IdealWire wire;

    MemoryEngine(HandOff handOff) {
        this(handOff, loop -> loop);
    }

    /** @param wires what requests and answers go through on their way to the loop */
    MemoryEngine(HandOff handOff, UnaryOperator<Executor> wires) {
        AtomicLong ids = new AtomicLong();
        AtomicReference<IdealWire> made = new AtomicReference<>();
        EngineKeeper keeper = new EngineKeeper(
                Runnable::run,
                (run, successor) -> {
                    IdealWire next = new IdealWire(wires.apply(run));
                    made.set(next);
                    return new Engine(
                            run,
                            QuickSettings.SETTINGS,
                            next,
                            STANDING_STILL,
                            new Notices(Runnable::run, Runnable::run),
                            new SeatIds(new UUID(0, 0), ids::incrementAndGet),
                            successor);
                },
                error -> {
                    throw new AssertionError("an engine in memory does not fail", error);
                });
        wire = made.get();
        access = new EngineAccess(
                keeper,
                new EngineRegistry.SamePolicy(LockPolicy.defaults().handOff(handOff)),
                null,
                Runnable::run,
                Runnable::run,
                () -> false,
                new DirectSteps(),
                null);
        keeper.loop().execute(keeper::start);
    }

    EngineAccess access() {
        return access;
    }

    ClusterLock lock(String name) {
        return new EngineLock(LockName.of(name), Demand.EXCLUSIVE, access);
    }

    /** A request for permits of a semaphore, as a lock. */
    EngineLock permits(String name, int permits, int of) {
        return new EngineLock(LockName.of(name), Demand.permits(permits, of), access);
    }

    /** Deletes the queue of a lock, as an operator does, and has somebody else be the first in the new one. */
    void replaceQueue(String name) {
        access.run(engine -> {
            wire.clear();
            wire.restartSequence();
            String stem = SeatName.stem(new UUID(1, 1).toString(), Demand.EXCLUSIVE);
            wire.createNow(LockFolder.of("/locks", LockName.of(name)) + "/" + stem);
        });
    }

    /** Deletes the first node, as an operator does. */
    void deleteFirst() {
        access.run(engine -> wire.deleteFirst());
    }

    int nodes() {
        return access.ask(engine -> wire.size()).join();
    }

    /** Whether no node is there. */
    boolean isEmpty() {
        return access.ask(engine -> wire.isEmpty()).join();
    }

    /** Takes every lock from its holder; returns when that has happened. */
    void evictAll() {
        access.ask(engine -> {
                    wire.clear();
                    engine.held().forEach(held -> engine.tellEvicted(held.seatId()));
                    return true;
                })
                .join();
    }
}
