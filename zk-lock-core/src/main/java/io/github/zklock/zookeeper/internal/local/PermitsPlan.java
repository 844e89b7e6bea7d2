package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Sharers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The plan of {@code BOUNDED} for permits: a seat is passed from request to request, and the process has at most as many
 * seats as all permits suffice for.
 */
final class PermitsPlan implements SeatPlan {

    /*
     * The requests at the front of the line need a seat each: permits may be free for them, or no seat in use will serve
     * them. The border is behind them. It stops where all permits suffice for no more, and, if a seat in use will serve a
     * request, in front of that request, because those behind it are served after it.
     *
     * Requests with the same demand, and unused seats with the same demand, are exchangeable. So a group counts both,
     * and the first request of a group takes its first seat. Whatever happens to a request or a seat, only its group and
     * the border change, and the border passes each request about once: with thousands of permits, no step visits all
     * of them.
     */

    /** The requests and seats with one demand. */
    private final class Group {

        private final Demand demand;
        private final NavigableMap<Long, Claim> waiting = new TreeMap<>();
        /** The number of waiting requests in front of the border. */
        private int needy;
        /** The seats that have served no turn, by the order of their requests. */
        private final NavigableMap<Long, SeatUse> unused = new TreeMap<>();
        /** Those of them that are at the head. */
        private final Set<SeatUse> ready = new LinkedHashSet<>();

        private final Set<SeatUse> busy = new HashSet<>();
        private final Set<SeatUse> idle = new LinkedHashSet<>();

        /** The busy seats that will serve a further turn, as of this round. */
        private Set<SeatUse> willing = new HashSet<>();

        private int round;
        /** The key in {@link #servable}. */
        private @Nullable Long servableAt;

        Group(Demand demand) {
            this.demand = demand;
        }

        boolean isEmpty() {
            return waiting.isEmpty() && unused.isEmpty() && busy.isEmpty() && idle.isEmpty();
        }

        boolean isHandedOn() {
            return !willing().isEmpty();
        }

        private Set<SeatUse> willing() {
            if (round != rounds.now()) {
                // all of these give way now
                round = rounds.now();
                willing = willing.isEmpty() ? willing : new HashSet<>();
            }
            return willing;
        }

        /** Returns a seat that has served a turn and can serve the next one now; null if there is none. */
        @Nullable SeatUse reusable() {
            for (SeatUse use : idle) {
                if (use.serves(demand)) {
                    return use;
                }
                // the others have given way as well, or are removed before the next request
            }
            return null;
        }

        /** Returns the number of unused seats that are too many; negative if seats are missing. */
        int surplus() {
            return unused.size() - needy + (kept != null && groupOf(kept) == this ? 1 : 0);
        }

        /** Returns the last of the needy requests, for which there are no seats, by their places. */
        void putMissing(NavigableMap<Long, Claim> missing) {
            int left = -surplus();
            for (Map.Entry<Long, Claim> each :
                    waiting.headMap(border, false).descendingMap().entrySet()) {
                if (left-- <= 0) {
                    return;
                }
                missing.put(each.getKey(), each.getValue());
            }
        }
    }

    private final Rounds rounds;
    private final NavigableMap<Long, Claim> line = new TreeMap<>();
    private final Map<Demand, Group> groups = new HashMap<>(2);
    /** The groups with a request and an unused seat at the head, by the places of their first requests. */
    private final NavigableMap<Long, Group> servable = new TreeMap<>();

    /** The place up to which requests need a seat. */
    private long border;
    /** What the requests in front of the border take. */
    private final Sharers needed = new Sharers();

    /** What the turns on the seats take. */
    private final Sharers used = new Sharers();

    private final Set<SeatUse> idle = new LinkedHashSet<>();
    private final Set<SeatUse> newlyIdle = new LinkedHashSet<>();
    /** The idle seat that the first request will use; null if there is none. */
    private @Nullable SeatUse kept;

    private final Set<Group> changed = new LinkedHashSet<>();
    private final Set<Group> lacking = new LinkedHashSet<>();

    PermitsPlan(Rounds rounds) {
        this.rounds = rounds;
    }

    @Override
    public @Nullable Service next() {
        if (line.isEmpty()) {
            return null;
        }
        Claim first = line.firstEntry().getValue();
        SeatUse reusable = groupOf(first.demand()).reusable();
        if (reusable != null) {
            return new Service(first, reusable);
        }
        // not always for the first request: the seats of others may be in front
        Map.Entry<Long, Group> next = servable.firstEntry();
        if (next == null) {
            return null;
        }
        Group group = next.getValue();
        return new Service(
                group.waiting.firstEntry().getValue(), group.ready.iterator().next());
    }

    @Override
    public boolean serves(Demand demand) {
        Group group = groups.get(demand);
        return group != null && (!group.ready.isEmpty() || group.reusable() != null);
    }

    @Override
    public Decision decide(boolean mayStay, boolean mayCreate) {
        moveBorder();
        keepOne();
        List<SeatUse> leave = new ArrayList<>(1);
        for (Group group : changed) {
            int surplus = group.surplus();
            for (SeatUse use : group.unused.descendingMap().values()) {
                if (surplus-- <= 0) {
                    break;
                }
                leave.add(use);
            }
            if (group.surplus() < 0) {
                lacking.add(group);
            } else {
                lacking.remove(group);
            }
            if (group.isEmpty()) {
                groups.remove(group.demand);
            }
        }
        changed.clear();
        for (SeatUse use : mayStay ? newlyIdle : idle) {
            if (use != kept) {
                leave.add(use);
            }
        }
        newlyIdle.clear();
        // the last ones first: a seat behind one that leaves would cause a listing, only to leave as well
        leave.sort(Comparator.comparingLong(SeatUse::number).reversed());
        return new Decision(leave, mayCreate ? missing() : List.of());
    }

