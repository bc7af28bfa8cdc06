// SPDX-License-Identifier: GPL-2.0
/*
 * Kfuncs that modify an entry (write.h). Their linearization points are those of the
 * core.
 */
#ifdef BLINK_KFUNCS

#include <linux/btf.h>

#include "kfuncs.h"
#include "write.h"

/* The memory control group of the handle pays, and the program does not wait for it. */
#define GFP_PROGRAM (GFP_NOWAIT | __GFP_NOWARN | __GFP_ACCOUNT)

/*
 * Execute an operation, which is a copy: other CPUs can overwrite the memory of a program.
 * Returns its result. As for a descriptor, a comparison needs @mode to read as well, and no
 * handle that is open for writing only is told a value.
 */
static int execute(u64 handle, struct blink_tree_ioc_op *op, fmode_t mode)
{
	struct blink_bpf_write write;
	int err = blink_bpf_write_begin(&write, handle, mode);

	if (err)
		return err;
	blink_tree_op(write.tree, op, GFP_PROGRAM);
	if (!(write.mode & FMODE_READ))
		op->old = 0;
	blink_bpf_write_end(&write);
	return op->result;
}

/* Execute an operation; if its result is @found, set @old to the former value. */
static int change(u64 handle, u16 opcode, u64 key, u64 value, int found,
		  u64 *old)
{
	struct blink_tree_ioc_op op = {
		.opcode = opcode,
		.key = key,
		.value = value,
	};
	int ret = execute(handle, &op, FMODE_WRITE);

	if (ret == found && old)
		*old = op.old;
	return ret;
}

/**
 * bpf_blink_insert() - add a key
 * @handle: a handle that is open for writing
 * @key: the key
 * @value: its value
 *
 * Context: any; see blink_bpf_may_write() for those in which it modifies a tree.
 * Return: 0; -EEXIST if the key is present; -ENOSPC if the tree has reached its
 * max_entries or max_bytes; -EDQUOT if the trees of its creator have reached their limit;
 * -ENOMEM if no memory is free at once, or if the memory control group of the handle has
 * reached its limit; -EBUSY if this context must not modify a
 * tree; -EBADF if no descriptor has the handle, or if the descriptor is not open for
 * writing; -EOPNOTSUPP if the tree has keys of another kind, or values of bytes. With any
 * error the tree has not changed.
 */
__bpf_kfunc int bpf_blink_insert(u64 handle, u64 key, u64 value)
{
	return change(handle, BLINK_TREE_OP_INSERT, key, value, 0, NULL);
}

/**
 * bpf_blink_store() - add a key, or overwrite its value
 * @handle: a handle that is open for writing
 * @key: the key
 * @value: its value
 * @old__nullable: set to the old value if there was one, or to 0 if the handle is not
 *	open for reading; may be NULL
 *
 * Context: as bpf_blink_insert().
 * Return: 0 if the key was added, 1 if its value was overwritten; errors as
 * bpf_blink_insert().
 */
__bpf_kfunc int bpf_blink_store(u64 handle, u64 key, u64 value,
				u64 *old__nullable)
{
	return change(handle, BLINK_TREE_OP_STORE, key, value, 1,
		      old__nullable);
}

/**
 * bpf_blink_add() - add a number to the value of a key
 * @handle: a handle that is open for writing
 * @key: the key
 * @number: added to the value, modulo 2^64; the value of the key if it is absent
 * @old__nullable: as that of bpf_blink_store()
 *
 * Context: as bpf_blink_insert().
 * Return: as bpf_blink_store().
 */
__bpf_kfunc int bpf_blink_add(u64 handle, u64 key, u64 number,
			      u64 *old__nullable)
{
	return change(handle, BLINK_TREE_OP_ADD, key, number, 1, old__nullable);
}

/**
 * bpf_blink_add_saturate() - add a signed number to the value of a key, within its limits
 * @handle: a handle that is open for writing
 * @key: the key
 * @number: added to the value, which counts as 0 if the key is absent; the sum is 0 instead
 *	of a negative number, and 2^64 - 1 instead of a greater one
 * @old__nullable: as that of bpf_blink_store()
 *
 * Context: as bpf_blink_insert().
 * Return: as bpf_blink_store().
 */
__bpf_kfunc int bpf_blink_add_saturate(u64 handle, u64 key, s64 number,
				       u64 *old__nullable)
{
	return change(handle, BLINK_TREE_OP_ADD_SATURATE, key, number, 1,
		      old__nullable);
}

/**
 * bpf_blink_replace() - overwrite the value of a present key
 * @handle: a handle that is open for writing
 * @key: the key
 * @value: its new value
 * @old__nullable: set to the old value; may be NULL
 *
 * Context: as bpf_blink_insert().
 * Return: 0; -ENOENT if the key is absent; other errors as bpf_blink_insert().
 */
__bpf_kfunc int bpf_blink_replace(u64 handle, u64 key, u64 value,
				  u64 *old__nullable)
{
	return change(handle, BLINK_TREE_OP_REPLACE, key, value, 0,
		      old__nullable);
}

/**
 * bpf_blink_cmpxchg() - overwrite a value if it is the expected one
 * @handle: a handle that is open for reading and writing
 * @key: the key
 * @old: the expected value; set to the present value if it is different
 * @value: the new value
 *
 * Context: as bpf_blink_insert().
 * Return: 0; -ESTALE if the present value is not *@old; -ENOENT if the key is absent;
 * other errors as bpf_blink_insert().
 */
__bpf_kfunc int bpf_blink_cmpxchg(u64 handle, u64 key, u64 *old, u64 value)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_CMPXCHG,
		.key = key,
		.value = value,
		.old = READ_ONCE(*old),
	};
	int err = execute(handle, &op, FMODE_READ | FMODE_WRITE);

	if (err == -ESTALE)
		*old = op.old;
	return err;
}

/**
 * bpf_blink_erase() - remove a key
 * @handle: a handle that is open for writing
 * @key: the key
 * @old__nullable: set to its value; may be NULL
 *
 * Context: as bpf_blink_insert().
 * Return: 0; -ENOENT if the key is absent; -EBUSY, -EBADF and -EOPNOTSUPP as
 * bpf_blink_insert().
 */
__bpf_kfunc int bpf_blink_erase(u64 handle, u64 key, u64 *old__nullable)
{
	return change(handle, BLINK_TREE_OP_ERASE, key, 0, 0, old__nullable);
}

#endif /* BLINK_KFUNCS */
