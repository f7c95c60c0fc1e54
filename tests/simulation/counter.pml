/* A counter, two processes, and a store that twice loses writes that it acknowledged: every order of their steps.

   At a failover the store goes back to an older copy of the record, under another incarnation. Each reading of a store's clock
   is anywhere within the tolerance S of the true time, so two stores may differ by twice that, and a clock may go back. A reply
   may be lost. A head may be written long after the record was read, also when its writer has gone on. A return may come late,
   and again. No number may be handed out twice. With WRONG_CLOCKS a clock shows anything, and a failover loses ranges and
   returns, but no head.

   The rules are those of heads.cpp and counter_store.cpp in core/src/count; these leave one out each:

     NO_JUMP                another incarnation goes on at `next`
     JUMP_TO_NOW            a jump leads to the ceiling of now, not to the one of 2S later
     JUMP_TO_S              a jump leads to the ceiling of S later
     FRESH_BURST            a jump raises `base`, for a burst above `next`
     JUMP_KEEPS_NONCE       a jump leaves the nonce of the last add
     NO_WAIT                a jump does not wait for the time of the last top-up; with WRONG_CLOCKS
     HEAD_WITHOUT_NONCE     a head that comes twice is written twice
     HEAD_OF_ANY            a head is written over a record of another incarnation
     COMPARE_NEXT           a return compares `next`, not the nonce
     RETURN_KEEPS_NONCE     a return leaves the nonce of the last add
     RETURN_WITHOUT_FREEZE  numbers are given back and still handed out
     SUM_OF_TWO             what is left of two ranges is given back, although there are numbers between them

   These drop what the theorem requires of stores:

     ISOLATED_COUNTS        the old primary goes on, and its acknowledgements count
     LOST_COPY_RETURNS      the second failover leads to a copy of what the first one lost

   check_model.py runs them all. Some things need no step of their own:

     - an add by a process that knows another incarnation, and a primary whose acknowledgements do not count: neither has an
       effect on anything that counts
     - two heads that go by the same head: its nonce refuses one of them, and the incarnation refuses those from before a
       failover. So there is one plan, any process may have made it, and a failover voids it
     - the value of a nonce: it is named by who can still send it, since every other use of it is refused
     - the share of the room, store_went_back and the process's clock as second witness: they only refuse more. A top-up comes
       at any time, not only when the room is used up or the head is old

   Not in this model: periods, the top, raise_counter, the failovers "stop" and "trust", two returns under way at once, and
   neighbours with a range between them that was taken and given back. The ceiling rises by one number a tick. */

/* So many that every variant fails, and so few that all is searched in seconds. */
#define BURST 2
#define S 1
#ifdef WRONG_CLOCKS
#define READ_CLOCK(clock) select(clock : 0 .. 5)
#else
#ifndef LAST_TICK
#define LAST_TICK 3
#endif
#define READ_CLOCK(clock) select(clock : now .. now + 2 * S)             /* 0 stands for the time -S */
#endif

#ifdef JUMP_TO_NOW
#define LATER 0
#elif defined(JUMP_TO_S)
#define LATER S
#else
#define LATER (2 * S)
#endif

#ifdef COMPARE_NEXT
#define END_OF(end) end
#else
#define END_OF(end) 0
#endif

#define MOST(a, b) ((a) > (b) -> (a) : (b))
#define LEAST(a, b) ((a) < (b) -> (a) : (b))

#if !defined(COMPARE_NEXT) && !defined(JUMP_KEEPS_NONCE) && !defined(SUM_OF_TWO)
#define FORGETS
#endif

/* Who can still send the nonce of the record: nobody, a process, or the return under way. */
#define NOBODY 0
#define ITS(process) (1 + process)
#define THE_RETURN 3

typedef Record {
  bool other;                       /* of another incarnation than the store */
  byte next, room, nonce;
  short base;
  byte topped_up;                   /* with WRONG_CLOCKS */
};

/* A head that is to be written. */
typedef Plan {
  bool made, jumps;
  byte next, more_room;             /* of a jump; of a top-up */
  short base;
  byte topped_up;
};

