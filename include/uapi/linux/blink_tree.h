/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * blink_tree: the ioctl contract of /dev/blink_tree.
 *
 * The device takes the *control* ioctls. CREATE and OPEN return a new file
 * descriptor (close-on-exec) for one tree, and this descriptor takes the *tree*
 * ioctls. Processes can pass descriptors to each other. Closing the last
 * descriptor destroys a tree without a name. A tree with a name exists until its
 * name is unlinked and its last descriptor is closed, or until the module is
 * unloaded. A name belongs to the user namespace of its creator: in another
 * namespace the same name can belong to another tree. CREATE, OPEN, UNLINK and
 * LIST use the names of the caller's namespace.
 *
 * Growth: later versions can add fields at the end of every structure and array
 * element. No structure contains another one. The number of an ioctl contains the
 * size of the caller's structure. Beside each array is the size of the caller's
 * elements (*_size), which is at most BLINK_TREE_ELEMENT_MAX. If the caller's size
 * is smaller than the kernel's, the kernel reads the missing fields as zero. If it
 * is larger, all bytes that the kernel does not know must be zero. If a reply has
 * @known, this is the number of bytes of the structure, or of an element, that the
 * kernel knows: the fields beyond are zero because the kernel did not write them.
 * BLINK_TREE_IOC_INFO returns the ioctls and the operations that the module
 * supports. Program and module need not have the same version. The header of a record
 * (struct blink_tree_record) is no such structure: its size never changes.
 *
 * The kernel refuses input that has no meaning yet, so that a later version can
 * define one: unknown flags, reserved fields that are not zero, and bytes after
 * the NUL of a name that are not zero.
 *
 * Every ioctl can return these errors:
 *
 *   ENOTTY      the ioctl is unknown; or it is a tree ioctl on the device, or a
 *               control ioctl on a tree
 *   EINVAL      a structure or element is smaller than its first version; an
 *               element is larger than BLINK_TREE_ELEMENT_MAX; a flag is unknown; a
 *               reserved field is not zero; a value is out of its range
 *   E2BIG       a structure or element is larger than the kernel's, and its
 *               unknown tail is not zero
 *   EFAULT      the kernel cannot read or write a user address; the operations
 *               that @done counts were executed, and no others
 *   ENOMEM      the kernel has no memory, or all trees of user space together have
 *               reached the limit of the module; the operation that failed has not
 *               changed the tree
 *   EBADF       the descriptor was not opened for the request: CREATE and UNLINK
 *               need a device that was opened for writing; ioctls and operations
 *               that modify entries need a tree that was opened for writing; those
 *               that return entries or statistics need one for reading
 *   EINTR       a signal arrived before the call had an effect: a fatal signal; or
 *               any signal while OP, BATCH, RECORDS, RECORD_ERASE or RANGE waited to modify a
 *               tree, because more than 16 MiB of its dead nodes wait for a grace period;
 *               the kernel restarts the latter call after a handler with SA_RESTART
 *   EAGAIN      the descriptor has O_NONBLOCK, and a modification would wait: as with
 *               EINTR, or at a limit because memory of the tree is about to be free; it
 *               has not changed the tree
 *   EOPNOTSUPP  OP, BATCH, LOAD and SCAN take keys and values of 64 bits, and the tree
 *               has keys of another kind, or values of bytes
 *
 * The comment at each structure lists further errors of its ioctl.
 */
#ifndef _UAPI_LINUX_BLINK_TREE_H
#define _UAPI_LINUX_BLINK_TREE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#include "blink_tree_bpf.h"
#include "blink_tree_hot.h"
#include "blink_tree_range.h"
#include "blink_tree_records.h"
#include "blink_tree_watch.h"

#define BLINK_TREE_DEVICE "/dev/blink_tree"
#define BLINK_TREE_IOC_TYPE 0xBD

/* The largest size of an element that a caller may pass. */
#define BLINK_TREE_ELEMENT_MAX 4096

/* Size of the name of a tree, with the terminating NUL. */
#define BLINK_TREE_NAME_MAX 64
/*
 * Characters of a tree's name. The first one is neither '-' nor '.'. A shell
 * therefore reads a name as one word, a directory can contain it as a file name,
 * and a terminal finds no control sequence in it.
 */
#define BLINK_TREE_NAME_CHARS        \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"abcdefghijklmnopqrstuvwxyz" \
	"0123456789._@:+-"

