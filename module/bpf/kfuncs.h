/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: kfuncs
 *
 * A *kfunc* is a function of the kernel that BPF programs call. The verifier reads its
 * prototype from the BTF of the module, a description of types, and checks each call
 * before the program runs. userspace/lib/bpf.h declares the kfuncs for programs.
 *
 * Programs run in all contexts: in NMIs, in interrupts, under locks of the kernel, and
 * in tracepoints of this module where a writer holds a node lock. So a kfunc that reads
 * disables interrupts (read.h): blink_may_wait() is then false, and the operation fails
 * with -EAGAIN where another reader would wait for a lock. A kfunc that modifies a tree
 * is for programs of some types only (write.h).
 *
 * An iterator returns an entry as an array. The verifier takes a pointer to an array as
 * memory of the iterator, which the program may read until it destroys the iterator. It
 * would take a pointer to a structure as an object of the kernel that lives for ever, and
 * that other kfuncs may write to.
 */
#ifndef BLINK_BPF_KFUNCS_H
#define BLINK_BPF_KFUNCS_H

#include <linux/blink_tree.h>

/**
 * typedef blink_entry_words_t - an entry, as iterators return it: key and value
 */
typedef u64 blink_entry_words_t[2];

/**
 * typedef blink_u128_entry_words_t - the same with both halves of the key
 */
typedef u64 blink_u128_entry_words_t[3];

/**
 * struct bpf_iter_blink - an iterator on the stack of a program
 * @__opaque: struct iter of iter.c
 */
struct bpf_iter_blink {
	u64 __opaque[22];
} __aligned(8);

/**
 * struct blink_u128 - a key of 128 bits
 * @high: its upper half
 * @low: its lower half
 */
struct blink_u128 {
	u64 high;
	u64 low;
};

/**
 * struct blink_u128_entry - a key of 128 bits and its value
 * @high: the upper half of the key
 * @low: its lower half
 * @value: the value
 */
struct blink_u128_entry {
	u64 high;
	u64 low;
	u64 value;
};

/**
 * struct bpf_iter_blink_u128 - an iterator on the stack of a program
 * @__opaque: struct iter of iter_u128.c
 */
struct bpf_iter_blink_u128 {
	u64 __opaque[23];
} __aligned(8);

/**
 * struct blink_bytes_entry - a key that is a string, and its value
 * @value: the value
 * @length: bytes of the key; as many as there is room for follow this structure
 * @__reserved: zero
 */
struct blink_bytes_entry {
	u64 value;
	u32 length;
	u32 __reserved;
};

/* read.c */
int bpf_blink_lookup(u64 handle, u64 key, u64 *value);
int bpf_blink_floor(u64 handle, u64 key, struct blink_tree_entry *entry);
int bpf_blink_ceiling(u64 handle, u64 key, struct blink_tree_entry *entry);

/* iter.c */
int bpf_iter_blink_new(struct bpf_iter_blink *it, u64 handle, u64 first,
		       u64 last, u32 flags);
blink_entry_words_t *bpf_iter_blink_next(struct bpf_iter_blink *it);
void bpf_iter_blink_destroy(struct bpf_iter_blink *it);
int bpf_blink_iter_error(struct bpf_iter_blink *it__iter);

/* write.c */
int bpf_blink_insert(u64 handle, u64 key, u64 value);
int bpf_blink_store(u64 handle, u64 key, u64 value, u64 *old__nullable);
int bpf_blink_add(u64 handle, u64 key, u64 number, u64 *old__nullable);
int bpf_blink_add_saturate(u64 handle, u64 key, s64 number, u64 *old__nullable);
int bpf_blink_replace(u64 handle, u64 key, u64 value, u64 *old__nullable);
int bpf_blink_cmpxchg(u64 handle, u64 key, u64 *old, u64 value);
int bpf_blink_erase(u64 handle, u64 key, u64 *old__nullable);

/* read_u128.c */
int bpf_blink_u128_lookup(u64 handle, u64 high, u64 low, u64 *value);
int bpf_blink_u128_floor(u64 handle, u64 high, u64 low,
			 struct blink_u128_entry *entry);
int bpf_blink_u128_ceiling(u64 handle, u64 high, u64 low,
			   struct blink_u128_entry *entry);

/* iter_u128.c */
int bpf_iter_blink_u128_new(struct bpf_iter_blink_u128 *it, u64 handle,
			    const struct blink_u128 *first,
			    const struct blink_u128 *last, u32 flags);
blink_u128_entry_words_t *
bpf_iter_blink_u128_next(struct bpf_iter_blink_u128 *it);
void bpf_iter_blink_u128_destroy(struct bpf_iter_blink_u128 *it);
int bpf_blink_u128_iter_error(struct bpf_iter_blink_u128 *it__iter);

/* read_bytes.c */
int bpf_blink_bytes_lookup(u64 handle, const void *key, u32 key__sz,
			   u64 *value);
int bpf_blink_bytes_floor(u64 handle, const void *key, u32 key__sz, void *entry,
			  u32 entry__sz);
int bpf_blink_bytes_ceiling(u64 handle, const void *key, u32 key__sz,
			    void *entry, u32 entry__sz);
int bpf_blink_bytes_lower(u64 handle, const void *key, u32 key__sz, void *entry,
			  u32 entry__sz);
int bpf_blink_bytes_higher(u64 handle, const void *key, u32 key__sz,
			   void *entry, u32 entry__sz);

/* kfuncs.c */
#ifdef BLINK_KFUNCS
void blink_kfuncs_init(void);
void blink_kfuncs_exit(void);
#else
static inline void blink_kfuncs_init(void)
{
}

static inline void blink_kfuncs_exit(void)
{
}
#endif

#endif /* BLINK_BPF_KFUNCS_H */
