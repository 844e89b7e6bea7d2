package io.github.zklock.faults.context;

import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.Optional;

/** Counts the seats in the queues of a scenario, and the processes that watch them, by asking the servers. */
public final class QueueMonitor {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private final Ensemble ensemble;
    private final String basePath;

    QueueMonitor(Ensemble ensemble, String basePath) {
        this.ensemble = ensemble;
        this.basePath = basePath;
    }

    /** Returns the path of the folder that contains the seats of a lock. */
    public String folderOf(String lock) {
        return basePath + "/" + lock;
    }

    /** Waits until the queues contain at least this many seats. */
    public void awaitSeats(int count) {
        ScenarioContext.until(count + " seats", BETWEEN_LOOKS, () -> seats() >= count);
    }

    /** Waits until no queue contains a seat. */
    public void awaitNoSeats() {
        ScenarioContext.until("no seats", BETWEEN_LOOKS, () -> seats() == 0);
    }

    /** Waits until this many processes watch the seats in front of their own. */
    public void awaitWaiters(int processes) {
        String what = processes + " processes that watch the seats in front of their own";
        ScenarioContext.until(what, BETWEEN_LOOKS, () -> watchers() == processes);
    }

    public long seats() {
        return ensemble.seats(this::isOfScenario);
    }

    /** Returns the number of watching processes, or -1 if a server does not answer. */
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

    /** Excludes the lock that a client acquires at its start, whose seat may linger. */
    private boolean isOfScenario(String seat) {
        return seat.startsWith(basePath + "/") && !seat.startsWith(folderOf(LockSpec.FIRST_LOCK) + "/");
    }
}
