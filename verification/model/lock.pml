/*
 * Two clients and one exclusive lock: seats in a queue, proofs, tokens, waiters.
 *
 * Each client acquires, holds and releases, again and again, over sessions that end. The proof of a session is the one that
 * proof.pml checks. Here it is a flag: it lapses at any instant, is renewed only while the session lives, and the leader
 * closes only sessions without a valid proof. Faults are finite (LAPSES), as liveness holds "in the end".
 *
 * SAFETY: at most one client is a valid holder; the node of a valid holder is in the committed tree; with TOKENS: tokens
 * rise. LIVENESS (weak fairness): a waiter is served or rejected; a node that no client uses is removed.
 *
 * Switches: BREAK_ADOPT (a client takes the node of its ended session over), BREAK_PROOF (it holds without a proof),
 * BREAK_LIST (it decides by a list that it read before its own create), BREAK_TOKEN (the sequence number is the token),
 * BREAK_WATCH (it waits for a deletion that may lie before the watch), BREAK_REFUSED (a rejected waiter leaves its node).
 */

#define NONE 255
#define DELETED 254                     /* the node is deleted since the client listed it; its name never returns */
#ifndef LAPSES
#define LAPSES 3
#endif

mtype = { IDLE, WAITING, HOLDING, DEAD };

/* The leader. Client c has sessions 2c and 2c + 1 alternately, and at most one node in each; a node's number is that of its
 * session. `queue` is the folder in the order of the nodes' sequence numbers. */
chan queue = [4] of { byte };
bool node[4];
bool session[4];

/* Lists, watches, and the events that the client has not read yet. */
byte front[2] = NONE;                   /* the node in front, as the client last listed it */
byte watched[2] = NONE;
bool event[2];

/* The clients. */
mtype state[2] = IDLE;
byte current[2];                        /* session of the client */
byte mine[2] = NONE;                    /* the node by which it waits or holds */
bool proven[2];                         /* isValid() of its session's proof */
byte lapses = 0;

#ifdef TOKENS
byte commits = 0;                       /* czxid */
byte sequence = 0;                      /* cversion of the folder: begins anew when the folder is collected */
byte token[4];
byte highest = 0;
#endif

#ifdef BREAK_PROOF
#define holder(c) (state[c] == HOLDING)
#else
#define holder(c) (state[c] == HOLDING && proven[c])
#endif

#define owned(n) (mine[n / 2] == n && state[n / 2] != IDLE)

ltl served0 { [] (state[0] == WAITING -> <> (state[0] != WAITING)) }
ltl removed0 { [] (node[0] && !owned(0) -> <> (!node[0] || owned(0))) }

inline check() {
  assert(!(holder(0) && holder(1)));                               /* SAFETY: at most one valid holder */
  assert(!holder(0) || node[mine[0]]);                             /* SAFETY: the node of a valid holder exists */
  assert(!holder(1) || node[mine[1]])
}

inline remove(n) {                      /* DataTree.deleteNode: triggers the watches */
  if
  :: node[n] ->
     queue??eval(n);
     node[n] = false;
     if :: front[0] == n -> front[0] = DELETED :: else fi;
     if :: front[1] == n -> front[1] = DELETED :: else fi;
     if :: watched[0] == n -> watched[0] = NONE; event[0] = true :: else fi;
     if :: watched[1] == n -> watched[1] = NONE; event[1] = true :: else fi
  :: else
  fi
}

inline look() {                         /* the list: `front` becomes the node before mine[c], or the last one without a node */
  front[c] = NONE; i = len(queue); seen = false;
  do
  :: i > 0 ->
     queue?n; queue!n; i--;
     if :: n == mine[c] -> seen = true :: n != mine[c] && !seen -> front[c] = n :: else fi
  :: i == 0 -> break
  od;
  n = 0; seen = false
}

inline create() {                       /* DataTree.createNode */
  mine[c] = current[c];
  queue!current[c];
  node[current[c]] = true;
#ifdef TOKENS
  commits++; sequence++;
#ifdef BREAK_TOKEN
  token[current[c]] = sequence
#else
  token[current[c]] = commits
#endif
#endif
}