/**
 * enum blink_tree_opcode - the operations
 * @BLINK_TREE_OP_LOOKUP: return the @value of @key; ENOENT if the key is absent
 * @BLINK_TREE_OP_INSERT: add @key with @value; if the key is present, fail with
 *	EEXIST and return its value in @old
 * @BLINK_TREE_OP_STORE: add @key with @value; if the key is present, overwrite its
 *	value, return the former value in @old, and set @result to 1
 * @BLINK_TREE_OP_REPLACE: overwrite the value of @key, and return the former value
 *	in @old; ENOENT if the key is absent
 * @BLINK_TREE_OP_ERASE: remove @key, and return its value in @old; ENOENT if the key
 *	is absent
 * @BLINK_TREE_OP_CMPXCHG: set the value of @key to @value if it is @old; otherwise
 *	fail with ESTALE and return the present value in @old; ENOENT if the key is
 *	absent
 * @BLINK_TREE_OP_CMPERASE: remove @key if its value is @old; otherwise fail with
 *	ESTALE and return the present value in @old; ENOENT if the key is absent
 * @BLINK_TREE_OP_FLOOR: find the greatest key that is at most @key, and set @key and
 *	@value to this entry; ENOENT if all keys are greater
 * @BLINK_TREE_OP_CEILING: find the least key that is at least @key, and set @key and
 *	@value to this entry; ENOENT if all keys are less
 * @BLINK_TREE_OP_GET_OR_INSERT: add @key with @value; if the key is present, leave it
 *	as it is, return its value in @old, and set @result to 1
 * @BLINK_TREE_OP_POP_MIN: remove the least key that is at least @key, set @key to it,
 *	and return its value in @old; ENOENT if all keys are less
 * @BLINK_TREE_OP_POP_MAX: remove the greatest key that is at most @key, set @key to it,
 *	and return its value in @old; ENOENT if all keys are greater
 * @BLINK_TREE_OP_EXPECT: in commits only: the value of @key is @old; otherwise fail with
 *	ESTALE and return the present value in @old; ENOENT if the key is absent
 * @BLINK_TREE_OP_ABSENT: in commits only: @key is absent; otherwise fail with EEXIST and
 *	return its value in @old
 * @BLINK_TREE_OP_ADD: add @value to the value of @key, modulo 2^64; return the former value
 *	in @old, and set @result to 1; if the key is absent, add it with @value
 * @BLINK_TREE_OP_ADD_SATURATE: likewise, but @value is a signed number, and a sum that
 *	would be less than 0 or more than 2^64 - 1 is this limit; the value of an absent key
 *	counts as 0
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
	BLINK_TREE_OP_GET_OR_INSERT = 9,
	BLINK_TREE_OP_POP_MIN = 10,
	BLINK_TREE_OP_POP_MAX = 11,
	BLINK_TREE_OP_EXPECT = 12,
	BLINK_TREE_OP_ABSENT = 13,
	BLINK_TREE_OP_ADD = 14,
	BLINK_TREE_OP_ADD_SATURATE = 15,
	BLINK_TREE_OP_NR
};

/* The most operations of a commit (BLINK_TREE_BATCH_COMMIT, BLINK_TREE_RECORDS_COMMIT). */
#define BLINK_TREE_COMMIT_MAX 32
/*
 * Flags of an operation in a commit. The *gap* of an operation is the keys between its key
 * and the next greater one that an operation of the commit has, without these two.
 */
/* The gap is empty; otherwise fail with ENOTEMPTY. */
#define BLINK_TREE_COMMIT_EMPTY (1u << 0)
/* Remove all keys of the gap. */
#define BLINK_TREE_COMMIT_CLEAR (1u << 1)

