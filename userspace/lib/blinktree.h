/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libblinktree: the trees of the blink_tree kernel module from user space.
 *
 * A *tree* is a concurrent ordered map from 64-bit keys to 64-bit values that
 * lives in the kernel. The *control* handle is the open device: through it
 * trees are created, opened by name, listed and unlinked. A *tree* handle is
 * one descriptor of one tree.
 *
 * Errors: every function that can fail returns 0 or a positive number if it
 * succeeded and a negative errno value if it did not; errno itself says
 * nothing. Output parameters are written only as far as the text says. Any
 * call can return what its ioctl can: see the top of <linux/blink_tree.h>.
 *
 * Threads: any number of threads may use one control or tree handle at the
 * same time. A list, scan or stats object belongs to one thread at a time.
 *
 * Values: a tree that is open for writing only tells none; where a function sets
 * a former or present value it sets 0 then.
 *
 * Growth: objects whose structure may grow are the library's; the caller gets
 * a pointer to read them through, so that a program built against this header
 * goes on working with a later library.
 */
#ifndef BLINKTREE_H
#define BLINKTREE_H

#include <stddef.h>

#include <linux/blink_tree.h>

#include "../../module/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; blinktree_version() tells the library's. */
#define BLINKTREE_VERSION BLINK_VERSION

struct blinktree_ctl;
struct blinktree;
struct blinktree_list;
struct blinktree_scan;
struct blinktree_stats;

/* Nothing but what is declared here leaves the shared library. */
#pragma GCC visibility push(default)

/**
 * blinktree_version() - the library's version
 *
 * Return: a string that need not be freed.
 */
const char *blinktree_version(void);

/**
 * blinktree_ctl_open() - open the device
 * @device: its path; NULL for BLINK_TREE_DEVICE
 * @ctl: the control handle; written on success
 *
 * Return: 0; -ENOENT or -ENXIO if the module is not loaded; -EACCES if the
 * caller may not use the device; -ENOTTY if the path is something else;
 * -EPROTO if the module lacks an ioctl or an operation that this library uses,
 * as it is older, or answers as none does; -ENOMEM.
 */
int blinktree_ctl_open(const char *device, struct blinktree_ctl **ctl);

/**
 * blinktree_ctl_close() - close the device
 * @ctl: the control handle, or NULL; trees opened through it stay open
 */
void blinktree_ctl_close(struct blinktree_ctl *ctl);

/**
 * blinktree_ctl_fd() - the descriptor of the device
 * @ctl: the control handle, which goes on owning the descriptor
 *
 * Return: the descriptor, which is close-on-exec.
 */
int blinktree_ctl_fd(const struct blinktree_ctl *ctl);

/**
 * blinktree_ctl_info() - what the module said of itself
 * @ctl: the control handle
 *
 * Return: the information, as of blinktree_ctl_open(), valid until the handle
 * is closed.
 */
const struct blink_tree_ioc_info *
blinktree_ctl_info(const struct blinktree_ctl *ctl);

/**
 * blinktree_create() - create a tree
 * @ctl: the control handle
 * @name: its name; NULL or "" for a tree that dies with its last descriptor
 * @mode: permission bits of a named tree, less the umask
 * @max_entries: most keys that it may hold, 0 for no limit
 * @tree: the tree handle, for reading and writing; written on success
 *
 * Return: 0; -EEXIST if the name is taken; -ENAMETOOLONG; -EINVAL for a name
 * that is not of BLINK_TREE_NAME_CHARS or begins with '-' or '.', or for a mode
 * beyond 0777; -EDQUOT if the caller's trees take all the memory that they may;
 * -EMFILE, -ENFILE; -ENOMEM.
 */
int blinktree_create(struct blinktree_ctl *ctl, const char *name,
		     unsigned int mode, __u64 max_entries,
		     struct blinktree **tree);

/**
 * blinktree_create_as() - create a tree, with all that there is to say of it
 * @ctl: the control handle
 * @how: name, mode, limits, and how it is replicated, locked and placed
 * @size: sizeof(*@how), so that the structure may grow
 * @tree: the tree handle, for reading and writing; written on success
 *
 * Return: as blinktree_create(); also -ENOSPC if no tree can do with so few
 * max_bytes; -EINVAL for a flag or value that the module does not know, and
 * -E2BIG for one in a field that it does not know.
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
 * Return: 0; -ENOENT if there is none of that name; -EACCES if its mode denies
 * it; -ENAMETOOLONG; -EINVAL; -EMFILE, -ENFILE; -ENOMEM.
 */
