/* SPDX-License-Identifier: GPL-2.0 */
/*
 * References, in one count. The kernel's is spread over CPUs until the owner's
 * reference is given up, and looked at a grace period after that; here the release
 * comes as early as it can.
 */
#ifndef SHIM_LINUX_PERCPU_REFCOUNT_H
#define SHIM_LINUX_PERCPU_REFCOUNT_H

#include <linux/atomic.h>
#include <linux/slab.h>

struct percpu_ref;
typedef void(percpu_ref_func_t)(struct percpu_ref *ref);

struct percpu_ref_data {
	atomic_t count;
	bool dying;
	percpu_ref_func_t *release;
};

struct percpu_ref {
	struct percpu_ref_data *data;
};

static inline int percpu_ref_init(struct percpu_ref *ref,
				  percpu_ref_func_t *release,
				  unsigned int flags, gfp_t gfp)
{
	ref->data = kzalloc(sizeof(*ref->data), gfp);
	if (!ref->data)
		return -ENOMEM;
	atomic_set(&ref->data->count, 1);
	ref->data->release = release;
	return 0;
}

static inline void percpu_ref_exit(struct percpu_ref *ref)
{
	kfree(ref->data);
	ref->data = NULL;
}

static inline void percpu_ref_get(struct percpu_ref *ref)
{
	SHIM_CHECK(atomic_read(&ref->data->count) > 0, "a reference from none");
	atomic_inc(&ref->data->count);
}

static inline void percpu_ref_put(struct percpu_ref *ref)
{
	SHIM_CHECK(atomic_read(&ref->data->count) > 0,
		   "more references put than taken");
	if (atomic_dec_and_test(&ref->data->count))
		ref->data->release(ref);
}

static inline bool percpu_ref_is_dying(struct percpu_ref *ref)
{
	return ref->data->dying;
}

static inline void percpu_ref_kill(struct percpu_ref *ref)
{
	ref->data->dying = true;
	percpu_ref_put(ref);
}

#endif /* SHIM_LINUX_PERCPU_REFCOUNT_H */
