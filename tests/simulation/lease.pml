/* Two hosts and one node id: every order of their steps, of the store's, and of what the network does.

   A request may be lost, its reply may be lost, and one request may come when its sender has long given up. Clocks are anywhere;
   with DELETION they are right, since then a quarantine keeps the windows apart, and once a record is deleted, and once an
   operator raises the floor. No tick may be stamped twice. The rules are those of docs/leases.md; these leave one out each:

     CHECK_THEN_STAMP         the lease is looked at, then the clock is stamped
     RELEASE_WITHOUT_FREEZE   the mark is lowered while ids are still stamped
     ADOPT_BY_OWNER           after no answer, a record of one's own counts as granted
     CREATE_IN_TWO_STEPS      a node record is made without a look at the namespace's nonce; with DELETION

   check_model.py runs them all. */

/* So many that every variant fails, and so few that all is searched in seconds. */
#define WINDOW 2
#ifdef DELETION
#define TICKS 4
#define NONCES 5
#else
#define TICKS 5
#define NONCES 6
#endif

#ifdef DELETION
byte now;                           /* the true time, and what each clock says */
bool deleted, raised;
#define READ_CLOCK(clock) clock = now
#else
#define READ_CLOCK(clock) select(clock : 0 .. TICKS - 1)
#endif

#define LATER(a, b) (a > b -> a : b)

typedef Request {
  bool sent;
  byte expects;                     /* the node's nonce; 0: no record */
  bool writes_names;
  byte names_expects, term;
  byte nonce, owner, until;         /* what it writes */
};

byte used, names_nonce, term, floor;                 /* the namespace */
bool present; byte nonce, owner, until;              /* the record of the node id */
byte fresh = 1;                                      /* a nonce that nobody had */
Request request[2], late;
byte reply[2];                                       /* 0: none yet, 1: ok, 2: conflict */
bool waits[2];
bool stamped[TICKS];

/* One step of the store over both records. */
inline serve(r, answer) {
  if
  :: r.term == term && (present -> nonce : 0) == r.expects && (!r.writes_names || r.names_expects == names_nonce) ->
     present = 1; nonce = r.nonce; owner = r.owner; until = r.until;
     if
     :: r.expects == 0 -> used = 1; names_nonce = (r.writes_names -> r.nonce : names_nonce)
     :: else
     fi;
     answer = 1
  :: else -> answer = 2
  fi;
  r.sent = 0; r.expects = 0; r.writes_names = 0; r.names_expects = 0; r.term = 0; r.nonce = 0; r.owner = 0; r.until = 0
}

inline stamp(tick) {
  assert(!stamped[tick]);
  stamped[tick] = 1
}

