package io.github.zklock.faults.cluster;

/** The direction of a cut, seen from the server that is cut off. */
public enum CutDirection {
    /** The server receives nothing, and its packets are delivered. */
    IN,
    /** The server receives packets, and its own packets are lost. */
    OUT,
    BOTH;

    boolean in() {
        return this != OUT;
    }

    boolean out() {
        return this != IN;
    }
}
