/* SPDX-License-Identifier: GPL-2.0 */
/*
 * <blinktree/bpf.h>: the trees of the blink_tree kernel module in BPF programs.
 *
 * A program names a tree by a *handle*, which its loader gets from a descriptor of the
 * tree (blinktree_bpf_handle(), BLINK_TREE_IOC_BPF_HANDLE). The functions that read work
 * in programs of every type and in every context, and never wait. Those that modify a
 * tree work in programs on packets, of cgroups, and in system calls (SEC("syscall")).
 *
 * Include <linux/bpf.h> or vmlinux.h before, and <bpf/bpf_helpers.h>. A vmlinux.h with
 * the types of the module declares the same functions, so it replaces this header.
 *
 * Every function can return these errors:
 *
 *   EBADF       no descriptor has the handle any more, or the descriptor is not open for
 *               reading, or for writing
 *   EOPNOTSUPP  the tree has keys of another kind than the function, or values of bytes
 *
 * The functions with "u128" in their names work with keys of 128 bits, and also with
 * trees with equal keys: @high is then the key, @low one of its values, and the value is
 * 0. Those with "bytes" work with keys that are strings of bytes. The others work with
 * keys of 64 bits.
 */
#ifndef BLINKTREE_BPF_H
#define BLINKTREE_BPF_H

/* <linux/blink_tree.h> has the same, but not in every program can include it. */
#ifndef _UAPI_LINUX_BLINK_TREE_H
#define BLINK_TREE_SCAN_DESC 1u
#define BLINK_TREE_BPF_ITER_MAX 1048576u

/**
 * struct blink_tree_entry - a key and its value
 * @key: the key
 * @value: the value
 */
struct blink_tree_entry {
	__u64 key;
	__u64 value;
};
#endif

/*
 * Every function that reads can return this error:
 *
 *   EAGAIN      a writer is active, and the program would have to wait for it
 */

/**
 * bpf_blink_lookup() - find the value of a key
 * @handle: the handle
 * @key: the key
 * @value: set to the value on success
 *
 * Return: 0; -ENOENT if the key is absent.
 */
int bpf_blink_lookup(__u64 handle, __u64 key, __u64 *value) __ksym;

/**
 * bpf_blink_floor() - find the greatest key not above a key
 * @handle: the handle
 * @key: the key
 * @entry: set to the key found and its value on success
 *
 * Return: 0; -ENOENT if every key is above.
 */
int bpf_blink_floor(__u64 handle, __u64 key,
		    struct blink_tree_entry *entry) __ksym;

/**
 * bpf_blink_ceiling() - find the least key not below a key
 * @handle: the handle
 * @key: the key
 * @entry: set to the key found and its value on success
 *
 * Return: 0; -ENOENT if every key is below.
 */
int bpf_blink_ceiling(__u64 handle, __u64 key,
		      struct blink_tree_entry *entry) __ksym;

/* An entry, as iterators return it to the verifier: key and value. */
typedef __u64 blink_entry_words_t[2];

/**
 * struct bpf_iter_blink - an iterator, a variable on the stack
 */
struct bpf_iter_blink {
	__u64 __opaque[22];
};

/**
 * bpf_iter_blink_new() - begin an iteration over the entries of a range
 * @it: the iterator
 * @handle: the handle
 * @first: least key of the range
 * @last: greatest key of the range
 * @flags: BLINK_TREE_SCAN_DESC to begin at @last, or 0
 *
 * The verifier wants a call of bpf_iter_blink_destroy() on every path, also after an
 * error, after which the iteration has no entries.
 *
 * Return: 0; -EINVAL if a flag is unknown, or @first is greater than @last.
 */
int bpf_iter_blink_new(struct bpf_iter_blink *it, __u64 handle, __u64 first,
		       __u64 last, __u32 flags) __ksym;

/**
 * bpf_iter_blink_next() - return the next entry of an iteration
 * @it: the iterator
 *
 * The iterator reads 8 entries at a time. An entry that it returns can have been changed
 * or erased since then. Keys ascend strictly, or descend with BLINK_TREE_SCAN_DESC. A
 * key that is in the tree during the whole iteration comes exactly once.
 *
 * The verifier knows the entry as an array; blink_next() returns it as a structure.
 *
 * Return: the key and the value, until the next call. NULL at the end of the range, after
 * an error, and after BLINK_TREE_BPF_ITER_MAX entries; bpf_blink_iter_error() tells which.
 */
blink_entry_words_t *bpf_iter_blink_next(struct bpf_iter_blink *it) __ksym;

/**
 * blink_next() - return the next entry of an iteration
 * @it: the iterator
 *
 * Return: as bpf_iter_blink_next().
 */
