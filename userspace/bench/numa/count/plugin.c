// SPDX-License-Identifier: GPL-2.0
/*
 * The plugin: functions that QEMU calls, for a guest or for a program by itself. Options:
 *
 *   nodes=N cpus=N    of the guest, equally many CPUs in each NUMA node; of a program
 *                     1 and 1
 *   megabytes=N       memory of each NUMA node
 *   out=FILE          what is dumped goes there
 *   what=instructions count these alone, but those of programs too; without it,
 *                     references as well, of the guest's kernel; programs of the guest
 *                     can mark operations either way
 *   what=trace        of a program: record the references of operations to the file,
 *                     and count nothing (trace.h)
 *
 * Instructions are counted when a block of them begins; a mark amends that by the
 * part of its block that follows it.
 *
 * The addresses of a program are virtual ones, and it tells afterwards, what memory that
 * it referred to is used for. A reference counts for the line that its first byte is in.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "qemu_plugin.h"
#include "trace.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

/* No callback uses registers of the guest: the interface cannot pass them. */
#define NO_REGS QEMU_PLUGIN_CB_NO_REGS

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *out;
static unsigned int dumps;
static bool counting;
static bool instructions_only;
static bool in_program;
static __u64 plugin_id;
/* Of a trace: marks alone are listened to until the first COUNT, as loading an index is long. */
static bool marks_only;

static void zero(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		memset(cpus[cpu].ops, 0, sizeof(cpus[cpu].ops));
		memset(cpus[cpu].insns, 0, sizeof(cpus[cpu].insns));
		memset(cpus[cpu].refs, 0, sizeof(cpus[cpu].refs));
	}
	lines_each(line_reset);
}

/* The place of an access in RAM, or in a program; or false. */
static bool find_place(__u32 info, __u64 vaddr, __u64 *address,
		       unsigned int *home)
{
	struct qemu_plugin_hwaddr *place;
	int node;

	if (in_program) {
		*address = vaddr;
		*home = 0;
		return true;
	}
	place = qemu_plugin_get_hwaddr(info, vaddr);
	if (!place || qemu_plugin_hwaddr_is_io(place))
		return false;
	*address = qemu_plugin_hwaddr_phys_addr(place);
	node = topology_home(*address);
	*home = node;
	return node >= 0;
}

static bool on_stack(const struct cpu *cpu, __u64 vaddr)
{
	return cpu->stack &&
	       vaddr / BLINK_STACK_BYTES == cpu->stack / BLINK_STACK_BYTES;
}

/* Lines change hands with each run, and so do stacks. */
static void forget(void)
{
	unsigned int cpu;

	lines_forget();
	for (cpu = 0; cpu < nr_cpus; cpu++)
		cpus[cpu].stack = 0;
}

static void count(struct refs *refs, bool store, bool remote)
{
	if (store)
		refs->store[remote]++;
	else
		refs->load[remote]++;
}

/*
 * Outside of operations only memory that the plugin was told of counts: a CPU
 * works for the tree, for example to bring its copies up to date.
 */
static void on_access(unsigned int vcpu, __u32 info, __u64 vaddr, void *data)
{
	struct cpu *cpu = &cpus[vcpu];
	bool store = qemu_plugin_mem_is_store(info);
	unsigned int home;
	struct line *line;
	struct refs *refs;
	__u64 address;

	if (!counting || on_stack(cpu, vaddr) ||
	    !find_place(info, vaddr, &address, &home))
		return;
	pthread_mutex_lock(&lock);
	line = cpu->class ? line_get(address, home) : line_find(address);
	if (line)
		line_refer(line, vcpu, store);
	if (line && (cpu->class || line->told)) {
		refs = line->refs[cpu->class];
		refs += address % BLINK_LINE_BYTES < BLINK_LOCK_BYTES;
		count(refs, store, home != cpu->node);
		count(&cpu->refs[cpu->class], store, home != cpu->node);
		if (store)
			directory_store(line, cpu->node, refs);
		else
			directory_load(line, cpu->node, refs);
	}
	pthread_mutex_unlock(&lock);
}

