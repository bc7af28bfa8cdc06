/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libblinktree: the trees of the blink_tree kernel module from user space.
 *
 * A *tree* is a concurrent ordered map in the kernel. A *control* handle has a
 * descriptor of the device: programs use it to create, open, list and unlink
 * trees. A *tree* handle has a descriptor of one tree. The functions of this
 * header that take a key work with trees of BLINK_TREE_KEY_U64, and return
 * -EOPNOTSUPP for a tree of another kind, or with values of bytes. Those of
 * <blinktree_bytes.h> work with trees of every kind.
 *
 * Errors: every function that can fail returns 0 or a positive number on success,
 * and a negative errno value on failure. The variable errno is undefined
 * afterwards. A function writes its output parameters only in the cases that its
 * comment names. It can also return the errors that every ioctl can return: see
 * the top of <linux/blink_tree.h>.
 *
 * Threads: any number of threads can use one control or tree handle at the same
 * time. Only one thread at a time can use a list, scan, stats or watch object.
 *
 * Signals: the library continues a batch, a load or a scan that a signal
 * interrupted. But an operation, a batch, a commit or a blinktree_range() that waits
 * for dead nodes of its tree returns -EINTR after a handler without SA_RESTART, and a
 * range that is stored in parts returns it between two of them, too.
 *
 * Values: a handle that is open for writing only cannot read values. Functions
 * that return a former or present value then set it to 0.
 *
 * Growth: the library allocates the objects whose structure can grow, and the
 * caller reads them through a pointer. A program that was built with this header
 * therefore runs with later versions of the library.
 */
#ifndef BLINKTREE_H
#define BLINKTREE_H

#include <stddef.h>

#include <linux/blink_tree.h>

#include "../../module/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this header; blinktree_version() returns that of the library. */
#define BLINKTREE_VERSION BLINK_VERSION

struct blinktree_ctl;
struct blinktree;
struct blinktree_list;
struct blinktree_scan;
struct blinktree_stats;
struct blinktree_watch;

/* The shared library exports only the functions that are declared below. */
#pragma GCC visibility push(default)

/**
 * blinktree_version() - return the version of the library
 *
 * Return: a constant string.
 */
const char *blinktree_version(void);

/**
 * blinktree_ctl_open() - open the device
 * @device: path of the device; NULL for BLINK_TREE_DEVICE, /dev/blink_tree
 * @ctl: the control handle; written on success
 *
 * The module must have all ioctls and operations that the library uses.
 *
 * If the mode of the device allows only reading, trees can be listed and opened, and
 * creating or unlinking one returns -EBADF.
 *
 * Return: 0; -ENOENT or -ENXIO if the module is not loaded; -EACCES if the mode
 * of the device denies the access; -ENOTTY if the path is another device or
 * file; -EPROTO if the module lacks an ioctl or an operation that the library
 * uses, or its reply is invalid; -ENOMEM.
 */
int blinktree_ctl_open(const char *device, struct blinktree_ctl **ctl);

/**
 * blinktree_ctl_close() - close the device
 * @ctl: the control handle, or NULL; trees that were opened with it stay open
 */
void blinktree_ctl_close(struct blinktree_ctl *ctl);

/**
 * blinktree_ctl_fd() - return the descriptor of the device
 * @ctl: the control handle, which still owns the descriptor
 *
 * Return: the descriptor, which is close-on-exec.
 */
int blinktree_ctl_fd(const struct blinktree_ctl *ctl);

/**
 * blinktree_ctl_info() - return information about the module
 * @ctl: the control handle
 *
 * Return: the information that blinktree_ctl_open() received: version, limits, sizes of
 * nodes, NUMA nodes and features. It is valid until the handle is closed.
 */
const struct blink_tree_ioc_info *
blinktree_ctl_info(const struct blinktree_ctl *ctl);

/**
 * blinktree_create() - create a tree
 * @ctl: the control handle
 * @name: its name; NULL or "" for a tree without a name, which exists until its
 *	last descriptor is closed
 * @mode: permission bits of a named tree; the kernel removes the umask
 * @max_entries: most keys that the tree can hold, 0 for no limit
 * @tree: the tree handle, for reading and writing; written on success
 *
 * Return: 0; -EEXIST if the name is taken; -ENAMETOOLONG if it has more than 63 bytes;
 * -EINVAL if it has other characters than BLINK_TREE_NAME_CHARS or begins with '-' or
 * '.', or if @mode is greater than 0777; -EDQUOT if the trees of the caller have reached
 * the limit of one user; -EMFILE if the process has too many descriptors; -ENFILE if the
 * system has too many open files; -ENOMEM.
 */