/**
 * struct blink_tree_ioc_op - one operation and its result
 * @opcode: enum blink_tree_opcode
 * @flags: in a commit BLINK_TREE_COMMIT_EMPTY or BLINK_TREE_COMMIT_CLEAR, or zero; otherwise
 *	must be zero
 * @result: out: 0, or a negative errno; 1 for a STORE, an ADD or an ADD_SATURATE that
 *	overwrote a value, and for a GET_OR_INSERT that found the key
 * @key: the key; FLOOR, CEILING, POP_MIN and POP_MAX replace it by the key that they
 *	found
 * @value: in: the new value, or what is added to it; out: the value found (LOOKUP, FLOOR,
 *	CEILING)
 * @old: in: the expected value (CMPXCHG, CMPERASE, EXPECT); out: the former or present value,
 *	or 0 if the descriptor was opened for writing only
 *
 * BLINK_TREE_IOC_OP, on a tree, executes one operation. If the operation fails, the
 * ioctl fails with the same errno. The kernel writes the structure back in both
 * cases.
 *
 * LOOKUP, FLOOR, CEILING, EXPECT, ABSENT and the flag BLINK_TREE_COMMIT_EMPTY need a
 * descriptor that was opened for reading. INSERT, STORE, REPLACE, ERASE, ADD, ADD_SATURATE
 * and the flag BLINK_TREE_COMMIT_CLEAR need one that was opened for writing.
 * CMPXCHG, CMPERASE, GET_OR_INSERT, POP_MIN and POP_MAX need both: their results would
 * otherwise reveal keys or values through a descriptor that was opened for writing only.
 *
 * Return: 0, or an error of the operation (enum blink_tree_opcode). Adds, for an
 * operation that would add a key, ENOSPC (the tree has reached its max_entries or
 * max_bytes) and EDQUOT (the trees of its creator have reached the limit of one
 * user). In a tree with BLINK_TREE_CREATE_COMPRESS the same errors are possible for
 * STORE, REPLACE, CMPXCHG, ADD and ADD_SATURATE of a key that is present. EINVAL also for
 * an unknown opcode.
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
 * struct blink_tree_ioc_stats - BLINK_TREE_IOC_STATS, on a tree: its size, its kind and
 *	its counters
 * @flags: must be zero
 * @known: out: bytes of this structure that the module knows
 * @entries: keys in the tree now
 * @max_entries: limit of @entries, 0 for none
 * @bytes: memory of all nodes, keys and values, with what waits for a grace period
 * @limbo_bytes: memory of dead nodes, keys and values that wait for a grace period
 * @inserts: keys added
 * @erases: keys removed
 * @splits: nodes split, on all levels
 * @merges: nodes merged into their left neighbour, on all levels
 * @root_grows: levels added to an index
 * @root_shrinks: levels removed from an index
 * @read_retries: nodes read again because a writer moved their entries meanwhile
 * @read_locks: nodes read under their lock after too many retries
 * @right_hops: right links followed, and dead nodes left, during descents
 * @reroutes: times that a descent found an empty index slot and started again from
 *	the root with a lower key
 * @posts_deferred: index entries that had to wait for memory
 * @merges_deferred: merges left undone because too much memory was in limbo
 * @gate_passes: leaf locks that a writer waited for (see enum blink_tree_locking) and
 *	then passed to the next waiter on its NUMA node
 * @gate_releases: leaf locks that such a writer unlocked because no other writer
 *	waited on its NUMA node, or because the leaf had died
 * @gate_bounds: leaf locks that such a writer unlocked because they had been passed
 *	as often as allowed
 * @replication: enum blink_tree_replication
 * @locking: enum blink_tree_locking, the one in effect
 * @placement: enum blink_tree_placement
 * @key: enum blink_tree_key
 * @indexes: indexes over the leaves: 1 unless the tree is replicated
 * @lock_waits: times that a writer had to wait for the first node that it locks
 * @heat_splits: leaves split because writers waited for them too often
 * @max_bytes: limit of @bytes, 0 for none
 * @create_flags: BLINK_TREE_CREATE_* flags of the tree
 * @block_bytes: the part of @bytes that keys of BLINK_TREE_KEY_BYTES and values of bytes
 *	take
 * @reads: LOOKUP, FLOOR and CEILING that OP, BATCH and RECORDS executed, whether they
 *	found a key or not
 * @updates: STORE, REPLACE, CMPXCHG, ADD and ADD_SATURATE that OP, BATCH and RECORDS
 *	executed and that replaced the value of a key; in a tree with equal keys also a STORE of
 *	an entry that is present
 *
 * Scans are not part of @reads. Modules and BPF programs that use the tree count in
 * neither @reads nor @updates, but in all other counters.
 *
 * The values are exact while no operation modifies the tree.
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
	__u32 locking;
	__u32 placement;
	__u32 key;
	__u64 indexes;
	__u64 lock_waits;
	__u64 heat_splits;
	__u64 max_bytes;
	__u64 create_flags;
	__u64 block_bytes;
	__u64 reads;
	__u64 updates;
};

/**
 * enum blink_tree_violation - the invariant that a verification found broken
 * @BLINK_TREE_OK: none
 * @BLINK_TREE_BAD_ORDER: the keys of a node do not ascend (I1)
 * @BLINK_TREE_BAD_RANGE: a key is outside of the range of its node (I1)
 * @BLINK_TREE_BAD_CHAIN: the ranges of two neighbours do not meet (I1)
 * @BLINK_TREE_BAD_ROUTE: an index entry leads to a node with another low key (I2, I3)
 * @BLINK_TREE_BAD_LEVEL: an index entry or a right link leads to a node of a wrong
 *	level
 * @BLINK_TREE_BAD_COUNT: a node has too many or too few entries, or its count
 *	disagrees with its slots
 * @BLINK_TREE_BAD_DEAD: the right neighbour of a live node is dead, or an index entry
 *	leads to a dead node (I1, I5, I8)
 * @BLINK_TREE_BAD_COPY: the copy of a leaf on another NUMA node differs from the leaf
 * @BLINK_TREE_BAD_SIGN: the signposts in the header of a node do not match its keys
 * @BLINK_TREE_BAD_HEAD: a slot does not have the first bytes of its key behind those that
 *	all keys of the node have in common (BLINK_TREE_KEY_BYTES)
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
	BLINK_TREE_BAD_SIGN = 9,
	BLINK_TREE_BAD_HEAD = 10,
};

/**
 * struct blink_tree_ioc_verify - BLINK_TREE_IOC_VERIFY, on a tree: check its invariants
 * @flags: must be zero
 * @known: out: bytes of this structure that the module knows
 * @violation: out: enum blink_tree_violation, the first one found
 * @level: out: level of the node that violates the invariant
 * @key: out: low key of that node; the upper 64 bits of a key of 128 bits
 * @height: out: levels of the tree, 1 for a single leaf
 * @__reserved: must be zero
 * @leaves: out: leaves visited
 * @inner: out: inner nodes visited, of all indexes
 * @entries: out: keys found
 * @empty: out: leaves without a key
 * @unindexed: out: nodes without an entry in the level above, which only a right
 *	link leads to; the sum over all indexes
 * @misplaced: out: inner nodes, and copies of leaves, that are not on the NUMA node
 *	of their index, because that node had no memory left
 *
 * Other processes can use the tree meanwhile: the invariants hold at every moment.
 * The counts are then approximate. While no operation modifies the tree, @entries
 * equals that of struct blink_tree_ioc_stats. @unindexed is then 0, unless entries had
 * to wait (@posts_deferred of struct blink_tree_ioc_stats): a later operation that
 * meets such a node adds its entry, or has the module add it.
 *
 * Return: 0, also if @violation is not BLINK_TREE_OK. EINTR also for a fatal signal
 * during the walk.
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

/* BLINK_TREE_IOC_INFO: CREATE accepts BLINK_TREE_CREATE_COMPRESS. */
#define BLINK_TREE_FEATURE_COMPRESS (1ULL << 0)
/* BLINK_TREE_IOC_INFO: CREATE accepts BLINK_TREE_KEY_U128. */
#define BLINK_TREE_FEATURE_U128 (1ULL << 1)
/* BLINK_TREE_IOC_INFO: CREATE accepts BLINK_TREE_KEY_MULTI. */
#define BLINK_TREE_FEATURE_MULTI (1ULL << 2)
/* BLINK_TREE_IOC_INFO: CREATE accepts BLINK_TREE_KEY_BYTES. */
#define BLINK_TREE_FEATURE_BYTES (1ULL << 3)
/* BLINK_TREE_IOC_INFO: CREATE accepts BLINK_TREE_CREATE_BYTE_VALUES. */
#define BLINK_TREE_FEATURE_BYTE_VALUES (1ULL << 4)
/* BLINK_TREE_IOC_INFO: BPF programs can use trees (BLINK_TREE_IOC_BPF_HANDLE). */
#define BLINK_TREE_FEATURE_BPF (1ULL << 5)
/* BLINK_TREE_IOC_INFO: OPEN accepts BLINK_TREE_OPEN_OWNER. */
#define BLINK_TREE_FEATURE_OPEN_OWNER (1ULL << 6)

