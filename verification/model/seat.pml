/*
 * The seat of one client, from create to gone, over lost answers, lost connections, deposed leaders and the session's end.
 *
 * One session, one seat. The client connects to servers of the present ensemble or to a deposed leader that does not know
 * that it is deposed. Requests travel in order on each connection; what an earlier connection has forwarded may arrive late.
 * No clock: a session may expire whenever its client is not connected to the present leader.
 *
 * SAFETY: a client that takes a seat for gone is right: the node is not in the committed tree and is not created later.
 * LIVENESS (weak fairness): a node that no client uses or pursues is removed.
 *
 * Switches: BREAK_SYNC (absence concluded from sync and a list), BREAK_LIST (from a list of a follower that lags),
 * BREAK_LOST_CREATE (a lost answer taken for a failed create), BREAK_LOST_DELETE (a delete that was sent taken for done).
 */

#define CONNECTIONS 4                   /* the last one does not break, and leads to the present leader */
#define last (connection == CONNECTIONS - 1)

mtype = { CREATE, DELETE, CHECK, SYNC, DONE };
mtype = { NONE, ASKED, HELD, UNKNOWN, LEAVING, GONE, ENDED };

/* What the servers of each connection have forwarded to the present leader, in order; and the answers of the present one. */
chan forwarded[CONNECTIONS] = [1] of { mtype };
chan answers = [1] of { mtype };

/* The present leader: tree and session table. */
bool node = false;
bool session = true;
byte owner = 0;                         /* SessionImpl.owner: the connection that was validated last */

/* Servers. `applied` is what the client's follower has applied of the tree; a deposed leader keeps the tree it had. */
bool applied = false;
bool deposed = false;
bool old_knows = true;                  /* the session was created before the leader was deposed */
bool old_node = false;

/* The client. */
mtype seat = NONE;                      /* what it knows about its seat */
byte connection = 0;
bool connected = true;
bool on_old = false;                    /* its server follows the deposed leader, or is that one */

/* No node without an owner: a node that its client neither uses nor pursues is removed. */
#define pursued (seat == ASKED || seat == HELD || seat == UNKNOWN || seat == LEAVING)
ltl removed { [] ((node && !pursued) -> <> !node) }
/* A release ends. */
ltl released { [] (seat == LEAVING -> <> (seat == GONE || seat == ENDED)) }

inline conclude_gone() {
  seat = GONE;
  assert(!node)                         /* SAFETY: gone means that the node does not exist ... */
}

/* PrepRequestProcessor.pRequest: checkSession throws SessionExpiredException after the session's end, and
 * SessionMovedException for a request of an earlier connection. Else the transaction commits. */
inline commit(c) {
  forwarded[c]?request;
  if
  :: session && owner == c ->
     if
     :: request == CREATE -> node = true; assert(seat != GONE)      /* SAFETY: ... nor appears later */
     :: request == DELETE -> node = false
     :: else                            /* CHECK: a transaction that changes nothing; SYNC */
     fi;
     if
     :: connected && connection == c && !on_old -> applied = node; answers!DONE
     :: else
     fi
  :: else
  fi;
  request = 0
}

active proctype Leader() {
  mtype request;
end:
  do
  :: atomic { nempty(forwarded[0]) -> commit(0) }
  :: atomic { nempty(forwarded[1]) -> commit(1) }
  :: atomic { nempty(forwarded[2]) -> commit(2) }
  :: atomic { nempty(forwarded[3]) -> commit(3) }
  od
}

/* SessionTrackerImpl.run: a session that the present leader is not told about expires. */
active proctype Expiry() {
end:
  atomic { session && (!connected || on_old) -> session = false; node = false }
}

/* CommitProcessor of the follower: applies late what is committed. (With an answer of the leader, `commit` applies it.) */
active proctype Apply() {
end:
  do
  :: atomic { applied != node -> applied = node }
  od
}

/* Another leader is elected. The client's server stays with the deposed one, or not. */
active proctype Election() {
end:
  atomic { !deposed && !last ->
    deposed = true;
    old_node = node;
    if :: connected -> on_old = true :: on_old = false fi }
}

inline send(r) {
  if
  :: !on_old -> forwarded[connection]!r
  :: on_old && r == SYNC -> answers!DONE           /* the deposed leader answers sync ... */
  :: on_old && r != SYNC                           /* ... and commits nothing */
  fi
}

active proctype Client() {
  bool seen;
  if
  :: skip
  :: atomic { !deposed -> deposed = true; old_knows = false }
  fi;

  atomic { seat = ASKED; send(CREATE) }
  if
  :: atomic { answers?DONE -> seat = HELD }
  :: atomic { !last ->
#ifdef BREAK_LOST_CREATE
       conclude_gone(); goto done
#else
       seat = UNKNOWN; goto cut
#endif
     }
  fi;

held:
  if
  :: goto leave
  :: !last -> goto cut
  fi;

leave:
  atomic { seat = LEAVING; send(DELETE) }
  if
  :: atomic { answers?DONE -> conclude_gone() }; goto done
  :: atomic { !last ->
#ifdef BREAK_LOST_DELETE
       conclude_gone(); goto done
#else
       goto cut
#endif
     }
  fi;

cut:                                    /* what was sent may have been forwarded, or not */
  atomic {
    connected = false;
    if :: answers?_ :: empty(answers) fi;
    if :: forwarded[connection]?_ :: true fi
  }
  atomic {
    connection++;
    if
    :: deposed && !last && old_knows -> on_old = true; connected = true
    :: deposed && !last && !old_knows -> seat = ENDED; on_old = true; goto done
    :: session -> on_old = false; connected = true; owner = connection; applied = false
    :: !session -> seat = ENDED; goto done
    fi
  }
  if
  :: seat == HELD -> goto held
  :: seat == LEAVING -> goto leave
  :: seat == UNKNOWN
  fi;

/* The look-up: is there a seat that carries this create's uuid? */
#ifndef BREAK_LIST
  atomic {
#ifdef BREAK_SYNC
    send(SYNC)
#else
    send(CHECK)
#endif
  }
  if
  :: answers?DONE
  :: !last -> goto cut
  fi;
#endif
  atomic {
    if
    :: on_old -> seen = old_node
    :: !on_old -> seen = applied
    fi;
    if
    :: seen -> seat = HELD; seen = false; goto held
    :: !seen -> conclude_gone()
    fi
  }
done:
  skip
}
