// SPDX-License-Identifier: GPL-2.0
/* The format of snapshots. */
#include <assert.h>
#include <endian.h>
#include <string.h>

#include "crc32c.h"
#include "snapshot.h"

static_assert(sizeof(struct snapshot_header) == 144, "the format has changed");
static_assert(sizeof(struct snapshot_chunk) == 24, "the format has changed");

#define KNOWN_FLAGS (BLINK_TREE_CREATE_COMPRESS | BLINK_TREE_CREATE_BYTE_VALUES)

static __le32 header_crc(const struct snapshot_header *header)
{
	const size_t len = offsetof(struct snapshot_header, crc);

	return htole32(crc32c(0, header, len));
}

void snapshot_write_header(struct snapshot_header *header,
			   const struct blink_tree_ioc_attr *attr,
			   __u64 entries)
{
	*header = (struct snapshot_header){
		.magic = SNAPSHOT_MAGIC,
		.version = htole32(SNAPSHOT_VERSION),
		.byte_order = htole32(SNAPSHOT_BYTE_ORDER),
		.key = htole32(attr->key),
		.mode = htole32(attr->mode),
		.create_flags = htole64(attr->create_flags),
		.max_entries = htole64(attr->max_entries),
		.max_bytes = htole64(attr->max_bytes),
		.entries = htole64(entries),
		.uid = htole32(attr->uid),
		.gid = htole32(attr->gid),
		.replication = attr->replication,
		.locking = attr->locking,
		.placement = attr->placement,
	};
	memcpy(header->name, attr->name, sizeof(header->name));
	header->crc = header_crc(header);
}

static void read_attributes(const struct snapshot_header *header,
			    struct blink_tree_ioc_attr *attr)
{
	*attr = (struct blink_tree_ioc_attr){
		.uid = le32toh(header->uid),
		.gid = le32toh(header->gid),
		.mode = le32toh(header->mode),
		.replication = header->replication,
		.locking = header->locking,
		.placement = header->placement,
		.max_entries = le64toh(header->max_entries),
		.max_bytes = le64toh(header->max_bytes),
		.create_flags = le64toh(header->create_flags),
		.key = le32toh(header->key),
	};
	memcpy(attr->name, header->name, sizeof(attr->name));
}

/* Whether this program knows all that a header says. */
static bool is_known(const struct snapshot_header *header)
{
	static const __u8 zeros[sizeof(header->__reserved)];

	return le32toh(header->key) <= BLINK_TREE_KEY_BYTES &&
	       !(le64toh(header->create_flags) & ~(__u64)KNOWN_FLAGS) &&
	       !memcmp(header->__reserved, zeros, sizeof(zeros));
}

/* Whether the module lets a tree have this name. */
static bool is_name(const char name[BLINK_TREE_NAME_MAX])
{
	size_t len = strnlen(name, BLINK_TREE_NAME_MAX);

	return len && len < BLINK_TREE_NAME_MAX && *name != '-' &&
	       *name != '.' && strspn(name, BLINK_TREE_NAME_CHARS) == len;
}

static enum status judge_header(const struct snapshot_header *header,
				const char **why)
{
	if (header->byte_order == htobe32(SNAPSHOT_BYTE_ORDER)) {
		*why = "its numbers have the most significant byte first";
		return STATUS_NEWER;
	}
	if (header->crc != header_crc(header)) {
		*why = "corrupted: the checksum of its header is wrong";
		return STATUS_CORRUPTED;
	}
	if (header->version != htole32(SNAPSHOT_VERSION)) {
		*why = "a snapshot of a newer version, which this program does not read";
		return STATUS_NEWER;
	}
	if (!is_known(header)) {
		*why = "its tree has a kind or an option that this program does not know";
		return STATUS_NEWER;
	}
	/* It is printed, and the file can come from anyone. */
	if (!is_name(header->name)) {
		*why = "corrupted: no tree can have the name in its header";
		return STATUS_CORRUPTED;
	}
	return STATUS_OK;
}

