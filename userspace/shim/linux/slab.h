/* SPDX-License-Identifier: GPL-2.0 */
/* Memory. It lies nowhere: there are NUMA nodes in name only. */
#ifndef SHIM_LINUX_SLAB_H
#define SHIM_LINUX_SLAB_H

#include <linux/types.h>

#define __GFP_DIRECT_RECLAIM 0x01U
#define __GFP_KSWAPD_RECLAIM 0x02U
#define __GFP_HIGH 0x04U
#define __GFP_NOWARN 0x08U
#define __GFP_NOFAIL 0x10U
#define __GFP_ZERO 0x20U
#define __GFP_ACCOUNT 0x40U
#define __GFP_NORETRY 0x80U
#define __GFP_RETRY_MAYFAIL 0x100U
#define GFP_KERNEL (__GFP_DIRECT_RECLAIM | __GFP_KSWAPD_RECLAIM)
#define GFP_NOIO GFP_KERNEL
#define GFP_KERNEL_ACCOUNT (GFP_KERNEL | __GFP_ACCOUNT)
#define GFP_ATOMIC (__GFP_HIGH | __GFP_KSWAPD_RECLAIM)
#define GFP_NOWAIT (__GFP_KSWAPD_RECLAIM | __GFP_NOWARN)

struct kmem_cache;

struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
				     unsigned int align, unsigned int flags,
				     void (*ctor)(void *object));
#define kmem_cache_create_usercopy(name, size, align, flags, from, bytes, \
				   ctor)                                  \
	kmem_cache_create(name, size, align, flags, ctor)
unsigned int kmem_cache_size(struct kmem_cache *cache);
void kmem_cache_destroy(struct kmem_cache *cache);
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t gfp);
void kmem_cache_free(struct kmem_cache *cache, void *object);
#if defined(SHIM_POINTS) || defined(SHIM_TRACED)
void *kmem_cache_alloc_node(struct kmem_cache *cache, gfp_t gfp, int nid);
#else
#define kmem_cache_alloc_node(cache, gfp, nid) \
	((void)(nid), kmem_cache_alloc(cache, gfp))
#endif

void *kmalloc(size_t size, gfp_t gfp);
void kfree(const void *object);
size_t kmalloc_size_roundup(size_t size);
#define kzalloc(size, gfp) kmalloc(size, (gfp) | __GFP_ZERO)
#define kcalloc(nr, size, gfp) kzalloc((nr) * (size), gfp)
#define kvmalloc(size, gfp) kmalloc(size, gfp)
#define kvmalloc_array(nr, size, gfp) kmalloc_array(nr, size, gfp)
#define kvzalloc(size, gfp) kzalloc(size, gfp)
#define kvcalloc(nr, size, gfp) kmalloc_array(nr, size, (gfp) | __GFP_ZERO)
#define kvfree(object) kfree(object)
#define kzalloc_node(size, gfp, nid) ((void)(nid), kzalloc(size, gfp))
#define struct_size(p, member, n) offsetof(__typeof__(*(p)), member[n])

static inline void *kmalloc_array(size_t nr, size_t size, gfp_t gfp)
{
	size_t bytes;

	if (__builtin_mul_overflow(nr, size, &bytes))
		return NULL;
	return kmalloc(bytes, gfp);
}

#endif /* SHIM_LINUX_SLAB_H */