int blinktree_create(struct blinktree_ctl *ctl, const char *name,
		     unsigned int mode, __u64 max_entries,
		     struct blinktree **tree);

/**
 * blinktree_create_as() - create a tree with all parameters
 * @ctl: the control handle
 * @how: name, mode, limits, replication, locking, placement, kind of the keys, and
 *	BLINK_TREE_CREATE_* flags
 * @size: sizeof(*@how) of the caller
 * @tree: the tree handle, for reading and writing; written on success
 *
 * Return: as blinktree_create(); also -ENOSPC if max_bytes is too small for an
 * empty tree; -EINVAL for a flag or value that the module does not know, and for flags and
 * a kind of keys that exclude each other; -E2BIG if a field that the module does not know
 * is not zero.
 */
int blinktree_create_as(struct blinktree_ctl *ctl,
			const struct blink_tree_ioc_create *how, size_t size,
			struct blinktree **tree);

/**
 * blinktree_open() - open a named tree
 * @ctl: the control handle
 * @name: its name
 * @flags: BLINK_TREE_OPEN_READ, BLINK_TREE_OPEN_WRITE or both
 * @tree: the tree handle; written on success
 *
 * Return: 0; -ENOENT if no tree has that name; -EACCES if the mode of the tree
 * denies the access; -ENAMETOOLONG; -EINVAL for an invalid name, or for no flag or
 * an unknown one; -EMFILE; -ENFILE; -ENOMEM.
 */
int blinktree_open(struct blinktree_ctl *ctl, const char *name,
		   unsigned int flags, struct blinktree **tree);

/**
 * blinktree_open_owned() - open a named tree of one owner
 * @ctl: the control handle
 * @name: its name
 * @flags: BLINK_TREE_OPEN_READ, BLINK_TREE_OPEN_WRITE or both
 * @uid: the owner that the tree must have
 * @tree: the tree handle; written on success
 *
 * Any user can take a name that is free. A program that must not use the tree of another
 * user therefore opens names by this function. The module compares the owner at the moment
 * at which it finds the name.
 *
 * Return: as blinktree_open(); also -EPERM if the tree has another owner, whatever its
 * mode is; -EINVAL if the caller's user namespace has no such @uid; -EOPNOTSUPP if the
 * module cannot compare the owner (blinktree_ctl_info() then lacks
 * BLINK_TREE_FEATURE_OPEN_OWNER).
 */
int blinktree_open_owned(struct blinktree_ctl *ctl, const char *name,
			 unsigned int flags, __u32 uid,
			 struct blinktree **tree);

/**
 * blinktree_open_id() - open a tree by its number
 * @ctl: the control handle
 * @id: number of a tree whose name is in the caller's user namespace, or in one
 *	below it
 * @flags: BLINK_TREE_OPEN_READ, BLINK_TREE_OPEN_WRITE or both
 * @tree: the tree handle; written on success
 *
 * Return: 0; -ENOENT if no such tree has that number; otherwise as
 * blinktree_open().
 */
int blinktree_open_id(struct blinktree_ctl *ctl, __u64 id, unsigned int flags,
		      struct blinktree **tree);

/**
 * blinktree_from_fd() - make a handle from the descriptor of a tree
 * @fd: the descriptor, for example from another process: over a socket, or inherited
 * @tree: the tree handle; written on success
 *
 * On success the handle owns the descriptor. On failure the caller still owns it.
 *
 * Return: 0; -ENOTTY if @fd is not a descriptor of a tree; -EBADF if @fd is not
 * open; -ENOMEM.
 */
int blinktree_from_fd(int fd, struct blinktree **tree);

