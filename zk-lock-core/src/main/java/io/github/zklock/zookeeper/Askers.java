package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.Refusal.Reason;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Those who only ask whether a lock is free, until the cluster has answered: one round trip, and no write where somebody
 * has it. Owned by the loop.
 */
final class Askers {

    /** The turnstile. */
    interface Host {
        /** Nobody in the queue is in the way: the claim may take a seat, if nobody here was faster. */
        void foundFree(Claim claim);

        void foundTaken(Claim claim, int ahead);

        void askingFailed(Claim claim, Refusal refusal);
    }

    private final Host host;
    private final String folder;
    private final Set<Claim> claims = new LinkedHashSet<>();

    Askers(Host host, String folder) {
        this.host = host;
        this.folder = folder;
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

    boolean remove(Claim claim) {
        return claims.remove(claim);
    }

    /** The connection is there, or there anew. */
    void askAll(Tenure tenure) {
        List.copyOf(claims).forEach(claim -> ask(claim, tenure));
    }

    void ask(Claim claim, Tenure tenure) {
        tenure.sync(folder, (outcome, none) -> {});
        tenure.list(folder, (outcome, children) -> {
            if (!claims.contains(claim)) {
                return;
            }
            switch (outcome) {
                case OK, NO_NODE -> {
                    claims.remove(claim);
                    Line line = Line.of(children == null ? List.of() : children);
                    // one of another kind refuses the claim when it takes its seat
                    if (line.admits(claim.demand())
                            || line.strangerTo(claim.demand()).isPresent()) {
                        host.foundFree(claim);
                    } else {
                        host.foundTaken(claim, line.seats().size());
                    }
                }
                case UNKNOWN -> ask(claim, tenure);
                case ACCESS_DENIED ->
                    fail(claim, Reason.DENIED, "the access list of " + folder + " forbids this client to list it");
                case REFUSED -> fail(claim, Reason.UNAVAILABLE, "ZooKeeper refused to list " + folder);
                default -> {
                    // asked again when a connection is back
                }
            }
        });
    }

    private void fail(Claim claim, Reason reason, String why) {
        claims.remove(claim);
        host.askingFailed(claim, Refusal.of(reason, why));
    }
}
