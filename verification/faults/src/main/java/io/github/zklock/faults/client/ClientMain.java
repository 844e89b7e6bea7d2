package io.github.zklock.faults.client;

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
 * A process that uses locks and says on its output what it sees. It takes orders from its input, one a line, and ends
 * with it:
 *
 * <pre>
 * loop THREADS MILLIS HOW WISH  each thread asks for the lock, holds it for so long and gives it back, again and again
 * loop-virtual THREADS MILLIS HOW WISH
 *                               the same in virtual threads, where there are any
 * hold WISH                     takes the lock and holds it until "release"
 * release                       gives it back
 * hold-downgrading LOCK         takes the lock to write, keeps it until "downgrade", and then to read until "release"
 * downgrade                     lets it become a reader
 * loop-downgrading MILLIS LOCK  takes the lock to write and becomes a reader, for so long each, again and again
 * once MILLIS HOW WISH          asks once, holds for so long and gives it back
 * once-failing MILLIS HOW WISH  the same, and then throws an Error under the lock
 * crowd THREADS MILLIS HOW WISH gives the application's pool so many tasks, each of which asks once
 * interrupt                     interrupts the threads of "hold", "once" and "once-failing"
 * close                         closes what the locks are taken from, whoever holds or waits
 * open                          begins anew after that
 * keep COUNT WISH               keeps so many locks, with a number behind the name of each, and never looks at them
 * gather SESSIONS WISH          opens so many sessions, each of which keeps one lock so
 * disband                       gives all of those back
 * amass COUNT LENGTH            acquires so many locks with names of that length, and keeps them until the process ends
 * sweep LOCKS                   acquires and closes so many locks near the end of a thread's stack
 * clock                         says what its wall clock shows
 * disrupt DISRUPTION            does something to the client that the locks rest on
 * change CHANGE                 does something to the application that uses the locks, if there is one
 * rest                          ends all of that, and says when everything has been given back
 * </pre>
 *
 * @see LockCall
 * @see LockSpec
 */
public final class ClientMain {

    private static final LockCall FIRST = LockCall.parse("forever", "exclusive@" + LockSpec.FIRST_LOCK);

    /** The property of a client process that has a shutdown hook of its own: for how many milliseconds that runs. */
    private static final String SLOW_EXIT = "faults.slow-exit";

    private ClientMain() {}

    /**
     * Runs until the end of its input.
     *
     * @param args name, connect string, base path, session timeout in milliseconds
     */
    public static void main(String[] args) throws Exception {
        ClientConfig config = new ClientConfig(args[1], args[2], Duration.ofMillis(Long.parseLong(args[3])), args[0]);
        StallDetector.start(config.instance());
        delayExit(Integer.getInteger(SLOW_EXIT, 0));
        ResourceUsage usage = new ResourceUsage();
        try (ReopenableEngine engine = new ReopenableEngine(() -> Engines.open(config))) {
            engine.call(FIRST, (heldLock, last) -> last.run());
            report(
                    config,
                    Kind.READY,
                    "session",
                    engine.session(),
                    "engine",
                    Engines.name(),
                    "foreign",
                    SharedClient.isForeign(),
                    "timeout",
                    config.sessionTimeout().toMillis());
            CallerThreads calls = new CallerThreads(config.instance(), engine);
            UnsampledHolds unsampled = new UnsampledHolds(config);
            readCommands(config, calls, unsampled, engine);
            unsampled.releaseAll();
            calls.end();
        }
        report(config, Kind.ENDED, usage.growth());
        System.exit(0);
    }

    private static void readCommands(
            ClientConfig config, CallerThreads calls, UnsampledHolds unsampled, ReopenableEngine engine)
            throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] command = line.split(" ", -1);
            switch (command[0]) {
                case "loop" ->
                    calls.loop(
                            Integer.parseInt(command[1]), millis(command[2]), LockCall.parse(command[3], command[4]));
                case "loop-virtual" ->
                    calls.loop(
                            VirtualThreadFactory.virtual(),
                            Integer.parseInt(command[1]),
                            millis(command[2]),
                            LockCall.parse(command[3], command[4]));
                case "hold-many" -> unsampled.hold(engine, Integer.parseInt(command[1]), command[2]);
                case "hold-sessions" -> unsampled.holdInSessions(Integer.parseInt(command[1]), command[2]);
                case "release-many" -> unsampled.releaseAll();
                case "acquire-many" ->
                    new MassAcquisition(config.instance())
                            .acquire(engine.registry(), Integer.parseInt(command[1]), Integer.parseInt(command[2]));
                case "sweep" -> StackSweep.start(config.instance(), engine.registry(), Integer.parseInt(command[1]));
                case "hold" -> calls.hold(LockSpec.parse(command[1]));
                case "hold-downgrading" -> calls.holdDowngrading(command[1]);
                case "loop-downgrading" -> calls.loopDowngrading(millis(command[1]), command[2]);
                case "downgrade" -> calls.downgrade();
                case "release" -> calls.release();
                case "once" -> calls.once(millis(command[1]), LockCall.parse(command[2], command[3]));
                case "once-failing" -> calls.onceFailing(millis(command[1]), LockCall.parse(command[2], command[3]));
                case "pool" ->
                    calls.runInPool(
                            Integer.parseInt(command[1]), millis(command[2]), LockCall.parse(command[3], command[4]));
                case "interrupt" -> calls.interrupt();
                case "clock" -> calls.reportClock();
                case "close" -> {
                    engine.close();
                    calls.report(Kind.REGISTRY_CLOSED);
                }
                case "open" -> {
                    engine.open();
                    engine.call(FIRST, (heldLock, last) -> last.run());
                    calls.report(Kind.READY, "session", engine.session());
                }
                case "disrupt" -> engine.disrupt(Disruption.valueOf(command[1]));
                case "change" -> change(config, engine, Engine.Change.valueOf(command[1]));
                case "release-all" -> {
                    unsampled.releaseAll();
                    calls.end();
                    report(config, Kind.ALL_RELEASED, "heap", ResourceUsage.heap());
                }
                default -> throw new IllegalArgumentException("Unknown order " + line);
            }
        }
    }

    /** Meanwhile, other orders are taken: what is closed waits for those who hold something. */
    private static void change(ClientConfig config, Engine engine, Engine.Change change) {
        report(config, change.closes() ? Kind.CLOSING : Kind.BLOCKED, "change", change);
        new Thread(
                        () -> {
                            engine.change(change);
                            report(config, Kind.CHANGED, "change", change);
                        },
                        "change")
                .start();
    }

    /** Applications have hooks that take their time, during which all their other threads go on. */
    private static void delayExit(int millis) {
        if (millis > 0) {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> LockSupport.parkNanos(ClientMain.class, millis * 1_000_000L), "slow-exit"));
        }
    }

    private static Duration millis(String number) {
        return Duration.ofMillis(Long.parseLong(number));
    }

    private static void report(ClientConfig config, Kind kind, Object... keysAndValues) {
        System.out.println(Event.of(config.instance(), System.nanoTime(), kind, keysAndValues));
    }
}