inline grant() {
  state[c] = HOLDING;
#ifdef TOKENS
  assert(token[mine[c]] > highest);     /* SAFETY: tokens rise */
  highest = token[mine[c]];
#endif
  check()
}

/* A session that ended for its client: the client was refused, by the present leader or by a deposed one. */
#define lost (!proven[c] && !session[current[c] ^ 1])

proctype Client(byte c) {
  byte n, i; bool seen, timed;

idle:
  atomic { mine[c] = NONE; watched[c] = NONE; event[c] = false; front[c] = NONE; state[c] = IDLE;
    if :: timed = true :: timed = false fi }
  if
#ifdef TOKENS
  :: atomic { session[current[c]] && !node[current[c]] && commits < 4 -> state[c] = WAITING }
#else
  :: atomic { session[current[c]] && !node[current[c]] -> state[c] = WAITING }
#endif
  :: lost -> goto ended
  fi;

#ifdef BREAK_LIST
  atomic { look() }
  atomic { session[current[c]] -> create(); goto decide }
#else
  if
  :: atomic { session[current[c]] && !node[current[c]] -> create() }
  :: lost -> goto ended
  fi;
#endif

list:
  if
  :: atomic { session[current[c]] -> look() }
  :: lost -> goto ended
  fi;
decide:
  if
  :: atomic { front[c] == NONE && proven[c] -> grant() }; goto hold
#ifdef BREAK_WATCH
  :: atomic { front[c] != NONE -> watched[c] = front[c] }
#else
  :: atomic { front[c] < DELETED -> watched[c] = front[c] }        /* getData sets the watch, or finds no node */
  :: front[c] == DELETED -> goto list
#endif
  :: lost -> goto ended
  fi;

  if
  :: atomic { event[c] -> event[c] = false; goto list }
  :: lost -> goto ended
  :: timed -> goto leave                /* refused: the deadline passes */
  fi;

hold:
  if
  :: goto leave
  :: lost -> goto ended
  :: atomic { state[c] = DEAD; goto dead }
  fi;

leave:
  atomic { if :: state[c] == WAITING -> seen = true :: else fi; state[c] = IDLE }
#ifdef BREAK_REFUSED
  if :: seen -> seen = false; goto idle :: !seen fi;
#endif
  atomic { remove(mine[c]); seen = false; goto idle }

ended:                                  /* handles become LOST; the next session begins */
  atomic {
    state[c] = IDLE; watched[c] = NONE; event[c] = false; front[c] = NONE;
    current[c] = current[c] ^ 1;
    session[current[c]] = true; proven[c] = true;
#ifdef BREAK_ADOPT
    if
    :: node[current[c] ^ 1] -> mine[c] = current[c] ^ 1; state[c] = WAITING; goto list
    :: !node[current[c] ^ 1]
    fi;
#endif
    goto idle
  }

dead:
  atomic { proven[c] = false }
}

/* SessionProof and SessionKeeper: the proof lapses at any time, and is renewed while the session lives. */
proctype Proof(byte c) {
  do
  :: atomic { proven[c] && lapses < LAPSES -> proven[c] = false; lapses++ }
  :: atomic { !proven[c] && state[c] != DEAD && session[current[c]] -> proven[c] = true; check() }
  od
}

#define expirable(n) (session[n] && (current[n / 2] != n || !proven[n / 2]))
inline expire(n) {
  session[n] = false;
  remove(n);
  check()
}

/* SessionTrackerImpl: closes sessions that no client proves any more, with all their nodes. */
proctype Expiry() {
  do
  :: atomic { expirable(0) -> expire(0) }
  :: atomic { expirable(1) -> expire(1) }
  :: atomic { expirable(2) -> expire(2) }
  :: atomic { expirable(3) -> expire(3) }
  od
}

#ifdef TOKENS
/* ContainerManager: collects an empty folder. */
proctype Collector() {
  do
  :: atomic { empty(queue) && sequence > 0 -> sequence = 0 }
  od
}
#endif

init {
  atomic {
    current[1] = 2; session[0] = true; session[2] = true; proven[0] = true; proven[1] = true;
#ifdef TOKENS
    run Collector();
#endif
    run Client(0); run Client(1); run Proof(0); run Proof(1); run Expiry()
  }
}
