package io.github.zklock.test;

import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Owner;
import io.github.zklock.LockKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A place in a line, made for a claim. It serves one turn, or two where a writer also reads: it is a writer's until the
 * cluster has seen the end of the write turn, and a reader's from then on. Guarded by the ensemble's lock.
 *
 * <pre>
 * waiting (claim) -&gt; holding (turns) -&gt; spent
 * waiting (claim) -&gt; spent
 * </pre>
 */
final class Seat {

    private final Line line;
    private final Member member;
    private final long sequence;
    private final String sessionId;
    private final String asker;
    private final Instant since = Instant.now();
    private final List<Turn> turns = new ArrayList<>(1);
    private Demand demand;
    private @Nullable Claim claim;

    Seat(Line line, Member member, long sequence, String sessionId, Claim claim) {
        this.line = line;
        this.member = member;
        this.sequence = sequence;
        this.sessionId = sessionId;
        this.asker = claim.asker();
        this.demand = claim.demand();
        this.claim = claim;
    }

    Line line() {
        return line;
    }

    Member member() {
        return member;
    }

    String id() {
        return "seat-" + sequence;
    }

    Demand demand() {
        return demand;
    }

    /** Who waits on this seat. */
    @Nullable Claim claim() {
        return claim;
    }

    /** Nobody waits on this seat any more: it is granted, or given up. */
    void dropClaim() {
        claim = null;
    }

    List<Turn> turns() {
        return turns;
    }

    /** Whether it has what it asks for. */
    boolean holds() {
        return !turns.isEmpty();
    }

    boolean isSpent() {
        return claim == null && turns.isEmpty();
    }

    /** Whether the cluster still has it: an operator may have deleted it while its member could not be told. */
    boolean isInLine() {
        return line.seats().contains(this);
    }

    void add(Turn turn) {
        turns.add(turn);
    }

    /** The cluster has seen the end of this turn. */
    void drop(Turn turn) {
        turns.remove(turn);
        if (!turns.isEmpty() && turns.stream().noneMatch(left -> left.kind() == LockKind.WRITE)) {
            demand = Demand.of(LockKind.READ);
        }
    }

    void grantIfReachable() {
        Claim waiting = claim;
        if (waiting != null && member.isConnected()) {
            member.holdings().grant(this, waiting);
        }
    }

    String describeOwner() {
        return "thread '" + asker + "' of " + member.settings().instance();
    }

    LockInspector.Seat describe() {
        Owner owner = new Owner(
                member.settings().instance(),
                "localhost",
                ProcessHandle.current().pid(),
                asker,
                since);
        return new LockInspector.Seat(
                id(), demand.kind(), demand.permits(), holds(), sequence, sessionId, Optional.of(owner));
    }
}
