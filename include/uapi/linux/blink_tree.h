/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * blink_tree: the ioctl contract of /dev/blink_tree.
 *
 * The device itself takes the *control* ioctls; CREATE and OPEN return a new
 * file descriptor (close-on-exec) for one tree, which takes the *tree* ioctls.
 * Descriptors can be passed between processes. A tree created without a name
 * dies with its last descriptor; a named one lives until it was unlinked and
 * its last descriptor closed, or until the module is unloaded. Names belong to
 * the user namespace of their creator: in another one the same name is another
 * tree's, and CREATE, OPEN, UNLINK and LIST are about the caller's namespace.
 *
 * Growth: every structure, elements of arrays included, may grow at its end, and
 * none is part of another. An ioctl's number contains the size of the caller's
 * structure, and beside each array is the size of the caller's elements
 * (*_size), at most BLINK_TREE_ELEMENT_MAX. A caller built against an older header
 * passes smaller ones: what they lack reads as zero. A caller built against a
 * newer header may pass larger ones, as long as what the kernel does not know is
 * zero. Where the kernel replies, @known is how many bytes of a structure (or of
 * an element) it knows: fields beyond are zero and say nothing. Which ioctls and
 * operations it knows, BLINK_TREE_IOC_INFO tells; no version number has to match.
 *
 * An input that has no meaning is refused, so that it can be given one later:
 * unknown flags, reserved fields that are not zero, bytes after a name's NUL
 * that are not zero.
 *
 * Errors that any ioctl here can return:
 *
 *   ENOTTY      unknown ioctl, or a tree ioctl on the device or the reverse
 *   EINVAL      structure or element smaller than its first version, or an
 *               element larger than BLINK_TREE_ELEMENT_MAX; unknown flag; a reserved
 *               field that is not zero; a value out of its range
 *   E2BIG       structure or element larger than the kernel's, its unknown tail
 *               not zero
 *   EFAULT      a user address that cannot be read or written; the operations
 *               counted as done were done, and no other
 *   ENOMEM      no memory, or none left of that which all trees together may
 *               take; the tree is as before the operation that failed
 *   EBADF       a descriptor that was not opened for it: CREATE and UNLINK on
 *               the device, opened for reading only; on a tree, a modifying
 *               operation, opened for reading only, and one that tells values
 *               or the state of the tree, opened for writing only
 *   EINTR       a signal came before anything was done: a fatal one; or any one
 *               while OP or BATCH waited to modify a tree, because too many dead
 *               nodes of it wait for a grace period
 *
 * What each ioctl adds to these stands beside it.
 */
#ifndef _UAPI_LINUX_BLINK_TREE_H
#define _UAPI_LINUX_BLINK_TREE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define BLINK_TREE_DEVICE "/dev/blink_tree"
#define BLINK_TREE_IOC_TYPE 0xBD

/* The largest size of an element that a caller may pass. */
#define BLINK_TREE_ELEMENT_MAX 4096

/* Length of a tree's name, the terminating NUL included. */
#define BLINK_TREE_NAME_MAX 64
/*
 * What a tree's name consists of; it does not begin with '-' or '.'. So it is
 * one plain word to a shell, a file's name, and nothing that a terminal obeys.
 */
#define BLINK_TREE_NAME_CHARS        \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"abcdefghijklmnopqrstuvwxyz" \
	"0123456789._@:+-"

