package io.github.zklock.zookeeper.internal.engine;

/** Numbers the children of one node, as ZooKeeper does, also where the numbers end. (M7) */
final class SimCounter {

    /*
     * The leader numbers a create when it proposes it: by the latest change of the children that is still under way, or
     * by what is carried out if there is none. What is carried out only ever raises the counter, which so comes to stand
     * at 2^31-1 for good. What is under way wraps: creates that arrive together get 2^31-1, -2^31, -2^31+1 and so on, and
     * the next one that comes alone gets 2^31-1 again. That is an int in ZooKeeper, too.
     */

    private int carriedOut;
    private int proposed;
    private long changedAt;

    /**
     * What the server appends to the name of a child that is created by this proposal.
     *
     * @param before how many it has created before
     */
    String numberFor(SimProposal proposal, int before) {
        int number = valueFor(proposal) + before;
        if (number < 0) {
            return "%010d".formatted(number);
        }
        String digits = Integer.toString(number);
        return "0000000000".substring(digits.length()) + digits;
    }

    /** False if the counter is stuck: then the server does not note the change of the children, either. */
    boolean created(SimTxn txn) {
        changed(txn, valueFor(txn.proposal()) + 1);
        boolean rises = proposed > carriedOut;
        carriedOut = Math.max(carriedOut, proposed);
        return rises;
    }

    void deleted(SimTxn txn) {
        changed(txn, valueFor(txn.proposal()));
    }

    /** Counts as if there had been so many creates, unless there were more. */
    void raiseTo(int creates) {
        carriedOut = Math.max(carriedOut, creates);
        proposed = carriedOut;
    }

    boolean hasCounted() {
        return carriedOut > 0;
    }

    private void changed(SimTxn txn, int value) {
        proposed = value;
        changedAt = txn.zxid();
    }

    private int valueFor(SimProposal proposal) {
        // what the leader had not carried out by then was under way
        return changedAt > proposal.seenZxid ? proposed : carriedOut;
    }
}
