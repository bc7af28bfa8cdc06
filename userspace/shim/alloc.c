// SPDX-License-Identifier: GPL-2.0
/* kmalloc() and per-CPU variables; which allocations fail. */
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <stdlib.h>

/* Per-CPU variables each have a place of so many bytes. */
#define PLACE_BYTES 256
#define PLACES (SHIM_PERCPU_BYTES / PLACE_BYTES)

static char percpu[SHIM_THREADS][PLACES][PLACE_BYTES] __aligned(64);
static bool place_taken[PLACES];
/* Places of the variable that begins at a place. */
static unsigned int places_of[PLACES];

static long live;

bool shim_alloc_fails(gfp_t gfp)
{
	struct shim_thread *self = shim_self;

	if (gfp & __GFP_DIRECT_RECLAIM)
		might_sleep();
	/* One that spins on PREEMPT_RT too; the allocator's own locks do not. */
	SHIM_CHECK(!shim_holds_locks(), "memory is allocated under a lock");
	self->allocs++;
	if (gfp & __GFP_NOFAIL) {
		SHIM_CHECK(gfp & __GFP_DIRECT_RECLAIM, "NOFAIL, not to sleep");
		return false;
	}
	if (self->fail_nth && !--self->fail_nth)
		return true;
	if (self->fail_from == 1)
		return true;
	self->fail_from -= !!self->fail_from;
	if (self->fail_nowait && !(gfp & __GFP_DIRECT_RECLAIM))
		return true;
	if (!self->fail_one_in)
		return false;
	self->random = self->random * 6364136223846793005ULL + 1;
	return (self->random >> 33) % self->fail_one_in == 0;
}

bool shim_cache_fails(const char *name, gfp_t gfp)
{
	const char *failing = shim_self->fail_nowait_in;

	if (failing && !(gfp & __GFP_DIRECT_RECLAIM) && !strcmp(name, failing))
		return true;
	return shim_alloc_fails(gfp);
}

static void check_charged(gfp_t gfp)
{
	SHIM_CHECK(!shim_self->for_user || gfp & __GFP_ACCOUNT,
		   "memory that a user asks for is not charged");
}

void shim_count_live(long n)
{
	if (SHIM_CHECKS)
		__atomic_fetch_add(&live, n, __ATOMIC_RELAXED);
}

long shim_live_objects(void)
{
	return __atomic_load_n(&live, __ATOMIC_RELAXED);
}

/* The sizes of the kernel's are powers of two, and two between these. */
size_t kmalloc_size_roundup(size_t size)
{
	size_t rounded = 8;

	while (rounded < size)
		rounded *= 2;
	if (rounded == 128 && size <= 96)
		return 96;
	return rounded == 256 && size <= 192 ? 192 : rounded;
}

/*
 * The kernel takes an object of more than 96 bytes from those of 128 or 192 bytes or of the next
 * power of two, which are aligned to a line, at least.
 */
static void *allocate(size_t size)
{
	size_t lines = (size + L1_CACHE_BYTES - 1) / L1_CACHE_BYTES;

	if (size <= 96)
		return malloc(size);
	return aligned_alloc(L1_CACHE_BYTES, lines * L1_CACHE_BYTES);
}

void *kmalloc(size_t size, gfp_t gfp)
{
	void *object = shim_alloc_fails(gfp) ? NULL : allocate(size);

	check_charged(gfp);
	if (!object)
		return NULL;
	if (gfp & __GFP_ZERO)
		memset(object, 0, size);
	shim_count_live(1);
	return object;
}

void kfree(const void *object)
{
	if (!object)
		return;
	shim_count_live(-1);
	free((void *)(uintptr_t)object);
}

/* Take places, or none if one of them is taken. */
static bool take_places(unsigned int place, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!__atomic_test_and_set(&place_taken[place + i],
					   __ATOMIC_ACQUIRE))
			continue;
		while (i--)
			__atomic_clear(&place_taken[place + i],
				       __ATOMIC_RELEASE);
		return false;
	}
	places_of[place] = nr;
	return true;
}

void *shim_percpu_alloc(size_t size, gfp_t gfp)
{
	unsigned int nr = (size + PLACE_BYTES - 1) / PLACE_BYTES, place = 0;
	int cpu;

	check_charged(gfp);
	if (shim_alloc_fails(gfp) || nr > PLACES)
		return NULL;
	while (!take_places(place, nr))
		if (++place + nr > PLACES)
			return NULL;
	for_each_possible_cpu(cpu)
		memset(percpu[cpu][place], 0, nr * PLACE_BYTES);
	shim_count_live(1);
	return percpu[0][place];
}

void free_percpu(const void *ptr)
{
	size_t place = ((const char *)ptr - percpu[0][0]) / PLACE_BYTES;
	unsigned int nr;

	if (!ptr)
		return;
	shim_count_live(-1);
	for (nr = places_of[place]; nr--;)
		__atomic_clear(&place_taken[place + nr], __ATOMIC_RELEASE);
}
