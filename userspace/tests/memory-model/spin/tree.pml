/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tree, told lazily: leaves, indexes that lag behind, the queue of records,
 * roots that grow and shrink, index slots that become empty, reclamation.
 *
 * A step is what a section or a lock of the code makes one: reading or changing
 * a node. Memory is sequentially consistent: weak memory is for the litmus tests
 * and for userspace/tests/memory-model/explore.
 *
 * Keys are 1 to NK. A leaf is a range and a set of keys. An index is inner nodes
 * of level 1, the first one (low key 0) and, once that was split at the key cut,
 * a second one; and of level 2, a root over both. An entry of level 1 is a
 * separator and a child; only the first one of the second inner node may be
 * without a child. Inner nodes are not freed here.
 *
 * It begins with one leaf, or two. One reader looks one key up; NW writers do OPS things each: insert (and maybe
 * split), erase, or merge, in any leaf. For each index somebody applies records.
 *
 * M_* break one thing each; see ./run.
 */
#ifndef NK
#define NK 3
#endif
#ifndef NL
#define NL 3
#endif
#ifndef NW
#define NW 1
#endif
#ifndef OPS
#define OPS 2
#endif
#ifndef R
#define R 2
#endif
#ifndef Q
#define Q 2
#endif
#define NONE 15
#define BIT(k) (1 << (k))
#define READER NW

typedef leaf_t {
	byte low; byte high; byte right; byte keys;
	bit dead; bit lock; bit used;
	byte unposted;		/* a bit for each index without an entry */
	byte purges;		/* indexes that have not let go of it */
	bit limbo; byte waits;	/* sections that it waits for */
};
leaf_t leaf[NL];

typedef index_t {
	byte seps;		/* separators of level 1, a bit for each low key */
	byte child[NK];
	byte cut;		/* low key of the second inner node */
	bit second;		/* there is one, live */
	bit posted;		/* the root of level 2 leads to it */
	bit was_split;
	byte height;
	byte roots;		/* times that the first inner node was made */
	byte applied;
};
index_t idx[R];

typedef record_t { bit death; byte low; byte nd; };
record_t ring[Q];
byte head;
byte reserved;			/* places for deaths that are under way */
bit qlock;

byte inside;			/* read sections, a bit for each process */
byte present;			/* the map */
bit seen0, seen1;		/* what the reader's key was while it looked */
byte wanted;
byte done;

#define LAG(r) (head - idx[r].applied)
#define FULL (LAG(0) + reserved == Q || LAG(R - 1) + reserved == Q)

inline now_present(k, v)
{
	present = (v -> present | BIT(k) : present & ~BIT(k));
	seen0 = seen0 || (wanted == k && !(v));
	seen1 = seen1 || (wanted == k && (v))
}

inline enter(p)
{
	inside = inside | BIT(p)
}

inline leave(p)
{
	d_step {
		inside = inside & ~BIT(p);
		i = 0;
		do
		:: i < NL -> leaf[i].waits = leaf[i].waits & ~BIT(p); i++
		:: else -> break
		od;
		i = 0
	}
}

/* Of the separators below @limit, from @least on: the last one less than k. */
inline search(r, k, least)
{
	i = k - 1;
	do
	:: i > least && !(idx[r].seps & BIT(i)) -> i--
	:: else -> break
	od
}

/*
 * One step of a descent for @k by route @rt: at 0 the root, 1 and 2 the inner
 * nodes of level 1, 3 the root of level 2, 4 leaf @n. @gen tells roots apart.
 */