static __always_inline const struct blink_tree_entry *
blink_next(struct bpf_iter_blink *it)
{
	return (const struct blink_tree_entry *)bpf_iter_blink_next(it);
}

/**
 * bpf_iter_blink_destroy() - end an iteration
 * @it: the iterator
 */
void bpf_iter_blink_destroy(struct bpf_iter_blink *it) __ksym;

/**
 * bpf_blink_iter_error() - why an iteration has ended
 * @it: the iterator
 *
 * It needs Linux 6.12.
 *
 * Return: 0 at the end of the range, and as long as the iteration goes on; -E2BIG after
 * BLINK_TREE_BPF_ITER_MAX entries if there are more; -EINVAL if bpf_iter_blink_new()
 * failed.
 */
int bpf_blink_iter_error(struct bpf_iter_blink *it) __ksym;

/**
 * blink_for_each() - iterate over the entries of a range
 * @entry: variable of the type const struct blink_tree_entry *, set to each entry
 * @handle: the handle
 * @first: least key of the range
 * @last: greatest key of the range
 * @flags: BLINK_TREE_SCAN_DESC to begin at @last, or 0
 *
 * The body may leave the loop at any place. An error ends the loop like the end of the
 * range; a program that has to know uses the functions of the iterator itself.
 */
#define blink_for_each(entry, handle, first, last, flags)                    \
	for (struct bpf_iter_blink blink_it                                  \
	     __attribute__((cleanup(bpf_iter_blink_destroy))),               \
	     *blink_at = (bpf_iter_blink_new(&blink_it, handle, first, last, \
					     flags),                         \
			  &blink_it);                                        \
	     ((entry) = blink_next(blink_at));)

/*
 * Every function that modifies a tree can return these errors. The tree is then as it was.
 *
 *   EBUSY       the program runs in a writer, or with interrupts disabled
 *   ENOSPC      the tree has reached max_entries or max_bytes
 *   EDQUOT      the trees of its creator have reached their limit
 *   ENOMEM      no memory is free at once, or the memory control group of the process
 *               that got the handle has reached its limit
 */

/**
 * bpf_blink_insert() - add a key
 * @handle: the handle
 * @key: the key
 * @value: its value
 *
 * Return: 0; -EEXIST if the key is present.
 */
int bpf_blink_insert(__u64 handle, __u64 key, __u64 value) __ksym;

/**
 * bpf_blink_store() - add a key, or overwrite its value
 * @handle: the handle
 * @key: the key
 * @value: its value
 * @old: set to the old value if there was one; may be NULL
 *
 * Return: 0 if the key was added, 1 if its value was overwritten.
 */
int bpf_blink_store(__u64 handle, __u64 key, __u64 value, __u64 *old) __ksym;

/**
 * bpf_blink_add() - add a number to the value of a key
 * @handle: the handle
 * @key: the key
 * @number: added to the value, modulo 2^64; the value of the key if it is absent
 * @old: as that of bpf_blink_store()
 *
 * Return: as bpf_blink_store().
 */
int bpf_blink_add(__u64 handle, __u64 key, __u64 number, __u64 *old) __ksym;

/**
 * bpf_blink_add_saturate() - add a signed number to the value of a key, within its limits
 * @handle: the handle
 * @key: the key
 * @number: added to the value, which counts as 0 if the key is absent; the sum is 0 instead
 *	of a negative number, and 2^64 - 1 instead of a greater one
 * @old: as that of bpf_blink_store()
 *
 * Return: as bpf_blink_store().
 */
int bpf_blink_add_saturate(__u64 handle, __u64 key, __s64 number,
			   __u64 *old) __ksym;

/**
 * bpf_blink_replace() - overwrite the value of a present key
 * @handle: the handle
 * @key: the key
 * @value: its new value
 * @old: set to the old value on success; may be NULL
 *
 * Return: 0; -ENOENT if the key is absent.
 */
int bpf_blink_replace(__u64 handle, __u64 key, __u64 value, __u64 *old) __ksym;

/**
 * bpf_blink_cmpxchg() - overwrite a value if it is the expected one
 * @handle: the handle, of a descriptor that is open for reading and writing
 * @key: the key
 * @old: the expected value; set to the present value if it is different
 * @value: the new value
 *
 * Return: 0; -ESTALE if the present value is not *@old; -ENOENT if the key is absent.
 */
int bpf_blink_cmpxchg(__u64 handle, __u64 key, __u64 *old, __u64 value) __ksym;

/**
 * bpf_blink_erase() - remove a key
 * @handle: the handle
 * @key: the key
 * @old: set to its value on success; may be NULL
 *
 * Return: 0; -ENOENT if the key is absent.
 */
