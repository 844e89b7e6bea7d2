package io.github.zklock.zookeeper.internal.engine;

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
    /** The connection breaks while nothing is under way. */
    CONNECTION_CUT,
    /** The follower stops right after a commit of the session, and its client reaches no other server. */
    CUT_OFF_AFTER_COMMIT,
    FOLLOWER_CUT,
    FOLLOWER_DEAF,
    FOLLOWER_MUTE,
    /** A follower carries out late, and a client comes to it in doubt about its create. (L2) */
    FOLLOWER_SLOW,
    FOLLOWER_CRASH,
    LEADER_CUT,
    LEADER_CRASH,
    FOLLOWER_PAUSED,
    /** Stops for so long that the others choose another leader, and goes on when a client looks for what it was not told. (L25) */
    LEADER_PAUSED,
    /** A server is restarted with other limits of session timeouts. (M27) */
    LIMITS_CHANGED,
    ENSEMBLE_DOWN,
    HEAD_DELETED,
    WAITING_SEAT_DELETED,
    SEAT_REWRITTEN,
    CONTAINER_COLLECTED,
    /** An operator deletes a queue with its folder. */
    QUEUE_DELETED,
    CLOCK_STEP,
    MACHINE_SUSPENDED,
    READ_ONLY,
    FOREIGN_CONTENDER,
    FOREIGN_CHILD,
    HINT_LATE,
    HINT_DROPPED,
    /** A queue's counter comes to stand shortly before the end of its numbers. (M7) */
    SEQUENCE_NEAR_END,
    /** A swap of touch tables lost a touch. (M29) */
    TOUCH_LOST,
    PING_STALLED,
    /** A session was touched while its bucket was being closed. (M26) */
    TOUCHED_IN_VAIN,
    /** A client was given another session, and not told. (M33) */
    SESSION_REPLACED,
    /** Servers grant different session timeouts. (M27) */
    LIMITS_DIFFER,
    /** The clock of a process runs faster or slower than those of the servers. */
    CLOCK_DRIFT,
    /** A client is connected to an observer behind an observer master. */
    OBSERVED
}