/**
 * enum blink_tree_opcode - what an operation does
 * @BLINK_TREE_OP_LOOKUP: read @value of @key; ENOENT if absent
 * @BLINK_TREE_OP_INSERT: add @key with @value; EEXIST if present, @old is its value
 * @BLINK_TREE_OP_STORE: add or overwrite; result 1 and @old if it was present
 * @BLINK_TREE_OP_REPLACE: overwrite, @old is the former value; ENOENT if absent
 * @BLINK_TREE_OP_ERASE: remove, @old is the former value; ENOENT if absent
 * @BLINK_TREE_OP_CMPXCHG: set @value if the present value is @old; otherwise ESTALE
 *	and @old is the present value; ENOENT if absent
 * @BLINK_TREE_OP_CMPERASE: remove if the present value is @old; otherwise ESTALE and
 *	@old is the present value; ENOENT if absent
 * @BLINK_TREE_OP_FLOOR: find the greatest key <= @key, set @key and @value; ENOENT
 * @BLINK_TREE_OP_CEILING: find the least key >= @key, set @key and @value; ENOENT
 * @BLINK_TREE_OP_NR: number of operations
 */
enum blink_tree_opcode {
	BLINK_TREE_OP_LOOKUP = 0,
	BLINK_TREE_OP_INSERT = 1,
	BLINK_TREE_OP_STORE = 2,
	BLINK_TREE_OP_REPLACE = 3,
	BLINK_TREE_OP_ERASE = 4,
	BLINK_TREE_OP_CMPXCHG = 5,
	BLINK_TREE_OP_CMPERASE = 6,
	BLINK_TREE_OP_FLOOR = 7,
	BLINK_TREE_OP_CEILING = 8,
	BLINK_TREE_OP_NR
};

/**
 * struct blink_tree_ioc_op - one operation and its result
 * @opcode: enum blink_tree_opcode
 * @flags: must be zero
 * @result: out: 0 (STORE that overwrote: 1) or a negative errno
 * @key: the key; FLOOR and CEILING replace it by the key that they found
 * @value: in: the new value; out: the value found (LOOKUP, FLOOR, CEILING)
 * @old: in: the expected value (CMPXCHG, CMPERASE); out: the former or present value, 0 on
 *	a descriptor opened for writing only
 *
 * BLINK_TREE_IOC_OP, on a tree, executes one: it fails with the operation's own
 * error, and the structure is written back in either case.
 *
 * Besides what enum blink_tree_opcode says, an operation that adds a key can fail
 * with ENOMEM, with ENOSPC where the tree's max_entries or max_bytes is reached, or
 * with EDQUOT where the memory is used up that trees of the tree's creator may
 * take; an unknown opcode or flag is EINVAL. LOOKUP, FLOOR and CEILING fail with EBADF on
 * a descriptor opened for writing only, INSERT, STORE, REPLACE and ERASE on one
 * opened for reading only, CMPXCHG and CMPERASE on either: a descriptor opened for
 * writing only tells whether a key is present, and nothing of any value.
 */
struct blink_tree_ioc_op {
	__u16 opcode;
	__u16 flags;
	__s32 result;
	__u64 key;
	__u64 value;
	__u64 old;
};

/**
 * struct blink_tree_entry - a key and its value
 * @key: the key
 * @value: the value
 */
struct blink_tree_entry {
	__u64 key;
	__u64 value;
};

/**
 * struct blink_tree_ioc_stats - BLINK_TREE_IOC_STATS, on a tree: what it is like, and what
 *	happened to it
 * @flags: must be zero
 * @known: out: bytes of this structure that the module knows
 * @entries: keys in the tree now
 * @max_entries: its limit, 0 for none
 * @bytes: memory of its nodes, those waiting for a grace period included
 * @limbo_bytes: memory of dead nodes waiting for a grace period
 * @inserts: keys added
 * @erases: keys removed
 * @splits: nodes split, of any level
 * @merges: nodes merged away, of any level
 * @root_grows: times that an index got a level more
 * @root_shrinks: times that an index lost a level
 * @read_retries: nodes read again because a writer was moving their content
 * @read_locks: nodes read under their lock because retries ran out
 * @right_hops: right links followed, and dead nodes left, on a descent
 * @reroutes: descents started again from a lower key (empty index slot)
 * @posts_deferred: times that an index entry had to wait, for memory or, with
 *	BLINK_TREE_POSTING_LAZY, for a place in the queue
 * @merges_deferred: merges left undone because too much memory was in limbo
 * @gate_passes: leaf locks waited for (see enum blink_tree_locking) that were passed
 *	on within a NUMA node
 * @gate_releases: those that were unlocked, nobody else waiting on the node
 * @gate_bounds: those that were unlocked because they had been passed on often
 *	enough
 * @replication: enum blink_tree_replication
 * @posting: enum blink_tree_posting, what is in effect
 * @locking: enum blink_tree_locking
 * @placement: enum blink_tree_placement
 * @indexes: indexes over the leaves, 1 unless they are replicated
 * @lock_waits: times that a writer had to wait for the first node that it locks
 * @heat_splits: leaves that were split because writers met there too often
 * @max_bytes: the limit of @bytes, 0 for none
 *
 * The sums are exact while nobody modifies the tree.
 */