int bpf_blink_erase(__u64 handle, __u64 key, __u64 *old) __ksym;

/**
 * struct blink_u128 - a key of 128 bits
 * @high: its upper half
 * @low: its lower half
 */
struct blink_u128 {
	__u64 high;
	__u64 low;
};

/**
 * struct blink_u128_entry - a key of 128 bits and its value
 * @high: the upper half of the key
 * @low: its lower half
 * @value: the value
 */
struct blink_u128_entry {
	__u64 high;
	__u64 low;
	__u64 value;
};

/* As blink_entry_words_t, with both halves of the key. */
typedef __u64 blink_u128_entry_words_t[3];

/* An iterator, a variable on the stack. */
struct bpf_iter_blink_u128 {
	__u64 __opaque[23];
};

/* As the functions of the same name without "u128". */
int bpf_blink_u128_lookup(__u64 handle, __u64 high, __u64 low,
			  __u64 *value) __ksym;
int bpf_blink_u128_floor(__u64 handle, __u64 high, __u64 low,
			 struct blink_u128_entry *entry) __ksym;
int bpf_blink_u128_ceiling(__u64 handle, __u64 high, __u64 low,
			   struct blink_u128_entry *entry) __ksym;
int bpf_iter_blink_u128_new(struct bpf_iter_blink_u128 *it, __u64 handle,
			    const struct blink_u128 *first,
			    const struct blink_u128 *last, __u32 flags) __ksym;
blink_u128_entry_words_t *
bpf_iter_blink_u128_next(struct bpf_iter_blink_u128 *it) __ksym;
void bpf_iter_blink_u128_destroy(struct bpf_iter_blink_u128 *it) __ksym;
int bpf_blink_u128_iter_error(struct bpf_iter_blink_u128 *it) __ksym;

/* As blink_next(). */
static __always_inline const struct blink_u128_entry *
blink_u128_next(struct bpf_iter_blink_u128 *it)
{
	return (const struct blink_u128_entry *)bpf_iter_blink_u128_next(it);
}

/* The most bytes of a key that is a string. */
#define BLINK_BYTES_KEY_MAX 1024u

/**
 * struct blink_bytes_entry - a key that is a string of bytes, and its value
 * @value: the value
 * @length: bytes of the key; as many as there is room for follow this structure
 * @__reserved: zero
 *
 * A program declares a structure that begins with this one, and has room for its keys::
 *
 *	struct {
 *		struct blink_bytes_entry head;
 *		char key[64];
 *	} entry = {};
 */
struct blink_bytes_entry {
	__u64 value;
	__u32 length;
	__u32 __reserved;
};

/*
 * Every function for keys that are strings can return these errors. A key can have any
 * bytes, also zeroes, and 1,024 of them at most. It is in memory that the program may
 * write: Linux 6.12 refuses one in a constant.
 *
 *   EINVAL      the key has more than 1,024 bytes, or @entry is smaller than a struct
 *               blink_bytes_entry
 *   EBUSY       the program runs inside of three others that read trees with such keys
 */

/**
 * bpf_blink_bytes_lookup() - find the value of a key
 * @handle: the handle
 * @key: the bytes of the key
 * @key__sz: their number
 * @value: set to the value on success
 *
 * Return: 0; -ENOENT if the key is absent.
 */
int bpf_blink_bytes_lookup(__u64 handle, const void *key, __u32 key__sz,
			   __u64 *value) __ksym;

/**
 * bpf_blink_bytes_floor() - find the greatest key not above a key
 * @handle: the handle
 * @key: the bytes of the key
 * @key__sz: their number
 * @entry: a struct blink_bytes_entry and room for the key found; it may contain @key
 * @entry__sz: the size of both
 *
 * Return: 0; -ENOENT if every key is above; -EMSGSIZE if the key found is longer than
 * the room, where its first bytes are then.
 */
int bpf_blink_bytes_floor(__u64 handle, const void *key, __u32 key__sz,
			  void *entry, __u32 entry__sz) __ksym;

/*
 * As bpf_blink_bytes_floor(), which see, but: the least key not below a key, the greatest
 * key below it, and the least key above it.
 */
int bpf_blink_bytes_ceiling(__u64 handle, const void *key, __u32 key__sz,
			    void *entry, __u32 entry__sz) __ksym;
int bpf_blink_bytes_lower(__u64 handle, const void *key, __u32 key__sz,
			  void *entry, __u32 entry__sz) __ksym;
int bpf_blink_bytes_higher(__u64 handle, const void *key, __u32 key__sz,
			   void *entry, __u32 entry__sz) __ksym;

#endif /* BLINKTREE_BPF_H */
