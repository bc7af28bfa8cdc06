// SPDX-License-Identifier: GPL-2.0
/*
 * Faults of an answer that show without knowing the entries of the tree: errors
 * that the header of the ioctls does not name, invariants of the tree that are
 * broken, bytes written behind a structure.
 */
#include <errno.h>
#include <string.h>

#include <linux/blink_tree.h>

#include "memory.h"
#include "runner.h"

#define GUARD_BYTES 16
#define GUARD 0xa5

static bool may_fail_with(int error)
{
	static const int errors[] = {
		ENOTTY, EINVAL, E2BIG,	    EFAULT,   ENOMEM, EBADF,  EINTR,
		ENOENT, EEXIST, ENOSPC,	    ESTALE,   EMFILE, ENFILE, EACCES,
		EPERM,	EDQUOT, EOPNOTSUPP, EMSGSIZE, EAGAIN,
	};
	size_t i;

	for (i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		if (errors[i] == error)
			return true;
	}
	return false;
}

/* Behind a structure at the beginning there is room before the array. */
static unsigned char *guard_of(const struct call *call, __u64 address)
{
	size_t bytes = GUARD_BYTES;

	if (call->place != PLACE_START || call->size > 512)
		return NULL;
	return memory_alias(address + call->size, &bytes);
}

void judge_prepare(const struct call *call, __u64 address)
{
	unsigned char *guard = guard_of(call, address);

	if (guard)
		memset(guard, GUARD, GUARD_BYTES);
}

static bool guard_broken(const struct call *call, __u64 address)
{
	const unsigned char *guard = guard_of(call, address);
	unsigned int i;

	for (i = 0; guard && i < GUARD_BYTES; i++) {
		if (guard[i] != GUARD)
			return true;
	}
	return false;
}

/* An array may have been put over the guard. */
static bool has_array(const struct call *call)
{
	return call->kind == CALL_LIST || call->kind == CALL_BATCH ||
	       call->kind == CALL_SCAN || call->kind == CALL_LEVELS ||
	       call->kind == CALL_LOAD || call->kind == CALL_RECORDS ||
	       call->kind == CALL_RECORD_SCAN ||
	       call->kind == CALL_RECORD_ERASE;
}

static bool is_violated(const struct call *call, __u64 address)
{
	struct blink_tree_ioc_verify arg;
	size_t bytes = sizeof(arg);
	const void *at;

	if (call->kind != CALL_VERIFY || call->size < bytes)
		return false;
	at = memory_alias(address, &bytes);
	if (!at || bytes < sizeof(arg))
		return false;
	/* Addresses need not be aligned. */
	memcpy(&arg, at, sizeof(arg));
	return arg.violation != BLINK_TREE_OK;
}

const char *judge(const struct call *call, long ret, __u64 address, bool alone)
{
	static __thread char unnamed[64];

	if (ret < 0 && !may_fail_with(-ret)) {
		snprintf(unnamed, sizeof(unnamed),
			 "error %ld, which the header does not name", -ret);
		return unnamed;
	}
	if (ret > 0 && !kind_opens(call->kind))
		return "a result that is neither 0 nor an error";
	if (!alone)
		return NULL;
	if (!has_array(call) && guard_broken(call, address))
		return "memory behind the structure was written";
	if (!ret && is_violated(call, address))
		return "the tree's invariants are broken";
	return NULL;
}