    private void moveBorder() {
        Map.Entry<Long, Claim> last = line.lowerEntry(border);
        while (last != null) {
            needsNone(last.getValue());
            // a seat that waits already is kept although another one may serve the request first: if it left whenever
            // that changes, the process would lose its places to others
            if (needed.admits(last.getValue().demand())) {
                needs(last.getValue());
                break;
            }
            border = last.getKey();
            last = line.lowerEntry(border);
        }
        Map.Entry<Long, Claim> next = line.ceilingEntry(border);
        while (next != null && needsSeat(next.getValue())) {
            needs(next.getValue());
            border = next.getKey() + 1;
            next = line.ceilingEntry(border);
        }
    }

    /** Returns whether a request needs a seat if those in front of it do. */
    private boolean needsSeat(Claim claim) {
        Demand demand = claim.demand();
        boolean mayBeFree = used.admitsBeside(needed, demand);
        return needed.admits(demand) && (mayBeFree || !groupOf(demand).isHandedOn());
    }

    private void needs(Claim claim) {
        needed.add(claim.demand());
        Group group = groupOf(claim.demand());
        group.needy++;
        changed.add(group);
    }

    private void needsNone(Claim claim) {
        needed.remove(claim.demand());
        Group group = groupOf(claim.demand());
        group.needy--;
        changed.add(group);
    }

    /**
     * Keeps an idle seat for the first request, which will use it when the session is proven to be alive. Kept for a
     * later one, it would be an unused seat at the head in front of the first request.
     */
    private void keepOne() {
        Map.Entry<Long, Claim> first = line.firstEntry();
        SeatUse now = first == null || first.getKey() >= border
                ? null
                : groupOf(first.getValue().demand()).reusable();
        if (now != kept) {
            if (kept != null) {
                changed.add(groupOf(kept));
                newlyIdle.add(kept);
            }
            if (now != null) {
                changed.add(groupOf(now));
            }
            kept = now;
        }
    }

    private List<Claim> missing() {
        if (lacking.isEmpty()) {
            return List.of();
        }
        NavigableMap<Long, Claim> missing = new TreeMap<>();
        lacking.forEach(group -> group.putMissing(missing));
        return List.copyOf(missing.values());
    }

    @Override
    public List<Claim> servedBy(SeatUse use) {
        Group group = groupOf(use);
        int place = group.unused.headMap(use.number()).size();
        return group.waiting.values().stream().skip(place).toList();
    }

    @Override
    public void entered(Claim claim) {
        Group group = groupOf(claim.demand());
        line.put(claim.place, claim);
        group.waiting.put(claim.place, claim);
        moved(group);
    }

    @Override
    public void left(Claim claim) {
        if (line.remove(claim.place) != null) {
            Group group = groupOf(claim.demand());
            group.waiting.remove(claim.place);
            if (claim.place < border) {
                needsNone(claim);
            }
            moved(group);
        }
    }

    @Override
    public void added(SeatUse use) {
        Group group = groupOf(use);
        group.unused.put(use.number(), use);
        moved(group);
    }

    @Override
    public void reachedHead(SeatUse use) {
        Group group = groupOf(use);
        if (group.unused.containsKey(use.number())) {
            group.ready.add(use);
            moved(group);
        }
    }

    @Override
    public void began(SeatUse use) {
        Group group = groupOf(use);
        removed(use);
        group.busy.add(use);
        used.add(group.demand);
        if (use.mayServeAnother()) {
            group.willing().add(use);
        }
        moved(group);
    }

    @Override
    public void ended(SeatUse use) {
        if (!use.isInUse()) {
            Group group = groupOf(use);
            stopUse(group, use);
            group.idle.add(use);
            idle.add(use);
            newlyIdle.add(use);
            moved(group);
        }
    }

    @Override
    public void removed(SeatUse use) {
        Group group = groupOf(use);
        group.unused.remove(use.number());
        group.ready.remove(use);
        group.idle.remove(use);
        idle.remove(use);
        newlyIdle.remove(use);
        kept = kept == use ? null : kept;
        stopUse(group, use);
        moved(group);
    }

    private void stopUse(Group group, SeatUse use) {
        if (group.busy.remove(use)) {
            group.willing().remove(use);
            used.remove(group.demand);
        }
    }

    /** Records that the requests or seats of the group have changed. */
    private void moved(Group group) {
        changed.add(group);
        Long at = group.waiting.isEmpty() || group.ready.isEmpty() ? null : group.waiting.firstKey();
        if (group.servableAt != null && !group.servableAt.equals(at)) {
            servable.remove(group.servableAt);
        }
        if (at != null) {
            servable.put(at, group);
        }
        group.servableAt = at;
    }

    private Group groupOf(SeatUse use) {
        return groupOf(use.seat().demand());
    }

    private Group groupOf(Demand demand) {
        return groups.computeIfAbsent(demand, Group::new);
    }
}
