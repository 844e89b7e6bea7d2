package io.github.zklock.zookeeper.internal.queue;

import io.github.zklock.FencingToken;

/** The layout of fencing tokens: 19 bits epoch and 32 bits counter of the seat's czxid, 12 bits turn. */
public final class Tokens {

    public static final int TURN_BITS = 12;
    public static final int MAX_TURNS = 1 << TURN_BITS;
    public static final long MAX_EPOCH = (1L << 19) - 1;

    private Tokens() {}

    public static FencingToken of(long czxid, int turn) {
        return new FencingToken(epoch(czxid) << (32 + TURN_BITS) | (czxid & 0xFFFF_FFFFL) << TURN_BITS | turn);
    }

    /** Returns the number of the turn, or the place of a seat that serves one turn only. */
    public static int turn(FencingToken token) {
        return (int) token.value() & (MAX_TURNS - 1);
    }

    /** Returns the epoch of the leader under which the seat was created. */
    public static long epoch(long czxid) {
        return czxid >>> 32;
    }
}