enum status snapshot_read_header(const struct snapshot_header *header,
				 size_t len, struct blink_tree_ioc_attr *attr,
				 const char **why)
{
	size_t magic = sizeof(header->magic);
	enum status status;

	if (memcmp(header->magic, SNAPSHOT_MAGIC, len < magic ? len : magic)) {
		*why = "not a snapshot of a tree";
		return STATUS_USAGE;
	}
	if (len < sizeof(*header)) {
		*why = "truncated: it ends in its header";
		return STATUS_TRUNCATED;
	}
	status = judge_header(header, why);
	if (!status)
		read_attributes(header, attr);
	return status;
}

static __le32 chunk_crc(const struct snapshot_chunk *chunk)
{
	return htole32(crc32c(0, chunk, offsetof(struct snapshot_chunk, crc)));
}

void snapshot_write_chunk(struct snapshot_chunk *chunk, const void *records,
			  size_t bytes, __u32 count, __u64 before)
{
	*chunk = (struct snapshot_chunk){
		.bytes = htole32(bytes),
		.count = htole32(count),
		.before = htole64(before),
		.records_crc = htole32(crc32c(0, records, bytes)),
	};
	chunk->crc = chunk_crc(chunk);
}

bool snapshot_chunk_is_good(const struct snapshot_chunk *chunk)
{
	return chunk->crc == chunk_crc(chunk) &&
	       le32toh(chunk->bytes) <= SNAPSHOT_RECORDS_MAX &&
	       !chunk->bytes == !chunk->count;
}

/* A string has its length before it. */
static unsigned char *write_string(unsigned char *to, const void *bytes,
				   size_t len)
{
	const __le16 length = htole16(len);

	memcpy(to, &length, sizeof(length));
	memcpy(to + sizeof(length), bytes, len);
	return to + sizeof(length) + len;
}

static unsigned char *write_value(unsigned char *to, const void *bytes)
{
	__u64 number;

	memcpy(&number, bytes, sizeof(number));
	number = htole64(number);
	memcpy(to, &number, sizeof(number));
	return to + sizeof(number);
}

size_t snapshot_write_record(unsigned char *to, struct kinds kinds,
			     const struct blinktree_record *record)
{
	unsigned char *end = to;

	if (kinds.key == BLINK_TREE_KEY_BYTES) {
		end = write_string(end, record->key, record->key_length);
	} else {
		memcpy(end, record->key, record->key_length);
		end += record->key_length;
	}
	if (kinds.value == VALUE_BYTES)
		end = write_string(end, record->value, record->value_length);
	else
		end = write_value(end, record->value);
	return end - to;
}

/*
 * The place of the next part of a record: a number of @number bytes, or a string. NULL if
 * it is longer than what is left, or than @most.
 */
static const unsigned char *next_part(const unsigned char **from, size_t *left,
				      bool string, size_t number, size_t most,
				      size_t *length)
{
	const unsigned char *part;
	__le16 before;

	*length = number;
	if (string) {
		if (*left < sizeof(before))
			return NULL;
		memcpy(&before, *from, sizeof(before));
		*from += sizeof(before);
		*left -= sizeof(before);
		*length = le16toh(before);
	}
	if (*length > *left || *length > most)
		return NULL;
	part = *from;
	*from += *length;
	*left -= *length;
	return part;
}

size_t snapshot_read_record(const unsigned char *from, size_t len,
			    struct kinds kinds, struct entry *entry)
{
	bool string_key = kinds.key == BLINK_TREE_KEY_BYTES;
	bool string_value = kinds.value == VALUE_BYTES;
	const unsigned char *part;
	size_t left = len, length;

	part = next_part(&from, &left, string_key, key_length(kinds.key),
			 KEY_BYTES_MAX, &length);
	if (!part)
		return 0;
	key_set(&entry->key, kinds.key, part, length);
	part = next_part(&from, &left, string_value, 8, VALUE_BYTES_MAX,
			 &length);
	if (!part)
		return 0;
	value_set(&entry->value, kinds.value, part, length);
	if (!string_value)
		entry->value.number = le64toh(entry->value.number);
	return len - left;
}

bool snapshot_ascends(const struct entry *a, const struct entry *b,
		      unsigned int kind)
{
	int order = key_compare(&a->key, &b->key);

	return order < 0 || (!order && kind == BLINK_TREE_KEY_MULTI &&
			     a->value.number < b->value.number);
}