/**
 * struct blink_tree_ioc_info - BLINK_TREE_IOC_INFO, on the device
 * @flags: must be zero
 * @known: out: bytes of this structure that the module knows
 * @ioctls: out: mask: bit n is set if the module supports the ioctl with number n
 * @opcodes: out: mask: bit n is set if the module supports the operation n of enum
 *	blink_tree_opcode
 * @features: out: BLINK_TREE_FEATURE_* bits: features that @ioctls and @opcodes do
 *	not show
 * @name_max: out: BLINK_TREE_NAME_MAX of the module
 * @numa_nodes: out: NUMA nodes that have an index in a replicated tree: each is, for
 *	some CPU, the nearest node with memory that the kernel can use
 * @leaf_slots: out: entries that fit into a leaf of a tree without
 *	BLINK_TREE_CREATE_COMPRESS
 * @inner_slots: out: children that fit into an inner node
 * @leaf_bytes: out: memory of a leaf
 * @inner_bytes: out: memory of an inner node
 * @version: out: version of the module, NUL-terminated, for people to read
 *
 * A program checks that the masks contain the ioctls and the operations that it
 * uses. The structure of a caller may end after @known, so that programs and modules
 * of any two versions can find out whether they fit.
 *
 * Return: 0, or an error that every ioctl can return.
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
 * enum blink_tree_replication - the parts of a tree that every NUMA node has a copy of
 * @BLINK_TREE_REPLICATE_NONE: no part; the tree has one index
 * @BLINK_TREE_REPLICATE_INNER: the inner nodes: each NUMA node has an index
 * @BLINK_TREE_REPLICATE_FULL: the inner nodes and the leaves; a reader that starts
 *	after another reader found a new value finds this or a newer one, on any NUMA node
 */
enum blink_tree_replication {
	BLINK_TREE_REPLICATE_NONE = 0,
	BLINK_TREE_REPLICATE_INNER = 1,
	BLINK_TREE_REPLICATE_FULL = 2,
};