int blinktree_open(struct blinktree_ctl *ctl, const char *name,
		   unsigned int flags, struct blinktree **tree);

/**
 * blinktree_open_id() - open a tree by its number
 * @ctl: the control handle
 * @id: its number: of a tree whose name is in the caller's user namespace, or in
 *	one below it
 * @flags: BLINK_TREE_OPEN_READ, BLINK_TREE_OPEN_WRITE or both
 * @tree: the tree handle; written on success
 *
 * Return: 0; -ENOENT if there is none of that number; otherwise as
 * blinktree_open().
 */
int blinktree_open_id(struct blinktree_ctl *ctl, __u64 id, unsigned int flags,
		      struct blinktree **tree);

/**
 * blinktree_from_fd() - make a handle of a tree's descriptor
 * @fd: the descriptor, as received from another process
 * @tree: the tree handle; written on success
 *
 * On success the handle owns the descriptor, else the caller still does.
 *
 * Return: 0; -ENOTTY if it is no tree's; -EBADF; -ENOMEM.
 */
int blinktree_from_fd(int fd, struct blinktree **tree);

/**
 * blinktree_attr() - tell what a tree is, and set what its owner may set
 * @tree: the tree
 * @attr: in: BLINK_TREE_ATTR_* flags of what to set, and that; out: all of it, the
 *	tree's number among it
 * @size: sizeof(*@attr), so that the structure may grow
 *
 * Return: 0; -EPERM if the caller may not set it; -EEXIST if the name is taken;
 * -ENOENT for a new name of a tree that has none; -EOPNOTSUPP for max_entries of a
 * tree that was created without; -EINVAL; -E2BIG.
 */
int blinktree_attr(struct blinktree *tree, struct blink_tree_ioc_attr *attr,
		   size_t size);

/**
 * blinktree_fd() - the descriptor of a tree
 * @tree: the tree handle, which goes on owning the descriptor
 *
 * For passing it on: over a socket (SCM_RIGHTS), or to a program that is
 * executed, after its close-on-exec flag was cleared.
 *
 * Return: the descriptor.
 */
int blinktree_fd(const struct blinktree *tree);

/**
 * blinktree_close() - close a tree
 * @tree: the tree handle, or NULL
 */
void blinktree_close(struct blinktree *tree);

/**
 * blinktree_unlink() - take a tree's name away
 * @ctl: the control handle
 * @name: the name, free at once; the tree lives until nobody has it open
 *
 * Return: 0; -ENOENT; -EPERM if the caller is neither its owner nor has
 * CAP_FOWNER; -ENAMETOOLONG; -EINVAL.
 */
int blinktree_unlink(struct blinktree_ctl *ctl, const char *name);

/**
 * blinktree_unlink_id() - take the name of the tree with a number away
 * @ctl: the control handle
 * @id: the number, as for blinktree_open_id()
 *
 * A user namespace that has no process left may leave trees behind, whose names
 * nobody can say any more.
 *
 * Return: 0; -ENOENT; -EPERM.
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
 * blinktree_list_open_below() - the same, with user namespaces below the caller's
 * @ctl: the control handle, which must outlive the list
 * @list: the list; written on success
 *
 * A name may come more than once then: numbers tell the trees apart.
 *
 * Return: 0 or -ENOMEM.
 */
int blinktree_list_open_below(struct blinktree_ctl *ctl,
			      struct blinktree_list **list);

/**
 * blinktree_list_next() - the next named tree, in the order of creation
 * @list: the list
 * @entry: what there is to say of it, valid until the next call; written
 *	where the return value is 1
 *
 * A tree that has its name throughout is listed exactly once.
 *
 * Return: 1; 0 if there are no more; or a negative errno.
 */
int blinktree_list_next(struct blinktree_list *list,
			const struct blink_tree_list_entry **entry);

/**
 * blinktree_list_close() - end a list
 * @list: the list, or NULL
 */
void blinktree_list_close(struct blinktree_list *list);

/**
 * blinktree_get() - look a key up
 * @tree: the tree
 * @key: the key
 * @value: its value; written on success
 *
 * Return: 0; -ENOENT if it is absent; -EBADF if the tree is not open for
 * reading.
 */
int blinktree_get(struct blinktree *tree, __u64 key, __u64 *value);

