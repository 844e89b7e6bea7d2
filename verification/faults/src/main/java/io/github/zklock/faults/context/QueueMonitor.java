package io.github.zklock.faults.context;

import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** What stands in the queues of a scenario and is watched there, by the servers' own word. */
public final class QueueMonitor {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private final Ensemble ensemble;
    private final String basePath;

    QueueMonitor(Ensemble ensemble, String basePath) {
        this.ensemble = ensemble;
        this.basePath = basePath;
    }

    /** The path of the folder in which the seats of a lock stand. */
    public String folderOf(String lock) {
        return basePath + "/" + lock;
    }

    /** Waits until at least so many seats stand in the queues. */
    public void awaitSeats(int count) {
        await(count + " seats", () -> seats() >= count);
    }

    /** Waits until no seat stands in any queue. */
    public void awaitNoSeats() {
        await("no seats", () -> seats() == 0);
    }

    /** Waits until so many processes wait, each of which has looked who stands in front and watches that. */
    public void awaitWaiters(int processes) {
        await(processes + " processes that watch what stands in front of them", () -> watchers() == processes);
    }

    /** How many seats stand in the queues. */
    public long seats() {
        return ensemble.seats(this::isOfScenario);
    }

    private static void await(String what, BooleanSupplier seen) {
        Awaitility.await(what)
                .atMost(ScenarioContext.MAX_WAIT)
                .pollInterval(BETWEEN_LOOKS)
                .until(seen::getAsBoolean);
    }

    /** -1 while a server does not say whom it tells of changes. */
    private int watchers() {
        int all = 0;
        for (ServerProcess server : ensemble.servers()) {
            Optional<String> watched = server.ask("wchp");
            if (watched.isEmpty()) {
                return -1;
            }
            all += Leftovers.watchersBelow(basePath, watched.get()).size();
        }
        return all;
    }

    /** That of a client's first lock, by which it gets ready, may linger. */
    private boolean isOfScenario(String seat) {
        return seat.startsWith(basePath + "/") && !seat.startsWith(folderOf(LockSpec.FIRST_LOCK) + "/");
    }
}
