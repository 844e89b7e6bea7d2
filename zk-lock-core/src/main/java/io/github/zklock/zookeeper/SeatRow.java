package io.github.zklock.zookeeper;

import io.github.zklock.HandOff;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The seats that one turnstile has in the lock's queue: under {@code BOUNDED} at most one at a time, under {@code STRICT}
 * one for each claim, and whichever reaches the head serves the first claim. Owned by the loop.
 */
final class SeatRow implements Seat.Host, Stint.Host {

    /** The turnstile. */
    interface Host {
        void headReached();

        void someoneAhead();

        void seatGone(Seat seat, String reason);

        void seatRefused(Refusal refusal);
    }

    private final Host host;
    private final EngineContext context;
    private final String folder;
    private final HandOff handOff;
    private final List<Seat> seats = new ArrayList<>(1);
    private @Nullable Stint stint;
    /** The turn before, while its seat is kept: its release is seen when the seat is used again, or is gone. */
    private @Nullable Turn settling;

    private boolean inUse;

    SeatRow(Host host, EngineContext context, String folder) {
        this.host = host;
        this.context = context;
        this.folder = folder;
        this.handOff = context.settings().handOff();
    }

    boolean isEmpty() {
        return seats.isEmpty();
    }

    boolean hasHead() {
        return stint != null;
    }

    /** How many stand in front of the seat that is furthest behind, as far as is known. */
    int ahead() {
        return seats.stream().mapToInt(Seat::ahead).max().orElse(0);
    }

    /** The seat that may serve the first of these claims, if there is one. */
    @Nullable Stint headFor(Collection<Claim> waiting) {
        Stint current = stint;
        if (current != null && !inUse && !waiting.isEmpty() && current.isUsed() && !current.mayServeAnother()) {
            dismiss(current.seat(), null);
        }
        return waiting.isEmpty() ? null : stint;
    }

    void turnBegan() {
        inUse = true;
        if (settling != null) {
            context.announcer().released(settling);
            settling = null;
        }
    }

    void turnEnded(Turn ended, boolean claimsWait) {
        inUse = false;
        Stint current = stint;
        if (current != null && current.seat() == ended.seat()) {
            if (claimsWait ? current.mayServeAnother() : current.mayLinger()) {
                settling = ended;
            } else {
                dismiss(ended.seat(), ended);
            }
        }
    }

    /** The seat goes, too, if it is still there. */
    void turnLost(Turn lost) {
        inUse = false;
        dismiss(lost.seat(), lost);
    }

    void close() {
        List.copyOf(seats).forEach(seat -> dismiss(seat, null));
    }

    void connectionRestored() {
        List.copyOf(seats).forEach(Seat::connectionRestored);
        if (stint != null) {
            stint.connectionRestored();
        }
    }

    /** Asks for the seats that are needed, and gives back those that are not. */
    void adjust(boolean held, Collection<Claim> waiting) {
        if (!held && waiting.isEmpty() && stint != null) {
            if (stint.isUsed() && stint.mayLinger()) {
                linger(stint);
            } else {
                dismiss(stint.seat(), null);
            }
        }
        int wanted = wanted(held, waiting.size());
        trim(wanted);
        context.keeper().connected().ifPresent(tenure -> fill(wanted, tenure, waiting));
        if (held && !waiting.isEmpty() && stint != null) {
            stint.claimsWait();
        }
    }

    @Override
    public void reachedHead(Seat seat) {
        if (!seats.contains(seat)) {
            return;
        }
        Stint before = stint;
        if (before != null && seat.czxid() < before.seat().czxid()) {
            // the one that serves once saw nobody in front of it, so this one was gone by then and does not know yet
            dismiss(seat, null);
            host.seatGone(seat, "its node was deleted");
            return;
        }
        if (before != null && before.seat() != seat) {
            // nobody stands in front of this seat, so the one that served until now is gone
            before.seat().vanished("its node was deleted");
        }
        stint = new Stint(seat, folder, handOff, context.time(), this);
        host.headReached();
    }

    @Override
    public void inLine(Seat seat) {
        host.someoneAhead();
    }

    @Override
    public void gone(Seat seat, String reason) {
        dismiss(seat, null);
        host.seatGone(seat, reason);
    }

    @Override
    public void refused(Seat seat, Refusal refusal) {
        dismiss(seat, null);
        // first those who wait, lest they ask for the next seat, to be refused as well
        host.seatRefused(refusal);
        host.seatGone(seat, refusal.message());
    }

    @Override
    public void endIfIdle(Stint ended) {
        if (stint == ended && !inUse) {
            dismiss(ended.seat(), null);
            host.seatGone(ended.seat(), "given up");
        }
    }

    private void linger(Stint free) {
        try {
            free.linger();
        } catch (Throwable error) {
            // a seat that is kept without anybody watching would keep others out for ever (L19)
            dismiss(free.seat(), null);
            throw error;
        }
    }

    private int wanted(boolean held, int waiting) {
        return switch (handOff.policy()) {
            case STRICT -> waiting + (held ? 1 : 0);
            case BOUNDED -> held || waiting > 0 || stint != null ? 1 : 0;
        };
    }

    /** The last ones go first: those in front are worth more. */
    private void trim(int wanted) {
        for (int i = seats.size() - 1; i >= 0 && seats.size() > wanted; i--) {
            Seat surplus = seats.get(i);
            if (stint == null || stint.seat() != surplus) {
                dismiss(surplus, null);
            }
        }
    }

    private void fill(int wanted, Tenure tenure, Collection<Claim> waiting) {
        while (seats.size() < wanted && !waiting.isEmpty()) {
            Seat seat = context.newSeat(this, tenure, folder, seeker(waiting));
            seats.add(seat);
            seat.enter();
        }
    }

    /** For whom the next seat is asked: the newest, as the others have one, or share it. */
    private static Claim seeker(Collection<Claim> waiting) {
        Claim newest = null;
        for (Claim claim : waiting) {
            newest = claim;
        }
        return Objects.requireNonNull(newest);
    }

    private void dismiss(Seat seat, @Nullable Turn ended) {
        seats.remove(seat);
        Stint current = stint;
        if (current != null && current.seat() == seat) {
            current.end();
            stint = null;
            inUse = false;
        }
        Departure departure = seat.leave();
        if (ended != null) {
            departure.observe(new ReleaseOf(ended));
        }
        Turn before = settling;
        if (before != null && before.seat() == seat) {
            settling = null;
            departure.observe(new ReleaseOf(before));
        }
    }

    /** The release of a turn, seen when its seat is gone. */
    private final class ReleaseOf implements Departure.Observer {

        private final Turn turn;

        ReleaseOf(Turn turn) {
            this.turn = turn;
        }

        @Override
        public void gone() {
            context.announcer().released(turn);
        }

        @Override
        public void unseen() {
            context.announcer().releaseUnseen(turn);
        }
    }
}
