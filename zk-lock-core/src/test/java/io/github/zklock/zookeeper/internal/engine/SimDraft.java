package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimTree.Entry;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A transaction while its changes are looked at one by one, each as if those before it were carried out. */
final class SimDraft {

    private final SimTree tree;
    private final SimProposal proposal;
    private final List<SimTxn.Change> changes = new ArrayList<>(2);
    private final List<Node> seats = new ArrayList<>(1);
    private final Set<String> created = new HashSet<>(2);
    private final Set<String> deleted = new HashSet<>(2);
    private final Map<String, Integer> numbered = new HashMap<>(2);
    private boolean tellsItsNumber;

    SimDraft(SimTree tree, SimProposal proposal) {
        this.tree = tree;
        this.proposal = proposal;
    }

    /** What the changes so far come to. */
    List<SimTxn.Change> changes() {
        return changes;
    }

    List<Node> seats() {
        if (changes.size() > 1 && !seats.isEmpty() && !tellsItsNumber) {
            throw new IllegalStateException("Servers do not tell the number of this transaction: " + changes);
        }
        return seats;
    }

    Outcome add(Change change) {
        if (change instanceof Change.CreateSeat seat) {
            return createSeat(seat);
        } else if (change instanceof Change.CreateEphemeral node) {
            return create(node.path(), proposal.session, node.data());
        } else if (change instanceof Change.CreateFolder folder) {
            return create(folder.path(), 0, SimRequest.NO_DATA);
        } else if (!exists(change.path())) {
            return Outcome.NO_NODE;
        } else if (change instanceof Change.Delete) {
            return delete(change.path());
        } else if (change instanceof Change.Write write) {
            tellsItsNumber = true;
            changes.add(new SimTxn.Change.Rewritten(write.path(), write.data()));
        }
        return Outcome.OK;
    }

    private Outcome createSeat(Change.CreateSeat seat) {
        String folder = SimTree.parentOf(seat.path());
        if (!exists(folder)) {
            return Outcome.NO_NODE;
        }
        int before = numbered.merge(folder, 1, Integer::sum) - 1;
        Entry parent = tree.entry(folder);
        String number = parent == null ? "%010d".formatted(before) : parent.counter.numberFor(proposal, before);
        Outcome outcome = create(seat.path() + number, proposal.session, seat.data());
        if (outcome == Outcome.OK) {
            seats.add(new Node(
                    seat.path() + number, proposal.zxid, proposal.session, SimRequest.NO_DATA, proposal.millis));
        }
        return outcome;
    }

    private Outcome create(String path, long owner, byte[] data) {
        if (!exists(SimTree.parentOf(path))) {
            return Outcome.NO_NODE;
        }
        if (exists(path)) {
            return Outcome.NODE_EXISTS;
        }
        deleted.remove(path);
        created.add(path);
        changes.add(new SimTxn.Change.Created(path, owner, data));
        return Outcome.OK;
    }

    private Outcome delete(String path) {
        Entry entry = tree.entry(path);
        boolean hasChildren = created.stream()
                        .anyMatch(each -> SimTree.parentOf(each).equals(path))
                || (entry != null && entry.children.stream().anyMatch(child -> !deleted.contains(path + "/" + child)));
        if (hasChildren) {
            return Outcome.REFUSED;
        }
        created.remove(path);
        deleted.add(path);
        changes.add(new SimTxn.Change.Deleted(path));
        return Outcome.OK;
    }

    private boolean exists(String path) {
        return created.contains(path) || (tree.entry(path) != null && !deleted.contains(path));
    }
}