/**
 * blinktree_attr() - set attributes of a tree, and return all of them
 * @tree: the tree
 * @attr: in: BLINK_TREE_ATTR_* bits of the attributes to set, and their values;
 *	out: all attributes, with the number of the tree
 * @size: sizeof(*@attr) of the caller
 *
 * Return: 0; -EPERM if the caller neither owns the tree nor has CAP_FOWNER, or, for an owner
 * or another group, does not have CAP_CHOWN; -EEXIST if the name is taken;
 * -ENOENT for the name of a tree without a name; -EOPNOTSUPP for max_entries of a tree that
 * was created without it, and so does not count its keys; -EINVAL for an unknown flag, an
 * invalid value, or an owner or group that the caller's user namespace does not have;
 * -E2BIG if a field that the module does not know is not zero.
 */
int blinktree_attr(struct blinktree *tree, struct blink_tree_ioc_attr *attr,
		   size_t size);

/**
 * blinktree_bpf_handle() - return the number by which BPF programs name a tree
 * @tree: the tree handle
 * @handle: the number, for the functions of <blinktree/bpf.h>; written on success
 *
 * The number has the access of the descriptor of @tree, and is valid until this descriptor
 * and all its copies are closed.
 *
 * Return: 0; -EOPNOTSUPP if the kernel has no functions for BPF programs
 * (blinktree_ctl_info() then lacks BLINK_TREE_FEATURE_BPF); -EPERM if the caller does not
 * have CAP_BPF; -ENOSPC if 1,024 descriptors have such numbers; -ENOMEM.
 */
int blinktree_bpf_handle(struct blinktree *tree, __u64 *handle);

/**
 * blinktree_fd() - return the descriptor of a tree
 * @tree: the tree handle, which still owns the descriptor
 *
 * The caller can pass the descriptor to another process over a socket
 * (SCM_RIGHTS), or to a program that it executes after it has cleared the
 * close-on-exec flag.
 *
 * Return: the descriptor, which is close-on-exec.
 */
int blinktree_fd(const struct blinktree *tree);

/**
 * blinktree_close() - close a tree
 * @tree: the tree handle, or NULL
 */
void blinktree_close(struct blinktree *tree);

/**
 * blinktree_unlink() - remove the name of a tree
 * @ctl: the control handle
 * @name: the name
 *
 * The name is free at once. The tree exists until its last descriptor is closed.
 *
 * Return: 0; -ENOENT if no tree has that name; -EPERM if the caller neither owns
 * the tree nor has CAP_FOWNER; -ENAMETOOLONG; -EINVAL for an invalid name.
 */
int blinktree_unlink(struct blinktree_ctl *ctl, const char *name);

/**
 * blinktree_unlink_id() - remove the name of the tree that has a number
 * @ctl: the control handle
 * @id: the number, as for blinktree_open_id()
 *
 * A user namespace that has no process left can leave named trees behind. Processes
 * in the namespaces above it can unlink these trees only by number.
 *
 * Return: 0; -ENOENT if no such tree has that number; -EPERM if the caller neither
 * owns the tree nor has CAP_FOWNER.
 */
int blinktree_unlink_id(struct blinktree_ctl *ctl, __u64 id);

/**
 * blinktree_list_open() - begin to list the named trees
 * @ctl: the control handle, which must outlive the list
 * @list: the list; written on success
 *
 * Return: 0 or -ENOMEM.
 */
int blinktree_list_open(struct blinktree_ctl *ctl,
			struct blinktree_list **list);

/**
 * blinktree_list_open_below() - begin to list the named trees of the caller's user
 *	namespace and of those below it
 * @ctl: the control handle, which must outlive the list
 * @list: the list; written on success
 *
 * Trees of different namespaces can have the same name. Their numbers differ.
 *
 * Return: 0 or -ENOMEM.
 */
int blinktree_list_open_below(struct blinktree_ctl *ctl,
			      struct blinktree_list **list);

/**
 * blinktree_list_next() - return the next named tree, in the order of creation
 * @list: the list
 * @entry: description of the tree, valid until the next call; written if the return
 *	value is 1
 *
 * The entry has the number, name, owner, group, mode, keys, memory and limits of the tree.
 * Its @access has the BLINK_TREE_OPEN_* bits with which the caller could open the tree:
 * without BLINK_TREE_OPEN_READ its keys and memory are 0.
 *
 * A tree that has its name during the whole listing is listed exactly once.
 *
 * Return: 1; 0 at the end of the list; or a negative errno.
 */