/**
 * blinktree_insert() - add a key that is not there
 * @tree: the tree
 * @key: the key
 * @value: its value
 * @present: the value that is there; written where -EEXIST is returned; may
 *	be NULL
 *
 * Return: 0; -EEXIST if it is present; -ENOSPC if the tree is full; -EDQUOT if the
 * trees of its creator are; -ENOMEM; -EBADF if the tree is not open for writing.
 */
int blinktree_insert(struct blinktree *tree, __u64 key, __u64 value,
		     __u64 *present);

/**
 * blinktree_store() - add a key or overwrite its value
 * @tree: the tree
 * @key: the key
 * @value: its value
 * @old: the former value; written where 1 is returned; may be NULL
 *
 * Return: 0 if it was added; 1 if it was overwritten; -ENOSPC if the tree is
 * full; -EDQUOT if the trees of its creator are; -ENOMEM; -EBADF if the tree is not
 * open for writing.
 */
int blinktree_store(struct blinktree *tree, __u64 key, __u64 value, __u64 *old);

/**
 * blinktree_replace() - overwrite the value of a key that is there
 * @tree: the tree
 * @key: the key
 * @value: its value
 * @old: the former value; written on success; may be NULL
 *
 * Return: 0; -ENOENT if it is absent; -EBADF if the tree is not open for
 * writing.
 */
int blinktree_replace(struct blinktree *tree, __u64 key, __u64 value,
		      __u64 *old);

/**
 * blinktree_erase() - remove a key
 * @tree: the tree
 * @key: the key
 * @old: its value; written on success; may be NULL
 *
 * Return: 0; -ENOENT if it is absent; -EBADF if the tree is not open for
 * writing.
 */
int blinktree_erase(struct blinktree *tree, __u64 key, __u64 *old);

/**
 * blinktree_cmpxchg() - overwrite a value if it is the expected one
 * @tree: the tree
 * @key: the key
 * @expected: the expected value; where -ESTALE is returned it is overwritten
 *	with the one that is there
 * @value: the new value
 *
 * Return: 0; -ESTALE if the value is another; -ENOENT if the key is absent;
 * -EBADF if the tree is not open for reading and writing.
 */
int blinktree_cmpxchg(struct blinktree *tree, __u64 key, __u64 *expected,
		      __u64 value);

/**
 * blinktree_cmperase() - remove a key if its value is the expected one
 * @tree: the tree
 * @key: the key
 * @expected: the expected value; where -ESTALE is returned it is overwritten
 *	with the one that is there
 *
 * Return: 0; -ESTALE if the value is another; -ENOENT if the key is absent;
 * -EBADF if the tree is not open for reading and writing.
 */
int blinktree_cmperase(struct blinktree *tree, __u64 key, __u64 *expected);

/**
 * blinktree_floor() - find the greatest key that is not above another
 * @tree: the tree
 * @key: the other
 * @entry: what was found; written on success
 *
 * Return: 0; -ENOENT if all keys are greater; -EBADF if the tree is not open
 * for reading.
 */
int blinktree_floor(struct blinktree *tree, __u64 key,
		    struct blink_tree_entry *entry);

/**
 * blinktree_ceiling() - find the least key that is not below another
 * @tree: the tree
 * @key: the other
 * @entry: what was found; written on success
 *
 * Return: 0; -ENOENT if all keys are less; -EBADF if the tree is not open for
 * reading.
 */
int blinktree_ceiling(struct blinktree *tree, __u64 key,
		      struct blink_tree_entry *entry);

/**
 * blinktree_batch() - execute many operations
 * @tree: the tree
 * @ops: the operations; each gets its own result
 * @nr: how many
 * @done: how many were executed, from the first on; always written; may be
 *	NULL
 *
 * What a batch promises, and what it does not, struct blink_tree_ioc_batch tells. The
 * call goes on after signals. It costs far less than as many single calls.
 *
 * Return: 0 and all were executed, whatever each one's result; -EFAULT if the
 * array cannot be read or written.
 */
int blinktree_batch(struct blinktree *tree, struct blink_tree_ioc_op *ops,
		    size_t nr, size_t *done);

/**
 * blinktree_load() - add many entries whose keys ascend
 * @tree: the tree
 * @entries: the entries
 * @nr: how many
 * @fill: percent of a leaf to fill, 1 to 100
 * @done: how many were added, from the first on; always written; may be NULL
 *
 * One leaf after the other is filled. Keys that do not ascend, or that lie
 * among those of the tree, are inserted one by one. The call goes on after
 * signals.
 *
 * Return: 0; otherwise why the entry after the @done first ones was not added:
 * -EEXIST, -ENOSPC if the tree has its max_entries or max_bytes, -EDQUOT if the
 * trees of its creator have theirs, -ENOMEM, -EFAULT; -EBADF if
 * the tree is not open for writing; -EINVAL for an impossible @fill.
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
 * @buffer: how many entries to read ahead at once, 0 for a good number
 * @scan: the scan; written on success
 *
 * Return: 0; -EINVAL for a range without a key or another flag; -ENOMEM.
 */