/**
 * enum blink_tree_locking - the order in which waiting writers get the lock of a node
 * @BLINK_TREE_LOCKING_PLAIN: first come, first served
 * @BLINK_TREE_LOCKING_COHORT: waiters on the NUMA node of the present owner come
 *	first, a bounded number of times
 */
enum blink_tree_locking {
	BLINK_TREE_LOCKING_PLAIN = 0,
	BLINK_TREE_LOCKING_COHORT = 1,
};

/**
 * enum blink_tree_placement - the NUMA node of a new leaf that has no copies
 * @BLINK_TREE_PLACE_LOCAL: that of the CPU that splits the old leaf
 * @BLINK_TREE_PLACE_INTERLEAVE: all NUMA nodes with memory in turn
 */
enum blink_tree_placement {
	BLINK_TREE_PLACE_LOCAL = 0,
	BLINK_TREE_PLACE_INTERLEAVE = 1,
};

/**
 * enum blink_tree_key - the kind of a tree's keys
 * @BLINK_TREE_KEY_U64: numbers of 64 bits
 * @BLINK_TREE_KEY_U128: numbers of 128 bits
 * @BLINK_TREE_KEY_MULTI: numbers of 64 bits, and a key can have several values: the tree
 *	is a set of pairs of a key and a value, in the order of both
 * @BLINK_TREE_KEY_BYTES: strings of 0 to 1,024 bytes, in the order of memcmp(); a key
 *	comes before all longer ones that begin with it
 */
enum blink_tree_key {
	BLINK_TREE_KEY_U64 = 0,
	BLINK_TREE_KEY_U128 = 1,
	BLINK_TREE_KEY_MULTI = 2,
	BLINK_TREE_KEY_BYTES = 3,
};

/*
 * BLINK_TREE_IOC_CREATE: the leaves store keys and values in as few bytes as their
 * entries allow. A leaf stores its keys as distances from its low key, and its values
 * as distances from the least of them, in 1, 2, 4 or 8 bytes each. Small or dense keys
 * and values then take less memory, and operations are slower. STORE, REPLACE, CMPXCHG, ADD
 * and ADD_SATURATE can need memory for a value that takes more bytes than the former one.
 */
#define BLINK_TREE_CREATE_COMPRESS (1u << 0)
/*
 * BLINK_TREE_IOC_CREATE: values have 0 to BLINK_TREE_RECORD_VALUE_MAX bytes, and RECORDS,
 * RECORD_SCAN and RECORD_ERASE work on the tree. Not with BLINK_TREE_CREATE_COMPRESS, nor
 * with BLINK_TREE_KEY_MULTI.
 */
#define BLINK_TREE_CREATE_BYTE_VALUES (1u << 1)

/**
 * struct blink_tree_ioc_create - BLINK_TREE_IOC_CREATE, on the device
 * @flags: BLINK_TREE_CREATE_*
 * @mode: permission bits of a named tree, 0777 at most; the kernel removes the umask
 * @max_entries: most keys that the tree can hold, 0 for no limit
 * @name: NUL-terminated; empty for a tree without a name
 * @replication: enum blink_tree_replication
 * @locking: enum blink_tree_locking
 * @placement: enum blink_tree_placement
 * @__reserved: must be zero
 * @key: enum blink_tree_key; only BLINK_TREE_KEY_U64 can be combined with
 *	BLINK_TREE_CREATE_COMPRESS
 * @max_bytes: most memory that the nodes of the tree can take, with its strings and
 *	values of bytes, 0 for no limit
 *
 * Return: a descriptor that is open for reading and writing. Adds EEXIST (the name is
 * taken), ENOSPC (@max_bytes is too small for an empty tree), EDQUOT (the trees of the
 * caller have reached the limit of one user), EMFILE and ENFILE. EINVAL also for a
 * name that has no NUL, has other characters than BLINK_TREE_NAME_CHARS, begins with
 * '-' or '.', or has bytes other than zero after its NUL.
 */
struct blink_tree_ioc_create {
	__u32 flags;
	__u32 mode;
	__u64 max_entries;
	char name[BLINK_TREE_NAME_MAX];
	__u8 replication;
	__u8 locking;
	__u8 placement;
	__u8 __reserved;
	__u32 key;
	__u64 max_bytes;
};

/* The access that OPEN asks for: one of these or both. */
#define BLINK_TREE_OPEN_READ (1u << 0)
#define BLINK_TREE_OPEN_WRITE (1u << 1)
/* BLINK_TREE_IOC_OPEN: in addition, the tree must be owned by @uid. */
#define BLINK_TREE_OPEN_OWNER (1u << 2)