proctype Host(byte me) {
  byte clock, seen_nonce, seen_until, seen_used, seen_names, seen_term, seen_floor;
  bool looked, checked, renews, gives_back;
  byte mine, my_term;               /* of the record that may be renewed; 0: none */
  byte next, end;                   /* the window: [next, end) is not stamped yet */
  byte asked_start, asked_end, asked_nonce;

  do
  /* An id of the window. */
#ifdef CHECK_THEN_STAMP
  :: atomic { !checked && next < end -> READ_CLOCK(clock); checked = (clock >= next && clock < end); clock = 0 }
  :: atomic {
       checked ->
       READ_CLOCK(clock); checked = 0;
       if
       :: clock >= next && clock < TICKS -> stamp(clock); next = clock + 1
       :: else
       fi;
       clock = 0
     }
#else
  :: atomic {
       next < end ->
       READ_CLOCK(clock);
       if
       :: clock >= next && clock < end -> stamp(clock); next = clock + 1
       :: else
       fi;
       clock = 0
     }
#endif

  /* A look at the store, with nothing that may be renewed. */
  :: atomic {
       !waits[me] && !looked && mine == 0 && fresh < NONCES ->
       seen_nonce = (present -> nonce : 0); seen_until = until; seen_used = used; seen_names = names_nonce;
       seen_term = term; seen_floor = floor; looked = 1
     }

  /* The clock, and the request that goes by both. */
  :: atomic {
       looked && fresh < NONCES ->
       READ_CLOCK(clock); looked = 0;
       if
       :: seen_nonce != 0 && seen_until <= clock ->
          asked_start = LATER(clock, seen_floor); asked_end = LATER(asked_start, clock + WINDOW); renews = 1
       :: seen_nonce == 0 && seen_used == 0 ->
          asked_start = LATER(clock, seen_floor); asked_end = LATER(asked_start, clock + WINDOW); renews = 1
       :: seen_nonce == 0 && seen_used != 0 ->
          asked_start = LATER(clock + WINDOW, seen_floor); asked_end = asked_start; renews = 1
       :: else
       fi;
       if
       :: renews && asked_end <= TICKS ->
          request[me].expects = seen_nonce; request[me].term = seen_term;
#ifndef CREATE_IN_TWO_STEPS
          request[me].writes_names = (seen_nonce == 0); request[me].names_expects = (seen_nonce == 0 -> seen_names : 0);
#endif
          asked_nonce = fresh; my_term = seen_term;
          request[me].nonce = fresh; request[me].owner = me; request[me].until = asked_end; request[me].sent = 1;
          fresh++; waits[me] = 1
       :: else -> asked_start = 0; asked_end = 0
       fi;
       renews = 0; clock = 0;
       seen_nonce = 0; seen_until = 0; seen_used = 0; seen_names = 0; seen_term = 0; seen_floor = 0
     }

  /* A longer window. */
  :: atomic {
       !waits[me] && mine != 0 && fresh < NONCES ->
       READ_CLOCK(clock);
       if
       :: clock + WINDOW > end && clock + WINDOW <= TICKS ->
          request[me].expects = mine; request[me].term = my_term; request[me].nonce = fresh; request[me].owner = me;
          request[me].until = clock + WINDOW; request[me].sent = 1;
          asked_end = clock + WINDOW; asked_nonce = fresh; fresh++; waits[me] = 1; renews = 1
       :: else
       fi;
       clock = 0
     }

  /* Given back: frozen, then lowered to what was not stamped. */
  :: atomic {
       !waits[me] && mine != 0 && fresh < NONCES ->
       request[me].expects = mine; request[me].term = my_term; request[me].nonce = fresh; request[me].owner = me;
       request[me].until = next; request[me].sent = 1; fresh++; waits[me] = 1; gives_back = 1; mine = 0;
#ifndef RELEASE_WITHOUT_FREEZE
       next = 0; end = 0; checked = 0
#endif
     }

  /* The reply. */
  :: atomic {
       waits[me] && reply[me] != 0 ->
       if
       :: gives_back -> next = 0; end = 0; checked = 0
       :: !gives_back && reply[me] == 1 && renews -> mine = asked_nonce; end = asked_end
       :: !gives_back && reply[me] == 1 && !renews ->
          mine = asked_nonce; next = LATER(next, asked_start); end = asked_end
       :: else -> mine = 0
       fi;
       waits[me] = 0; reply[me] = 0; gives_back = 0; renews = 0; asked_start = 0; asked_end = 0; asked_nonce = 0
     }

  /* No reply, for whatever reason: the request is void, on its way, or done. */
  :: atomic {
       waits[me] ->
       reply[me] = 0;
       if
       :: request[me].sent && !late.sent ->
          late.expects = request[me].expects; late.writes_names = request[me].writes_names;
          late.names_expects = request[me].names_expects; late.term = request[me].term; late.nonce = request[me].nonce;
          late.owner = request[me].owner; late.until = request[me].until; late.sent = 1
       :: else
       fi;
       request[me].sent = 0; request[me].expects = 0; request[me].writes_names = 0; request[me].names_expects = 0;
       request[me].term = 0; request[me].nonce = 0; request[me].owner = 0; request[me].until = 0;
       mine = 0;
       if
       :: gives_back -> next = 0; end = 0; checked = 0
       :: else
       fi;
#ifdef ADOPT_BY_OWNER
       if
       :: !gives_back && present && owner == me && next < end && until > end -> mine = nonce; end = until
       :: else
       fi;
#endif
       waits[me] = 0; gives_back = 0; renews = 0; asked_start = 0; asked_end = 0; asked_nonce = 0
     }
  od
}

active proctype Rest() {
  byte answer;

  do
  :: atomic { request[0].sent -> serve(request[0], reply[0]) }
  :: atomic { request[1].sent -> serve(request[1], reply[1]) }
  :: atomic { late.sent -> serve(late, answer); answer = 0 }
#ifdef DELETION
  :: now < TICKS - 1 -> now++
  :: atomic { !deleted && present -> present = 0; nonce = 0; owner = 0; until = 0; deleted = 1 }
  :: atomic { !raised && fresh < NONCES -> raised = 1; term = fresh; names_nonce = fresh; fresh++; floor = now + WINDOW }
#endif
  od
}

init {
  atomic { run Host(0); run Host(1) }
}
