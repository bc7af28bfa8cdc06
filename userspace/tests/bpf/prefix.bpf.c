// SPDX-License-Identifier: GPL-2.0
/* The example of Documentation/bpf.rst: it counts the keys that begin with a prefix. */
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

static const char prefix[] = "/usr/bin/";

struct {
	__u64 handle;
	__u64 count;
	/* The key found and its value: the bytes follow. */
	struct blink_bytes_entry found;
	char key[BLINK_BYTES_KEY_MAX];
} at;

#define ROOM (sizeof(at.found) + sizeof(at.key))

static int next(__u32 number, void *ctx)
{
	__u32 length = at.found.length;
	__u32 i;

	for (i = 0; i < sizeof(prefix) - 1; i++)
		if (i >= length || at.key[i] != prefix[i])
			return 1;
	at.count++;
	if (length > sizeof(at.key))
		return 1;
	return bpf_blink_bytes_higher(at.handle, at.key, length, &at.found,
				      ROOM) != 0;
}

SEC("syscall")
int count_keys(void *ctx)
{
	char first[] = "/usr/bin/";

	at.count = 0;
	if (!bpf_blink_bytes_ceiling(at.handle, first, sizeof(first) - 1,
				     &at.found, ROOM))
		bpf_loop(1 << 20, next, NULL, 0);
	return 0;
}

char _license[] SEC("license") = "GPL";
