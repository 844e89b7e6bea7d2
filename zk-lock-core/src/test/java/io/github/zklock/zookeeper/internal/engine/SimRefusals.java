package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimPlan.Waiting;
import io.github.zklock.zookeeper.internal.session.Refusal;

/** K9: whoever is refused is told the truth. */
final class SimRefusals {

    private static final String USED_UP = "the sequence numbers of its queue are used up at ";

    private final SimWorld world;

    SimRefusals(SimWorld world) {
        this.world = world;
    }

    void refused(SimContender contender, Refusal refusal) {
        world.trace()
                .note(
                        "REFUSED",
                        contender.process().id(),
                        refusal.reason(),
                        contender.lock().value());
        switch (refusal.reason()) {
            case BUSY -> {
                world.tally().hit(SimStep.REFUSED_BUSY);
                if (contender.isBehindAnother()) {
                    // also if the one before has no turn, or another claim of its process waits
                    world.tally().hit(SimStep.REFUSED_BEHIND_ANOTHER);
                    return;
                }
                // one who is mistaken may stand in the way until he is refused
                if (!world.contention().wasInTheWay(contender)
                        && !world.contention().wasMistaken(contender)
                        && !world.faults().maySeatsBeLeft()
                        && !world.ensemble().hasReplacedSessionLately()) {
                    world.violated("K9", "BUSY without anybody in the way: " + refusal.message(), null);
                } else if (onlyLingered(contender)) {
                    world.violated("K9", "BUSY while the lock only lingered: " + refusal.message(), null);
                }
            }
            case MISMATCH -> {
                world.tally().hit(SimStep.REFUSED_MISMATCH);
                if (!world.contention().wasMistaken(contender)) {
                    world.violated("K9", "MISMATCH while all agree: " + refusal.message(), null);
                }
            }
            case UNAVAILABLE -> unavailable(contender, refusal);
            case CLOSED -> {
                if (!contender.process().isEngineClosed()) {
                    world.violated("K9", "CLOSED by an open engine", null);
                }
            }
            default -> world.violated("K9", "refused for no reason: " + refusal, null);
        }
    }

    /** Whether a try was refused in a calm network by a lock that nobody had. (L30) */
    private boolean onlyLingered(SimContender contender) {
        return contender.wish().waiting() == Waiting.NOT_AT_ALL
                && world.isCalm()
                && world.faults().areQuietSince(contender.askedAt() - world.promptly())
                && contender.engineWasConnected()
                && contender.process().isWell()
                // whoever rewrites a seat removes the mark that it is idle
                && world.tally().count(SimFault.SEAT_REWRITTEN) == 0
                && world.contention().onlyLingered(contender);
    }

    private void unavailable(SimContender contender, Refusal refusal) {
        world.tally().hit(SimStep.REFUSED_UNAVAILABLE);
        boolean planted = contender.sawReplacement();
        if ((refusal.message().contains("engine failed") && !planted)
                || refusal.message().contains("have the sequence")) {
            world.violated("ENGINE", refusal.message(), refusal.cause());
        } else if (isUsedUp(refusal)) {
            usedUp(contender, refusal);
        } else if (refusal.message().contains("bytes that this registry's session may use")) {
            world.checks().room().refused(contender, refusal);
        } else if (world.isUntroubledSince(contender)) {
            world.violated("K9", "UNAVAILABLE without any trouble: " + refusal.message(), null);
        }
    }

    /** Whether the numbers of its queue are said to have come to their end. (M7) */
    static boolean isUsedUp(Refusal refusal) {
        return refusal.message().contains(USED_UP);
    }

    private void usedUp(SimContender contender, Refusal refusal) {
        world.tally().usedUp++;
        boolean honest = world.contention()
                .seatsOfProcess(contender)
                .anyMatch(seat -> seat.isPastTheLast() && refusal.message().contains(USED_UP + seat.sequence() + ";"));
        if (!honest) {
            world.violated("K9", "used up although numbers are left: " + refusal.message(), null);
        }
    }
}
