// SPDX-License-Identifier: GPL-2.0
/* The registration of the kfuncs (kfuncs.h), if the module has BTF. */
#ifdef BLINK_KFUNCS

#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/module.h>

#include "../chardev/handle.h"
#include "kfuncs.h"
#include "scratch.h"

/*
 * Without this flag the verifier lets a program pass NULL, or what it read from a map and
 * did not compare with NULL. Linux 7 has no such flag, and refuses that for all kfuncs.
 */
#ifndef KF_TRUSTED_ARGS
#define KF_TRUSTED_ARGS 0
#endif

BTF_KFUNCS_START(read_ids)
BTF_ID_FLAGS(func, bpf_blink_lookup, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_floor, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_ceiling, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_iter_blink_new, KF_ITER_NEW | KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_iter_blink_next,
	     KF_ITER_NEXT | KF_RET_NULL | KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_iter_blink_destroy, KF_ITER_DESTROY | KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_iter_error, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_u128_lookup, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_u128_floor, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_u128_ceiling, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_iter_blink_u128_new, KF_ITER_NEW | KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_iter_blink_u128_next,
	     KF_ITER_NEXT | KF_RET_NULL | KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_iter_blink_u128_destroy,
	     KF_ITER_DESTROY | KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_u128_iter_error, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_bytes_lookup, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_bytes_floor, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_bytes_ceiling, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_bytes_lower, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_bytes_higher, KF_TRUSTED_ARGS)
BTF_KFUNCS_END(read_ids)

static const struct btf_kfunc_id_set read_set = {
	.owner = THIS_MODULE,
	.set = &read_ids,
};

BTF_KFUNCS_START(write_ids)
BTF_ID_FLAGS(func, bpf_blink_insert, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_store, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_add, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_add_saturate, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_replace, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_cmpxchg, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_blink_erase, KF_TRUSTED_ARGS)
BTF_KFUNCS_END(write_ids)

static const struct btf_kfunc_id_set write_set = {
	.owner = THIS_MODULE,
	.set = &write_ids,
};

/*
 * One type for each group of types that the kernel does not tell apart here. No type is
 * among them whose programs can run in a writer (write.h).
 */
static const enum bpf_prog_type writers[] = {
	BPF_PROG_TYPE_SYSCALL,	 BPF_PROG_TYPE_XDP,
	BPF_PROG_TYPE_SCHED_CLS, BPF_PROG_TYPE_SCHED_ACT,
	BPF_PROG_TYPE_SK_SKB,	 BPF_PROG_TYPE_CGROUP_SKB,
	BPF_PROG_TYPE_LWT_IN,	 BPF_PROG_TYPE_NETFILTER,
};

static int __init kfuncs_register(void)
{
	unsigned int i;
	int err;

	err = blink_bpf_scratch_init();
	/* Programs of every type. */
	if (!err)
		err = register_btf_kfunc_id_set(BPF_PROG_TYPE_UNSPEC,
						&read_set);
	for (i = 0; !err && i < ARRAY_SIZE(writers); i++)
		err = register_btf_kfunc_id_set(writers[i], &write_set);
	return err;
}

/*
 * A module has no BTF if it was built without pahole or without the BTF of its kernel. In a
 * kernel that contains this code, the BTF of the kernel describes the kfuncs.
 */
static bool __init btf_is_there(void)
{
#ifdef MODULE
	return THIS_MODULE->btf_data_size;
#else
	return true;
#endif
}

/**
 * blink_kfuncs_init() - register the kfuncs, and let descriptors get handles
 *
 * The module works without kfuncs. Without BTF the kernel would register nothing, and
 * return 0. Unloading the module unregisters the kfuncs.
 *
 * Context: process context, before the device is registered.
 */
void __init blink_kfuncs_init(void)
{
	int err;

	if (!btf_is_there())
		return;
	err = kfuncs_register();
	if (err)
		pr_warn("blink_tree: no functions for BPF programs: %d\n", err);
	else
		blink_handles_enable();
}

/**
 * blink_kfuncs_exit() - free the memory of the kfuncs
 *
 * Context: process context. No program is loaded that calls a kfunc: it would hold a
 * reference to the module.
 */
void blink_kfuncs_exit(void)
{
	blink_bpf_scratch_exit();
}

#endif /* BLINK_KFUNCS */
