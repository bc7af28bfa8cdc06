// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer's target for the character device: the sources of module/chardev
 * and of the core, in this process. An input is a program as text; the first
 * lane's calls are root's, the second one's those of a user without rights.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/blink_tree.h>

#include "libfuzzer.h"
#include "memory.h"
#include "random.h"
#include "runner.h"

#include "shim/chardev.h"
#include "shim/files.h"

#include "chardev/device.h"
#include "chardev/handle.h"
#include "core/core.h"

#define NOBODY 65534
/* Of what the shim chooses, as of which NUMA node a call comes from. */
#define SHIM_SEED 1

static int slots[SLOTS];
static long live_at_start;
static __u64 ioctls;

__attribute__((destructor)) static void tell(void)
{
	fprintf(stderr, "stat::number_of_ioctls: %llu\n", ioctls);
}

int target_initialize(int *argc, char ***argv)
{
	unsigned int i;

	(void)argc;
	(void)argv;
	shim_nodes = 2;
	shim_rcu_waits = true;
	blink_handles_enable();
	if (memory_map() || blink_core_init() || blink_device_init())
		abort();
	for (i = 0; i < SLOTS; i++)
		slots[i] = -1;
	slots[SLOT_DEVICE] = fuzz_open_device(O_RDWR);
	live_at_start = shim_live_objects();
	return 0;
}

static void put_slot(unsigned int slot, long fd)
{
	if (fd < 0)
		return;
	if (slot == SLOT_DEVICE) {
		fuzz_close(fd);
		return;
	}
	fuzz_close(slots[slot]);
	slots[slot] = fd;
}

static void check(const char *complaint)
{
	if (!complaint)
		return;
	fprintf(stderr, "%s\n", complaint);
	abort();
}

static void make_ioctl(const struct call *call)
{
	static const struct names names = { .private = "fuzz.b" };
	__u64 address = call_prepare(call, &names);
	unsigned int cmd = kind_specs[call->kind].cmd;
	long ret;

	if (call->kind == CALL_RAW)
		cmd = _IOC(call->value[0] & 3, call->value[1] & 0xff,
			   call->value[2] & 0xff, 0);
	cmd = (cmd & ~IOCSIZE_MASK) | call->size << IOCSIZE_SHIFT;
	judge_prepare(call, address);
	ioctls++;
	ret = fuzz_ioctl(slots[call->slot], cmd, address, call->compat);
	shim_self->fail_nth = 0;
	fuzz_signal_in = 0;
	if (call->kind != CALL_RAW)
		check(judge(call, ret, address, true));
	if (call->kind == CALL_CREATE || call->kind == CALL_OPEN)
		put_slot(call->to, ret);
	else if (_IOC_TYPE(cmd) == BLINK_TREE_IOC_TYPE)
		fuzz_close(ret > 0 ? ret : -1);
}

static void make_call(const struct call *call)
{
	fuzz_uid = call->lane ? NOBODY : 0;
	if (kind_specs[call->kind].cmd || call->kind == CALL_RAW) {
		make_ioctl(call);
		return;
	}
	switch (call->kind) {
	case CALL_FDINFO:
		fuzz_fdinfo(slots[call->slot]);
		break;
	case CALL_PASS:
	case CALL_DUP:
		put_slot(call->to, fuzz_dup(slots[call->slot]));
		break;
	case CALL_CLOSE:
		if (call->slot == SLOT_DEVICE)
			break;
		fuzz_close(slots[call->slot]);
		slots[call->slot] = -1;
		break;
	case CALL_ALARM:
		fuzz_signal_in = 1 + call->value[0] % 64;
		fuzz_signal_fatal = call->value[0] & 1;
		break;
	case CALL_FAIL:
		shim_self->fail_nth = 1 + call->value[0] % 64;
		break;
	case CALL_PROTECT:
		memory_protect(call->lane, call->value[0], call->value[1]);
		break;
	}
}

static void verify(unsigned int slot)
{
	struct call call = {
		.kind = CALL_VERIFY,
		.slot = slot,
		.size = sizeof(struct blink_tree_ioc_verify),
	};

	make_call(&call);
}

/* As runner.c does it. */
static void clean_up(const struct program *program)
{
	struct call call = {
		.kind = CALL_UNLINK,
		.size = sizeof(struct blink_tree_ioc_unlink),
	};
	unsigned int i;

	shim_self->fail_nth = 0;
	fuzz_signal_in = 0;
	memory_reset();
	for (i = 0; i < SLOTS; i++) {
		if (i == SLOT_DEVICE)
			continue;
		if (slots[i] >= 0)
			verify(i);
		fuzz_close(slots[i]);
		slots[i] = -1;
	}
	for (i = 0; i < program->nr; i++) {
		call.value[2] = program->calls[i].value[3];
		if (program->calls[i].kind == CALL_CREATE)
			make_call(&call);
		call.value[2] = program->calls[i].value[4];
		if (program->calls[i].kind == CALL_ATTR)
			make_call(&call);
	}
}

/*
 * Nothing is left of a program but its memory of user space. Wait for objects that
 * are freed later, so that none of them is freed during the next program.
 */
static void count_objects(void)
{
	rcu_barrier();
	if (shim_live_objects() != live_at_start)
		check("objects were not freed");
}

static bool parse(const __u8 *data, size_t size, struct program *program)
{
	unsigned int line = 0;
	FILE *file;
	bool good;

	if (!size)
		return false;
	file = fmemopen((void *)data, size, "r");
	if (!file)
		return false;
	good = program_read(program, file, &line) > 0;
	fclose(file);
	return good;
}

int target_run(const __u8 *data, size_t size)
{
	struct program program;
	unsigned int i;

	if (!parse(data, size, &program))
		return -1;
	shim_self->random = SHIM_SEED;
	for (i = 0; i < program.nr; i++)
		make_call(&program.calls[i]);
	clean_up(&program);
	count_objects();
	return 0;
}

static size_t print(const struct program *program, __u8 *data, size_t room)
{
	size_t size = 0;
	char *text;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		return 0;
	program_write(program, file);
	fclose(file);
	size = size < room ? size : room;
	memcpy(data, text, size);
	free(text);
	return size;
}

size_t target_mutate(__u8 *data, size_t size, size_t room, unsigned int seed)
{
	__u64 random = random_stream(seed, 0);
	const struct donors none = {};
	struct program program;

	if (!parse(data, size, &program))
		program_generate(&program, &random);
	else
		program_mutate(&program, &none, &random);
	return print(&program, data, room);
}

size_t target_cross(const __u8 *a, size_t a_size, const __u8 *b, size_t b_size,
		    __u8 *out, size_t room, unsigned int seed)
{
	__u64 random = random_stream(seed, 0);
	struct program program, other;
	const struct donors donors = { .other = &other };

	if (!parse(a, a_size, &program) || !parse(b, b_size, &other))
		return 0;
	program_mutate(&program, &donors, &random);
	return print(&program, out, room);
}
