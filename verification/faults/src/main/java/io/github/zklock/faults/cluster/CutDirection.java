package io.github.zklock.faults.cluster;

/** Which way a cut loses what is sent, seen from the server that is cut off. */
public enum CutDirection {
    /** It hears nothing, and is heard. */
    IN,
    /** It hears, and nobody hears it. */
    OUT,
    BOTH;

    boolean in() {
        return this != OUT;
    }

    boolean out() {
        return this != IN;
    }
}