struct blink_tree_ioc_stats {
	__u32 flags;
	__u32 known;
	__u64 entries;
	__u64 max_entries;
	__u64 bytes;
	__u64 limbo_bytes;
	__u64 inserts;
	__u64 erases;
	__u64 splits;
	__u64 merges;
	__u64 root_grows;
	__u64 root_shrinks;
	__u64 read_retries;
	__u64 read_locks;
	__u64 right_hops;
	__u64 reroutes;
	__u64 posts_deferred;
	__u64 merges_deferred;
	__u64 gate_passes;
	__u64 gate_releases;
	__u64 gate_bounds;
	__u32 replication;
	__u32 posting;
	__u32 locking;
	__u32 placement;
	__u64 indexes;
	__u64 lock_waits;
	__u64 heat_splits;
	__u64 max_bytes;
};

/**
 * struct blink_tree_level_stats - the nodes of one level on one NUMA node
 * @level: 0 for leaves
 * @nid: NUMA node whose memory they occupy
 * @nodes: how many
 * @bytes: their memory
 * @used: slots in use: keys in leaves, children in inner nodes
 * @slots: slots they have
 */
struct blink_tree_level_stats {
	__u32 level;
	__u32 nid;
	__u64 nodes;
	__u64 bytes;
	__u64 used;
	__u64 slots;
};

/**
 * enum blink_tree_violation - which invariant a verification found broken
 * @BLINK_TREE_OK: none
 * @BLINK_TREE_BAD_ORDER: keys of a node do not ascend (I1)
 * @BLINK_TREE_BAD_RANGE: a key outside of its node's range (I1)
 * @BLINK_TREE_BAD_CHAIN: neighbours whose ranges do not meet (I1)
 * @BLINK_TREE_BAD_ROUTE: an index entry to a node with another low key (I2, I3)
 * @BLINK_TREE_BAD_LEVEL: an index entry or right link to a node of a wrong level
 * @BLINK_TREE_BAD_COUNT: a node with more or fewer entries than it may have, or than
 *	its count says
 * @BLINK_TREE_BAD_DEAD: a live node with a dead right neighbour, or an index entry
 *	to a dead node (I1, I5, I8)
 * @BLINK_TREE_BAD_COPY: a leaf whose copy on another NUMA node is not equal to it
 */
enum blink_tree_violation {
	BLINK_TREE_OK = 0,
	BLINK_TREE_BAD_ORDER = 1,
	BLINK_TREE_BAD_RANGE = 2,
	BLINK_TREE_BAD_CHAIN = 3,
	BLINK_TREE_BAD_ROUTE = 4,
	BLINK_TREE_BAD_LEVEL = 5,
	BLINK_TREE_BAD_COUNT = 6,
	BLINK_TREE_BAD_DEAD = 7,
	BLINK_TREE_BAD_COPY = 8,
};

