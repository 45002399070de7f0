/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The protocol of sinew/channels/ring.h: writers with slots of their own, an index, a head that anybody moves on,
 * readers who only look, and the takeover of a dead writer's place. Every access to shared memory is a step of its
 * own, so spin tries every order of them. A stop of any length is an order in which others go first; MISHAP lets one
 * process, whichever it is, die or stop for ever before any of its steps.
 *
 * Memory is sequentially consistent here; what weaker machines may reorder is the business of the fences in the code.
 *
 * The defines under "mutants" break the protocol. check.sh shows that spin finds every one of them out.
 */
#ifndef DEPTH
#define DEPTH 2
#endif
#ifndef PUTS
#define PUTS 4
#endif
#ifndef OTHER_PUTS
#define OTHER_PUTS 1
#endif
#ifndef HEIR_PUTS
#define HEIR_PUTS 1
#endif
#ifndef LOOKS
#define LOOKS 1
#endif
#define PLACES 2

/* mutants */
#ifdef FEW_SLOTS /* as many slots as messages are kept, none to write in meanwhile */
#define SLOTS DEPTH
#else
#define SLOTS (DEPTH + 1)
#endif

#define NUMBERS 12 /* more than all puts together */

byte head_number, head_slot;
byte index_number[DEPTH], index_slot[DEPTH];
byte slot_number[PLACES * SLOTS], slot_left[PLACES * SLOTS], slot_right[PLACES * SLOTS];

/* what nobody in the real world can see */
byte published;             /* number of the last message published */
byte content[NUMBERS];      /* what was put as each number */
byte mishaps = 1;           /* still to come */
bool is_dead[PLACES];       /* proven: the pid is gone */
bool is_claimed = false;

#define IS_WHOLE(n, s) \
  (n == 0 || (slot_number[s] == n && slot_left[s] == slot_right[s] && slot_left[s] == content[n]))

/* holds at every instant: the newest message and all that the index names are whole, head is at most one behind */
#define LOOK                                                             \
  assert(head_number == published || head_number + 1 == published);      \
  assert(IS_WHOLE(head_number, head_slot));                              \
  assert(IS_WHOLE(index_number[0], index_slot[0]));                      \
  assert(IS_WHOLE(index_number[DEPTH - 1], index_slot[DEPTH - 1]))

/* one step of a writer: it is done, or the mishap comes first */
#define STEP(what)                                         \
  if                                                       \
  :: d_step { what; LOOK }                                 \
  :: atomic { mishaps > 0 -> mishaps--; goto end_mishap }  \
  fi

#define SET_HEAD(n, s) head_number = n; head_slot = s

/* finishes slot `own` with the payload `value` and publishes it */
inline publish() {
  STEP(slot_right[own] = value);
again:
  atomic { h_number = head_number; h_slot = head_slot; number = h_number + 1 };
  d_step { e_number = index_number[number % DEPTH]; e_slot = index_slot[number % DEPTH] };
  if
  :: e_number == number ->
#ifdef NO_HELP
     head_number != h_number; /* waits for the publisher to say so itself */
#else
     STEP(if :: head_number == h_number -> SET_HEAD(e_number, e_slot) :: else fi);
#endif
     goto again
#ifndef NO_AGE_CHECK
  :: e_number != number && e_number != (number > DEPTH -> number - DEPTH : 0) ->
     assert(head_number != h_number); /* only because others have gone on */
     goto again
#endif
  :: else
  fi;
  STEP(slot_number[own] = number);
  if
  :: atomic {
       index_number[number % DEPTH] == e_number && index_slot[number % DEPTH] == e_slot ->
       index_number[number % DEPTH] = number;
       index_slot[number % DEPTH] = own;
       assert(number == published + 1); /* total order, no gap, nothing twice */
       published = number;
       content[number] = value;
       LOOK
     }
  :: atomic { index_number[number % DEPTH] != e_number || index_slot[number % DEPTH] != e_slot -> goto again }
  :: atomic { mishaps > 0 -> mishaps--; goto end_mishap }
  fi;
#ifdef BLIND_HEAD
  STEP(assert(number >= head_number); SET_HEAD(number, own));
#else
  STEP(if :: head_number == h_number -> SET_HEAD(number, own) :: else fi);
#endif
  assert(head_number >= number)
}