/**
 * struct blink_tree_ioc_open - BLINK_TREE_IOC_OPEN, on the device
 * @flags: BLINK_TREE_OPEN_READ, BLINK_TREE_OPEN_WRITE or both, and
 *	BLINK_TREE_OPEN_OWNER or not
 * @uid: with BLINK_TREE_OPEN_OWNER the owner that the tree must have, in the caller's
 *	user namespace; otherwise zero
 * @id: the number that the tree must have, 0 for any
 * @name: NUL-terminated; if it is empty, @id alone selects the tree, and the name of
 *	that tree may be in a user namespace below the caller's
 *
 * The mode is checked as for a file: for the owner, the group, or others.
 * CAP_DAC_OVERRIDE allows every access.
 *
 * Any user can take a name that is free. A program that must not use the tree of another
 * user therefore passes BLINK_TREE_OPEN_OWNER: the kernel compares the owner at the
 * moment at which it finds the name. An owner can give its tree away (CAP_CHOWN)
 * afterwards.
 *
 * Return: a descriptor. Adds ENOENT (the tree does not exist), ESTALE (the tree of
 * that name has another number), EPERM (the tree has another owner than @uid, whatever
 * its mode is), EACCES (the mode denies the access), EMFILE and ENFILE. EINVAL also if
 * the caller's user namespace has no @uid, and for a @uid without
 * BLINK_TREE_OPEN_OWNER.
 */
struct blink_tree_ioc_open {
	__u32 flags;
	__u32 uid;
	__u64 id;
	char name[BLINK_TREE_NAME_MAX];
};

/**
 * struct blink_tree_ioc_unlink - BLINK_TREE_IOC_UNLINK, on the device
 * @flags: must be zero
 * @__reserved: must be zero
 * @id: the number that the tree must have, 0 for any
 * @name: NUL-terminated; if it is empty, @id alone selects the tree, and the name of
 *	that tree may be in a user namespace below the caller's
 *
 * The name is free at once. The tree exists until its last descriptor is closed.
 *
 * Return: 0. Adds ENOENT (the tree does not exist), ESTALE (the tree of that name has
 * another number), and EPERM (the caller neither owns the tree nor has CAP_FOWNER).
 */
struct blink_tree_ioc_unlink {
	__u32 flags;
	__u32 __reserved;
	__u64 id;
	char name[BLINK_TREE_NAME_MAX];
};

/**
 * struct blink_tree_list_entry - one named tree
 * @id: number of the tree; no other tree gets it while the module is loaded
 * @name: NUL-terminated
 * @uid: owner, in the caller's user namespace
 * @gid: group, in the caller's user namespace
 * @mode: permission bits
 * @access: BLINK_TREE_OPEN_* bits: the access that OPEN would allow the caller
 * @entries: keys in the tree now; 0 without BLINK_TREE_OPEN_READ in @access
 * @max_entries: limit of @entries, 0 for none
 * @bytes: memory of all nodes, keys and values; 0 without BLINK_TREE_OPEN_READ in @access
 * @max_bytes: limit of @bytes, 0 for none
 * @key: enum blink_tree_key
 * @create_flags: BLINK_TREE_CREATE_* flags of the tree
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
	__u32 key;
	__u32 create_flags;
};

/* BLINK_TREE_IOC_LIST: list the names in user namespaces below the caller's too. */
#define BLINK_TREE_LIST_BELOW (1u << 0)

/**
 * struct blink_tree_ioc_list - BLINK_TREE_IOC_LIST, on the device
 * @flags: BLINK_TREE_LIST_BELOW, or zero
 * @capacity: room at @trees, in entries
 * @trees: address of an array of struct blink_tree_list_entry
 * @cursor: in: list trees with a greater id, in ascending order; out: the last id
 * @count: out: entries written; if fewer than @capacity, the list is complete
 * @entry_size: sizeof(struct blink_tree_list_entry) of the caller
 * @known: out: bytes of an element that the module knows
 * @__reserved: must be zero
 *
 * Return: 0, or an error that every ioctl can return. After an error @cursor and
 * @count are unchanged. EINTR for a fatal signal only.
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

/* BLINK_TREE_IOC_ATTR: the attributes to set. */
#define BLINK_TREE_ATTR_UID (1u << 0)
#define BLINK_TREE_ATTR_GID (1u << 1)
#define BLINK_TREE_ATTR_MODE (1u << 2)
#define BLINK_TREE_ATTR_NAME (1u << 3)
#define BLINK_TREE_ATTR_MAX_ENTRIES (1u << 4)
#define BLINK_TREE_ATTR_MAX_BYTES (1u << 5)

