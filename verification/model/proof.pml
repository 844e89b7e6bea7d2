/*
 * Session proof: does the client's rule of decision 0003 hold against ZooKeeper's session expiry?
 *
 * One session, its client, one or two followers, a leader and a second leader that may replace it. Time passes in
 * units. A step may happen at any instant; only the leader has deadlines (see `due`). A follower, a link or a client
 * that makes no step is slow, paused or suspended, for any time.
 *
 * Property: when the leader closes the session, and with it removes the session's nodes, the client's proof has run out;
 * and a client never extends its proof after that. Both are assertions, marked SAFETY.
 *
 * Configurations: WITHIN (proofs within a connection), RECONNECT (proofs by connection), RENEGOTIATE (two followers with
 * different limits of T). Switches that break a rule are the macros that begin with BREAK_, those that exceed an assumption
 * begin with BEYOND_. `run` lists all of them.
 */

#ifndef T_LONG
#define T_LONG 12                       /* session timeout T in units */
#endif
#ifndef T_SHORT
#define T_SHORT 6                       /* RENEGOTIATE: T under the smaller limits */
#endif
#ifndef D
#define D 4                             /* distance T/3 */
#endif
#ifndef PING_MIN
#define PING_MIN 3                      /* half a tick: the leader does not ping more often */
#endif
#ifndef LAG
#define LAG 2                           /* capacity of a link: a follower that lags by more is dropped */
#endif

#ifdef BREAK_MARGIN
#define MARGIN 0
#else
#define MARGIN 1                        /* T/12 */
#endif
#ifdef BEYOND_DRIFT
#define DRIFT 2
#else
#define DRIFT 1                         /* drift of clocks and undetected suspension, together, over T */
#endif
#ifdef BREAK_DISTANCE
#define WAIT_K 0
#else
#ifdef BREAK_HALF_DISTANCE
#define WAIT_K (D / 2)
#else
#define WAIT_K D
#endif
#endif
#ifdef BREAK_M26
#define WAIT_LAPSED 0
#else
#define WAIT_LAPSED D
#endif

#if defined(RECONNECT) || defined(RENEGOTIATE)
#define OR_CUT :: goto cut
#else
#define OR_CUT
#endif

#ifdef RENEGOTIATE
#define SERVERS 2
#else
#define SERVERS 1
#endif

/* What the client asks (READ: the follower answers alone; SYNC: its leader answers; WRITE: a majority commits), and what
 * followers and leader exchange. */
mtype = { READ, SYNC, WRITE, CONNECT, PING };

chan request[SERVERS] = [1] of { mtype };           /* client to follower */
chan answer[SERVERS] = [1] of { mtype };            /* follower to client */
chan up[SERVERS] = [LAG] of { mtype, bool };        /* follower to leader; the flag is the touch table of a ping's answer */
chan down[SERVERS] = [LAG] of { mtype };            /* leader to follower */

/* Leader: SessionTrackerImpl and ExpiryQueue. ALIVE -> POLLED (in the bucket that the expiry loop works on) -> CLOSED. */
mtype = { ALIVE, POLLED, CLOSED };
mtype session = ALIVE;
byte expires;                           /* units until the session's bucket may be polled */
byte pinged = 0;                        /* units since the last ping, at most D */
byte polled = 0;                        /* units since the bucket was polled, at most D */
bool paused = false;
bool deposed = false;                   /* a new leader is elected; the old one runs on */
bool follows_old[SERVERS];              /* this follower still follows the old leader */
bool dropped[SERVERS];                  /* the leader gave this follower up (LearnerHandler.ping, syncLimit) */

/* Followers: LearnerSessionTracker. */
bool touched[SERVERS];                  /* the touch table names the session */
bool touch_lost = false;                /* the last touch was put into a table that had been swapped out */
byte limit[SERVERS];                    /* T that this server grants: minSessionTimeout, maxSessionTimeout */

/* Client: SessionProof. */
byte valid = 0;                         /* units until validUntil; 0: the proof has lapsed */
byte age = 0;                           /* units since the instant that the proof in progress dates the session by */
byte gap = 0;                           /* units since the event from which a distance counts, at most D */
byte counted;                           /* the T that the client counts with */
byte unseen = 0;                        /* T of a connection whose answer the client has not seen yet */
byte server = 0;
bool connected = true;
byte kind;
bool dating = false;                    /* `age` counts */

/* Deadlines of the leader. Pings are never further apart than D; the expiry loop takes at most D. Both count the time of a
 * pause: after it, what is overdue comes before further requests. */
#define due (pinged >= D || (session == POLLED && polled >= D))
#ifdef BEYOND_PAUSE
bool late = false;                      /* a deadline passed while the leader was paused */
#define answering (!paused && (!due || late))
#else
#define answering (!paused && !due)
#endif

/* SessionTrackerImpl.touchSession, ExpiryQueue.update: the new expiry replaces the earlier one, even by an earlier instant.
 * A session of a polled bucket is told that it lives, too, but the touch does not take it out of that bucket. */
inline touch(t) {
  if
  :: session == ALIVE -> expires = t
  :: session == ALIVE -> expires = t - DRIFT        /* the leader's clock is the faster one */
  :: else
  fi
}