/* What is left of a range. */
typedef Rest {
  byte left, end;
};

#ifndef WRONG_CLOCKS
byte now;                           /* the true time, from -S on */
#endif
byte failovers;
Record record, copy[2];             /* copy[i] is what failover i leads to */
bool kept[2];
Plan plan;
Rest last[2], returned;
#ifdef ISOLATED_COUNTS
byte isolated_next;
short isolated_base;
#endif

/* Any one number that was handed out; 0: not chosen yet. If it is not handed out again, none is. */
byte watched;

inline hand_out(low, high) {
  assert(watched < low || watched >= high);
  if
  :: watched == 0 && low < high -> select(watched : low .. high - 1)
  :: true
  fi
}

inline set_rest(rest, its_left, its_end) {
  rest.left = its_left; rest.end = its_end
}

inline forget_plan() {
  plan.made = 0; plan.jumps = 0; plan.next = 0; plan.more_room = 0; plan.base = 0; plan.topped_up = 0
}

/* From now on it is known by another one. */
inline pass_nonce(from, to) {
  if
  :: record.nonce == from -> record.nonce = to
  :: else
  fi;
#ifdef JUMP_KEEPS_NONCE
  copy[0].nonce = (copy[0].nonce == from -> to : copy[0].nonce); copy[1].nonce = (copy[1].nonce == from -> to : copy[1].nonce)
#endif
}

/* Until a failover no other nonce comes back, and after it a jump writes its own. So what can be given back no more is
   forgotten. */
inline write_nonce(nonce_of) {
  record.nonce = nonce_of;
#ifdef FORGETS
  if
  :: nonce_of != ITS(0) -> set_rest(last[0], 0, 0)
  :: else
  fi;
  if
  :: nonce_of != ITS(1) -> set_rest(last[1], 0, 0)
  :: else
  fi;
  if
  :: nonce_of != THE_RETURN -> set_rest(returned, 0, 0)
  :: else
  fi
#endif
}

/* The jump after a failover overwrites what is not kept. */
inline keep(i) {
  kept[i] = 1; copy[i].next = record.next; copy[i].base = record.base; copy[i].topped_up = record.topped_up;
#ifdef NO_JUMP
  copy[i].room = record.room;
#endif
#ifdef JUMP_KEEPS_NONCE
  copy[i].nonce = record.nonce
#endif
}

inline forget_copy(i) {
  kept[i] = 0; copy[i].next = 0; copy[i].base = 0; copy[i].room = 0; copy[i].nonce = 0; copy[i].topped_up = 0
}

proctype Process(byte me) {
  short n, left;

  do
  /* A range. Those of its numbers that will ever be handed out are handed out at once. */
  :: atomic {
       !record.other && record.room > 0 ->
       if
       :: n = 1
       :: record.room > 1 -> n = 2
       fi;
       record.next = record.next + n; record.room = record.room - n;
       if
       :: true ->                   /* no reply: it is a stranger's */
          write_nonce(NOBODY)
       :: true ->
          pass_nonce(ITS(me), NOBODY);
          write_nonce(ITS(me));
          select(left : 0 .. n);
          hand_out(record.next - n, record.next - left);
          if
#ifdef SUM_OF_TWO
          :: left == n -> left = left + last[me].left
#else
          :: left == n && last[me].end == record.next - n -> left = left + last[me].left
#endif
          :: true
          fi;
          if
          :: left > 0 -> set_rest(last[me], left, record.next)
          :: else -> write_nonce(NOBODY); set_rest(last[me], 0, 0)
          fi
       fi;
       n = 0; left = 0
     }

  /* The process ends, and gives back what is left. The next one has its place. */
  :: atomic {
       last[me].left > 0 && returned.left == 0 ->
#ifdef RETURN_WITHOUT_FREEZE
       hand_out(last[me].end - last[me].left, last[me].end);
#endif
       set_rest(returned, last[me].left, END_OF(last[me].end));
       pass_nonce(ITS(me), THE_RETURN);
       set_rest(last[me], 0, 0)
     }
  od
}