/**
 * struct blink_tree_ioc_attr - BLINK_TREE_IOC_ATTR, on a tree: its attributes
 * @flags: BLINK_TREE_ATTR_* bits: the fields to set; the others are out only
 * @known: out: bytes of this structure that the module knows
 * @id: out: number of the tree; no other tree gets it while the module is loaded
 * @uid: owner, in the caller's user namespace
 * @gid: group, in the caller's user namespace
 * @mode: permission bits
 * @key: out: enum blink_tree_key
 * @max_entries: most keys that the tree can hold, 0 for no limit
 * @name: NUL-terminated; empty if the tree has no name, or was unlinked
 * @max_bytes: most memory that the nodes of the tree can take, with its strings and values
 *	of bytes, 0 for no limit
 * @create_flags: out: BLINK_TREE_CREATE_* flags of the tree
 * @replication: out: enum blink_tree_replication
 * @locking: out: enum blink_tree_locking, the one in effect
 * @placement: out: enum blink_tree_placement
 * @__reserved: out: zero
 *
 * The ioctl works on every descriptor of a tree. The owner of the tree and a caller
 * with CAP_FOWNER can set mode, name and limits. The owner can set the group to one of
 * its own groups. CAP_CHOWN allows any owner and any group. A capability counts in the
 * caller's user namespace, if this namespace maps the owner and the group of the tree.
 * The ioctl sets all attributes that @flags select, or none of them. Descriptors that
 * are open keep their access. A new limit can be lower than the present use: the tree
 * then keeps its entries, and gets no new keys (@max_entries), or no new leaves,
 * strings and values of bytes (@max_bytes), until it is below the limit.
 *
 * Return: 0. Adds EPERM (the caller has no right to set one of the fields), EEXIST
 * (the name is taken), ENOENT (@name is to be set, and the tree has no name) and
 * EOPNOTSUPP (@max_entries is to be set, and the tree was created without a limit,
 * so that it does not count its keys). EINVAL also for an invalid or empty name, and
 * for an owner or a group that does not exist in the caller's user namespace.
 */
struct blink_tree_ioc_attr {
	__u32 flags;
	__u32 known;
	__u64 id;
	__u32 uid;
	__u32 gid;
	__u32 mode;
	__u32 key;
	__u64 max_entries;
	char name[BLINK_TREE_NAME_MAX];
	__u64 max_bytes;
	__u64 create_flags;
	__u8 replication;
	__u8 locking;
	__u8 placement;
	__u8 __reserved[5];
};

/* BLINK_TREE_IOC_BATCH: all operations take effect at one instant, or none does. */
#define BLINK_TREE_BATCH_COMMIT (1u << 0)

/**
 * struct blink_tree_ioc_batch - BLINK_TREE_IOC_BATCH, on a tree
 * @flags: BLINK_TREE_BATCH_COMMIT, or zero
 * @count: operations at @ops
 * @ops: address of an array of struct blink_tree_ioc_op
 * @done: out: number of operations that were executed, counted from the first
 * @op_size: sizeof(struct blink_tree_ioc_op) of the caller
 *
 * A batch guarantees:
 *
 * - Each operation takes effect at one moment, like a single one. The batch as a
 *   whole does not: other threads can see some of its effects before the others,
 *   and can change the tree between two of its operations.
 * - An operation that updates a key takes effect after all earlier operations of the
 *   batch on this key, and before all later ones. FLOOR and CEILING take effect after
 *   all earlier updates of the batch, and before all later ones. POP_MIN and POP_MAX
 *   take effect after all earlier operations of the batch, and before all later ones.
 * - Operations that only read have no order among themselves, unless such an update
 *   is between them: if another thread changes a key meanwhile, the second of two
 *   lookups of this key can return the older value.
 * - Operations on different keys have no order, as if several threads executed them.
 *   If the tree becomes full, it is undefined which insertions of the batch fail.
 *
 * Return: 0, and each operation has its own @result. If @done is less than
 * @count, at least one operation was executed, and the caller can pass the rest
 * again: a signal arrived, or a descriptor with O_NONBLOCK would have waited
 * for memory, and the rest fails with EAGAIN until it is free. EFAULT and E2BIG
 * with @done operations executed; after EFAULT the results of the last ones may
 * be missing in @ops. EINTR or EAGAIN if no operation was executed.
 *
 * With COMMIT the operations are a *commit* of at most BLINK_TREE_COMMIT_MAX operations:
 *
 * - Each operation is a LOOKUP, INSERT, STORE, REPLACE, ERASE, CMPXCHG, CMPERASE,
 *   GET_OR_INSERT, EXPECT, ABSENT, ADD or ADD_SATURATE. It fails as it fails alone, but a
 *   LOOKUP of an absent key, whose @result is ENOENT, does not fail.
 * - If one fails, nothing changes, and the ioctl fails with ESTALE. @done is the number of
 *   the first one that fails: it has its errno as @result, and the others have ECANCELED.
 * - Otherwise all take effect at one instant. Other threads find all changes or none, in
 *   whatever order they look for them, and no change of theirs is between. All values are
 *   found, and all conditions tested, before the first change: a key can have several
 *   operations, of which one can change it.
 *
 * A commit without changes returns several values of one instant.
 *
 * An operation can have a flag that concerns its *gap*: the keys between its own and the next
 * greater one of the commit, without these two. Operations on one key have the same gap. With
 * BLINK_TREE_COMMIT_EMPTY it is a condition that the gap has no key: the last operation on the
 * key fails with ENOTEMPTY if it has one. With BLINK_TREE_COMMIT_CLEAR all keys of the gap are
 * removed. The first one needs a descriptor that was opened for reading, the second one for
 * writing.
 *
 * Return with COMMIT: 0 with @done equal to @count; ESTALE; with @done 0 EINVAL (also for
 * an operation that cannot be in a commit, for two changes of one key, for both flags of one
 * key, and for a flag of the greatest key), E2BIG (also for too many operations, and if the
 * gaps with flags have too many leaves: operations and leaves without one are at most
 * BLINK_TREE_COMMIT_MAX together), EBADF (the descriptor does not permit one of them), ENOSPC,
 * EDQUOT, ENOMEM, EINTR and EAGAIN. EFAULT: the results could not be written; the commit has
 * taken effect if @done is @count.
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
 * @entries: address of an array of struct blink_tree_entry; the load is fast while
 *	the keys ascend and no key of the tree lies between two of them
 * @fill: percent of a leaf to fill, 1 to 100
 * @done: out: number of entries that were added, counted from the first
 * @entry_size: sizeof(struct blink_tree_entry) of the caller
 * @__reserved: must be zero
 *
 * Return: 0; if @done is then less than @count, a signal arrived, and the caller can
 * pass the rest again. Otherwise the reason why the entry after the first @done ones
 * was not added. Adds EEXIST (the key is present), ENOSPC (the tree has reached its
 * max_entries or max_bytes) and EDQUOT (the trees of its creator have reached the
 * limit of one user). EINTR for a fatal signal only.
 *
 * The keys need not ascend: each entry is added as by BLINK_TREE_OP_INSERT.
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

/* BLINK_TREE_IOC_SCAN: scan from @last down to @first. */
#define BLINK_TREE_SCAN_DESC (1u << 0)
/* BLINK_TREE_IOC_SCAN: the scan reached the end of the range. */
#define BLINK_TREE_SCAN_DONE (1u << 31)

