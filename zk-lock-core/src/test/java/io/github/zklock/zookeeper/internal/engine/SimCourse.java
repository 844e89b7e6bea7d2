package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimPlan.Member;
import io.github.zklock.zookeeper.internal.engine.SimPlan.Mishap;
import java.util.ArrayList;
import java.util.List;

/**
 * The course of a schedule: the program with its faults, healing, the end of all claims, and a look at what is left.
 */
final class SimCourse {

    private final SimWorld world;
    private final SimPlan plan;
    private int asked;

    SimCourse(SimWorld world, SimPlan plan) {
        this.world = world;
        this.plan = plan;
    }

    void run() {
        prepare();
        long healed = SimPlan.TICK + plan.window();
        for (Mishap mishap : plan.mishaps()) {
            healed = Math.max(healed, SimPlan.TICK + mishap.at() + mishap.length());
        }
        world.faults().healAt(healed);
        runUntil(healed);
        world.faults().healAll();
        if (!world.isViolated()) {
            awaitAnswers(healed);
        }
        if (!world.isViolated()) {
            leave();
        }
    }

    private void prepare() {
        lookAround();
        if (plan.foldersExist()) {
            for (int i = 0; i < plan.locks(); i++) {
                world.ensemble()
                        .reign()
                        .operate(SimRequest.silent(SimRequest.Kind.MAKE_FOLDER, world.folder(world.lock(i))));
            }
        }
        for (SimProcess process : world.processes()) {
            world.scheduler().after(world.random().between(0, SimPlan.TICK), process::start);
        }
        for (SimContender contender : world.contenders()) {
            world.scheduler()
                    .at(
                            SimPlan.TICK + contender.wish().at(),
                            () -> contender.process().enter(() -> {
                                asked++;
                                contender.ask();
                            }));
        }
        for (Mishap mishap : plan.mishaps()) {
            world.scheduler()
                    .at(SimPlan.TICK + mishap.at(), () -> world.faults().begin(mishap));
        }
        for (int i = 0; i < plan.members().size(); i++) {
            Member member = plan.members().get(i);
            SimProcess process = world.processes().get(i);
            if (member.closesAt() > 0) {
                world.scheduler().at(member.closesAt(), () -> process.enter(() -> process.closeEngine()));
            }
        }
    }

    /** What went wrong while things were not calm is seen as soon as they are. */
    private void lookAround() {
        for (int i = 0; i < plan.locks(); i++) {
            world.checks().lookAt(world.folder(world.lock(i)));
        }
        world.scheduler().after(world.timeout() / 4, this::lookAround);
    }

    /** K7: in a healed cluster everybody who waits is served. */
    private void awaitAnswers(long healed) {
        long timeout = world.timeout();
        long last = healed + 12 * timeout;
        for (SimContender contender : world.contenders()) {
            last += contender.wish().hold();
        }
        long nextLook = world.now();
        while (!world.isViolated() && !isAllAnswered()) {
            if (world.now() >= last) {
                describeStall();
                return;
            }
            nextLook += timeout / 4;
            runUntil(nextLook);
            if (world.now() > healed + 2 * timeout) {
                world.checks().checkToldUntil(world.now() - 2 * timeout);
            }
        }
    }

    private boolean isAllAnswered() {
        return asked == world.contenders().size()
                && world.contenders().stream().allMatch(SimContender::isFinished)
                && world.processes().stream()
                        .allMatch(process -> process.engine().isQuiet());
    }

    private void describeStall() {
        List<String> waiting = world.contenders().stream()
                .filter(contender -> !contender.isFinished())
                .map(contender -> "process " + contender.process().id() + " " + contender.wish())
                .toList();
        world.violated(
                "K7",
                waiting.isEmpty() ? "an engine does not come to rest" : "not served although all is healed: " + waiting,
                null);
    }

    /** K8: two timeouts after the last answer nothing is left. */
    private void leave() {
        for (int i = 0; i < plan.members().size(); i++) {
            SimProcess process = world.processes().get(i);
            if (plan.members().get(i).closesAtEnd()) {
                process.enter(process::closeEngine);
            }
        }
        runUntil(world.now() + 2 * world.timeout());
        if (!seatsLeft().isEmpty() || !watchesLeft().isEmpty()) {
            // of a session whose bucket the leader closes slowly: a create may reach it after the process has searched
            // for it, and the connection of a client that has given the session up is still there
            runUntil(world.now() + plan.conditions().longestExpiryLoop());
        }
        if (!world.isViolated()) {
            checkClean();
        }
    }

    private List<String> seatsLeft() {
        SimTree truth = world.ensemble().truth();
        List<String> left = new ArrayList<>();
        for (int i = 0; i < plan.locks(); i++) {
            String folder = world.folder(world.lock(i));
            SimTree.Entry entry = truth.entry(folder);
            if (entry != null) {
                entry.children.stream()
                        .filter(SimSeat::isSeat)
                        .filter(child -> world.isOfEngines(folder + "/" + child))
                        .forEach(left::add);
            }
        }
        return left;
    }

    private List<String> watchesLeft() {
        return world.ensemble().servers().stream()
                .flatMap(server -> server.watches.left().stream())
                .toList();
    }

    private void checkClean() {
        world.checks().checkAtEnd();
        List<String> left = seatsLeft();
        if (!left.isEmpty()) {
            world.violated("K8", "seats are left: " + left, null);
        }
        if (!watchesLeft().isEmpty()) {
            world.violated("K8", "watches are left: " + watchesLeft(), null);
        }
        for (SimProcess process : world.processes()) {
            if (!process.engine().isQuiet()) {
                world.violated("K8", "the engine of process " + process.id() + " is not quiet", null);
            }
            int alarms = process.clocks().pendingAlarms();
            if (alarms > alarmsAtRest(process)) {
                world.violated("K8", alarms + " alarms are left in process " + process.id(), null);
            }
        }
    }

    /**
     * The keeper's tick, without a connection the next attempt, the next check of a probe if there is one, and the renewal
     * that was wanted last: on a machine that was suspended meanwhile, no time has passed since.
     */
    private static int alarmsAtRest(SimProcess process) {
        int attempt = process.engine().session().connected() ? 0 : 1;
        int check = process.maySessionBeSuspect() ? 1 : 0;
        return 2 + attempt + check;
    }

    private void runUntil(long instant) {
        while (!world.isViolated() && world.scheduler().step(instant)) {
            // on to the next one
        }
    }
}