int blinktree_list_next(struct blinktree_list *list,
			const struct blink_tree_list_entry **entry);

/**
 * blinktree_list_close() - end a list
 * @list: the list, or NULL
 */
void blinktree_list_close(struct blinktree_list *list);

/**
 * blinktree_get() - look up a key
 * @tree: the tree
 * @key: the key
 * @value: its value; written on success
 *
 * Return: 0; -ENOENT if the key is absent; -EBADF if the tree is not open for
 * reading.
 */
int blinktree_get(struct blinktree *tree, __u64 key, __u64 *value);

/**
 * blinktree_insert() - add a key that is absent
 * @tree: the tree
 * @key: the key
 * @value: its value
 * @present: the present value; written if the return value is -EEXIST; can be NULL
 *
 * Return: 0; -EEXIST if the key is present; -ENOSPC if the tree has reached its
 * max_entries or max_bytes; -EDQUOT if the trees of its creator have reached the
 * limit of one user; -ENOMEM; -EBADF if the tree is not open for writing.
 */
int blinktree_insert(struct blinktree *tree, __u64 key, __u64 value,
		     __u64 *present);

/**
 * blinktree_get_or_insert() - return the value of a key, which is added if absent
 * @tree: the tree
 * @key: the key
 * @value: the value for a new key; set to the present value if the return value
 *	is 1
 *
 * One atomic operation: when several callers add a key at the same time, all of
 * them get the value of the one that added it.
 *
 * Return: 0 if the key was added; 1 if it was present; -ENOSPC if the tree has
 * reached its max_entries or max_bytes; -EDQUOT if the trees of its creator have
 * reached the limit of one user; -ENOMEM; -EBADF if the tree is not open for
 * reading and writing.
 */
int blinktree_get_or_insert(struct blinktree *tree, __u64 key, __u64 *value);

/**
 * blinktree_store() - add a key or overwrite its value
 * @tree: the tree
 * @key: the key
 * @value: its value
 * @old: the former value; written if the return value is 1; can be NULL
 *
 * Return: 0 if the key was added; 1 if its value was overwritten; -ENOSPC if the
 * tree has reached its max_entries or max_bytes; -EDQUOT if the trees of its
 * creator have reached the limit of one user; -ENOMEM; -EBADF if the tree is not
 * open for writing.
 */
int blinktree_store(struct blinktree *tree, __u64 key, __u64 value, __u64 *old);

/**
 * blinktree_add() - add a number to the value of a key
 * @tree: the tree
 * @key: the key
 * @number: added to the value, modulo 2^64: so -1 takes one off
 * @old: the former value; written if the return value is 1; can be NULL
 *
 * If the key is absent, it is added with the value @number.
 *
 * Return: 0 if the key was added; 1 if its value was overwritten; errors as
 * blinktree_store().
 */
int blinktree_add(struct blinktree *tree, __u64 key, __u64 number, __u64 *old);

/**
 * blinktree_add_saturate() - add a signed number to the value of a key, within its limits
 * @tree: the tree
 * @key: the key
 * @number: added to the value; the sum is 0 instead of a negative number, and 2^64 - 1
 *	instead of a greater one
 * @old: the former value; written if the return value is 1; can be NULL
 *
 * If the key is absent, it is added, as if its value were 0.
 *
 * Return: as blinktree_add().
 */
int blinktree_add_saturate(struct blinktree *tree, __u64 key, __s64 number,
			   __u64 *old);

/**
 * blinktree_replace() - overwrite the value of a key that is present
 * @tree: the tree
 * @key: the key
 * @value: its value
 * @old: the former value; written on success; can be NULL
 *
 * Return: 0; -ENOENT if the key is absent; -EBADF if the tree is not open for
 * writing; in a tree with BLINK_TREE_CREATE_COMPRESS also -ENOSPC, -EDQUOT and
 * -ENOMEM, as blinktree_store().
 */
int blinktree_replace(struct blinktree *tree, __u64 key, __u64 value,
		      __u64 *old);

/**
 * blinktree_erase() - remove a key
 * @tree: the tree
 * @key: the key
 * @old: its value; written on success; can be NULL
 *
 * Return: 0; -ENOENT if the key is absent; -EBADF if the tree is not open for
 * writing.
 */
int blinktree_erase(struct blinktree *tree, __u64 key, __u64 *old);

