// SPDX-License-Identifier: GPL-2.0
/* The registration of the kfuncs (kfuncs.h), if the module has BTF. */
#ifdef BLINK_KFUNCS

#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/module.h>

#include "../chardev/handle.h"
#include "kfuncs.h"

BTF_KFUNCS_START(read_ids)
BTF_ID_FLAGS(func, bpf_blink_lookup)
BTF_ID_FLAGS(func, bpf_blink_floor)
BTF_ID_FLAGS(func, bpf_blink_ceiling)
BTF_ID_FLAGS(func, bpf_iter_blink_new, KF_ITER_NEW)
BTF_ID_FLAGS(func, bpf_iter_blink_next, KF_ITER_NEXT | KF_RET_NULL)
BTF_ID_FLAGS(func, bpf_iter_blink_destroy, KF_ITER_DESTROY)
BTF_ID_FLAGS(func, bpf_blink_iter_error)
BTF_ID_FLAGS(func, bpf_blink_u128_lookup)
BTF_ID_FLAGS(func, bpf_blink_u128_floor)
BTF_ID_FLAGS(func, bpf_blink_u128_ceiling)
BTF_ID_FLAGS(func, bpf_iter_blink_u128_new, KF_ITER_NEW)
BTF_ID_FLAGS(func, bpf_iter_blink_u128_next, KF_ITER_NEXT | KF_RET_NULL)
BTF_ID_FLAGS(func, bpf_iter_blink_u128_destroy, KF_ITER_DESTROY)
BTF_ID_FLAGS(func, bpf_blink_u128_iter_error)
BTF_KFUNCS_END(read_ids)

static const struct btf_kfunc_id_set read_set = {
	.owner = THIS_MODULE,
	.set = &read_ids,
};

/**
 * blink_kfuncs_init() - register the kfuncs, and let descriptors get handles
 *
 * The module works without kfuncs. It has no BTF if it was built without pahole or
 * without the BTF of its kernel. The kernel would then register nothing, and return 0.
 * Unloading the module unregisters the kfuncs.
 *
 * Context: process context, before the device is registered.
 */
void __init blink_kfuncs_init(void)
{
	int err;

	if (!THIS_MODULE->btf_data_size)
		return;
	/* Programs of every type. */
	err = register_btf_kfunc_id_set(BPF_PROG_TYPE_UNSPEC, &read_set);
	if (err)
		pr_warn("blink_tree: no functions for BPF programs: %d\n", err);
	else
		blink_handles_enable();
}

#endif /* BLINK_KFUNCS */
