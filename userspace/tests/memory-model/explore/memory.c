// SPDX-License-Identifier: GPL-2.0
/*
 * The weak memory (explore.h), as a runtime of ThreadSanitizer's
 * instrumentation. The arena always has the values that were stored last in the order of
 * execution; plain loads find them, and it is a *data race* if their fiber's view has not
 * come that far. The store that a call announces happens after it returns: it is
 * *pending* until the next call reads its value.
 *
 * A fiber has three views: @now, the oldest messages that it may still find; @acquire,
 * the view that an acquire fence would add to @now; and @release, the view of its last
 * release fence, which each later store passes on.
 *
 * The first places of a view are no locations but clocks, one for each fiber, which
 * advances when it releases: a fiber must not store to the location of a plain load while
 * it does not know the clock of that load.
 */
#include <linux/kernel.h>
#include <string.h>

#include "../../../shim/shim.h"
#include "explore.h"
#include "memory.h"

#define LOCATIONS 512
#define MESSAGES 4096
#define VIEWS 4096
#define NONE 0xffff

/* Messages of each location that are known, by their places among them. */
typedef u8 view_t[LOCATIONS];

struct location {
	char *at;
	u16 last;
	u8 nr;
	u8 size;
	bool lock;
	u8 loaded[FIBERS_MAX];
};

struct message {
	u64 value;
	u16 before;
	u16 view;
};

static struct location locations[LOCATIONS];
static struct message messages[MESSAGES];
static view_t views[VIEWS];
static unsigned int nr_locations = FIBERS_MAX, nr_messages, nr_views;

static struct {
	view_t now;
	view_t acquire;
	view_t release;
	bool fenced;
	u64 section;
} fibers[FIBERS_MAX];

/* The views that barriers, channels outside the tree, and grace periods pass on. */
static view_t total, told, grace;
static bool any_grace;

/* Of each byte of the arena: the location that begins there, and an execution. */
static struct {
	u16 location;
	u32 execution;
} shadow[ARENA_BYTES];
static u32 execution = 1;

/* Of each byte: which fibers have accessed it, and whether one has stored. */
static u8 seen[ARENA_BYTES], shared[ARENA_BYTES];
#define SEEN_STORED 0x80
static bool learnt;

static unsigned int pending[LOCATIONS];
static unsigned int nr_pending;

bool memory_watched(const void *at)
{
	return (uintptr_t)at - (uintptr_t)arena < ARENA_BYTES &&
	       search_running();
}

static u64 content(const char *at, unsigned int size)
{
	u64 value = 0;

	memcpy(&value, at, size);
	return value;
}

static void join(u8 *to, const u8 *from)
{
	unsigned int i;

	for (i = 0; i < nr_locations; i++)
		to[i] = max(to[i], from[i]);
}

static void settle(void)
{
	while (nr_pending) {
		struct location *l = &locations[pending[--nr_pending]];

		messages[l->last].value = content(l->at, l->size);
	}
}

static u16 push(struct location *l, u64 value, u16 view)
{
	struct message *m = &messages[nr_messages];

	if (nr_messages == MESSAGES || l->nr == (u8)-1)
		explore_fail("an execution has too many stores");
	*m = (struct message){ .value = value,
			       .before = l->last,
			       .view = view };
	l->last = nr_messages++;
	l->nr++;
	return l->last;
}

static unsigned int add_location(unsigned long offset, unsigned int size)
{
	unsigned int i = nr_locations, f;
	struct location *l = &locations[i];

	if (nr_locations++ == LOCATIONS)
		explore_fail("an execution has too many locations");
	shadow[offset].location = i;
	shadow[offset].execution = execution;
	*l = (struct location){ .at = arena + offset, .last = NONE };
	l->size = size;
	push(l, content(l->at, size), NONE);
	for (f = 0; f < FIBERS_MAX; f++) {
		fibers[f].now[i] = 1;
		fibers[f].acquire[i] = 0;
		fibers[f].release[i] = 0;
	}
	total[i] = 0;
	told[i] = 0;
	grace[i] = 0;
	return i;
}

/* A read section that began after call_rcu() finds what was before that. */
static void hear_of_grace(void)
{
	unsigned int f = search_fiber();

	if (!any_grace || fibers[f].section == shim_self->rcu_section + 1)
		return;
	if (shim_self->rcu_depth) {
		fibers[f].section = shim_self->rcu_section + 1;
		join(fibers[f].now, grace);
	}
}