inline descend(r, k, rt, at, gen, n)
{
	d_step {
	if
	:: at == 0 ->
		gen = idx[r].roots;
		if
		:: idx[r].height == 0 -> at = 4; n = 0
		:: idx[r].height == 1 -> at = 1
		:: else -> at = 3
		fi
	:: at == 3 ->
		/* Dead or not, its first child is the first inner node. */
		if
		:: idx[r].height == 2 && idx[r].posted && rt > idx[r].cut -> at = 2
		:: else -> at = 1
		fi
	:: at == 2 && !idx[r].second -> at = 1		/* dead */
	:: at == 2 && idx[r].second ->
		search(r, rt, idx[r].cut);
		n = idx[r].child[i];
		at = 4;
		if
		:: n == NONE ->
			assert(i == idx[r].cut);
#ifdef M_EMPTY_SLOT_TAKEN
			n = 0; at = 4; n = NONE
#else
			rt = idx[r].cut; at = 0
#endif
		:: else
		fi
	:: at == 1 && (idx[r].height == 0 || gen != idx[r].roots) ->
		at = 4; n = 0				/* dead */
	:: at == 1 && idx[r].second && rt > idx[r].cut &&
	   idx[r].height > 0 && gen == idx[r].roots -> at = 2
	:: else ->
		search(r, rt, 0);
		n = idx[r].child[i];
		at = 4;
		assert(n != NONE)
	fi;
	if
	:: at == 4 ->
		assert(n != NONE);
		assert(leaf[n].used);
		/* I3: it falls short, it never overshoots. */
		assert(leaf[n].dead || leaf[n].low < k)
	:: else
	fi;
	i = 0
	}
}

inline beyond(n, k)
{
#ifdef M_DEAD_READ
	(k > leaf[n].high)
#else
	(leaf[n].dead || k > leaf[n].high)
#endif
}

proctype reader()
{
	byte k, r, rt, at, gen, n, i;
	byte res = 2;

	select(k : 1 .. NK);
	select(r : 0 .. R - 1);
	skip;
	d_step {
		enter(READER);
		wanted = k;
		seen1 = (present & BIT(k)) != 0;
		seen0 = (present & BIT(k)) == 0;
		rt = k
	}
	do
	:: at == 4 -> break
	:: else -> descend(r, k, rt, at, gen, n); skip
	od;
	skip;
	do
	:: res != 2 -> break
	:: else ->
		d_step {
		assert(leaf[n].used);
		if
#ifdef M_DEAD_READ
		:: k > leaf[n].high -> n = leaf[n].right
#else
		:: leaf[n].dead || k > leaf[n].high -> n = leaf[n].right
#endif
		:: else ->
			assert(k > leaf[n].low);
			res = (leaf[n].keys & BIT(k)) != 0
		fi;
		assert(n != NONE)
		}
	od;
	skip;
	d_step {
		assert((res == 1 && seen1) || (res == 0 && seen0));
		wanted = 0
	}
	leave(READER);
	done++
}

/* Under the queue's lock. */
inline push(is_death, its_low, what)
{
	d_step {
		ring[head % Q].death = is_death;
		ring[head % Q].low = its_low;
		ring[head % Q].nd = what;
		head++
	}
}

/* Lock the leaf that covers k, from @n on. */
inline lock_covering(k, n)
{
	do
	:: atomic {
		!leaf[n].lock ->
		assert(leaf[n].used);
#ifdef M_DEAD_LOCKED
		if
		:: k > leaf[n].high -> n = leaf[n].right
		:: else -> leaf[n].lock = 1; break
		fi
#else
		if
		:: leaf[n].dead || k > leaf[n].high -> n = leaf[n].right
		:: else -> leaf[n].lock = 1; break
		fi
#endif
	   }
	od;
	assert(leaf[n].low < k)
}