/**
 * struct blink_tree_ioc_verify - BLINK_TREE_IOC_VERIFY, on a tree: what a verification saw
 * @flags: must be zero
 * @known: out: bytes of this structure that the module knows
 * @violation: enum blink_tree_violation, the first one found; 0 is returned also then
 * @level: level of the node where
 * @key: low key of the node where
 * @height: levels of the tree, 1 for a single leaf
 * @__reserved: zero
 * @leaves: leaves walked
 * @inner: inner nodes walked, of all indexes
 * @entries: keys seen
 * @empty: leaves without a key
 * @unindexed: nodes that an index has no entry for (reached by right links),
 *	summed over the indexes
 * @misplaced: inner nodes that are not on the NUMA node that they are for,
 *	because that had no memory left
 *
 * It may run while the tree is in use: every check holds at any moment. Only
 * the counts are those of a moving target then; while nobody modifies the
 * tree @entries equals that of struct blink_tree_ioc_stats, and @unindexed is 0 unless
 * entries had to wait (@posts_deferred of struct blink_tree_ioc_stats), until somebody
 * writes there. Adds EINTR for any fatal signal before the end.
 */
struct blink_tree_ioc_verify {
	__u32 flags;
	__u32 known;
	__u32 violation;
	__u32 level;
	__u64 key;
	__u32 height;
	__u32 __reserved;
	__u64 leaves;
	__u64 inner;
	__u64 entries;
	__u64 empty;
	__u64 unindexed;
	__u64 misplaced;
};

/**
 * struct blink_tree_ioc_info - BLINK_TREE_IOC_INFO, on the device
 * @flags: must be zero
 * @known: out: bytes of this structure that the module knows
 * @ioctls: out: bit n: it takes the ioctl with the number n
 * @opcodes: out: bit n: it executes the operation n of enum blink_tree_opcode
 * @features: out: what the two do not show; no bit is defined yet
 * @name_max: out: BLINK_TREE_NAME_MAX of the module
 * @numa_nodes: out: NUMA nodes that a replicated tree has an index for: those with
 *	memory for the kernel that are the nearest such of some CPU
 * @leaf_slots: out: entries that fit a leaf
 * @inner_slots: out: children that fit an inner node
 * @leaf_bytes: out: memory of a leaf
 * @inner_bytes: out: memory of an inner node
 * @version: out: the module's version, NUL-terminated; for people to read
 *
 * A program asks for what it needs: the ioctls and the operations that it uses.
 * The module answers whatever the size of the caller's structure, from @flags and
 * @known alone on: so both learn whether they understand each other.
 */
struct blink_tree_ioc_info {
	__u32 flags;
	__u32 known;
	__u64 ioctls;
	__u64 opcodes;
	__u64 features;
	__u32 name_max;
	__u32 numa_nodes;
	__u32 leaf_slots;
	__u32 inner_slots;
	__u32 leaf_bytes;
	__u32 inner_bytes;
	char version[32];
};

/**
 * enum blink_tree_replication - what of a tree every NUMA node has a copy of
 * @BLINK_TREE_REPLICATE_NONE: nothing; there is one index
 * @BLINK_TREE_REPLICATE_INNER: the inner nodes: an index for each NUMA node
 * @BLINK_TREE_REPLICATE_FULL: the leaves too, always equal for all who look
 */
enum blink_tree_replication {
	BLINK_TREE_REPLICATE_NONE = 0,
	BLINK_TREE_REPLICATE_INNER = 1,
	BLINK_TREE_REPLICATE_FULL = 2,
};

/**
 * enum blink_tree_posting - when a split or merge gets into the other indexes
 * @BLINK_TREE_POSTING_DEFAULT: as the module thinks best
 * @BLINK_TREE_POSTING_SYNC: before the operation that caused it returns
 * @BLINK_TREE_POSTING_LAZY: soon after; its NUMA node sees to it
 *
 * What is read or written is the same in either case.
 */