int blinktree_scan_open(struct blinktree *tree, __u64 first, __u64 last,
			unsigned int flags, size_t buffer,
			struct blinktree_scan **scan);

/**
 * blinktree_scan_next() - the next entry of the range
 * @scan: the scan
 * @entry: the entry; written where the return value is 1
 *
 * Keys come in strict order. One that is in the tree throughout the scan comes
 * exactly once, one that is not comes never, whatever others do to the tree.
 * After an error the same entry is tried again.
 *
 * Return: 1; 0 at the end of the range; or a negative errno, -EBADF if the
 * tree is not open for reading.
 */
int blinktree_scan_next(struct blinktree_scan *scan,
			struct blink_tree_entry *entry);

/**
 * blinktree_scan_left() - what of the range was not returned yet
 * @scan: the scan
 * @first: its least key; written where the return value is 1
 * @last: its greatest key; likewise
 *
 * With these another scan, of this process or of one in the future, goes on
 * where this one is.
 *
 * Return: 1; or 0 if nothing is left.
 */
int blinktree_scan_left(const struct blinktree_scan *scan, __u64 *first,
			__u64 *last);

/**
 * blinktree_scan_close() - end a scan
 * @scan: the scan, or NULL
 */
void blinktree_scan_close(struct blinktree_scan *scan);

/**
 * blinktree_count() - count the keys of a range
 * @tree: the tree
 * @first: least key of the range
 * @last: greatest key of the range
 * @count: how many; written on success
 *
 * It reads the leaves of the range, but copies nothing. For the whole tree
 * the entries of struct blink_tree_ioc_stats cost less.
 *
 * Return: 0; -EINVAL for a range without a key; -EBADF if the tree is not open
 * for reading.
 */
int blinktree_count(struct blinktree *tree, __u64 first, __u64 last,
		    __u64 *count);

/* blinktree_stats_read(): also the nodes per level, by a walk of the tree. */
#define BLINKTREE_STATS_LEVELS 0x1u

/**
 * blinktree_stats_read() - read a tree's statistics
 * @tree: the tree
 * @flags: 0 or BLINKTREE_STATS_LEVELS
 * @stats: the statistics; written on success
 *
 * Return: 0; -EINVAL for another flag; -ENOMEM.
 */
int blinktree_stats_read(struct blinktree *tree, unsigned int flags,
			 struct blinktree_stats **stats);

/**
 * blinktree_stats_counters() - the counters
 * @stats: the statistics
 *
 * Return: the counters, valid until the statistics are freed.
 */
const struct blink_tree_ioc_stats *
blinktree_stats_counters(const struct blinktree_stats *stats);

/**
 * blinktree_stats_height() - the levels of the tree
 * @stats: the statistics
 *
 * Return: 1 for a single leaf.
 */
unsigned int blinktree_stats_height(const struct blinktree_stats *stats);

/**
 * blinktree_stats_levels() - the nodes per level and NUMA node
 * @stats: the statistics
 * @nr: how many elements the array has; always written
 *
 * Return: the array, valid until the statistics are freed; @nr is 0 unless
 * they were read with BLINKTREE_STATS_LEVELS.
 */
const struct blink_tree_level_stats *
blinktree_stats_levels(const struct blinktree_stats *stats, size_t *nr);

/**
 * blinktree_stats_free() - free statistics
 * @stats: the statistics, or NULL
 */
void blinktree_stats_free(struct blinktree_stats *stats);

/**
 * blinktree_verify() - check the invariants of a tree
 * @tree: the tree, which others may go on using
 * @report: what was seen; written on success
 * @size: sizeof(*@report) of the caller
 *
 * Return: 0 and @report->violation says what was found broken, if anything;
 * -ENOMEM.
 */
int blinktree_verify(struct blinktree *tree,
		     struct blink_tree_ioc_verify *report, size_t size);

/**
 * blinktree_violation_text() - a violation in words
 * @violation: enum blink_tree_violation
 *
 * Return: a string that need not be freed.
 */
const char *blinktree_violation_text(unsigned int violation);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* BLINKTREE_H */
