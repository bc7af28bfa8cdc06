/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cohort lock: two node locks that share a gate on each of two NUMA nodes.
 *
 * Who fails to get a lock at once waits at the gate of its NUMA node; its owner
 * inherits what lock was passed on with it, or unlocks that if it wants the other
 * one. Some hold a second lock, the right neighbour's, which is taken directly.
 * A lock of which the node died while it was held must not be passed: then the
 * node may be gone when the gate's next owner unlocks it.
 *
 * DIES: node 0 dies, and is freed after the last writer that could find it.
 * DESTROY: node 0 is of a tree of its own, which is destroyed after its last
 * writer, while writers of the other tree, node 1's, wait at the gate that both
 * share. No grace period is waited for: it is freed once its lock is free.
 *
 * Memory is sequentially consistent. Invalid end states are deadlocks.
 *
 * M_* break one thing each; see ./run.
 */
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef BOUND
#define BOUND 1
#endif
#define NODES 2
#define LOCKS 2
#define NONE 0		/* no lock is passed; 1 + n is lock n */

bit lock[LOCKS];
byte inside[LOCKS];
bit gone[LOCKS];	/* the node died and its memory is free */
byte refs[LOCKS];	/* whoever may still touch it, RCU readers all */

bit kills_any;

bit gate[NODES];
byte waiters[NODES], passes[NODES], held[NODES];

inline take(n)
{
	atomic { !lock[n] -> assert(!gone[n]); lock[n] = 1 }
}

inline give(n)
{
	d_step { assert(lock[n]); assert(!gone[n]); lock[n] = 0 }
}

inline acquire(nu, n)
{
	gated = 0;
	if
	:: atomic { !lock[n] -> lock[n] = 1 }
	:: atomic { lock[n] -> gated = 1; waiters[nu]++ }
	   atomic { !gate[nu] -> gate[nu] = 1 }
	   waiters[nu]--;
	   other = held[nu];
	   held[nu] = NONE;
	   if
#ifdef M_TAKES_ANY
	   :: other != NONE -> skip
	   :: else -> passes[nu] = 0; take(n)
#else
	   :: other == n + 1 -> skip
	   :: other == NONE -> passes[nu] = 0; take(n)
	   :: else ->
		passes[nu] = 0;
#ifdef M_TAKES_FIRST
		take(n);
		give(other - 1)
#else
		give(other - 1);
		take(n)
#endif
#endif
	   fi
	fi;
	other = 0;
	d_step { inside[n]++; assert(inside[n] == 1) }
}

inline release(nu, n, died)
{
	inside[n]--;
	if
	:: !gated -> give(n)
	:: else ->
		if
#ifdef M_DEAD_PASSED
		:: waiters[nu] > 0 && passes[nu] < BOUND ->
#else
		:: waiters[nu] > 0 && passes[nu] < BOUND && !died ->
#endif
			passes[nu]++;
#ifdef M_OPEN_EARLY
			gate[nu] = 0;
			held[nu] = n + 1
#else
			held[nu] = n + 1;
			gate[nu] = 0
#endif
		:: else ->
			passes[nu] = 0;
			give(n);
			gate[nu] = 0
		fi
	fi;
	gated = 0
}

/* A writer: first lock n; @both: then its right neighbour, lock 1, directly. */
proctype writer(byte nu; byte n; bit both; bit kills)
{
	byte left = ROUNDS, other;
	bit gated;

	do
	:: left == 0 -> break
	:: else ->
		left--;
		acquire(nu, n);
		if
		:: both ->
			take(1);
			d_step { inside[1]++; assert(inside[1] == 1) }
			inside[1]--;
			give(1)
		:: else
		fi;
		release(nu, n, kills)
	od;
	atomic {
		refs[n]--;
		/* The last who could know of it has left: it is freed. */
		if
#ifdef DESTROY
		:: n == 0 && refs[0] == 0 -> goto destroy
#endif
		:: kills_any && n == 0 && refs[0] == 0 -> gone[0] = 1
		:: else
		fi
	}
	goto end;
destroy:
#ifndef M_DESTROYED_AT_ONCE
	!lock[0];
#endif
	gone[0] = 1;
end:
	skip
}

init {
	atomic {
#ifdef DIES
		/* Two want node 0, which dies; one at their gate wants node 1. */
		kills_any = 1;
		refs[0] = 2;
		refs[1] = 2;
		run writer(0, 0, 0, 1);
		run writer(0, 0, 0, 1);
		run writer(0, 1, 0, 0);
		run writer(1, 1, 0, 0)
#elif defined(DESTROY)
		/* The waiter at node 0's gate is a writer of the other tree. */
		refs[0] = 2;
		refs[1] = 3;
		run writer(0, 0, 0, 0);
		run writer(0, 0, 0, 0);
		run writer(0, 1, 0, 0);
		run writer(0, 1, 0, 0);
		run writer(1, 1, 0, 0)
#else
		refs[0] = 2;
		refs[1] = 2;
		run writer(0, 0, 1, 0);
		run writer(0, 1, 0, 0);
		run writer(0, 0, 0, 0);
		run writer(1, 0, 1, 0)
#endif
	}
}
