package io.github.zklock.benchmarks.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** All workloads, in the order of the report. */
public final class Workloads {

    private Workloads() {}

    /**
     * Returns the workloads that can run here.
     *
     * @param size of workloads without a fixed duration
     * @param redis whether a Redis server is installed
     */
    public static List<Workload> all(Size size, boolean redis) {
        List<Workload> all = new ArrayList<>(List.of(
                UncontendedWorkloads.free(redis),
                UncontendedWorkloads.cold(size.first()),
                UncontendedWorkloads.coldAndRare(size.first()),
                UncontendedWorkloads.retaken(),
                UncontendedWorkloads.ownByFew(),
                UncontendedWorkloads.own(),
                UncontendedWorkloads.ownByMany(),
                UncontendedWorkloads.allOf(4, 4),
                UncontendedWorkloads.allOf(20, 15),
                ContendedWorkloads.oneProcess(redis),
                ContendedWorkloads.threeProcesses(),
                ContendedWorkloads.tenProcesses(),
                ContendedWorkloads.turns(size.turns()),
                ContendedWorkloads.times(size.times()),
                ContendedWorkloads.held(1),
                ContendedWorkloads.held(10),
                ContendedWorkloads.tries(),
                ContendedWorkloads.readMostly(),
                ContendedWorkloads.permits(),
                ContendedWorkloads.permitsOfProcesses(),
                WireWorkloads.freeFar(),
                WireWorkloads.contendedFar(),
                WireWorkloads.ownFar(8),
                WireWorkloads.ownFar(64),
                WireWorkloads.allOfFar()));
        size.lines().forEach(waiters -> all.add(WireWorkloads.queue(waiters)));
        all.add(WireWorkloads.threads(Collections.max(size.lines())));
        all.add(WireWorkloads.places());
        size.holds().forEach(locks -> all.add(WireWorkloads.holds(locks)));
        all.add(LargeWorkloads.names(size.names()));
        LargeWorkloads.waiters(size.waiters().get(0), size.waiters().get(1)).ifPresent(all::add);
        LargeWorkloads.crowd(size.crowd()).ifPresent(all::add);
        all.add(LocalWorkloads.startUp());
        all.add(LocalWorkloads.held());
        all.add(LocalWorkloads.retakenWithoutServers());
        all.add(LocalWorkloads.annotation());
        all.add(LocalWorkloads.nested());
        all.add(LocalWorkloads.oncePer());
        all.add(LocalWorkloads.leaderKill());
        return all;
    }
}
