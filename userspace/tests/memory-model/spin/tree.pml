/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tree: leaves, indexes of several NUMA nodes, roots that grow and shrink, index
 * slots that become empty, reclamation.
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
 * It begins with one leaf, or two. One reader looks one key up; NW writers do OPS
 * things each: insert (and maybe split), erase, or merge, in any leaf. A writer that
 * splits may find no memory to post the new leaf; each index has a mender.
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
#define NONE 15
#define BIT(k) (1 << (k))
#define READER NW

typedef leaf_t {
	byte low; byte high; byte right; byte keys;
	bit dead; bit lock; bit used;
	byte unposted;		/* a bit for each index without an entry */
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
};
index_t idx[R];

byte inside;			/* read sections, a bit for each process */
byte present;			/* the map */
bit seen0, seen1;		/* what the reader's key was while it looked */
byte wanted;
byte done;

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
		:: leaf[n].dead || k > leaf[n].high -> n = leaf[n].right
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

/* Post a leaf whose lock is held. */
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

/* Remove the entry of a leaf that is about to die, if the index has one. */
inline drop(r, n)
{
	d_step {
		if
		:: !(leaf[n].unposted & BIT(r)) ->
			assert(idx[r].child[leaf[n].low] == n);
			idx[r].child[leaf[n].low] = NONE;
			/* The first slot of an inner node stays, without a child. */
			if
			:: idx[r].second && idx[r].cut == leaf[n].low
			:: else -> idx[r].seps = idx[r].seps & ~BIT(leaf[n].low)
			fi
		:: else
		fi
	}
}

/* Remove the entries of a leaf from all indexes, one after the other. */
inline drop_all(n)
{
#ifdef M_ONE_INDEX_KEPT
	at = 1;
#else
	at = 0;
#endif
	do
	:: at == R -> break
	:: else -> drop(at, n); at++
	od;
	at = 0
}

/* A leaf that was split off at s, in the indexes of other NUMA nodes. */
inline post_rest(r, n, s)
{
	at = 0;
	do
	:: at == R -> break
	:: at == r -> at++
	:: else ->
#ifndef M_POSTED_UNLOCKED
		lock_covering(s + 1, n);
#endif
		if
		:: leaf[n].low == s && (leaf[n].unposted & BIT(at)) -> post(at, n)
		:: else
		fi;
#ifndef M_POSTED_UNLOCKED
		leaf[n].lock = 0;
#endif
		at++
	od;
	at = 0
}

inline split(n, k)
{
	/* The fresh leaf is locked until it is posted in the writer's own index. */
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
			/* Or there is no memory: the menders post it. */
			if
			:: post(r, m);
			   leaf[m].lock = 0;
			   leaf[n].lock = 0;
			   n = m;
			   post_rest(r, n, s)
			:: leaf[m].lock = 0; leaf[n].lock = 0
			fi;
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
#ifdef M_DEAD_BEFORE_ABSORBED
		drop_all(m);
		leaf[m].dead = 1;
		d_step {
			leaf[n].keys = leaf[n].keys | leaf[m].keys;
			leaf[n].high = leaf[m].high;
			leaf[n].right = leaf[m].right;
			leaf[m].right = n
		}
#else
		d_step {
			leaf[n].keys = leaf[n].keys | leaf[m].keys;
			leaf[n].high = leaf[m].high;
			leaf[n].right = leaf[m].right
		}
#ifndef M_TOLD_LATE
		drop_all(m);
#endif
		d_step { leaf[m].dead = 1; leaf[m].right = n }
#endif
		leaf[m].lock = 0;
		leaf[n].lock = 0;
#ifdef M_TOLD_LATE
		drop_all(m);
#endif
		d_step {
			leaf[m].limbo = 1;
#ifdef M_NO_GRACE
			leaf[m].waits = 0
#else
			leaf[m].waits = inside & (BIT(READER + 1) - 1)
#endif
		}
#endif
		m = 0; s = 0
	fi
}

proctype writer(byte id)
{
	byte k, r, rt, at, gen, n, m, s, i;
	byte left = OPS;
	bit divided;

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

#define lacks(x, r) \
	(leaf[x].used && !leaf[x].dead && !leaf[x].lock && \
	 (leaf[x].unposted & BIT(r)))

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

/* It posts what lacks an entry; finding and locking a leaf is one step here. */
proctype mender(byte r)
{
	byte n, i;

end:	do
	:: atomic { lacks(1, r) -> n = 1; leaf[n].lock = 1 }
		post(r, n);
		d_step { leaf[n].lock = 0; n = 0 }
	:: atomic { lacks(2, r) -> n = 2; leaf[n].lock = 1 }
		post(r, n);
		d_step { leaf[n].lock = 0; n = 0 }
#if NL > 3
	:: atomic { lacks(3, r) -> n = 3; leaf[n].lock = 1 }
		post(r, n);
		d_step { leaf[n].lock = 0; n = 0 }
#endif
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
		done == NW + 1 && timeout ->
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
		:: i < R -> run mender(i); i++
		:: else -> break
		od
	}
}