inline split(n, k)
{
	/* The fresh leaf is locked until the queue knows it. */
	d_step {
		m = 0;
		do
		:: m < NL && leaf[m].used -> m++
		:: else -> break
		od
	}
	if
	:: leaf[n].high - leaf[n].low >= 2 && m < NL ->
		if
		:: s = leaf[n].low + 1
		:: leaf[n].high - leaf[n].low >= 3 -> s = leaf[n].low + 2
		fi;
		atomic {
		if
		:: leaf[m].used -> skip			/* another took it */
		:: else ->
			d_step {
			leaf[m].used = 1;
			leaf[m].dead = 0;
			leaf[m].lock = 1;
			leaf[m].low = s;
			leaf[m].high = leaf[n].high;
			leaf[m].right = leaf[n].right;
			leaf[m].keys = leaf[n].keys & ~(BIT(s + 1) - 1);
			leaf[m].unposted = BIT(R) - 1;
			leaf[n].keys = leaf[n].keys & (BIT(s + 1) - 1);
			leaf[n].high = s;
			leaf[n].right = m
			}
			divided = 1
		fi
		}
		if
		:: divided ->
			divided = 0;
			atomic { !qlock -> qlock = 1 }
			/* If the queue is full it is entered by who meets it. */
			if
			:: !FULL -> push(0, s, m)
			:: else
			fi;
			qlock = 0;
			leaf[m].lock = 0;
			leaf[n].lock = 0;
			s = 0; m = 0
		:: else -> leaf[n].lock = 0
		fi
	:: else -> leaf[n].lock = 0
	fi
}

inline merge(n)
{
	m = leaf[n].right;
	if
	:: m == NONE -> leaf[n].lock = 0
	:: else ->
		atomic {
			!leaf[m].lock -> leaf[m].lock = 1;
			assert(leaf[m].used && !leaf[m].dead);
			assert(leaf[m].low == leaf[n].high)
		}
#ifdef M_BORROW
		d_step {
			s = leaf[m].low + 1;
			leaf[n].keys = leaf[n].keys | (leaf[m].keys & BIT(s));
			leaf[m].keys = leaf[m].keys & ~BIT(s);
			leaf[n].high = s;
			leaf[m].low = s
		}
		leaf[m].lock = 0;
		leaf[n].lock = 0;
#else
		atomic { !qlock -> qlock = 1 }
#ifdef M_QUEUE_OVERRUN
		if
		:: false -> skip
#else
		if
		:: FULL -> qlock = 0
#endif
		:: else ->
			reserved++;
			qlock = 0;
#ifdef M_DEAD_BEFORE_ABSORBED
			d_step { leaf[m].dead = 1; s = leaf[m].right; leaf[m].right = n }
			d_step {
				leaf[n].keys = leaf[n].keys | leaf[m].keys;
				leaf[n].high = leaf[m].high;
				leaf[n].right = s
			}
#else
			d_step {
				leaf[n].keys = leaf[n].keys | leaf[m].keys;
				leaf[n].high = leaf[m].high;
				leaf[n].right = leaf[m].right
			}
			d_step { leaf[m].dead = 1; leaf[m].right = n }
#endif
			leaf[m].purges = R;
#ifdef M_TOLD_LATE
			leaf[m].lock = 0;
			leaf[n].lock = 0;
			told = 1;
#endif
			atomic { !qlock -> qlock = 1 }
			d_step {
				reserved--;
				push(1, leaf[m].low, m)
			}
			qlock = 0
		fi;
		if
		:: told -> told = 0
		:: else -> leaf[m].lock = 0; leaf[n].lock = 0
		fi;
#endif
		m = 0; s = 0
	fi
}

proctype writer(byte id)
{
	byte k, r, rt, at, gen, n, m, s, i;
	byte left = OPS;
	bit divided, told;

	do
	:: left == 0 -> break
	:: else ->
		left--;
		select(k : 1 .. NK);
		select(r : 0 .. R - 1);
		skip;
		d_step { enter(id); rt = k; at = 0 }
		do
		:: at == 4 -> break
		:: else -> descend(r, k, rt, at, gen, n)
		od;
		lock_covering(k, n);
		skip;
		if
		:: d_step { leaf[n].keys = leaf[n].keys | BIT(k); now_present(k, 1) }
		   split(n, k)
		:: d_step { leaf[n].keys = leaf[n].keys & ~BIT(k); now_present(k, 0) }
		   leaf[n].lock = 0
		:: merge(n)
		fi;
		d_step { k = 0; r = 0; rt = 0; gen = 0; n = 0 }
		leave(id)
	od;
	done++
}