/**
 * struct blink_tree_ioc_scan - BLINK_TREE_IOC_SCAN, on a tree
 * @flags: BLINK_TREE_SCAN_*; the kernel sets DONE at the end of the range
 * @capacity: room at @entries, in entries
 * @first: least key of the range; out: the first key that was not scanned yet
 * @last: greatest key of the range; with DESC the kernel changes this one instead of
 *	@first
 * @entries: address of an array of struct blink_tree_entry
 * @count: out: entries written
 * @entry_size: sizeof(struct blink_tree_entry) of the caller
 * @__reserved: must be zero
 *
 * The range is the position of the scan: the caller passes the same structure again
 * until the kernel sets DONE. A call with DONE finds no entry and leaves the range
 * unchanged. Keys come in strictly ascending order, with DESC in strictly descending
 * order. A key that is in the tree during the whole scan comes exactly once. A key
 * that is absent during the whole scan never comes.
 *
 * Return: 0, and without DONE there can be more entries: the array is full, or a
 * signal arrived. After EFAULT the range is unchanged. EINVAL also if @first is greater
 * than @last, or if @capacity is zero.
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
#define BLINK_TREE_IOC_HOT_LEAVES \
	_IOWR(BLINK_TREE_IOC_TYPE, 13, struct blink_tree_ioc_hot_leaves)
#define BLINK_TREE_IOC_RECORDS \
	_IOWR(BLINK_TREE_IOC_TYPE, 14, struct blink_tree_ioc_records)
#define BLINK_TREE_IOC_RECORD_SCAN \
	_IOWR(BLINK_TREE_IOC_TYPE, 15, struct blink_tree_ioc_record_scan)
#define BLINK_TREE_IOC_RECORD_ERASE \
	_IOWR(BLINK_TREE_IOC_TYPE, 16, struct blink_tree_ioc_record_erase)
#define BLINK_TREE_IOC_BPF_HANDLE \
	_IOWR(BLINK_TREE_IOC_TYPE, 17, struct blink_tree_ioc_bpf_handle)
#define BLINK_TREE_IOC_WATCH \
	_IOWR(BLINK_TREE_IOC_TYPE, 18, struct blink_tree_ioc_watch)
#define BLINK_TREE_IOC_RANGE \
	_IOWR(BLINK_TREE_IOC_TYPE, 19, struct blink_tree_ioc_range)

#endif /* _UAPI_LINUX_BLINK_TREE_H */