enum blink_tree_posting {
	BLINK_TREE_POSTING_DEFAULT = 0,
	BLINK_TREE_POSTING_SYNC = 1,
	BLINK_TREE_POSTING_LAZY = 2,
};

/**
 * enum blink_tree_locking - how writers wait for a node
 * @BLINK_TREE_LOCKING_PLAIN: first come, first served
 * @BLINK_TREE_LOCKING_COHORT: writers of one NUMA node before those of others, a
 *	bounded number of times
 */
enum blink_tree_locking {
	BLINK_TREE_LOCKING_PLAIN = 0,
	BLINK_TREE_LOCKING_COHORT = 1,
};

/**
 * enum blink_tree_placement - whose memory leaves without copies are in
 * @BLINK_TREE_PLACE_LOCAL: that of the NUMA node where they are split off
 * @BLINK_TREE_PLACE_INTERLEAVE: that of all NUMA nodes in turn
 */
enum blink_tree_placement {
	BLINK_TREE_PLACE_LOCAL = 0,
	BLINK_TREE_PLACE_INTERLEAVE = 1,
};

/**
 * struct blink_tree_ioc_create - BLINK_TREE_IOC_CREATE, on the device
 * @flags: must be zero
 * @mode: permission bits (0777 at most, less the umask) of a named tree
 * @max_entries: most keys that it may hold, 0 for no limit
 * @name: NUL-terminated; empty for a tree without a name
 * @replication: enum blink_tree_replication
 * @posting: enum blink_tree_posting
 * @locking: enum blink_tree_locking
 * @placement: enum blink_tree_placement
 * @__reserved: must be zero
 * @max_bytes: most memory that its nodes may take, 0 for no limit
 *
 * Return: a descriptor open for reading and writing. Adds EEXIST (the name is
 * taken), EINVAL (a name without a NUL, or not of BLINK_TREE_NAME_CHARS, or with anything
 * but zeros after the NUL), ENOSPC (@max_bytes is too little for an empty tree),
 * EDQUOT (the caller's trees take all the memory that those of a user may), EMFILE
 * and ENFILE.
 */
struct blink_tree_ioc_create {
	__u32 flags;
	__u32 mode;
	__u64 max_entries;
	char name[BLINK_TREE_NAME_MAX];
	__u8 replication;
	__u8 posting;
	__u8 locking;
	__u8 placement;
	__u32 __reserved;
	__u64 max_bytes;
};

/* How a named tree is opened: one or both. */
#define BLINK_TREE_OPEN_READ (1u << 0)
#define BLINK_TREE_OPEN_WRITE (1u << 1)

/**
 * struct blink_tree_ioc_open - BLINK_TREE_IOC_OPEN, on the device
 * @flags: BLINK_TREE_OPEN_READ, BLINK_TREE_OPEN_WRITE or both
 * @__reserved: must be zero
 * @id: the number that the tree must have, 0 for any
 * @name: NUL-terminated; empty: the tree is the one with that number, and its name
 *	may be in a user namespace below the caller's
 *
 * Return: a descriptor. Adds ENOENT, ESTALE (the tree of that name has another
 * number), EACCES (the mode denies it, checked as
 * for a file: owner, group, others; CAP_DAC_OVERRIDE passes), EMFILE, ENFILE.
 */
struct blink_tree_ioc_open {
	__u32 flags;
	__u32 __reserved;
	__u64 id;
	char name[BLINK_TREE_NAME_MAX];
};

/**
 * struct blink_tree_ioc_unlink - BLINK_TREE_IOC_UNLINK, on the device
 * @flags: must be zero
 * @__reserved: must be zero
 * @id: the number that the tree must have, 0 for any
 * @name: NUL-terminated; empty: the tree is the one with that number, and its name
 *	may be in a user namespace below the caller's
 *
 * The name is free at once; the tree lives until its last descriptor is
 * closed. Adds ENOENT, ESTALE (as OPEN) and EPERM (neither the owner nor CAP_FOWNER).
 */
