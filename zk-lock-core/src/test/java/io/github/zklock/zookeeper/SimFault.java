package io.github.zklock.zookeeper;

/** The kinds of trouble. */
enum SimFault {
    CUT_BEFORE_SEND,
    CUT_AFTER_SEND,
    CUT_BEFORE_REPLY,
    CUTS_IN_A_ROW,
    REQUEST_TIMEOUT,
    REQUEST_DROPPED,
    PAUSE,
    /** A holder stops as soon as it has the lock. */
    PAUSE_HOLDER,
    /** The client pauses for 0.6 T, and its follower stops right after its next commit. (M22) */
    PAUSE_THEN_FOLLOWER_STOPS,
    EXPIRY_BY_CLIENT,
    CLIENT_RESET,
    CLIENT_ISOLATED,
    FOLLOWER_CUT,
    FOLLOWER_DEAF,
    FOLLOWER_MUTE,
    /** A follower carries out late, and a client comes to it in doubt about its create. (L2) */
    FOLLOWER_SLOW,
    FOLLOWER_CRASH,
    LEADER_CUT,
    LEADER_CRASH,
    ENSEMBLE_DOWN,
    HEAD_DELETED,
    WAITING_SEAT_DELETED,
    SEAT_REWRITTEN,
    CONTAINER_COLLECTED,
    CLOCK_STEP,
    MACHINE_SUSPENDED,
    READ_ONLY,
    FOREIGN_CONTENDER,
    FOREIGN_CHILD,
    HINT_LATE,
    HINT_DROPPED,
    /** A queue's counter comes to stand shortly before the end of its numbers. (M7) */
    SEQUENCE_NEAR_END
}