inline put_all(count) {
  done = 0;
  do
  :: done == count -> break
  :: else ->
     d_step { own = place * SLOTS + turn; value = who * 16 + done + 1 };
     STEP(slot_number[own] = 0);
     STEP(slot_left[own] = value);
     publish();
     d_step {
       turn = (turn + 1) % SLOTS; done++;
       h_number = 0; h_slot = 0; e_number = 0; e_slot = 0; number = 0; own = 0; value = 0
     }
  od
}

proctype Writer(byte who; byte place; byte puts) {
  byte turn, done, own, value, h_number, h_slot, e_number, e_slot, number;
  put_all(puts);
  goto end_well;
end_mishap:
  /* dead, or stopped for ever: then its place is never proven free */
  if
  :: is_dead[place] = true
  :: skip
  fi;
end_well:
  skip
}

/* the turn goes on after the newest message of the place */
inline consider() {
  d_step {
    if
    :: e_number > newest && e_slot / SLOTS == place -> newest = e_number; turn = (e_slot % SLOTS + 1) % SLOTS
    :: else
    fi;
    e_number = 0; e_slot = 0
  }
}

/* takes over a dead writer's place, as the constructor of RingWriter does */
#ifndef NO_HEIR
proctype Heir(byte who) {
  byte place, turn, done, own, value, h_number, h_slot, e_number, e_slot, number, newest, i;
end_nobody_died:
#ifdef STEAL /* from a writer that is merely slow */
  if :: place = 0 :: place = 1 fi;
#else
  if
  :: is_dead[0] -> place = 0
  :: is_dead[1] -> place = 1
  fi;
#endif
  do
  :: i == DEPTH -> break
  :: else ->
     d_step { e_number = index_number[i]; e_slot = index_slot[i] };
     consider();
     i++
  od;
#ifndef HASTY_HEIR
  atomic { h_number = head_number; h_slot = head_slot; number = h_number + 1 };
  d_step { e_number = index_number[number % DEPTH]; e_slot = index_slot[number % DEPTH] };
  STEP(if :: e_number == number && head_number == h_number -> SET_HEAD(e_number, e_slot) :: else fi);
  d_step { e_number = head_number; e_slot = head_slot };
  consider();
  d_step { h_number = 0; h_slot = 0; number = 0; newest = 0; i = 0 };
#endif
  put_all(HEIR_PUTS);
end_mishap:
  skip
}
#endif

/* copies message (number, slot) in two steps and accepts it only when the slot still says so */
inline read_slot() {
  if
  :: slot_number[slot] != number -> is_good = false
  :: else ->
     left = slot_left[slot];
     right = slot_right[slot];
#ifdef NO_RECHECK
     is_good = true;
#else
     is_good = (slot_number[slot] == number);
#endif
     d_step {
       if
       :: is_good -> assert(left == right && left == content[number]); assert(number > seen); seen = number
       :: else
       fi;
       left = 0; right = 0
     }
  fi
}

/* the newest, LOOKS times */
proctype NewestReader() {
  byte number, slot, left, right, seen, looks;
  bool is_good;
  do
  :: looks == LOOKS -> break
  :: else ->
     looks++;
     d_step { number = head_number; slot = head_slot };
     if
     :: number > seen -> read_slot()
     :: else -> assert(number == seen) /* head never goes back */
     fi
  od
}

/* the next unseen, oldest first */
proctype NextReader() {
  byte number, slot, left, right, seen, looks, wanted, newest;
  bool is_good;
  wanted = 1;
  do
  :: looks == LOOKS -> break
  :: else ->
     looks++;
     d_step { newest = head_number; slot = head_slot };
     assert(newest >= seen);
     if
     :: wanted > newest -> skip /* nothing yet */
     :: wanted < newest ->
        d_step { number = index_number[wanted % DEPTH]; slot = index_slot[wanted % DEPTH] };
        if
        :: number == wanted -> read_slot()
        :: else -> is_good = false
        fi
     :: wanted == newest -> number = newest; read_slot()
     fi;
     d_step {
       if
       :: wanted <= newest && is_good -> wanted = seen + 1
       :: wanted <= newest && !is_good -> wanted = (newest > wanted -> newest : wanted)
       :: else
       fi;
       number = 0; slot = 0; newest = 0; is_good = false
     }
  od
}

init {
  atomic {
    run Writer(1, 0, PUTS);
    run Writer(2, 1, OTHER_PUTS);
#ifndef NO_HEIR
    run Heir(3);
#endif
#ifdef NEWEST_READER
    run NewestReader();
#endif
#ifdef NEXT_READER
    run NextReader()
#endif
  }
}
