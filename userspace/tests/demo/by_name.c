// SPDX-License-Identifier: GPL-2.0
/* Keys of the tree by name, streams of operations, and scans that are checked. */
#include <string.h>

#include "by_name.h"
#include "job.h"

struct by_name_key by_name_prefix(const struct name *name)
{
	struct by_name_key key = { .length = name->len + 1 };

	if (key.length + sizeof(name->address) > sizeof(key.bytes))
		fail("by name: a name of %d characters", name->len);
	memcpy(key.bytes, name->text, name->len);
	return key;
}

struct by_name_key by_name_pair(const struct name *name)
{
	struct by_name_key key = by_name_prefix(name);

	blinktree_key_from_number(key.bytes + key.length, name->address);
	key.length += sizeof(name->address);
	return key;
}

__u64 by_name_address(const void *value, size_t length)
{
	__u64 number = 0;

	if (length != sizeof(number))
		fail("by name: a value of %zu bytes", length);
	memcpy(&number, value, sizeof(number));
	return number;
}

void by_name_run(struct blinktree_stream *stream, struct blinktree *tree)
{
	int err = blinktree_stream_run(stream, tree, NULL);

	if (err)
		fail("by name: stream: error %d", -err);
}

const struct blinktree_record *by_name_next(struct blinktree_stream *stream)
{
	const struct blinktree_record *result;

	if (!blinktree_stream_next(stream, &result))
		fail("by name: a result is missing");
	if (result->result < 0)
		fail("by name: error %d", -result->result);
	return result;
}

void by_name_expect(struct blinktree_bytes_scan *scan, const void *key,
		    size_t length, const struct name *name)
{
	const struct blinktree_record *entry;
	int ret = blinktree_bytes_scan_next(scan, &entry);
	__u64 address;

	if (ret != 1)
		fail("by name: the scan ended before %.*s, error %d", name->len,
		     name->text, -ret);
	if (entry->key_length != length || memcmp(entry->key, key, length))
		fail("by name: the scan did not return %.*s at %#llx",
		     name->len, name->text, name->address);
	address = by_name_address(entry->value, entry->value_length);
	if (address != name->address)
		fail("by name: %.*s is at %#llx, not %#llx", name->len,
		     name->text, address, name->address);
}

void by_name_expect_end(struct blinktree_bytes_scan *scan)
{
	const struct blinktree_record *entry;
	int ret = blinktree_bytes_scan_next(scan, &entry);

	if (ret)
		fail("by name: the scan did not end, error %d",
		     ret < 0 ? -ret : 0);
	blinktree_bytes_scan_close(scan);
}

struct blinktree_bytes_scan *by_name_scan(struct blinktree *tree,
					  const struct blinktree_range *range,
					  size_t buffer)
{
	struct blinktree_bytes_scan *scan;
	int err = blinktree_bytes_scan_open(tree, range, buffer, &scan);

	if (err)
		fail("by name: scan: error %d", -err);
	return scan;
}

void by_name_expect_pairs(struct blinktree_bytes_scan *scan,
			  const struct name *name, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct by_name_key pair = by_name_pair(&name[i]);

		by_name_expect(scan, pair.bytes, pair.length, &name[i]);
	}
}