/**
 * blinktree_cmpxchg() - overwrite a value if it is the expected one
 * @tree: the tree
 * @key: the key
 * @expected: the expected value; set to the present value if the return value is
 *	-ESTALE
 * @value: the new value
 *
 * Return: 0; -ESTALE if the key has another value; -ENOENT if the key is absent;
 * -EBADF if the tree is not open for reading and writing; in a tree with
 * BLINK_TREE_CREATE_COMPRESS also -ENOSPC, -EDQUOT and -ENOMEM, as
 * blinktree_store().
 */
int blinktree_cmpxchg(struct blinktree *tree, __u64 key, __u64 *expected,
		      __u64 value);

/**
 * blinktree_cmperase() - remove a key if its value is the expected one
 * @tree: the tree
 * @key: the key
 * @expected: the expected value; set to the present value if the return value is
 *	-ESTALE
 *
 * Return: 0; -ESTALE if the key has another value; -ENOENT if the key is absent;
 * -EBADF if the tree is not open for reading and writing.
 */
int blinktree_cmperase(struct blinktree *tree, __u64 key, __u64 *expected);

/**
 * blinktree_floor() - find the greatest key that is not above a given one
 * @tree: the tree
 * @key: the given key
 * @entry: the entry that was found; written on success
 *
 * Return: 0; -ENOENT if all keys are greater; -EBADF if the tree is not open
 * for reading.
 */
int blinktree_floor(struct blinktree *tree, __u64 key,
		    struct blink_tree_entry *entry);

/**
 * blinktree_ceiling() - find the least key that is not below a given one
 * @tree: the tree
 * @key: the given key
 * @entry: the entry that was found; written on success
 *
 * Return: 0; -ENOENT if all keys are less; -EBADF if the tree is not open for
 * reading.
 */
int blinktree_ceiling(struct blinktree *tree, __u64 key,
		      struct blink_tree_entry *entry);

/**
 * blinktree_pop_min() - remove the least key that is not below a given one
 * @tree: the tree
 * @first: the given key; 0 for the least key of the tree
 * @entry: the entry that was removed; written on success
 *
 * The search and the removal are one atomic operation. At its moment the tree has no key
 * between @first and the key that is removed. When several callers pop at the same time,
 * each gets another entry.
 *
 * Return: 0; -ENOENT if all keys are less; -EBADF if the tree is not open for
 * reading and writing.
 */
int blinktree_pop_min(struct blinktree *tree, __u64 first,
		      struct blink_tree_entry *entry);

/**
 * blinktree_pop_max() - remove the greatest key that is not above a given one
 * @tree: the tree
 * @last: the given key; the greatest 64-bit number for the greatest key of the
 *	tree
 * @entry: the entry that was removed; written on success
 *
 * One atomic operation, as blinktree_pop_min().
 *
 * Return: 0; -ENOENT if all keys are greater; -EBADF if the tree is not open for
 * reading and writing.
 */
int blinktree_pop_max(struct blinktree *tree, __u64 last,
		      struct blink_tree_entry *entry);

/**
 * blinktree_batch() - execute many operations
 * @tree: the tree
 * @ops: the operations; each gets its own result
 * @nr: number of operations
 * @done: number of operations that were executed, counted from the first; always
 *	written; can be NULL
 *
 * A batch is far faster than the same number of single calls. The batch as a whole does not
 * take effect at one moment: other threads can change the tree between two of its
 * operations. The comment of struct blink_tree_ioc_batch in <linux/blink_tree.h> lists the
 * guarantees about their order.
 *
 * Return: 0 if all operations were executed, even if some of them failed. After an error
 * the first @done ones were executed, and the others were not: -EFAULT if the array cannot
 * be read or written; -EINTR if a signal handler without SA_RESTART ran while the batch
 * waited for dead nodes of the tree.
 */
int blinktree_batch(struct blinktree *tree, struct blink_tree_ioc_op *ops,
		    size_t nr, size_t *done);