/* Enter a leaf whose lock is held. */
inline post(r, n)
{
	atomic {
		if
		:: idx[r].height == 0 ->
#ifdef M_ROOT_EARLY
			idx[r].roots++; idx[r].child[0] = NONE; idx[r].height = 1;
#else
			d_step {
				idx[r].roots++;
				idx[r].seps = 1;
				idx[r].child[0] = 0;
				idx[r].height = 1
			}
#endif
		:: else
		fi
	}
#ifdef M_ROOT_EARLY
	idx[r].seps = idx[r].seps | 1; idx[r].child[0] = 0;
#endif
	d_step {
		assert(idx[r].child[leaf[n].low] == NONE);
		idx[r].seps = idx[r].seps | BIT(leaf[n].low);
		idx[r].child[leaf[n].low] = n;
		leaf[n].unposted = leaf[n].unposted & ~BIT(r)
	}
}

/* Whether it is the turn of a leaf; whether there is one without an entry. */
#ifdef M_OUT_OF_TURN
#define only(r, n) (true)
#else
#define only(r, n) (mend -> LAG(r) == 0 : n == nd)
#endif
#define lacks(x, r) \
	(leaf[x].used && !leaf[x].dead && (leaf[x].unposted & BIT(r)))
#ifdef M_OUT_OF_TURN
#define may_mend(r) (true)
#else
#define may_mend(r) (LAG(r) == 0)
#endif
#if NL > 3
#define mending(r) (may_mend(r) && \
	(lacks(1, r) || lacks(2, r) || lacks(3, r)))
#else
#define mending(r) (may_mend(r) && (lacks(1, r) || lacks(2, r)))
#endif

/* A record of a leaf that was split off: it may be another leaf by now. */
inline apply_birth(r)
{
	n = 0;
	d_step {
		do
		:: leaf[n].used && !leaf[n].dead && leaf[n].low < low + 1 &&
		   low + 1 <= leaf[n].high -> break
		:: else -> n++; assert(n < NL)
		od
	}
	do
	:: atomic {
		!leaf[n].lock ->
		if
		:: leaf[n].dead || low + 1 > leaf[n].high -> n = leaf[n].right
		:: else -> leaf[n].lock = 1; break
		fi
	   }
	od;
	if
	:: leaf[n].low == low && (leaf[n].unposted & BIT(r)) && only(r, n) ->
		post(r, n)
	:: else
	fi;
	leaf[n].lock = 0
}

inline apply_death(r)
{
	d_step {
		if
		:: !(leaf[nd].unposted & BIT(r)) ->
			assert(idx[r].child[low] == nd);
			idx[r].child[low] = NONE;
			/* The first slot of an inner node stays, without a child. */
			if
			:: idx[r].second && idx[r].cut == low
			:: else -> idx[r].seps = idx[r].seps & ~BIT(low)
			fi
		:: else
		fi
	}
	/* The last index lets go of it. */
	d_step {
		leaf[nd].purges--;
		if
#ifdef M_PURGED_EARLY
		:: leaf[nd].purges == R - 1 ->
#else
		:: leaf[nd].purges == 0 ->
#endif
			leaf[nd].limbo = 1;
#ifdef M_NO_GRACE
			leaf[nd].waits = 0
#else
			leaf[nd].waits = inside & (BIT(READER + 1) - 1)
#endif
		:: else
		fi
	}
}