/* @data: whether the instruction is atomic; a load that precedes its store is no event. */
static void on_traced(unsigned int vcpu, __u32 info, __u64 vaddr, void *data)
{
	bool store = qemu_plugin_mem_is_store(info);

	if (!counting || !cpus[vcpu].class || (data && !store) ||
	    (on_stack(&cpus[vcpu], vaddr) && !trace_is_own(vaddr)))
		return;
	trace_event(vcpu,
		    data  ? TRACE_ATOMIC :
		    store ? TRACE_STORE :
			    TRACE_LOAD,
		    vaddr, 0);
}

static void on_ask(unsigned int vcpu, __u32 info, __u64 vaddr, void *data)
{
	unsigned int home;
	__u64 address;

	if (!counting || !cpus[vcpu].class ||
	    !find_place(info, vaddr, &address, &home))
		return;
	if (trace_on()) {
		trace_event(vcpu, TRACE_ASK, vaddr, 0);
		return;
	}
	pthread_mutex_lock(&lock);
	line_ask(line_get(address, home), vcpu);
	pthread_mutex_unlock(&lock);
}

/* A program that is traced tells something. */
static void trace_tell(unsigned int vcpu, __u64 address, unsigned int tag)
{
	unsigned int second = tag & BLINK_TAG_SECOND ? TRACE_SECOND : 0;
	bool records = counting && cpus[vcpu].class;

	if (tag == BLINK_TAG_OWN) {
		trace_own(address);
		return;
	}
	if (tag >= BLINK_TAG_TO_CORE) {
		if (records)
			trace_event(vcpu,
				    TRACE_TO_CORE + tag - BLINK_TAG_TO_CORE,
				    address, 0);
		return;
	}
	tag &= ~BLINK_TAG_SECOND;
	if (tag == BLINK_TAG_STACK)
		cpus[vcpu].stack = address;
	else if (tag >= BLINK_TAG_HOME)
		trace_object(address, tag - BLINK_TAG_HOME);
	else if (tag >= BLINK_TAG_LOCK && records)
		trace_event(vcpu, (TRACE_LOCK + tag - BLINK_TAG_LOCK) | second,
			    address, 0);
}

static void on_tell(unsigned int vcpu, __u32 info, __u64 vaddr, void *data)
{
	unsigned int home, tag;
	struct line *line;
	__u64 address;

	if (!find_place(info, vaddr, &address, &home))
		return;
	tag = address % BLINK_LINE_BYTES;
	if (trace_on()) {
		trace_tell(vcpu, address, tag);
		return;
	}
	if (tag == BLINK_TAG_STACK) {
		cpus[vcpu].stack = vaddr;
		return;
	}
	pthread_mutex_lock(&lock);
	line = in_program ? line_find(address) : line_get(address, home);
	if (line) {
		line->told = true;
		line->head = tag & BLINK_TAG_HEAD;
		line->tag = tag & ~BLINK_TAG_HEAD;
	}
	pthread_mutex_unlock(&lock);
}

/*
 * The argument of on_mark(): the mark, and how much of its block is left with it; nothing, if the
 * instructions of the block are not counted.
 */
static void *pack(unsigned int code, size_t left)
{
	return (void *)(left << 16 | code);
}

static void on_translation(__u64 id, struct qemu_plugin_tb *tb);

static void on_reset(__u64 id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
}

/* The program's threads that do operations begin later: they execute no old translation. */
static void listen_to_all(void)
{
	if (!marks_only)
		return;
	marks_only = false;
	qemu_plugin_reset(plugin_id, on_reset);
}

/* Record no reference of an operation, until it is shown again. */
static void trace_hide(struct cpu *cpu, bool begins)
{
	if (begins)
		cpu->waits = cpu->class;
	cpu->class = begins ? BLINK_CLASS_NONE : cpu->waits;
}