/**
 * blinktree_commit() - execute operations at one instant, or none of them
 * @tree: the tree
 * @ops: the operations, also BLINK_TREE_OP_EXPECT and BLINK_TREE_OP_ABSENT; each gets its
 *	own result
 * @nr: number of operations, at most BLINK_TREE_COMMIT_MAX, 32
 * @failed: with -ESTALE, number of the first operation whose condition is not true; can be
 *	NULL
 *
 * The comment of struct blink_tree_ioc_batch in <linux/blink_tree.h> has the guarantees
 * (BLINK_TREE_BATCH_COMMIT).
 * Without changes it returns several values of one instant.
 *
 * Return: 0 if all operations took effect. After an error none did: -ESTALE if a condition
 * is not true, as @result of the operation *@failed says; -EINVAL for an operation that
 * cannot be in a commit, for two changes of one key, for flags that are unknown or exclude
 * each other, and for a flag of the greatest key; -E2BIG if there are too many operations, or
 * too many leaves between keys with flags; -EBADF if the tree is not open for all of them;
 * -ENOSPC if the tree would have more than its max_entries after the commit, or if memory for
 * it would exceed max_bytes; -EDQUOT and -ENOMEM as blinktree_insert(); -EINTR as
 * blinktree_batch(). -EFAULT if @ops cannot be read; if it can be read and not be written, the
 * operations may have taken effect. A commit that removes keys can need memory, too: a full
 * leaf is split before they are removed.
 */
int blinktree_commit(struct blinktree *tree, struct blink_tree_ioc_op *ops,
		     size_t nr, size_t *failed);

/**
 * blinktree_range() - find or store a range of keys that have one value
 * @tree: the tree, with keys of 64 or 128 bits and values that are numbers
 * @range: the operation; set to the answer
 *
 * The comment of struct blink_tree_ioc_range in <linux/blink_tree_range.h> lists the
 * operations. The function tells for a key which range or hole has it, iterates over ranges,
 * finds gaps, stores a range at one moment, and allocates keys.
 *
 * Return: 0. After an error nothing has changed, except for BLINK_TREE_RANGE_PARTS: -ENOENT
 * if there is no such range; -EBUSY if there is no such gap; -EEXIST if one of the keys is in
 * a range; -E2BIG if the keys are in too many ranges to store them at one moment; -EINVAL if
 * the last key is less than the first, if the size or the value of an insertion is 0, for an
 * unknown operation or flag, and for a field that the operation does not have; -EOPNOTSUPP
 * if the tree has keys or values of another kind, or the module has no ranges; -EBADF if the
 * tree is not open for the operation; -ENOSPC, -EDQUOT and -ENOMEM as blinktree_insert();
 * -EINTR as blinktree_batch(), and with BLINK_TREE_RANGE_PARTS also between two parts.
 */
int blinktree_range(struct blinktree *tree, struct blink_tree_ioc_range *range);

/**
 * blinktree_load() - add many entries whose keys ascend
 * @tree: the tree
 * @entries: the entries
 * @nr: number of entries
 * @fill: percent of a leaf to fill, 1 to 100
 * @done: number of entries that were added, counted from the first; always written;
 *	can be NULL
 *
 * The kernel fills one leaf after the other. This is faster than a batch of insertions, and
 * the tree becomes smaller. A key that does not ascend, or that lies between keys of the
 * tree, is inserted like a single one.
 *
 * Return: 0; otherwise the reason why the entry after the first @done ones was not
 * added: -EEXIST if its key is present; -ENOSPC if the tree has reached its
 * max_entries or max_bytes; -EDQUOT if the trees of its creator have reached the
 * limit of one user; -ENOMEM; -EFAULT if @entries cannot be read; -EBADF if the tree is
 * not open for writing; -EINVAL if @fill is out of its range.
 */
int blinktree_load(struct blinktree *tree,
		   const struct blink_tree_entry *entries, size_t nr,
		   unsigned int fill, size_t *done);

/**
 * blinktree_scan_open() - begin to scan a range of keys
 * @tree: the tree, which must outlive the scan
 * @first: least key of the range
 * @last: greatest key of the range
 * @flags: 0 to ascend from @first, BLINK_TREE_SCAN_DESC to descend from @last
 * @buffer: number of entries to read ahead, 0 for the default of 1024
 * @scan: the scan; written on success
 *
 * Return: 0; -EINVAL if @first is greater than @last, for another flag, or if
 * @buffer has more than 32 bits; -ENOMEM.
 */