/* What an index does when it likes: split and merge inner nodes, give roots up. */
inline reshape(r)
{
	if
	:: d_step {
		idx[r].height == 1 && !idx[r].was_split &&
		(idx[r].seps & ~1) != 0 ->
		idx[r].was_split = 1;
		i = NK - 1;
		do
		:: idx[r].seps & BIT(i) -> break
		:: else -> i--
		od;
		idx[r].cut = i;
		idx[r].second = 1;
		i = 0
	   }
	:: d_step { idx[r].second && idx[r].height == 1 -> idx[r].height = 2 }
	:: d_step { idx[r].height == 2 && idx[r].second && !idx[r].posted ->
		idx[r].posted = 1 }
	/* The second inner node dies; an empty slot of its goes with it. */
	:: d_step { idx[r].second && (idx[r].height == 1 || idx[r].posted) ->
#ifndef M_EMPTY_SLOT_KEPT
		if
		:: idx[r].child[idx[r].cut] == NONE ->
			idx[r].seps = idx[r].seps & ~BIT(idx[r].cut)
		:: else
		fi;
#endif
		idx[r].posted = 0;
		idx[r].second = 0;
		idx[r].cut = 0
	   }
	:: d_step { idx[r].height == 2 && !idx[r].second -> idx[r].height = 1 }
	:: d_step { idx[r].height == 1 && !idx[r].second && idx[r].seps == 1 &&
		leaf[0].right == NONE && !leaf[0].lock -> idx[r].height = 0 }
	fi
}

proctype applier(byte r)
{
	byte low, nd, n, i;
	bit death, mend;

end:	do
	:: LAG(r) > 0 ->
		d_step {
			assert(LAG(r) <= Q);
			death = ring[idx[r].applied % Q].death;
			low = ring[idx[r].applied % Q].low;
			nd = ring[idx[r].applied % Q].nd
		}
		if
		:: death -> apply_death(r)
		:: else -> apply_birth(r)
		fi;
		d_step { idx[r].applied++; low = 0; nd = 0; n = 0; death = 0 }
	/* Somebody met a leaf without an entry. */
	:: atomic {
		low == 0 && mending(r) -> mend = 1;
		nd = 0;
		do
		:: leaf[nd].used && !leaf[nd].dead && (leaf[nd].unposted & BIT(r)) ->
			break
		:: else -> nd++
		od;
		low = leaf[nd].low
	   }
		apply_birth(r);
		d_step { mend = 0; low = 0; nd = 0; n = 0 }
	:: reshape(r)
	od
}

/* Grace periods: a leaf is free, to be used again, when nobody was there before. */
proctype reclaimer()
{
	byte i;

end:	do
	:: d_step { leaf[1].limbo && leaf[1].waits == 0 ->
		leaf[1].limbo = 0; leaf[1].used = 0 }
	:: d_step { leaf[2].limbo && leaf[2].waits == 0 ->
		leaf[2].limbo = 0; leaf[2].used = 0 }
#if NL > 3
	:: d_step { leaf[3].limbo && leaf[3].waits == 0 ->
		leaf[3].limbo = 0; leaf[3].used = 0 }
#endif
	:: atomic {
		/* All is quiet: no dead leaf may be left. */
		done == NW + 1 && LAG(0) == 0 && LAG(R - 1) == 0 && timeout ->
		i = 1;
		do
		:: i < NL -> assert(!leaf[i].used || !leaf[i].dead); i++
		:: else -> break
		od
	   }
	od
}

init {
	byte i, j;

	d_step {
		leaf[0].high = NK;
		leaf[0].right = NONE;
		leaf[0].used = 1;
#ifdef TWO_LEAVES
		leaf[0].high = 1;
		leaf[0].right = 1;
		leaf[1].low = 1;
		leaf[1].high = NK;
		leaf[1].right = NONE;
		leaf[1].used = 1;
#endif
		i = 0;
		do
		:: i < R ->
			j = 0;
			do
			:: j < NK -> idx[i].child[j] = NONE; j++
			:: else -> break
			od;
#ifdef TWO_LEAVES
			idx[i].roots = 1;
			idx[i].height = 1;
			idx[i].seps = 1 | BIT(1);
			idx[i].child[0] = 0;
			idx[i].child[1] = 1;
#endif
			i++
		:: else -> break
		od
	}
	atomic {
		run reader();
		i = 0;
		do
		:: i < NW -> run writer(i); i++
		:: else -> break
		od;
		run reclaimer();
		i = 0;
		do
		:: i < R -> run applier(i); i++
		:: else -> break
		od
	}
}
