package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimPlan.Downgrade;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Mishap;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Waiting;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Wish;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Plans in which the numbers of all queues come to their end just before many ask at once, twice in each. (S11) */
final class SimEndings {

    /** From here on the servers give the same number to every create, and negative ones to those that arrive together. */
    private static final int STUCK = Integer.MAX_VALUE;

    private static final int CROWDS = 2;
    private static final int LONERS = 2;

    private final SimRandom random;
    private final SimPlan plan;
    private final int end;
    private final List<Wish> wishes = new ArrayList<>();
    private final List<Mishap> mishaps = new ArrayList<>();

    private SimEndings(SimPlan plan, int end) {
        this.random = new SimRandom(plan.seed() ^ 0x656E64696E67L);
        this.plan = plan;
        this.end = end;
        for (int i = 0; i < CROWDS; i++) {
            long half = plan.window() / CROWDS;
            crowd(random.between(i * half + SimPlan.TICK, (i + 1) * half));
        }
        wishes.sort(Comparator.comparingLong(Wish::at));
    }

    /** Where the servers have no more numbers, and everything else goes wrong as well. */
    static SimPlan ofServers(long seed, SimKinds kinds) {
        SimPlan plan = SimPlanner.ordinary(seed, kinds);
        SimEndings endings = new SimEndings(plan, STUCK);
        endings.mishaps.addAll(plan.mishaps());
        return plan.withWishes(endings.wishes).withMishaps(endings.mishaps);
    }

    /** Where our locks give up before that, and nothing goes wrong. The last two ask alone, one after the other. */
    static SimPlan ofOurs(long seed, SimKinds kinds) {
        SimPlan plan = SimPlanner.ordinary(seed, kinds).undisturbed();
        SimEndings endings = new SimEndings(plan, SimSeat.LAST_SEQUENCE);
        endings.askAlone();
        return plan.withWishes(endings.wishes).withMishaps(endings.mishaps);
    }

    /** Those who ask alone, of one that ran such a plan. */
    static List<SimContender> whoAskAlone(SimWorld world) {
        List<SimContender> all = world.contenders();
        return all.subList(all.size() - LONERS, all.size());
    }

    /** All wishes of the plan at once. The first one comes before the numbers end, and may still hold when they do. */
    private void crowd(long at) {
        long step = plan.longestDelay();
        wishes.add(plan.wishes().get(0).movedTo(at - SimPlan.TICK / 4));
        for (int lock = 0; lock < plan.locks(); lock++) {
            long number = (long) end - random.below(3);
            mishaps.add(new Mishap(SimFault.SEQUENCE_NEAR_END, at, 0, 0, number * plan.locks() + lock));
        }
        plan.wishes().stream()
                .skip(1)
                .map(wish -> wish.movedTo(at + 4 * step + random.between(0, step)))
                .forEach(wishes::add);
    }

    /** After all others are done: those who hold for good do so until some time after the window. */
    private void askAlone() {
        long quiet = plan.window()
                + 5 * plan.timeout()
                + wishes.stream().mapToLong(Wish::hold).sum();
        // a lock below this one would keep its folder from ever being empty
        int innermost = plan.locks() - 1;
        for (int i = 1; i <= LONERS; i++) {
            wishes.add(new Wish(
                    quiet + i * plan.timeout(),
                    random.below(plan.members().size()),
                    innermost,
                    plan.families().get(innermost).demand(random),
                    Waiting.FOR_EVER,
                    plan.timeout(),
                    SimPlan.TICK / 8,
                    -1,
                    false,
                    false,
                    Downgrade.NONE));
        }
    }
}