static void trace_mark(unsigned int vcpu, unsigned int code, unsigned int left)
{
	struct cpu *cpu = &cpus[vcpu];

	switch (code & 0xff00) {
	case BLINK_MARK_BEGIN:
		if (counting)
			trace_event(vcpu, TRACE_BEGIN, 0, left);
		cpu->class = counting;
		break;
	case BLINK_MARK_END:
		if (cpu->class)
			trace_event(vcpu, TRACE_END, 0, left);
		cpu->class = BLINK_CLASS_NONE;
		break;
	case BLINK_MARK_WAIT:
		trace_skip(vcpu, left, !(code & 0xff));
		break;
	case BLINK_MARK_HIDE:
		trace_hide(cpu, !(code & 0xff));
		break;
	case BLINK_MARK_JOIN:
		trace_hide(cpu, false);
		if (cpu->class)
			trace_event(vcpu, TRACE_JOIN, 0, left);
		break;
	case BLINK_MARK_COUNT:
		trace_restart();
		listen_to_all();
		counting = true;
		break;
	case BLINK_MARK_PAUSE:
		counting = false;
		break;
	case BLINK_MARK_DUMP:
		trace_end();
		break;
	}
}

/* The instructions of a wait are no part of the operation. */
static void count_wait(struct cpu *cpu, unsigned int left, bool begins)
{
	if (begins) {
		cpu->insns[cpu->class] -= left;
		cpu->waits = cpu->class;
		cpu->class = BLINK_CLASS_NONE;
		return;
	}
	cpu->class = cpu->waits;
	if (left)
		cpu->insns[cpu->class] += left - 1;
}

static void on_mark(unsigned int vcpu, void *data)
{
	unsigned int code = (unsigned long)data & 0xffff;
	unsigned int left = (unsigned long)data >> 16;
	struct cpu *cpu = &cpus[vcpu];
	static __u64 ops;

	if (trace_on()) {
		trace_mark(vcpu, code, left);
		return;
	}
	pthread_mutex_lock(&lock);
	switch (code & 0xff00) {
	case BLINK_MARK_BEGIN:
		cpu->class = (code & 0xff) % BLINK_CLASS_NR;
		cpu->op = ++ops;
		cpu->ops[cpu->class]++;
		if (left)
			cpu->insns[cpu->class] += left - 1;
		break;
	case BLINK_MARK_END:
		cpu->insns[cpu->class] -= left;
		cpu->class = BLINK_CLASS_NONE;
		break;
	case BLINK_MARK_WAIT:
		count_wait(cpu, left, !(code & 0xff));
		break;
	case BLINK_MARK_FORGET:
		forget();
		break;
	case BLINK_MARK_COUNT:
		zero();
		counting = true;
		break;
	case BLINK_MARK_PAUSE:
		counting = false;
		break;
	case BLINK_MARK_DUMP:
		report(out, ++dumps);
		break;
	}
	pthread_mutex_unlock(&lock);
}

static void on_block(unsigned int vcpu, void *data)
{
	struct cpu *cpu = &cpus[vcpu];

	if (trace_on())
		trace_execute(vcpu, (unsigned long)data);
	else if (cpu->class)
		cpu->insns[cpu->class] += (unsigned long)data;
}

/* Whether an instruction is blink_ask(): it may begin with a prefix, REX. */
static bool asks(const struct qemu_plugin_insn *insn)
{
	const __u8 *byte = qemu_plugin_insn_data(insn);
	size_t size = qemu_plugin_insn_size(insn);
	__u32 imm;

	if (size < sizeof(imm) + 2 || byte[(byte[0] & 0xf0) == 0x40] != 0x81)
		return false;
	memcpy(&imm, byte + size - sizeof(imm), sizeof(imm));
	return imm == (BLINK_MARK_MAGIC | BLINK_MARK_ASK);
}

