// SPDX-License-Identifier: GPL-2.0
/*
 * kmem_cache for the sanitizers: each object is an allocation of the C
 * library's and given back at once, so that every use of a freed one is seen.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <stdlib.h>

struct kmem_cache {
	const char *name;
	unsigned int size;
	unsigned int align;
	void (*ctor)(void *object);
	long live;
};

struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
				     unsigned int align, unsigned int flags,
				     void (*ctor)(void *object))
{
	struct kmem_cache *cache = kmalloc(sizeof(*cache), GFP_KERNEL);

	if (flags)
		shim_die(__FILE__, __LINE__, name);
	if (!cache)
		return NULL;
	if (align < sizeof(void *))
		align = sizeof(void *);
	cache->name = name;
	cache->size = (size + align - 1) / align * align;
	cache->align = align;
	cache->ctor = ctor;
	cache->live = 0;
	return cache;
}

unsigned int kmem_cache_size(struct kmem_cache *cache)
{
	return cache->size;
}

void kmem_cache_destroy(struct kmem_cache *cache)
{
	SHIM_CHECK(!cache || !cache->live, "a destroyed cache has objects");
	kfree(cache);
}

void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t gfp)
{
	void *object = NULL;

	if (!shim_cache_fails(cache->name, gfp))
		object = aligned_alloc(cache->align, cache->size);
	if (!object)
		return NULL;
	if (cache->ctor)
		cache->ctor(object);
	shim_count_live(1);
	__atomic_fetch_add(&cache->live, 1, __ATOMIC_RELAXED);
	return object;
}

void kmem_cache_free(struct kmem_cache *cache, void *object)
{
	shim_count_live(-1);
	__atomic_fetch_sub(&cache->live, 1, __ATOMIC_RELAXED);
	free(object);
}