inline empty_connection(f) {
  do :: request[f]?_ :: empty(request[f]) -> break od;
  do :: answer[f]?_ :: empty(answer[f]) -> break od
}

inline empty_links(f) {
  empty_connection(f);
  do :: up[f]?_, _ :: empty(up[f]) -> break od;
  do :: down[f]?_ :: empty(down[f]) -> break od;
  touched[f] = false;
  dropped[f] = false
}

/* LearnerHandler.run of the leader */
inline received(f) {
  if
  :: !dropped[f] && message == PING && names -> touch(limit[f])
  :: !dropped[f] && message == CONNECT && session != CLOSED ->     /* Leader.revalidateSession */
       touch(limit[f]);
       if :: limit[f] < counted && session == ALIVE -> unseen = limit[f] :: else fi;
       down[f]!CONNECT
  :: !dropped[f] && (message == SYNC || message == WRITE) && session != CLOSED -> down[f]!message
  :: else                               /* PrepRequestProcessor: SessionExpiredException */
  fi;
  message = 0; names = false
}

inline ping(f) {                        /* Leader.lead: f.ping() for each learner */
  if
  :: follows_old[f] || dropped[f]
  :: else ->
     if
     :: full(down[f]) -> dropped[f] = true
     :: nfull(down[f]) -> down[f]!PING
     fi
  fi
}

/* A connection to a server with smaller limits makes the leader expire the session earlier before the client sees the answer.
 * The answer comes before the client's proof could outlive the session by that, and is not lost. */
#ifdef BEYOND_LOST_ANSWER
#define answer_in_time true
#define may_give_up true
#else
#define answer_in_time (unseen == 0 || age + 1 < unseen - DRIFT)
#define may_give_up (unseen == 0)
#endif

proctype Leader() {
  mtype message; bool names;
  do
  :: atomic { !paused && pinged >= PING_MIN && session != CLOSED ->
       ping(0);
#if SERVERS == 2
       ping(1);
#endif
       pinged = 0 }

  /* SessionTrackerImpl.run: ExpiryQueue.poll takes a bucket ... */
  :: atomic { !paused && session == ALIVE && expires == 0 -> session = POLLED; polled = 0 }
  /* ... then setSessionClosing and expire, session by session. ZooKeeperServer.expire submits the transaction that removes
   * the nodes; the model removes them at once, which is the earliest instant. */
  :: atomic { !paused && session == POLLED ->
       session = CLOSED; polled = 0; pinged = 0; expires = 0;
       assert(valid == 0) }             /* SAFETY: the node of a valid client is in the committed tree */

  :: atomic { answering && !follows_old[0] && nfull(down[0]) && nempty(up[0]) -> up[0]?message, names; received(0) }
#if SERVERS == 2
  :: atomic { answering && !follows_old[1] && nfull(down[1]) && nempty(up[1]) -> up[1]?message, names; received(1) }
#endif

#ifndef RENEGOTIATE                     /* the other configurations pause the leader */
  :: atomic { !paused && session != CLOSED -> paused = true }
  :: atomic { paused -> paused = false }
#endif
  od
}

/* Leader.lead on another server. SessionTrackerImpl starts every session anew, with the T of the session's creation. */
proctype Election() {
  atomic {
    session != CLOSED ->
    deposed = true;
    follows_old[0] = true;
#if SERVERS == 2
    follows_old[1] = true;
#endif
    session = ALIVE; paused = false; pinged = 0; polled = 0; unseen = 0;
    touch(limit[0])                     /* the session was created at server 0 */
  }
}

/* The deposed leader does not know that it is deposed. It answers connections and `sync`, and commits nothing. */
proctype DeposedLeader(byte f) {
  mtype message;
  do
  :: atomic { follows_old[f] && nfull(down[f]) && nempty(up[f]) -> up[f]?message, _;
       if
       :: message == SYNC || message == CONNECT -> down[f]!message
       :: else
       fi;
       message = 0 }
  od
}

/* LearnerZooKeeperServer, LearnerSessionTracker.touchSession and snapshot, Learner.ping */
proctype Follower(byte f) {
  mtype message;
  do
  :: atomic { nfull(up[f]) && nempty(request[f]) -> request[f]?message;
       if
       :: message == CONNECT            /* Learner.validateSession asks the leader, and touches nothing here */
       :: message != CONNECT -> touched[f] = true; touch_lost = false
#if defined(BEYOND_TWO_LOST)
       :: message != CONNECT -> touch_lost = true
#elif defined(WITHIN)
       :: message != CONNECT && !touch_lost -> touch_lost = true   /* put into the table that snapshot() has just swapped out */
#endif
       fi;
       if
       :: message == READ -> answer[f]!READ
       :: else -> up[f]!message, false
       fi;
       message = 0 }
  :: atomic { nfull(up[f]) && down[f]?[PING] -> down[f]?PING; up[f]!PING, touched[f]; touched[f] = false }
  :: atomic { nempty(down[f]) && !down[f]?[PING] -> down[f]?message;
       if
       :: server == f && (connected || message == CONNECT) -> answer[f]!message
       :: else                          /* the connection that asked is gone */
       fi;
       message = 0 }
  od
}