struct blink_tree_ioc_unlink {
	__u32 flags;
	__u32 __reserved;
	__u64 id;
	char name[BLINK_TREE_NAME_MAX];
};

/**
 * struct blink_tree_list_entry - one named tree
 * @id: number that no other tree has had
 * @name: NUL-terminated
 * @uid: owner, in the caller's user namespace
 * @gid: group, in the caller's user namespace
 * @mode: permission bits
 * @access: BLINK_TREE_OPEN_* bits: what the caller may open it for
 * @entries: keys in it now; 0 without BLINK_TREE_OPEN_READ in @access
 * @max_entries: its limit, 0 for none
 * @bytes: memory of its nodes; 0 without BLINK_TREE_OPEN_READ in @access
 * @max_bytes: the limit of that, 0 for none
 */
struct blink_tree_list_entry {
	__u64 id;
	char name[BLINK_TREE_NAME_MAX];
	__u32 uid;
	__u32 gid;
	__u32 mode;
	__u32 access;
	__u64 entries;
	__u64 max_entries;
	__u64 bytes;
	__u64 max_bytes;
};

/* BLINK_TREE_IOC_LIST: also the names in user namespaces below the caller's. */
#define BLINK_TREE_LIST_BELOW (1u << 0)

/**
 * struct blink_tree_ioc_list - BLINK_TREE_IOC_LIST, on the device
 * @flags: BLINK_TREE_LIST_BELOW, or zero
 * @capacity: room at @trees, in entries
 * @trees: address of an array of struct blink_tree_list_entry
 * @cursor: in: trees with a greater id are listed, ascending; out: the last
 * @count: out: how many were written; fewer than @capacity: that was all
 * @entry_size: sizeof(struct blink_tree_list_entry) of the caller
 * @known: out: bytes of an element that the module knows
 * @__reserved: must be zero
 *
 * Where it fails, @cursor and @count stay as they were.
 */
struct blink_tree_ioc_list {
	__u32 flags;
	__u32 capacity;
	__u64 trees;
	__u64 cursor;
	__u32 count;
	__u32 entry_size;
	__u32 known;
	__u32 __reserved;
};

/* BLINK_TREE_IOC_ATTR: what to set. */
#define BLINK_TREE_ATTR_UID (1u << 0)
#define BLINK_TREE_ATTR_GID (1u << 1)
#define BLINK_TREE_ATTR_MODE (1u << 2)
#define BLINK_TREE_ATTR_NAME (1u << 3)
#define BLINK_TREE_ATTR_MAX_ENTRIES (1u << 4)
#define BLINK_TREE_ATTR_MAX_BYTES (1u << 5)

/**
 * struct blink_tree_ioc_attr - BLINK_TREE_IOC_ATTR, on a tree: what it is
 * @flags: BLINK_TREE_ATTR_* bits: which fields to set; the others are out only
 * @known: out: bytes of this structure that the module knows
 * @id: out: number that no other tree has had, named or not
 * @uid: owner, in the caller's user namespace
 * @gid: group, in the caller's user namespace
 * @mode: permission bits
 * @replication: out: enum blink_tree_replication
 * @posting: out: enum blink_tree_posting, what is in effect
 * @locking: out: enum blink_tree_locking
 * @placement: out: enum blink_tree_placement
 * @max_entries: most keys that it may hold, 0 for no limit
 * @name: NUL-terminated; empty if it has none, or was unlinked
 * @max_bytes: most memory that its nodes may take, 0 for no limit
 *
 * Any descriptor tells. The owner, or CAP_FOWNER, sets mode, name and limits, and
 * the group to one of the caller's; CAP_CHOWN sets the owner, and any group. All of
 * it is set, or nothing. Descriptors that are open stay as they are. A limit below
 * what the tree has takes nothing from it: more is refused until it has less. Adds
 * EPERM, EEXIST (the name is taken), ENOENT (@name of a tree that has none),
 * EOPNOTSUPP (@max_entries of a tree that was created without: its keys were not
 * counted).
 */