active proctype Others() {
  short clock, base, room;

  atomic {
    READ_CLOCK(clock);
    record.next = 1; record.room = BURST; record.base = 1 + BURST - clock;
#ifdef WRONG_CLOCKS
    record.topped_up = clock;
#endif
    clock = 0;
    run Process(0); run Process(1)
  }

  do
  /* A process reads the record with the store's clock. */
  :: atomic {
       !plan.made ->
       READ_CLOCK(clock);
       if
       :: !record.other ->
          base = LEAST(record.base, record.next + MOST(BURST, record.room) - clock);
          room = MOST(record.room, base + clock - record.next);
          if
          :: base != record.base || room != record.room ->
             plan.made = 1; plan.base = base; plan.more_room = room - record.room;
#ifdef WRONG_CLOCKS
             plan.topped_up = MOST(record.topped_up, clock)
#endif
          :: else
          fi
#ifdef NO_WAIT
       :: record.other ->
#else
       :: record.other && clock >= record.topped_up ->
#endif
          plan.made = 1; plan.jumps = 1; plan.next = MOST(record.next, record.base + clock + LATER);
#ifdef FRESH_BURST
          plan.base = plan.next + BURST - clock;
#else
          plan.base = record.base;
#endif
          plan.topped_up = record.topped_up
       :: else
       fi;
       clock = 0; base = 0; room = 0
     }

  /* The head is written. */
  :: atomic {
       plan.made ->
       record.base = plan.base; record.topped_up = plan.topped_up; record.other = 0;
       if
       :: plan.jumps ->
          record.next = plan.next; record.room = 0;
#ifndef JUMP_KEEPS_NONCE
          write_nonce(NOBODY)
#endif
       :: else -> record.room = record.room + plan.more_room
       fi;
#ifdef WRONG_CLOCKS
       forget_copy(0);
       forget_copy(1);
#endif
#ifndef HEAD_WITHOUT_NONCE
       forget_plan()
#endif
     }

  /* It will not be written. */
  :: atomic { plan.made -> forget_plan() }

  /* The return comes, and may come again. */
  :: atomic {
       !record.other && returned.left > 0 ->
       if
#ifdef COMPARE_NEXT
       :: returned.end == record.next ->
#else
       :: record.nonce == THE_RETURN ->
#endif
          record.next = record.next - returned.left; record.room = record.room + returned.left;
#ifndef RETURN_KEEPS_NONCE
          write_nonce(NOBODY)
#endif
       :: else
       fi
     }

  /* It comes no more. */
  :: atomic { returned.left > 0 -> pass_nonce(THE_RETURN, NOBODY); set_rest(returned, 0, 0) }

#ifndef WRONG_CLOCKS
  :: now < LAST_TICK -> now++
#endif

  /* A failover leads to a copy of the record, or of what the record came from: the second copy is older, or made later. */
  :: atomic { failovers == 0 && !kept[0] -> keep(0) }
#ifdef LOST_COPY_RETURNS
  :: atomic { failovers < 2 && !kept[1] -> keep(1) }
#else
  :: atomic { failovers < 2 && !kept[1] && !kept[0] -> keep(1) }
#endif
  :: atomic {
       failovers < 2 && kept[failovers] ->
#ifdef ISOLATED_COUNTS
       isolated_next = record.next; isolated_base = record.base;
#endif
#ifndef NO_JUMP
       record.other = 1;
#endif
       record.next = copy[failovers].next; record.room = copy[failovers].room; record.base = copy[failovers].base;
       record.topped_up = copy[failovers].topped_up;
#ifdef JUMP_KEEPS_NONCE
       record.nonce = copy[failovers].nonce;
#else
       write_nonce(NOBODY);         /* until the jump writes its own, returns are refused */
#endif
#ifndef HEAD_OF_ANY
       forget_plan();
#endif
       forget_copy(failovers);
       failovers++
     }

#ifdef ISOLATED_COUNTS
  :: atomic {
       isolated_next != 0 ->
       READ_CLOCK(clock);
       if
       :: isolated_next < isolated_base + clock -> hand_out(isolated_next, isolated_next + 1); isolated_next++
       :: else
       fi;
       clock = 0
     }
#endif
  od
}