/* Note the fiber. If no other one comes here, the order of accesses has no effect. */
static void notice(unsigned long offset, bool store)
{
	u8 who = seen[offset] | BIT(search_fiber());

	if (store)
		who |= SEEN_STORED;
	if (who == seen[offset])
		return;
	seen[offset] = who;
	if (who & SEEN_STORED && __builtin_popcount(who & ~SEEN_STORED) > 1 &&
	    !shared[offset]) {
		shared[offset] = true;
		learnt = true;
	}
}

/* It was read as less than it is; the rest was never stored to. */
static void widen(struct location *l, unsigned int size)
{
	u64 rest = content(l->at, size) >> (8 * l->size) << (8 * l->size);
	u16 m;

	for (m = l->last; m != NONE; m = messages[m].before)
		messages[m].value |= rest;
	l->size = size;
}

static unsigned int find_location(const void *at, unsigned int size)
{
	unsigned long offset = (const char *)at - arena;
	unsigned int i;

	if (shadow[offset].execution != execution)
		return add_location(offset, size);
	i = shadow[offset].location;
	if (locations[i].size < size)
		widen(&locations[i], size);
	return i;
}

/*
 * The begin of every access, after settle(): others may go first, unless it is plain.
 */
static unsigned int access_begin(const void *at, unsigned int size, bool store,
				 bool plain)
{
	unsigned long offset = (const char *)at - arena;

	if (!arena_live(offset))
		explore_fail("access to freed memory, offset 0x%lx", offset);
	hear_of_grace();
	if (!search_in_callback()) {
		notice(offset, store);
		if (!plain && shared[offset])
			search_point();
	}
	return find_location(at, size);
}

static u16 new_view(const u8 *view, const u8 *more)
{
	if (nr_views == VIEWS)
		explore_fail("an execution has too many views");
	memcpy(views[nr_views], view, nr_locations);
	if (more)
		join(views[nr_views], more);
	memset(views[nr_views] + nr_locations, 0, LOCATIONS - nr_locations);
	return nr_views++;
}

/* A release: it does not include the fiber's later accesses. */
static void released(unsigned int f)
{
	if (++fibers[f].now[f] == (u8)-1)
		explore_fail("an execution has too many releases");
}

static void found(unsigned int f, unsigned int i, u8 nr, u16 view, int order)
{
	fibers[f].now[i] = max(fibers[f].now[i], nr);
	if (view == NONE)
		return;
	join(fibers[f].acquire, views[view]);
	if (order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME ||
	    order >= __ATOMIC_ACQ_REL)
		join(fibers[f].now, views[view]);
}

void memory_fence(int order)
{
	unsigned int f = search_fiber();

	settle();
	hear_of_grace();
	if (order != __ATOMIC_RELEASE)
		join(fibers[f].now, fibers[f].acquire);
	if (order == __ATOMIC_SEQ_CST) {
		join(fibers[f].now, total);
		memcpy(total, fibers[f].now, nr_locations);
	}
	if (order != __ATOMIC_ACQUIRE) {
		memcpy(fibers[f].release, fibers[f].now, nr_locations);
		fibers[f].fenced = true;
		released(f);
	}
}

u64 memory_load(const void *at, unsigned int size, int order)
{
	unsigned int f = search_fiber(), older, i;
	struct location *l;
	u8 known;
	u16 m;

	settle();
	i = access_begin(at, size, false, false);
	l = &locations[i];
	known = fibers[f].now[i];
	m = l->last;
	if (order == __ATOMIC_SEQ_CST)
		memory_fence(order);
	older = l->lock || search_in_callback() || known >= l->nr ?
			0 :
			search_stale(l->nr - known + 1);
	found(f, i, l->nr - older, NONE, order);
	while (older--)
		m = messages[m].before;
	found(f, i, 0, messages[m].view, order);
	return messages[m].value;
}

static u16 view_of_store(unsigned int f, int order, u16 before)
{
	const u8 *more = before == NONE ? NULL : views[before];
	u16 view;

	if (order == __ATOMIC_RELEASE || order >= __ATOMIC_ACQ_REL) {
		view = new_view(fibers[f].now, more);
		released(f);
		return view;
	}
	if (fibers[f].fenced)
		return new_view(fibers[f].release, more);
	return before;
}

