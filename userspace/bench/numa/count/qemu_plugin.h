/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of QEMU's interface for plugins, version 1, that the plugin uses. Debian
 * has no package of it. The names are QEMU's.
 */
#ifndef NUMA_COUNT_QEMU_PLUGIN_H
#define NUMA_COUNT_QEMU_PLUGIN_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define QEMU_PLUGIN_VERSION 1
#define QEMU_PLUGIN_EXPORT __attribute__((visibility("default")))

struct qemu_plugin_tb; /* a block of translated instructions */
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;

#define QEMU_PLUGIN_CB_NO_REGS 0
#define QEMU_PLUGIN_MEM_RW 3

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
__u64 qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

bool qemu_plugin_mem_is_store(__u32 info);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(__u32 info, __u64 vaddr);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *address);
__u64 qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *address);

typedef void (*on_translation_t)(__u64 id, struct qemu_plugin_tb *tb);
typedef void (*on_execution_t)(unsigned int vcpu, void *data);
typedef void (*on_access_t)(unsigned int vcpu, __u32 info, __u64 vaddr,
			    void *data);
typedef void (*on_reset_t)(__u64 id);

/* A callback for each translation, in which the following are of use. */
void qemu_plugin_register_vcpu_tb_trans_cb(__u64 id, on_translation_t callback);
/* For each time that a block begins. */
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  on_execution_t callback, int flags,
					  void *data);
/* For each time that an instruction begins. */
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    on_execution_t callback, int flags,
					    void *data);
/* For each access of an instruction to memory. */
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      on_access_t callback, int flags, int rw,
				      void *data);

/* Forget all callbacks and translations before the CPU's next block, and then call this one. */
void qemu_plugin_reset(__u64 id, on_reset_t callback);

/* The user of the plugin: a guest has a system, a program has none. */
struct qemu_info_t {
	const char *target;
	int version[2];
	bool system;
};

/* The symbols that QEMU looks for in a plugin. */
extern QEMU_PLUGIN_EXPORT int qemu_plugin_version;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(__u64 id,
					   const struct qemu_info_t *info,
					   int argc, char **argv);

#endif /* NUMA_COUNT_QEMU_PLUGIN_H */
