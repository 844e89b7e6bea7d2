/*
 * Session proof: does the client's rule of decision 0033 hold against ZooKeeper's session expiry?
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
#ifndef T_PROBE
#define T_PROBE 2                       /* timeout of the probe */
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
/* What a client that had lapsed waits for before the write that ends the suspicion. */
#if defined(BREAK_M26)
#define trusted true                    /* nothing: the write alone counts */
#elif defined(BREAK_CLOSED_IN_TIME)
#define trusted (gap >= D)              /* a time: the leader is taken to have closed the bucket by then */
#else
#define trusted (probe == EXPIRED)
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
/* The probe: another session, which the client creates and abandons. It expires at any instant after its timeout, but not
 * while the expiry loop works on the bucket of the client's session, which is an earlier one. */
mtype = { NONE, PRESENT, EXPIRED };
mtype probe = NONE;
byte probe_expires = 0;                 /* units until the bucket of the probe may be polled */
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
bool suspect = false;                   /* the proof had lapsed: `valid` is provisional, and proves nothing yet */
byte covers = 0;                        /* units until the probe no longer covers a lapse */
byte age = 0;                           /* units since the instant that the proof in progress dates the session by */
byte gap = 0;                           /* units since the event from which a distance counts, at most D */
byte counted;                           /* the T that the client counts with */
byte unseen = 0;                        /* T of a connection whose answer the client has not seen yet */
byte server = 0;
bool connected = true;
byte kind;
bool dating = false;                    /* `age` counts */

/* Deadline of the leader. Pings are never further apart than D, the time of a pause included: after it, the overdue ping comes
 * before further requests. The expiry loop has no deadline: it closes a polled session at any time. */
#define due (pinged >= D)
#ifdef BEYOND_PAUSE
bool late = false;                      /* the deadline passed while the leader was paused */
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
  :: atomic { !paused && session == ALIVE && expires == 0 -> session = POLLED }
  /* ... then setSessionClosing and expire, session by session. ZooKeeperServer.expire submits the transaction that removes
   * the nodes; the model removes them at once, which is the earliest instant. */
  :: atomic { !paused && session == POLLED ->
       session = CLOSED; pinged = 0; expires = 0;
       assert(suspect || valid == 0) }  /* SAFETY: the node of a valid client is in the committed tree */
  /* The next buckets follow only when that one is done. */
  :: atomic { !paused && probe == PRESENT && probe_expires == 0 && session != POLLED -> probe = EXPIRED }

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
    session = ALIVE; paused = false; pinged = 0; unseen = 0;
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
     assert(suspect || session != CLOSED);   /* SAFETY: no proof of a session that is closed */
     if :: lifetime - age > valid -> valid = lifetime - age :: else fi
  :: else
  fi
}

/* What a probe covers, from its creation on. */
#ifdef BREAK_PROBE_MARGIN
#define T_COVERED T_PROBE
#else
#define T_COVERED (T_PROBE - MARGIN)
#endif
#ifdef BREAK_PROBE_KEPT
#define covered (probe != NONE)
#else
#define covered (covers > 0)
#endif

/* The leader has touched the session, but the proof had lapsed before: the leader may have polled the session by then. The
 * client creates a probe, unless there is one whose bucket is later than this instant. What the client proves from now on
 * counts when `trusted`. */
inline suspect_session() {
#ifdef BREAK_CLOSED_IN_TIME
  gap = 0;
#endif
  if
  :: covered
  :: !covered ->
     probe = PRESENT; covers = T_COVERED;
     if :: probe_expires = T_PROBE :: probe_expires = T_PROBE - DRIFT fi
  fi;
  suspect = true
}

proctype Client() {

idle:
  atomic { session != CLOSED -> age = 0; dating = false; kind = 0;
    if :: suspect && valid == 0 -> suspect = false :: else fi;
#ifdef BREAK_CLOSED_IN_TIME
    if :: !suspect -> gap = D :: else fi;
#else
    gap = D;
#endif
    if
#ifdef WITHIN
    :: goto within
#endif
    :: suspect && trusted -> goto trust
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
#ifndef BREAK_LAPSE_WITHIN
       if :: valid == 0 && age < lifetime -> suspect_session() :: else fi;
#endif
       extend() }
  OR_CUT
  fi;
  goto idle;

/* The probe has expired. So the leader has closed each bucket that it had polled before the touch that made the client
 * suspect, and this write commits only if the session was in none of them. */
trust:
  request[server]!WRITE;
  if
  :: atomic { answer[server]?WRITE ->
       if
       :: valid > 0 ->
            suspect = false; probe = NONE; probe_expires = 0; covers = 0;
            assert(session != CLOSED)   /* SAFETY */
       :: else
       fi }
  OR_CUT
  fi;
  goto idle;

#if defined(RECONNECT) || defined(RENEGOTIATE)
cut:
  atomic { connected = false; age = 0; dating = false; gap = D; kind = 0;
    if :: suspect -> suspect = false; valid = 0 :: else fi;
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
       if :: valid == 0 && age < lifetime -> suspect_session(); extend() :: else fi }
  :: atomic { may_give_up -> unseen = 0; empty_links(server); goto cut }
  fi;
  if :: suspect -> goto idle :: !suspect fi;

/* Proof by connection: a write that is sent on the new connection and commits dates the session by the instant before the
 * attempt. What was answered on an earlier connection is older than that instant, and needs no step of its own. */
  if :: age < lifetime :: age >= lifetime -> goto idle OR_CUT fi;
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
       if :: valid > 0 -> valid-- :: else fi;
       if :: dating && age < lifetime -> age++ :: else fi;
       if :: gap < D -> gap++ :: else fi;
       if :: probe_expires > 0 -> probe_expires-- :: else fi;
       if :: covers > 0 -> covers-- :: else fi;
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
