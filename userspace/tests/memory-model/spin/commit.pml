/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commits: two of them change both keys, each adding 1; one reader finds the values of
 * both; and a leaf between splits, and one merges, at any time.
 *
 * A step is a load or a store of what a reader does not lock, so that a reader can be
 * between any two of a writer's. Memory is sequentially consistent. Invalid end states
 * are deadlocks.
 *
 * A leaf is a range of keys, from which keys above its low key are; the low key never
 * changes. A dead leaf leads to the leaf that absorbed it, and stays readable, as RCU
 * demands. A search begins at any leaf whose low key is less than the key.
 *
 * READS: 0: a commit that only reads; 1 and 2: two lookups, of the first key first, and of
 * the second one first.
 *
 * M_* break one thing each; see ./run.
 */
#ifndef READS
#define READS 0
#endif
#define LEAVES 3
#define NONE 15
#define A 1
#define B 3
#define MIDDLE 2

typedef leaf_t {
	bit used; bit dead; bit lock;
	byte seq; byte low; byte high; byte right;
	byte value[2];
};
leaf_t leaf[LEAVES];

#define BEYOND(n, k) (leaf[n].dead || leaf[n].high < k)

inline take(n)
{
	atomic { !leaf[n].lock -> leaf[n].lock = 1 }
}

inline give(n)
{
	d_step { assert(leaf[n].lock); leaf[n].lock = 0 }
}

inline begin_anywhere(k, n)
{
	if
	:: leaf[0].low < k -> n = 0
	:: leaf[1].low < k -> n = 1
	:: leaf[2].used && leaf[2].low < k -> n = 2
	fi
}

/* Lock the leaf that covers @k, from @n on. */
inline take_covering(k, n)
{
	do
	:: take(n);
	   if
	   :: !BEYOND(n, k) -> break
	   :: else -> d_step { leaf[n].lock = 0; n = leaf[n].right }
	   fi
	od
}

/* The same behind a leaf that is locked: neither this one nor one to its left. */
inline take_next(k, held, n)
{
	if
	:: !BEYOND(held, k) -> n = held
	:: else ->
		begin_anywhere(k, n);
#ifndef M_STALE_HINT
		if
		:: leaf[n].dead || leaf[n].low < leaf[held].high ->
			n = leaf[held].right
		:: else
		fi;
#endif
		take_covering(k, n)
	fi
}

proctype commit(bit second)
{
	byte x, y, v;

#ifdef M_UNSORTED
	if
	:: second ->
		begin_anywhere(B, y);
		take_covering(B, y);
		if
		:: leaf[y].low < A -> x = y
		:: else -> x = 0; take_covering(A, x)
		fi
	:: else ->
		x = 0; take_covering(A, x); take_next(B, x, y)
	fi;
#else
	x = 0; take_covering(A, x); take_next(B, x, y);
#endif
	assert(leaf[x].value[0] == leaf[y].value[1]);
	v = leaf[x].value[0] + 1;
	leaf[x].seq++;
#ifdef M_EARLY
	leaf[x].value[0] = v;
	if
	:: x != y -> leaf[x].seq++; leaf[y].seq++
	:: else
	fi;
	leaf[y].value[1] = v;
	leaf[y].seq++;
#else
	if
	:: x != y -> leaf[y].seq++
	:: else
	fi;
	leaf[x].value[0] = v;
	leaf[y].value[1] = v;
	leaf[x].seq++;
	if
	:: x != y -> leaf[y].seq++
	:: else
	fi;
#endif
	if
	:: x != y -> give(y)
	:: else
	fi;
	give(x)
}

/* Read the value of key @k, with the sequence of its leaf, in a read section. */
inline look(k, i, n, s, v)
{
	begin_anywhere(k, n);
	do
	:: atomic { !(leaf[n].seq & 1) -> s = leaf[n].seq };
	   beyond = BEYOND(n, k);
	   v = leaf[n].value[i];
	   next = leaf[n].right;
	   if
	   :: leaf[n].seq != s -> skip
	   :: else ->
		if
		:: beyond -> n = next
		:: else -> break
		fi
	   fi
	od
}

proctype reader()
{
	byte x, y, s, t, v, w, next;
	bit beyond;

#if READS == 0
	do
	:: look(A, 0, x, s, v);
	   look(B, 1, y, t, w);
#ifdef M_NO_RECHECK
	   break
#else
	   if
	   :: leaf[x].seq != s -> skip
	   :: else ->
		if
		:: leaf[y].seq == t -> break
		:: else -> skip
		fi
	   fi
#endif
	od;
	assert(v == w)
#elif READS == 1
	look(A, 0, x, s, v);
	look(B, 1, y, t, w);
	assert(w >= v)
#else
	look(B, 1, y, t, w);
	look(A, 0, x, s, v);
	assert(v >= w)
#endif
}

/* Split the leaf with all keys from the middle on, unless one begins there already. */
inline split()
{
	take(n);
	if
	:: !leaf[n].dead && leaf[n].low < MIDDLE && leaf[n].high == B && !leaf[2].used ->
		leaf[n].seq++;
		d_step {
			leaf[2].used = 1;
			leaf[2].low = MIDDLE;
			leaf[2].high = B;
			leaf[2].right = leaf[n].right;
			leaf[2].value[1] = leaf[n].value[1]
		};
		leaf[n].right = 2;
		leaf[n].high = MIDDLE;
		leaf[n].seq++
	:: else
	fi;
	give(n)
}

/* Let a leaf absorb its right neighbour. */
inline merge()
{
	take(n);
	r = leaf[n].right;
	if
	:: !leaf[n].dead && r != NONE ->
		take(r);
		leaf[n].seq++;
		leaf[r].seq++;
		if
		:: leaf[r].high == B -> leaf[n].value[1] = leaf[r].value[1]
		:: else
		fi;
		leaf[n].right = leaf[r].right;
		leaf[n].high = leaf[r].high;
		d_step { leaf[r].dead = 1; leaf[r].right = n };
		leaf[r].seq++;
		leaf[n].seq++;
		give(r)
	:: else
	fi;
	give(n)
}

proctype shape()
{
	byte n, r, left = 2;

	do
	:: left > 0 ->
		left--;
		begin_anywhere(B, n);
		if
		:: split()
		:: merge()
		fi
	:: true -> break
	od
}

init {
	atomic {
		leaf[0].used = 1;
		leaf[0].high = A;
		leaf[0].right = 1;
		leaf[1].used = 1;
		leaf[1].low = A;
		leaf[1].high = B;
		leaf[1].right = NONE;
		run reader();
		run shape();
		run commit(0);
		run commit(1)
	};
	_nr_pr == 1;
	assert(leaf[0].value[0] == 2)
}
