// SPDX-License-Identifier: GPL-2.0
/*
 * kmem_cache as fast as the kernel's.
 *
 * A cache carves its objects from an *arena* (of huge pages where the system
 * gives them). A free object is in a thread's *magazine* or, where that is
 * full, in the cache's *depot*.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/topology.h>
#include <sys/mman.h>

#include "lab/marks.h"
#include "slab.h"

#define CACHES 128
#define ARENA_BYTES (8UL << 30)
#define MAGAZINE_MAX 128

struct object {
	struct object *next;
};

struct magazine {
	struct object *free;
	unsigned int count;
} __aligned(64);

struct kmem_cache {
	bool taken;
	const char *name;
	unsigned int size;
	void (*ctor)(void *object);
	arch_spinlock_t lock;
	struct object *depot;
	char *fresh;
	char *end;
	struct magazine magazine[SHIM_THREADS];
};

static struct kmem_cache caches[CACHES];

/* The place of a destroyed cache is used again. */
static struct kmem_cache *take_place(const char *name)
{
	struct kmem_cache *cache = caches;

	while (__atomic_test_and_set(&cache->taken, __ATOMIC_ACQUIRE))
		if (++cache == caches + CACHES)
			shim_die(__FILE__, __LINE__, name);
	return cache;
}

struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
				     unsigned int align, unsigned int flags,
				     void (*ctor)(void *object))
{
	struct kmem_cache *cache;
	void *arena;

	if (shim_alloc_fails(GFP_KERNEL))
		return NULL;
	if (flags)
		shim_die(__FILE__, __LINE__, name);
	if (align < sizeof(struct object))
		align = sizeof(struct object);
	arena = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (arena == MAP_FAILED)
		return NULL;
	madvise(arena, ARENA_BYTES, MADV_HUGEPAGE);
	cache = take_place(name);
	cache->ctor = ctor;
	/* An arena begins with a page, so objects are aligned as their size is. */
	cache->name = name;
	cache->size = (size + align - 1) / align * align;
	cache->fresh = arena;
	cache->end = cache->fresh + ARENA_BYTES;
	return cache;
}

void kmem_cache_destroy(struct kmem_cache *cache)
{
	if (!cache)
		return;
	munmap(cache->end - ARENA_BYTES, ARENA_BYTES);
	cache->depot = NULL;
	memset(cache->magazine, 0, sizeof(cache->magazine));
	__atomic_clear(&cache->taken, __ATOMIC_RELEASE);
}

unsigned int kmem_cache_size(struct kmem_cache *cache)
{
	return cache->size;
}

static void push(struct object **list, struct object *object)
{
	object->next = *list;
	*list = object;
}

static struct object *pop(struct object **list)
{
	struct object *object = *list;

	*list = object->next;
	return object;
}

/* Freed objects come in halves of a magazine; fresh ones singly. */
static void *depot_alloc(struct kmem_cache *cache, struct magazine *mag)
{
	void *object = NULL;

	arch_spin_lock(&cache->lock);
	if (cache->depot) {
		object = pop(&cache->depot);
	} else if ((size_t)(cache->end - cache->fresh) >= cache->size) {
		object = cache->fresh;
		cache->fresh += cache->size;
		if (cache->ctor)
			cache->ctor(object);
	}
	for (; cache->depot && mag->count < MAGAZINE_MAX / 2; mag->count++)
		push(&mag->free, pop(&cache->depot));
	arch_spin_unlock(&cache->lock);
	return object;
}

static void *alloc(struct kmem_cache *cache, gfp_t gfp)
{
	struct magazine *mag = &cache->magazine[shim_self->slot];

	if (shim_cache_fails(cache->name, gfp))
		return NULL;
	shim_count_live(1);
	if (unlikely(!mag->count))
		return depot_alloc(cache, mag);
	mag->count--;
	return pop(&mag->free);
}

#ifdef SHIM_TRACED
static void tell_home(const struct kmem_cache *cache, const char *object,
		      int nid)
{
	const char *end = object + cache->size;
	const char *line =
		(const char *)((unsigned long)object & -BLINK_LINE_BYTES);

	for (; object && line < end; line += BLINK_LINE_BYTES)
		blink_tell(line, BLINK_TAG_HOME + nid);
}

void *kmem_cache_alloc_node(struct kmem_cache *cache, gfp_t gfp, int nid)
{
	void *object = alloc(cache, gfp);

	tell_home(cache, object, nid == NUMA_NO_NODE ? numa_node_id() : nid);
	return object;
}

void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t gfp)
{
	return kmem_cache_alloc_node(cache, gfp, NUMA_NO_NODE);
}
#else
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t gfp)
{
	return alloc(cache, gfp);
}
#endif

void kmem_cache_free(struct kmem_cache *cache, void *object)
{
	struct magazine *mag = &cache->magazine[shim_self->slot];

	shim_count_live(-1);
	push(&mag->free, object);
	if (likely(++mag->count < MAGAZINE_MAX))
		return;
	arch_spin_lock(&cache->lock);
	for (; mag->count > MAGAZINE_MAX / 2; mag->count--)
		push(&cache->depot, pop(&mag->free));
	arch_spin_unlock(&cache->lock);
}

void slab_each(void (*visit)(const char *name, const void *object,
			     unsigned int size))
{
	const struct kmem_cache *cache;
	const char *object;

	for (cache = caches; cache < caches + CACHES; cache++) {
		object = cache->end - ARENA_BYTES;
		for (; cache->taken && object < cache->fresh;
		     object += cache->size)
			visit(cache->name, object, cache->size);
	}
}

/* The bytes that were carved from the arena, less those of free objects. */
static u64 live_bytes(const struct kmem_cache *cache)
{
	u64 bytes = cache->fresh - (cache->end - ARENA_BYTES);
	const struct object *object;
	unsigned int i;

	for (object = cache->depot; object; object = object->next)
		bytes -= cache->size;
	for (i = 0; i < SHIM_THREADS; i++)
		bytes -= (u64)cache->magazine[i].count * cache->size;
	return bytes;
}

u64 slab_live_bytes(void)
{
	u64 bytes = 0;
	unsigned int i;

	for (i = 0; i < CACHES; i++)
		if (caches[i].taken)
			bytes += live_bytes(&caches[i]);
	return bytes;
}
