package io.github.zklock.faults.client;

import io.github.zklock.LockRegistry;
import io.github.zklock.faults.cluster.DaemonThreads;
import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A client process. It acquires locks, reports events on its output, and reads commands from its input, one a line:
 * <pre>
 * loop THREADS MILLIS HOW SPEC     each thread acquires the lock, holds it for this long, releases it, and so on
 * loop-virtual THREADS MILLIS HOW SPEC
 *                                  the same in virtual threads, if the JDK has them
 * hold SPEC                        acquires the lock and holds it until "release"
 * release                          releases it
 * hold-downgrading LOCK            holds the write lock until "downgrade", and then the read lock until "release"
 * downgrade                        downgrades it
 * loop-downgrading MILLIS LOCK     holds the write lock and then the read lock, for this long each, again and again
 * once MILLIS HOW SPEC             acquires the lock once, holds it for this long and releases it
 * once-failing MILLIS HOW SPEC     the same, but throws an Error while holding the lock
 * nest MILLIS OUTER HOW INNER      acquires a lock, and after this long another one while it holds the first
 * pool TASKS MILLIS HOW SPEC       submits tasks to the pool of the application, each of which does "once"
 * lead MILLIS NAME                 is a candidate for a leadership, and ends each of its terms after this long
 * job WINDOW MILLIS NAME           runs a job whenever no run counts in the window, for this long each time
 * interrupt                        interrupts the threads of "hold", "once" and "once-failing"
 * close                            closes the registry, whatever is held or waits
 * open                             opens another registry after that
 * hold-many COUNT SPEC             holds this many locks, numbered by a suffix, without reports of their handles
 * hold-sessions SESSIONS SPEC      opens this many sessions, each of which holds one lock in the same way
 * release-many                     releases the locks of "hold-many" and "hold-sessions"
 * acquire-many COUNT LENGTH        acquires this many locks with names of this length, and keeps them
 * expire COUNT MILLIS WITHIN SPEC  begins calls whose limits end after MILLIS, or evenly WITHIN a time after that
 * repeat COUNT MILLIS SPEC         begins tasks that acquire the lock, hold it for this long and release it, and so on
 * each COUNT SPEC                  begins one call for each of these locks, numbered by a suffix
 * cancel THREADS MILLIS LOCK       requests the lock and cancels, again and again without a pause, for this long
 * attempt THREADS MILLIS SPEC      requests the lock if it is free, in the same way
 * report                           reports the numbers of calls and answers of these five
 * end-repeat                       lets the tasks of "repeat" end
 * block STAGES                     blocks a listener and stages of futures until "release-all"
 * call MILLIS LOCK                 makes timed calls, for free locks and for this one, and reports their outcomes
 * ask COUNT                        asks the servers about this many semaphores that no process uses
 * sweep LOCKS                      acquires and closes locks near the end of a thread's stack
 * clock                            reports the time of the wall clock
 * disrupt DISRUPTION               disrupts the ZooKeeper client of the locks
 * change CHANGE                    changes the application that uses the locks, if there is one
 * release-all                      ends all of this, and reports when every lock has been released
 * </pre>
 * @see LockCall
 * @see LockSpec
 */
public final class ClientMain {

    private static final LockCall FIRST = LockCall.parse("forever", "exclusive@" + LockSpec.FIRST_LOCK);

    /** Of the thread that detects stalls. */
    private static final Duration PERIOD = Duration.ofMillis(10);

    private static final Duration LATE = Duration.ofMillis(25);

    private ClientMain() {}

    /**
     * Runs until the end of its input.
     *
     * @param args name, connect string, base path, session timeout in milliseconds
     */
    public static void main(String[] args) throws Exception {
        ClientConfig config = new ClientConfig(args[1], args[2], Duration.ofMillis(Long.parseLong(args[3])), args[0]);
        DaemonThreads.start("stall-detector", () -> reportStalls(config));
        delayExit(Integer.getInteger("faults.slow-exit", 0));
        ResourceUsage usage = new ResourceUsage();
        Engine.Present engine = new Engine.Present(Engine.open(config));
        try {
            engine.get().call(FIRST, (heldLock, last) -> last.run());
            config.report(
                    Kind.READY,
                    "session engine timeout",
                    engine.get().session(),
                    Engine.name(),
                    config.sessionTimeout().toMillis());
            CallerThreads calls = new CallerThreads(config, engine);
            UnsampledHolds unsampled = new UnsampledHolds(config);
            MassCalls mass = new MassCalls(config, engine);
            BlockedStages stages = new BlockedStages(config);
            readCommands(config, calls, unsampled, mass, stages, engine);
            mass.end();
            stages.end();
            unsampled.releaseAll();
            calls.end();
        } finally {
            engine.get().close();
        }
        usage.report(config);
        System.exit(0);
    }