int blinktree_scan_open(struct blinktree *tree, __u64 first, __u64 last,
			unsigned int flags, size_t buffer,
			struct blinktree_scan **scan);

/**
 * blinktree_scan_next() - return the next entry of the range
 * @scan: the scan
 * @entry: the entry; written if the return value is 1
 *
 * Keys come in strict order, also while other threads change the tree. A key that is
 * in the tree during the whole scan comes exactly once. A key that is absent during
 * the whole scan never comes. The entry was in the tree when the scan read it ahead; other
 * threads can have changed it since. After an error the next call continues with the same
 * entry.
 *
 * Return: 1; 0 at the end of the range; or a negative errno, -EBADF if the
 * tree is not open for reading.
 */
int blinktree_scan_next(struct blinktree_scan *scan,
			struct blink_tree_entry *entry);

/**
 * blinktree_scan_left() - return the part of the range that was not returned yet
 * @scan: the scan
 * @first: least key of this part; written if the return value is 1
 * @last: greatest key of this part; written if the return value is 1
 *
 * Another scan of these keys, by any process and at any time, continues where this
 * scan is.
 *
 * Return: 1; or 0 at the end of the range.
 */
int blinktree_scan_left(const struct blinktree_scan *scan, __u64 *first,
			__u64 *last);

/**
 * blinktree_scan_close() - end a scan
 * @scan: the scan, or NULL
 */
void blinktree_scan_close(struct blinktree_scan *scan);

/* blinktree_stats_read(): visit all nodes, and count those of each level too. */
#define BLINKTREE_STATS_LEVELS 0x1u

/**
 * blinktree_stats_read() - read a tree's statistics
 * @tree: the tree
 * @flags: 0, or BLINKTREE_STATS_LEVELS to visit all nodes, and count those of each level too
 * @stats: the statistics; written on success
 *
 * Return: 0; -EINVAL for another flag; -EBADF if the tree is not open for reading;
 * -ENOMEM.
 */
int blinktree_stats_read(struct blinktree *tree, unsigned int flags,
			 struct blinktree_stats **stats);

/**
 * blinktree_stats_counters() - return the counters
 * @stats: the statistics
 *
 * Return: the counters, valid until the statistics are freed.
 */
const struct blink_tree_ioc_stats *
blinktree_stats_counters(const struct blinktree_stats *stats);

/**
 * blinktree_stats_height() - return the number of levels of the tree
 * @stats: the statistics
 *
 * Return: the number, 1 for a single leaf.
 */
unsigned int blinktree_stats_height(const struct blinktree_stats *stats);

/**
 * blinktree_stats_levels() - return the nodes per level and NUMA node
 * @stats: the statistics
 * @nr: number of elements of the array; always written
 *
 * Return: the array, with an element for each level and NUMA node, valid until the
 * statistics are freed; @nr is 0 unless they were read with BLINKTREE_STATS_LEVELS.
 */
const struct blink_tree_level_stats *
blinktree_stats_levels(const struct blinktree_stats *stats, size_t *nr);

/**
 * blinktree_stats_free() - free statistics
 * @stats: the statistics, or NULL
 */
void blinktree_stats_free(struct blinktree_stats *stats);

/**
 * blinktree_hot_leaves() - return the leaves that writers wait for most often
 * @tree: the tree; other threads can use it meanwhile
 * @leaves: an array to fill, the hottest leaf first
 * @nr: its length, 1 to BLINK_TREE_HOT_LEAVES_MAX
 * @size: sizeof(*@leaves) of the caller
 *
 * The heat of a leaf rises by 8 when a writer waits for its lock, up to 255, and falls by 1
 * when a writer does not wait. @low of an element is a lower bound of the keys of the leaf,
 * or the first BLINK_TREE_HOT_KEY_MAX of its @low_length bytes: the bytes of a string, or a
 * number of 8 or 16 bytes whose most significant byte comes first. The kernel reads all
 * leaves of the tree.
 *
 * Return: the number of elements that were written: the leaves with heat, @nr of them at
 * most; -EINVAL for another @nr; -EBADF if the tree is not open for reading; -ENOMEM;
 * -EOPNOTSUPP if the module is too old.
 */
int blinktree_hot_leaves(struct blinktree *tree,
			 struct blink_tree_hot_leaf *leaves, unsigned int nr,
			 size_t size);