struct blink_tree_ioc_attr {
	__u32 flags;
	__u32 known;
	__u64 id;
	__u32 uid;
	__u32 gid;
	__u32 mode;
	__u8 replication;
	__u8 posting;
	__u8 locking;
	__u8 placement;
	__u64 max_entries;
	char name[BLINK_TREE_NAME_MAX];
	__u64 max_bytes;
};

/**
 * struct blink_tree_ioc_batch - BLINK_TREE_IOC_BATCH, on a tree
 * @flags: must be zero
 * @count: operations at @ops
 * @ops: address of an array of struct blink_tree_ioc_op
 * @done: out: how many were executed, from the first on
 * @op_size: sizeof(struct blink_tree_ioc_op) of the caller
 *
 * What a batch promises:
 *
 * - Each operation takes effect at one moment, as if it were alone. The batch as
 *   a whole does not: others may see some of its effects and not yet the rest,
 *   and another operation may take effect in between.
 * - An operation that updates a key comes after all earlier operations on that
 *   key and before all later ones. FLOOR and CEILING come after all earlier
 *   updates and before all later ones.
 * - Operations that only read, without such an update in between, have no order:
 *   if others change a key meanwhile, the second of two lookups of it may find
 *   the older value.
 * - Operations on different keys have no order, as when several callers execute
 *   them: which insertions find the tree full is not defined.
 *
 * Return: 0 and @done == @count; 0 and fewer where a signal came (call again
 * with the rest; at least one was executed); EFAULT or E2BIG with @done
 * operations executed, of which the last ones' results may not have reached
 * @ops; EINTR, nothing was executed. That an operation failed is told by its own
 * result, not by the ioctl.
 */
struct blink_tree_ioc_batch {
	__u32 flags;
	__u32 count;
	__u64 ops;
	__u32 done;
	__u32 op_size;
};

/**
 * struct blink_tree_ioc_load - BLINK_TREE_IOC_LOAD, on a tree
 * @flags: must be zero
 * @count: entries at @entries
 * @entries: address of an array of struct blink_tree_entry; fast as long as keys
 *	ascend and follow those that are there already in the same place
 * @fill: percent of a leaf to fill, 1 to 100
 * @done: out: how many were added, from the first on
 * @entry_size: sizeof(struct blink_tree_entry) of the caller
 * @__reserved: must be zero
 *
 * Return: 0 and @done == @count; 0 and fewer where a signal came (call again
 * with the rest); otherwise what kept the entry after the @done first ones from
 * being added: EEXIST, a key that is there; ENOSPC, the tree's max_entries or
 * max_bytes; EDQUOT, the user's memory; ENOMEM; EFAULT, @entries; EINTR where a
 * fatal signal came; EBADF on a descriptor opened for reading only.
 */
struct blink_tree_ioc_load {
	__u32 flags;
	__u32 count;
	__u64 entries;
	__u32 fill;
	__u32 done;
	__u32 entry_size;
	__u32 __reserved;
};

/* BLINK_TREE_IOC_SCAN: from @last down to @first. */
#define BLINK_TREE_SCAN_DESC (1u << 0)
/* BLINK_TREE_IOC_SCAN: only count; @entries, @capacity and @entry_size are zero. */
#define BLINK_TREE_SCAN_COUNT (1u << 1)
/* BLINK_TREE_IOC_SCAN: the range was seen to its end; on input: nothing is left. */
#define BLINK_TREE_SCAN_DONE (1u << 31)