#define lifetime (counted - MARGIN)

inline extend() {
  if
  :: age < lifetime ->
     assert(session != CLOSED);         /* SAFETY: no proof of a session that is closed */
     if :: lifetime - age > valid -> valid = lifetime - age :: else fi
  :: else
  fi
}

proctype Client() {
  bool lapsed = false;

idle:
  atomic { session != CLOSED -> age = 0; dating = false; gap = D; lapsed = false; kind = 0;
    if
#ifdef WITHIN
    :: goto within
#endif
    OR_CUT
    fi }

/* Proof within a connection: j, a second request, k at least D later, m; one of k and m commits. Reads stand for j and the
 * second request: of all requests they promise least. */
within:
  atomic { age = 0; dating = true; request[server]!READ }
#ifndef BREAK_SINGLE
  if :: answer[server]?READ OR_CUT fi;
  request[server]!READ;
#endif
  if :: atomic { answer[server]?READ -> gap = 0 } OR_CUT fi;
  if :: gap >= WAIT_K :: age >= lifetime -> goto idle OR_CUT fi;
  atomic {
    if
    :: kind = WRITE
    :: kind = SYNC
    fi;
    request[server]!kind
  }
  if :: answer[server]?eval(kind) OR_CUT fi;
  if :: age >= lifetime -> goto idle :: age < lifetime fi;
  atomic {
    if
    :: kind = WRITE
#ifdef BREAK_COMMIT
    :: kind = SYNC
#else
    :: kind == WRITE -> kind = SYNC
#endif
    fi;
    request[server]!kind
  }
  if
  :: atomic { answer[server]?eval(kind) ->
       if
#ifndef BREAK_LAPSE_WITHIN
       :: valid == 0 -> gap = 0; lapsed = true
       :: valid > 0 -> extend()
#else
       :: extend()
#endif
       fi }
  OR_CUT
  fi;
  if :: lapsed :: !lapsed -> goto idle fi;

/* The proof had lapsed: the leader may have polled the session before it was touched. A write that commits D later shows
 * that it had not. */
  if :: gap >= WAIT_LAPSED :: age >= lifetime -> goto idle OR_CUT fi;
  request[server]!WRITE;
  if :: atomic { answer[server]?WRITE -> extend() } OR_CUT fi;
  goto idle;

#if defined(RECONNECT) || defined(RENEGOTIATE)
cut:
  atomic { connected = false; age = 0; dating = false; gap = D; lapsed = false; kind = 0;
    empty_connection(server) }
attempt:
  atomic {
    if :: server = 0 :: server = SERVERS - 1 fi;
    empty_links(server);
    if :: follows_old[server] = false :: deposed -> follows_old[server] = true fi;
    age = 0; dating = true;
    request[server]!CONNECT
  }
  if
  :: atomic { answer[server]?CONNECT ->
       connected = true; unseen = 0;
#if defined(BREAK_T_NEWEST)
       counted = limit[server];
#elif !defined(BREAK_T_ONCE)
       if :: limit[server] < counted -> counted = limit[server] :: else fi;
#endif
       if
       :: age >= lifetime -> valid = 0
       :: age < lifetime && valid > lifetime - age -> valid = lifetime - age
       :: else
       fi;
       gap = 0;
       lapsed = (valid == 0) }
  :: atomic { may_give_up -> unseen = 0; empty_links(server); goto cut }
  fi;

/* Proof by connection: a write that is sent on the new connection and commits dates the session by the instant before the
 * attempt. What was answered on an earlier connection is older than that instant, and needs no step of its own. */
  if :: !lapsed || gap >= WAIT_LAPSED :: age >= lifetime -> goto idle OR_CUT fi;
  request[server]!WRITE;
  if :: atomic { answer[server]?WRITE -> extend() } OR_CUT fi;
  goto idle
#endif
}

proctype Clock() {
  do
  :: atomic { (paused || !due) && answer_in_time ->
       if :: expires > 0 -> expires-- :: else fi;
       if :: pinged < D && session != CLOSED -> pinged++ :: else fi;
       if :: polled < D && session == POLLED -> polled++ :: else fi;
       if :: valid > 0 -> valid-- :: else fi;
       if :: dating && age < lifetime -> age++ :: else fi;
       if :: gap < D -> gap++ :: else fi;
#ifdef BEYOND_PAUSE
       late = paused && (late || due);
#endif
       skip }
  od
}

init {
  atomic {
#ifdef RENEGOTIATE
    if
    :: limit[0] = T_LONG; limit[1] = T_SHORT
    :: limit[0] = T_SHORT; limit[1] = T_LONG
    fi;
#else
    limit[0] = T_LONG;
#endif
    counted = limit[0];
    valid = lifetime;                   /* the session has just been created */
    touch(limit[0]);
    run Leader(); run Election(); run Client(); run Clock();
#if SERVERS == 2
    run Follower(1); run DeposedLeader(1);
#endif
    run Follower(0); run DeposedLeader(0)
  }
}
