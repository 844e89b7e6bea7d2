package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The claims that do not wait for holders, until the servers have answered whether the lock is free. The answer takes
 * one round trip, and no write if another process holds the lock. If only seats that may linger block the claim, the
 * claim reads them ({@link IdleSeats}); if they are idle, it queues behind them for a limited time. Owned by the loop.
 */
public final class Askers {

    /** The number of questions under way from which on further claims share the next one. */
    private static final int MOST_QUESTIONS = 4;

    /** The questions on one connection. */
    private static final class Round {
        private int underWay;
        /** The claims of the next question. */
        private List<Claim> next = new ArrayList<>(0);
    }

    private final String folder;
    private final EngineContext context;
    /** Receives claims that no seat in the queue blocks. Another claim of this process may have been faster. */
    private final Consumer<Claim> foundFree;

    private final BiConsumer<Claim, Refusal> refuse;

    private final Set<Claim> claims = new LinkedHashSet<>();
    /** The idle seats that block claims which read them or have queued behind them. */
    private Map<Claim, IdleSeats> inTheWay = Collections.emptyMap();
    /** The questions on the present connection: those on an earlier one may not be answered. */
    private Round round = new Round();

    Askers(String folder, EngineContext context, Consumer<Claim> foundFree, BiConsumer<Claim, Refusal> refuse) {
        this.folder = folder;
        this.context = context;
        this.foundFree = foundFree;
        this.refuse = refuse;
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    Set<Claim> claims() {
        return claims;
    }

    void add(Claim claim) {
        claims.add(claim);
    }

    /** Removes a claim that is answered or withdrawn. */
    void remove(Claim claim) {
        claims.remove(claim);
        IdleSeats idle = inTheWay.remove(claim);
        if (idle != null) {
            idle.end();
        }
    }

    /** Returns whether the claim, whose seat is not the head, waits for idle seats to leave. */
    boolean waitsForIdleSeats(Claim claim) {
        IdleSeats idle = inTheWay.get(claim);
        if (idle == null || !idle.isFree()) {
            return false;
        }
        idle.watch();
        return true;
    }

    /** Asks for all claims, on a new connection. */
    void askAll(PinnedSession session) {
        round = new Round();
        if (!claims.isEmpty()) {
            ask(List.copyOf(claims), session, round);
        }
    }

    /** Asks for a claim. If several questions are under way, the next one is for all claims that come meanwhile. */
    void ask(Claim claim, PinnedSession session) {
        if (round.underWay < MOST_QUESTIONS) {
            ask(List.of(claim), session, round);
        } else {
            round.next.add(claim);
        }
    }

    private void ask(List<Claim> asked, PinnedSession session, Round asking) {
        asking.underWay++;
        session.sync(folder, (outcome, none) -> {});
        session.list(folder, (outcome, children) -> {
            asking.underWay--;
            if (asking == round && !asking.next.isEmpty()) {
                List<Claim> next = asking.next;
                asking.next = new ArrayList<>();
                ask(next, session, asking);
            }
            answered(asked, session, outcome, children);
        });
    }

    private void answered(List<Claim> asked, PinnedSession session, Outcome outcome, @Nullable List<String> children) {
        QueueView view = QueueView.of(children == null ? List.of() : children);
        for (Claim claim : asked) {
            if (!claims.contains(claim)) {
                continue;
            }
            switch (outcome) {
                case OK, NO_NODE -> listed(claim, session, view);
                case UNKNOWN -> ask(claim, session);
                case ACCESS_DENIED ->
                    fail(claim, Reason.DENIED, "the access list of " + folder + " forbids this client to list it");
                case REFUSED, NOT_SENT ->
                    fail(claim, Reason.UNAVAILABLE, "ZooKeeper rejected the listing of " + folder);
                default -> {
                    // the next connection asks again
                }
            }
        }
    }

    private void listed(Claim claim, PinnedSession session, QueueView view) {
        remove(claim);
        Demand demand = claim.demand();
        context.announcer().compareNumbers(claim.name(), demand, view);
        // if a seat is of another kind, the claim is rejected when it takes its seat
        if (view.admits(demand) || view.strangerTo(demand).isPresent()) {
            foundFree.accept(claim);
        } else if (IdleSeats.mayAdmit(view, demand)) {
            claims.add(claim);
            IdleSeats idle = new IdleSeats(new Try(claim, view), session, context.time(), folder, view, demand);
            if (inTheWay.isEmpty()) {
                // created rarely: a lock without linger never needs the map
                inTheWay = new HashMap<>(1);
            }
            inTheWay.put(claim, idle);
            idle.read();
        } else {
            refuse.accept(claim, claim.busy(Claim.ahead(view.size())));
        }
    }

    /** A claim that is blocked only by seats that may linger. */
    private final class Try implements IdleSeats.Owner {

        private final Claim claim;
        private final QueueView view;

        Try(Claim claim, QueueView view) {
            this.claim = claim;
            this.view = view;
        }

        @Override
        public void free() {
            claims.remove(claim);
            foundFree.accept(claim);
        }

        @Override
        public void inUse() {
            end(Claim.ahead(view.size()));
        }

        @Override
        public void timeIsOver() {
            end("a lingering process ahead did not leave within " + Words.of(IdleSeats.PATIENCE));
        }

        private void end(String who) {
            refuse.accept(claim, claim.busy(who));
        }
    }

    private void fail(Claim claim, Reason reason, String why) {
        refuse.accept(claim, Refusal.of(reason, why).about(claim.name()));
    }
}