static void stored(unsigned int i, u64 value, int order, u16 before)
{
	unsigned int f = search_fiber();
	struct location *l = &locations[i];

	fibers[f].now[i] = l->nr + 1;
	push(l, value, view_of_store(f, order, before));
	search_stored();
}

void memory_store(void *at, unsigned int size, u64 value, int order)
{
	unsigned int i;

	settle();
	i = access_begin(at, size, true, false);
	memcpy(at, &value, size);
	stored(i, value, order, NONE);
	if (order == __ATOMIC_SEQ_CST)
		memory_fence(order);
}

/* The message that a read-modify-write finds is the last one. */
u64 memory_modify_begin(void *at, unsigned int size, int order, unsigned int *i,
			u16 *before)
{
	struct location *l;

	settle();
	*i = access_begin(at, size, true, false);
	l = &locations[*i];
	/* Locks are what is exchanged with an acquire, and no other. */
	if (order == __ATOMIC_ACQUIRE)
		l->lock = true;
	if (order == __ATOMIC_SEQ_CST)
		memory_fence(order);
	*before = messages[l->last].view;
	found(search_fiber(), *i, l->nr, *before, order);
	return messages[l->last].value;
}

void memory_modify_end(void *at, unsigned int size, u64 value, int order,
		       unsigned int i, u16 before)
{
	memcpy(at, &value, size);
	stored(i, value, order, before);
	if (order == __ATOMIC_SEQ_CST)
		memory_fence(order);
}

static void plain_access(const void *at, unsigned int size, bool is_store)
{
	unsigned int i = access_begin(at, size, is_store, true);
	unsigned int f = search_fiber(), other;

	if (search_in_callback())
		fibers[f].now[i] = locations[i].nr;
	if (fibers[f].now[i] < locations[i].nr)
		explore_fail("data race: a plain %s, offset 0x%lx",
			     is_store ? "store" : "load",
			     (const char *)at - arena);
	if (!is_store) {
		locations[i].loaded[f] = fibers[f].now[f];
		return;
	}
	for (other = 0; other < FIBERS_MAX; other++)
		if (!search_in_callback() &&
		    fibers[f].now[other] < locations[i].loaded[other])
			explore_fail(
				"data race: a store, offset 0x%lx, after a plain load",
				(const char *)at - arena);
	stored(i, 0, __ATOMIC_RELAXED, NONE);
	if (nr_pending == ARRAY_SIZE(pending))
		explore_fail("a plain store is too large");
	pending[nr_pending++] = i;
}

void memory_plain(const void *at, unsigned long bytes, bool is_store)
{
	const char *from = at;
	unsigned long n;

	/* All words of one store stay pending until the next call. */
	settle();
	for (; bytes; bytes -= n, from += n) {
		n = min(bytes, 8UL);
		if (memory_watched(from))
			plain_access(from, n, is_store);
	}
}

void memory_restart(void)
{
	unsigned int i, f;
	u16 m;

	settle();
	for (i = FIBERS_MAX; i < nr_locations; i++) {
		for (m = locations[i].last; messages[m].before != NONE;)
			m = messages[m].before;
		memcpy(locations[i].at, &messages[m].value, locations[i].size);
	}
	for (f = 0; f < FIBERS_MAX; f++) {
		fibers[f].fenced = false;
		fibers[f].section = 0;
		for (i = 0; i < FIBERS_MAX; i++) {
			fibers[f].now[i] = i == f;
			fibers[f].acquire[i] = 0;
			fibers[f].release[i] = 0;
		}
		total[f] = 0;
		told[f] = 0;
		grace[f] = 0;
	}
	any_grace = false;
	nr_locations = FIBERS_MAX;
	nr_messages = 0;
	nr_views = 0;
	execution++;
}

bool memory_learnt(void)
{
	bool was = learnt;

	learnt = false;
	return was;
}

void memory_tell(void)
{
	settle();
	join(told, fibers[search_fiber()].now);
	released(search_fiber());
}

void memory_hear(void)
{
	join(fibers[search_fiber()].now, told);
}

void memory_grace_begin(void)
{
	settle();
	join(grace, fibers[search_fiber()].now);
	any_grace = true;
}

/*
 * The fiber that waited finds what all sections found that it waited for; here also
 * what these fibers have found since.
 */
void memory_grace_end(void)
{
	unsigned int f;

	settle();
	for (f = 0; f < FIBERS_MAX; f++)
		join(fibers[search_fiber()].now, fibers[f].now);
}