/**
 * blinktree_verify() - check the invariants of a tree
 * @tree: the tree; other threads can use it meanwhile
 * @report: the report; written on success
 * @size: sizeof(*@report) of the caller
 *
 * Return: 0, and @report->violation is BLINK_TREE_OK or the first violation; -EBADF
 * if the tree is not open for reading; -ENOMEM.
 */
int blinktree_verify(struct blinktree *tree,
		     struct blink_tree_ioc_verify *report, size_t size);

/**
 * blinktree_violation_text() - describe a violation
 * @violation: enum blink_tree_violation
 *
 * Return: a constant string.
 */
const char *blinktree_violation_text(unsigned int violation);

/**
 * blinktree_watch_open() - begin to watch the changes of a tree
 * @tree: the tree, whose keys and values are not bytes; its handle can be closed
 *	meanwhile
 * @options: the range, and as size of the ring a power of two from 64 to 1,048,576 changes,
 *	or 0 for 16,384; NULL for all keys and this default
 * @watch: the watch; written on success
 *
 * The watch begins at position 0, and has all changes that begin after this function has
 * returned. A program that copies a tree opens a watch, scans the tree, and then applies
 * the changes. <linux/blink_tree_watch.h> has the guarantees.
 *
 * Return: 0; -EINVAL if @options are not valid; -EOPNOTSUPP if the tree has keys or
 * values of bytes, or the module has no watches; -EUSERS if the tree has eight watches, or
 * if the caller neither owns it nor has CAP_FOWNER over it, and has two of them, or all such
 * users together have six; -EBADF if it is not open for reading; -EDQUOT if the caller has
 * reached the limit of one user; -EMFILE; -ENFILE; -ENOMEM.
 */
int blinktree_watch_open(struct blinktree *tree,
			 const struct blink_tree_ioc_watch *options,
			 struct blinktree_watch **watch);

/**
 * blinktree_watch_close() - end a watch
 * @watch: the watch, or NULL
 */
void blinktree_watch_close(struct blinktree_watch *watch);

/**
 * blinktree_watch_read() - read the next changes
 * @watch: the watch
 * @changes: room for the changes
 * @nr: the most changes to read, at least one
 *
 * It does not wait. After an overrun the watch goes on at the newest position: the
 * program has to scan the tree again, before it applies further changes.
 *
 * A change whose op is BLINK_TREE_CHANGE_TREE or more has no key. It tells of the tree
 * itself: its name was removed, its attributes were set, or it is full.
 *
 * Return: the number of changes, 0 if there is none yet; -EOVERFLOW if changes were
 * overwritten before they were read; -EINVAL if @nr is 0, or more than an int can be.
 */
int blinktree_watch_read(struct blinktree_watch *watch,
			 struct blink_tree_change *changes, unsigned int nr);

/**
 * blinktree_watch_wait() - wait for a change
 * @watch: the watch
 * @timeout: milliseconds to wait at most, 0 not to wait, -1 for no limit
 *
 * One process waits for a watch: of two that share it after fork(2), one may go on waiting
 * for a change that the other one has read.
 *
 * Return: 1 if blinktree_watch_read() has changes or an overrun to return, 0 if the time is
 * over; -EINTR if a signal arrived; -EPIPE if there will be no change, because the tree
 * has neither a name nor a descriptor: a program that keeps the tree open does not get this
 * error.
 */
int blinktree_watch_wait(struct blinktree_watch *watch, int timeout);

/**
 * blinktree_watch_fd() - return the descriptor of a watch
 * @watch: the watch, which still owns the descriptor
 *
 * poll(2) and epoll(7) report the descriptor as readable if there are changes, after
 * blinktree_watch_read() has returned 0, and POLLHUP once there will be no further ones.
 * The descriptor does not block.
 *
 * Return: the descriptor, which is close-on-exec.
 */
int blinktree_watch_fd(const struct blinktree_watch *watch);

/**
 * blinktree_watch_position() - return the position of a watch
 * @watch: the watch
 * @head: set to the position of the newest change + 1; can be NULL
 *
 * Return: the position of the next change that blinktree_watch_read() returns.
 */
__u64 blinktree_watch_position(const struct blinktree_watch *watch,
			       __u64 *head);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* BLINKTREE_H */