/* The code in an instruction that is a mark or tells something, or 0. */
static unsigned int code_of(const struct qemu_plugin_insn *insn)
{
	static const __u8 mark[] = { 0x0f, 0x1f, 0x80 };
	static const __u8 tell[] = { 0x0f, 0xb6, 0x80 };
	const __u8 *byte = qemu_plugin_insn_data(insn);
	__u32 imm;

	if (qemu_plugin_insn_size(insn) != sizeof(mark) + sizeof(imm))
		return 0;
	if (memcmp(byte, mark, sizeof(mark)) &&
	    memcmp(byte, tell, sizeof(tell)))
		return 0;
	memcpy(&imm, byte + sizeof(mark), sizeof(imm));
	return (imm & 0xffff0000) == BLINK_MARK_MAGIC ? imm & 0xffff : 0;
}

/* Whether an instruction refers to its memory at one instant. */
static bool is_atomic(const struct qemu_plugin_insn *insn)
{
	const __u8 *byte = qemu_plugin_insn_data(insn);

	/* The prefix LOCK; or XCHG, which may begin with REX. */
	return byte[0] == 0xf0 ||
	       (byte[(byte[0] & 0xf0) == 0x40] & 0xfe) == 0x86;
}

static void listen_to_memory(struct qemu_plugin_insn *insn)
{
	if (trace_on())
		qemu_plugin_register_vcpu_mem_cb(
			insn, on_traced, NO_REGS, QEMU_PLUGIN_MEM_RW,
			(void *)(unsigned long)is_atomic(insn));
	else
		qemu_plugin_register_vcpu_mem_cb(insn, on_access, NO_REGS,
						 QEMU_PLUGIN_MEM_RW, NULL);
}

/* @left: as that of pack(); @refer: count references */
static void listen(struct qemu_plugin_insn *insn, size_t left, bool refer)
{
	unsigned int code = code_of(insn);

	if (!code && !refer)
		return;
	if (!code && asks(insn))
		qemu_plugin_register_vcpu_mem_cb(insn, on_ask, NO_REGS,
						 QEMU_PLUGIN_MEM_RW, NULL);
	else if (!code)
		listen_to_memory(insn);
	else if (code == BLINK_MARK_TELL)
		qemu_plugin_register_vcpu_mem_cb(insn, on_tell, NO_REGS,
						 QEMU_PLUGIN_MEM_RW, NULL);
	else
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, NO_REGS,
						       pack(code, left));
}

static void on_translation(__u64 id, struct qemu_plugin_tb *tb)
{
	/* The kernel has the upper half of all addresses. */
	bool mine = in_program || qemu_plugin_tb_vaddr(tb) >> 63;
	bool counted = (mine && !marks_only) || instructions_only;
	size_t nr = qemu_plugin_tb_n_insns(tb), i;

	if (counted)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, NO_REGS,
						     (void *)nr);
	for (i = 0; i < nr; i++)
		listen(qemu_plugin_tb_get_insn(tb, i), counted ? nr - i : 0,
		       mine && !instructions_only && !marks_only);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(__u64 id,
					   const struct qemu_info_t *info,
					   int argc, char **argv)
{
	unsigned long nodes = 0, nr = 0, megabytes = 0;
	const char *value, *path = NULL;
	bool tracing = false;
	int i;

	for (i = 0; i < argc; i++) {
		value = strchr(argv[i], '=');
		if (!value)
			return -1;
		value++;
		if (!strncmp(argv[i], "nodes=", 6))
			nodes = strtoul(value, NULL, 10);
		else if (!strncmp(argv[i], "cpus=", 5))
			nr = strtoul(value, NULL, 10);
		else if (!strncmp(argv[i], "megabytes=", 10))
			megabytes = strtoul(value, NULL, 10);
		else if (!strncmp(argv[i], "out=", 4))
			path = value;
		else if (!strcmp(argv[i], "what=instructions"))
			instructions_only = true;
		else if (!strcmp(argv[i], "what=trace"))
			tracing = true;
		else
			return -1;
	}
	in_program = !info->system;
	if (!path || topology_set(nodes, nr, (__u64)megabytes << 20) ||
	    (tracing && !in_program))
		return -1;
	plugin_id = id;
	marks_only = tracing;
	out = tracing ? NULL : fopen(path, "w");
	if (!(tracing ? trace_open(path) : !!out))
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	return 0;
}