    private static void readCommands(
            ClientConfig config,
            CallerThreads calls,
            UnsampledHolds unsampled,
            MassCalls mass,
            BlockedStages stages,
            Engine.Present engine)
            throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] command = line.split(" ", -1);
            switch (command[0]) {
                case "loop" -> calls.loop(number(command[1]), millis(command[2]), call(command));
                case "loop-virtual" -> calls.loopVirtual(number(command[1]), millis(command[2]), call(command));
                case "hold-many" -> unsampled.hold(engine.get(), number(command[1]), command[2]);
                case "hold-sessions" -> unsampled.holdInSessions(number(command[1]), command[2]);
                case "release-many" -> unsampled.releaseAll();
                case "acquire-many" -> {
                    LockRegistry registry = engine.get().registry();
                    new MassAcquisition(config).acquire(registry, number(command[1]), number(command[2]));
                }
                case "expire" ->
                    mass.expire(number(command[1]), millis(command[2]), millis(command[3]), LockSpec.parse(command[4]));
                case "repeat" -> mass.repeat(number(command[1]), millis(command[2]), LockSpec.parse(command[3]));
                case "each" -> mass.each(number(command[1]), command[2]);
                case "cancel" -> mass.cancel(number(command[1]), millis(command[2]), command[3]);
                case "attempt" -> mass.attempt(number(command[1]), millis(command[2]), LockSpec.parse(command[3]));
                case "report" -> mass.report();
                case "end-repeat" -> mass.end();
                case "block" -> stages.block(engine.get().registry(), number(command[1]));
                case "call" -> stages.call(engine.get().registry(), millis(command[1]), command[2]);
                case "ask" -> calls.ask(engine.get().registry(), number(command[1]));
                case "sweep" -> StackSweep.start(config, engine.get().registry(), number(command[1]));
                case "hold" -> calls.hold(LockSpec.parse(command[1]));
                case "hold-downgrading" -> calls.holdDowngrading(command[1]);
                case "loop-downgrading" -> calls.loopDowngrading(millis(command[1]), command[2]);
                case "downgrade" -> calls.downgrade();
                case "release" -> calls.release();
                case "once" -> calls.once(millis(command[1]), call(command));
                case "once-failing" -> calls.onceFailing(millis(command[1]), call(command));
                case "nest" -> calls.nest(LockSpec.parse(command[2]), millis(command[1]), call(command));
                case "pool" -> calls.runInPool(number(command[1]), millis(command[2]), call(command));
                case "lead" -> calls.lead(millis(command[1]), command[2]);
                case "job" -> calls.runJob(millis(command[1]), millis(command[2]), command[3]);
                case "interrupt" -> calls.interrupt();
                case "clock" -> config.report(Kind.CLOCK, "millis", System.currentTimeMillis());
                case "close" -> {
                    engine.get().close();
                    config.report(Kind.REGISTRY_CLOSED);
                }
                case "open" -> {
                    engine.set(Engine.open(config));
                    engine.get().call(FIRST, (heldLock, last) -> last.run());
                    config.report(Kind.READY, "session", engine.get().session());
                }
                case "disrupt" -> engine.get().disrupt(Disruption.valueOf(command[1]));
                case "change" -> change(config, engine.get(), Engine.Change.valueOf(command[1]));
                case "release-all" -> {
                    mass.end();
                    stages.end();
                    unsampled.releaseAll();
                    calls.end();
                    mass.awaitForgotten();
                    config.report(Kind.ALL_RELEASED, "heap", ResourceUsage.heap());
                }
                default -> throw new IllegalArgumentException("Unknown command " + line);
            }
        }
    }

    /**
     * Changes the application in another thread, so that the process still reads commands: a close waits for the
     * holders.
     */
    private static void change(ClientConfig config, Engine engine, Engine.Change change) {
        config.report(change.closes() ? Kind.CLOSING : Kind.BLOCKED, "change", change);
        new Thread(
                        () -> {
                            engine.change(change);
                            config.report(Kind.CHANGED, "change", change);
                        },
                        "change")
                .start();
    }

    /** Only sleeps and counts, and reports when it was delayed: then the whole process was. */
    private static void reportStalls(ClientConfig config) {
        long last = System.nanoTime();
        while (true) {
            LockSupport.parkNanos(ClientMain.class, PERIOD.toNanos());
            long now = System.nanoTime();
            if (now - last > LATE.toNanos()) {
                config.report(Event.of(config.instance(), now, Kind.STALLED, "nanos", now - last));
            }
            last = now;
        }
    }

    /** Adds a slow shutdown hook, as applications have; all other threads continue while it runs. */
    private static void delayExit(int millis) {
        if (millis > 0) {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> LockSupport.parkNanos(ClientMain.class, millis * 1_000_000L), "slow-exit"));
        }
    }

    /** Returns the call that the last two words describe. */
    private static LockCall call(String[] command) {
        return LockCall.parse(command[command.length - 2], command[command.length - 1]);
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }

    private static Duration millis(String number) {
        return Duration.ofMillis(Long.parseLong(number));
    }
}