/**
 * struct blink_tree_ioc_scan - BLINK_TREE_IOC_SCAN, on a tree
 * @flags: BLINK_TREE_SCAN_*; DONE is set on output at the end of the range
 * @capacity: room at @entries, in entries
 * @first: least key of the range; moved on behind what was returned
 * @last: greatest key of the range; moved on instead of @first with DESC
 * @entries: address of an array of struct blink_tree_entry
 * @count: out: entries written, or counted
 * @entry_size: sizeof(struct blink_tree_entry) of the caller
 * @__reserved: must be zero
 *
 * The range itself is the cursor: call again with the same structure until
 * DONE; a call with DONE finds nothing and leaves the range as it is. Keys come strictly ascending
 * (descending); one that is in the tree throughout comes exactly once, one that
 * is not never. Adds EINVAL for @first > @last and for a zero @capacity without
 * COUNT. A signal ends it early, with 0 and without DONE; EFAULT leaves the
 * range where it was.
 */
struct blink_tree_ioc_scan {
	__u32 flags;
	__u32 capacity;
	__u64 first;
	__u64 last;
	__u64 entries;
	__u64 count;
	__u32 entry_size;
	__u32 __reserved;
};

/**
 * struct blink_tree_ioc_levels - BLINK_TREE_IOC_LEVELS, on a tree
 * @flags: must be zero
 * @capacity: room at @levels, in elements
 * @levels: address of an array of struct blink_tree_level_stats
 * @level_size: sizeof(struct blink_tree_level_stats) of the caller
 * @known: out: bytes of an element that the module knows
 * @count: out: how many there are; as many as fit were written
 * @height: out: levels of the tree, 1 for a single leaf
 *
 * It walks over the whole tree, unless @capacity is 0: then @count is 0 too.
 */
struct blink_tree_ioc_levels {
	__u32 flags;
	__u32 capacity;
	__u64 levels;
	__u32 level_size;
	__u32 known;
	__u32 count;
	__u32 height;
};

#define BLINK_TREE_IOC_INFO \
	_IOWR(BLINK_TREE_IOC_TYPE, 0, struct blink_tree_ioc_info)
#define BLINK_TREE_IOC_CREATE \
	_IOWR(BLINK_TREE_IOC_TYPE, 1, struct blink_tree_ioc_create)
#define BLINK_TREE_IOC_OPEN \
	_IOWR(BLINK_TREE_IOC_TYPE, 2, struct blink_tree_ioc_open)
#define BLINK_TREE_IOC_UNLINK \
	_IOWR(BLINK_TREE_IOC_TYPE, 3, struct blink_tree_ioc_unlink)
#define BLINK_TREE_IOC_LIST \
	_IOWR(BLINK_TREE_IOC_TYPE, 4, struct blink_tree_ioc_list)
#define BLINK_TREE_IOC_OP \
	_IOWR(BLINK_TREE_IOC_TYPE, 5, struct blink_tree_ioc_op)
#define BLINK_TREE_IOC_BATCH \
	_IOWR(BLINK_TREE_IOC_TYPE, 6, struct blink_tree_ioc_batch)
#define BLINK_TREE_IOC_SCAN \
	_IOWR(BLINK_TREE_IOC_TYPE, 7, struct blink_tree_ioc_scan)
#define BLINK_TREE_IOC_STATS \
	_IOWR(BLINK_TREE_IOC_TYPE, 8, struct blink_tree_ioc_stats)
#define BLINK_TREE_IOC_VERIFY \
	_IOWR(BLINK_TREE_IOC_TYPE, 9, struct blink_tree_ioc_verify)
#define BLINK_TREE_IOC_LOAD \
	_IOWR(BLINK_TREE_IOC_TYPE, 10, struct blink_tree_ioc_load)
#define BLINK_TREE_IOC_LEVELS \
	_IOWR(BLINK_TREE_IOC_TYPE, 11, struct blink_tree_ioc_levels)
#define BLINK_TREE_IOC_ATTR \
	_IOWR(BLINK_TREE_IOC_TYPE, 12, struct blink_tree_ioc_attr)

#endif /* _UAPI_LINUX_BLINK_TREE_H */
