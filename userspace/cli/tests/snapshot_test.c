// SPDX-License-Identifier: GPL-2.0
/* Snapshots of all kinds are read as they were written, and no damage is overlooked. */
#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../tests/common/tap.h"
#include "../crc32c.h"
#include "../snapshot_reader.h"
#include "../snapshot_writer.h"
#include "../util.h"

#define ROOM (4 << 20)

static const struct kinds all_kinds[] = {
	{ BLINK_TREE_KEY_U64, VALUE_U64 },
	{ BLINK_TREE_KEY_U64, VALUE_BYTES },
	{ BLINK_TREE_KEY_U128, VALUE_U64 },
	{ BLINK_TREE_KEY_U128, VALUE_BYTES },
	{ BLINK_TREE_KEY_MULTI, VALUE_U64 },
	{ BLINK_TREE_KEY_BYTES, VALUE_U64 },
	{ BLINK_TREE_KEY_BYTES, VALUE_BYTES },
};

static const char *path;
static unsigned char file[ROOM];
static size_t file_bytes;
static __u32 ignored;

/* An entry of a scan. */
struct sample {
	unsigned char key[KEY_BYTES_MAX];
	unsigned char value[VALUE_BYTES_MAX];
	struct blinktree_record record;
};

/* The entry at @i. In a tree of the kind multi, each key has two values. */
static void make_sample(struct sample *sample, struct kinds kinds, __u32 i)
{
	__u32 number = kinds.key == BLINK_TREE_KEY_MULTI ? i / 2 : i;
	__u64 value = i * 0x100000001ULL;
	size_t length = key_length(kinds.key);
	__le32 bytes = htobe32(number);

	memset(sample->key, 0, sizeof(sample->key));
	memset(sample->value, i, sizeof(sample->value));
	if (kinds.key == BLINK_TREE_KEY_BYTES) {
		/* The first string has no bytes. */
		length = i ? 4 + i % 50 : 0;
		memcpy(sample->key, &bytes, sizeof(bytes));
	} else {
		memcpy(sample->key + length - 4, &bytes, sizeof(bytes));
	}
	if (kinds.value == VALUE_U64)
		memcpy(sample->value, &value, sizeof(value));
	sample->record = (struct blinktree_record){
		.key = sample->key,
		.key_length = length,
		.value = sample->value,
		.value_length = kinds.value == VALUE_U64 ? 8 : i % 100,
	};
}

static void read_file(void)
{
	FILE *from = fopen(path, "r");

	file_bytes = fread(file, 1, ROOM, from);
	fclose(from);
}

/* Emptying the file first would make the file system write it to the disk. */
static void close_file(FILE *to)
{
	fflush(to);
	tap_check(!ftruncate(fileno(to), ftell(to)));
	fclose(to);
}

static void write_file(const void *bytes, size_t len)
{
	FILE *to = fopen(path, "r+");

	fwrite(bytes, 1, len, to);
	close_file(to);
}

/* Write a snapshot of @nr entries, and read it into @file. */
static void make_snapshot(struct kinds kinds, __u32 nr)
{
	const struct blink_tree_ioc_attr attr = {
		.uid = 1,
		.gid = 2,
		.mode = 0640,
		.replication = BLINK_TREE_REPLICATE_FULL,
		.locking = BLINK_TREE_LOCKING_COHORT,
		.placement = BLINK_TREE_PLACE_INTERLEAVE,
		.max_entries = UINT64_MAX,
		.max_bytes = 1ULL << 40,
		.name = "a.tree",
		.key = kinds.key,
		.create_flags = kinds.value == VALUE_BYTES ?
					BLINK_TREE_CREATE_BYTE_VALUES :
					0,
	};
	struct output *output = output_open(path, 0600);
	static struct snapshot_writer writer;
	static struct sample sample;
	__u32 i;

	tap_check(snapshot_begin(&writer, output, &attr, nr));
	for (i = 0; i < nr; i++) {
		make_sample(&sample, kinds, i);
		tap_check(snapshot_add(&writer, &sample.record));
	}
	tap_check(snapshot_entries(&writer) == nr && snapshot_end(&writer));
	tap_check(output_commit(output));
	read_file();
}

static bool is_sample(const struct entry *entry, const struct sample *sample)
{
	const struct blinktree_record *record = &sample->record;

	return entry->key.length == record->key_length &&
	       !memcmp(entry->key.bytes, record->key, record->key_length) &&
	       entry->value.length == record->value_length &&
	       !memcmp(entry->value.bytes, record->value, record->value_length);
}

/*
 * Read the snapshot in the file, whose entries must be those of make_snapshot(). @whole
 * is the number of entries in chunks that could be read to their end.
 */
static enum status read_snapshot(__u32 *whole)
{
	struct input *input = input_open(path);
	static struct snapshot_reader reader;
	static struct sample sample;
	static struct entry entry;
	enum status status;
	__u32 chunk;

	*whole = 0;
	status = snapshot_open(&reader, input);
	while (!status) {
		status = snapshot_next_chunk(&reader);
		chunk = reader.left;
		while (!status && reader.left) {
			make_sample(&sample, reader.kinds, reader.entries);
			status = snapshot_next(&reader, &entry);
			tap_check(status || is_sample(&entry, &sample));
		}
		if (!chunk || status)
			break;
		*whole += chunk;
	}
	input_close(input);
	return status;
}

static void test_checksum(void)
{
	tap_check(crc32c(0, "", 0) == 0);
	tap_check(crc32c(0, "123456789", 9) == 0xe3069283);
	tap_check(crc32c(crc32c(0, "1234", 4), "56789", 5) == 0xe3069283);
	tap_case("the checksum is CRC-32C");
}

static void test_kinds(void)
{
	static const __u32 sizes[] = { 0, 1, 3, 20000 };
	size_t i, j;
	__u32 whole;

	for (i = 0; i < ARRAY_SIZE(all_kinds); i++) {
		for (j = 0; j < ARRAY_SIZE(sizes); j++) {
			make_snapshot(all_kinds[i], sizes[j]);
			tap_check(read_snapshot(&whole) == STATUS_OK);
			tap_check(whole == sizes[j]);
		}
	}
	tap_case("snapshots of all kinds and sizes are read as written");
}

static void test_header(void)
{
	struct blink_tree_ioc_attr attr = {};
	struct snapshot_header header;
	const char *why;

	make_snapshot(all_kinds[1], 0);
	memcpy(&header, file, sizeof(header));
	tap_check(!snapshot_read_header(&header, sizeof(header), &attr, &why));
	tap_check(attr.uid == 1 && attr.gid == 2 && attr.mode == 0640);
	tap_check(attr.replication == BLINK_TREE_REPLICATE_FULL &&
		  attr.locking == BLINK_TREE_LOCKING_COHORT &&
		  attr.placement == BLINK_TREE_PLACE_INTERLEAVE);
	tap_check(attr.max_entries == UINT64_MAX &&
		  attr.max_bytes == 1ULL << 40 && !strcmp(attr.name, "a.tree"));
	tap_check(attr.create_flags == BLINK_TREE_CREATE_BYTE_VALUES);
	tap_case("the header has the options of the tree");
}

static void test_truncated(void)
{
	size_t i, len;
	__u32 whole;

	for (i = 0; i < ARRAY_SIZE(all_kinds); i++) {
		make_snapshot(all_kinds[i], 3);
		for (len = 0; len < file_bytes; len++) {
			write_file(file, len);
			tap_check(read_snapshot(&whole) == STATUS_TRUNCATED);
			tap_check(whole == (len < file_bytes - 24 ? 0 : 3));
		}
	}
	tap_case("a file that ends anywhere too early is truncated");
}

static void flip(size_t at, unsigned char bits)
{
	enum status expected = at < 8 ? STATUS_USAGE : STATUS_CORRUPTED;
	__u32 whole;

	file[at] ^= bits;
	write_file(file, file_bytes);
	tap_check(read_snapshot(&whole) == expected);
	tap_check(whole == (at < file_bytes - 24 ? 0 : 3));
	file[at] ^= bits;
}

static void test_corrupted(void)
{
	size_t i, at;

	for (i = 0; i < ARRAY_SIZE(all_kinds); i++) {
		make_snapshot(all_kinds[i], 3);
		for (at = 0; at < file_bytes; at++) {
			flip(at, 0x01);
			flip(at, 0x80);
			flip(at, 0xff);
		}
	}
	write_file(file, file_bytes + 1);
	tap_check(read_snapshot(&ignored) == STATUS_CORRUPTED);
	tap_case("a file with any other byte is corrupted");
}

/* A header with a correct checksum. */
static enum status judge_header(struct snapshot_header *header)
{
	const size_t len = offsetof(struct snapshot_header, crc);

	header->crc = htole32(crc32c(0, header, len));
	write_file(header, sizeof(*header));
	return read_snapshot(&ignored);
}

static void test_newer(void)
{
	struct snapshot_header good, header;

	make_snapshot(all_kinds[0], 3);
	memcpy(&good, file, sizeof(good));
	header = good;
	tap_check(judge_header(&header) == STATUS_TRUNCATED);
	header.version = htole32(2);
	tap_check(judge_header(&header) == STATUS_NEWER);
	header = good;
	header.key = htole32(4);
	tap_check(judge_header(&header) == STATUS_NEWER);
	header = good;
	header.create_flags = htole64(1ULL << 40);
	tap_check(judge_header(&header) == STATUS_NEWER);
	header = good;
	header.__reserved[1] = htole32(1);
	tap_check(judge_header(&header) == STATUS_NEWER);
	header = good;
	header.byte_order = htobe32(SNAPSHOT_BYTE_ORDER);
	tap_check(judge_header(&header) == STATUS_NEWER);
	tap_case("a file with what this program does not know is newer");
}

/* A header with a correct checksum and this name. */
static enum status judge_name(const char *name)
{
	struct snapshot_header header;

	memcpy(&header, file, sizeof(header));
	memset(header.name, 0, sizeof(header.name));
	memcpy(header.name, name, strnlen(name, sizeof(header.name)));
	return judge_header(&header);
}

static void test_names(void)
{
	static const char *const forbidden[] = {
		"",    "-a",	".a",	    "a b",	"a/b",
		"a\n", "a\177", "a\033[2J", "\303\266",
	};
	char longest[BLINK_TREE_NAME_MAX + 1] = {};
	size_t i;

	make_snapshot(all_kinds[0], 3);
	tap_check(judge_name("a") == STATUS_TRUNCATED);
	tap_check(judge_name("+-._@:Zz9") == STATUS_TRUNCATED);
	for (i = 0; i < ARRAY_SIZE(forbidden); i++)
		tap_check(judge_name(forbidden[i]) == STATUS_CORRUPTED);
	memset(longest, 'x', BLINK_TREE_NAME_MAX);
	tap_check(judge_name(longest) == STATUS_CORRUPTED);
	longest[BLINK_TREE_NAME_MAX - 1] = '\0';
	tap_check(judge_name(longest) == STATUS_TRUNCATED);
	tap_case("a name that no tree can have is found");
}

/* Where the chunks of the file begin. */
static size_t find_chunks(size_t *starts, size_t room)
{
	size_t nr = 0, at = sizeof(struct snapshot_header);
	struct snapshot_chunk chunk;

	for (; at < file_bytes && nr < room; at += 24 + le32toh(chunk.bytes)) {
		starts[nr++] = at;
		memcpy(&chunk, file + at, sizeof(chunk));
	}
	return nr;
}

/* Write the header and these chunks. */
static enum status read_chunks(const size_t *starts, const char *order,
			       __u32 *whole)
{
	FILE *to = fopen(path, "r+");

	fwrite(file, 1, sizeof(struct snapshot_header), to);
	for (; *order; order++)
		fwrite(file + starts[*order - '0'], 1,
		       starts[*order - '0' + 1] - starts[*order - '0'], to);
	close_file(to);
	return read_snapshot(whole);
}

static void test_chunks(void)
{
	size_t starts[9], nr;
	__u32 whole, first;

	make_snapshot(all_kinds[0], 10000);
	nr = find_chunks(starts, ARRAY_SIZE(starts));
	tap_check(nr == 4);
	starts[nr] = file_bytes;
	tap_check(read_chunks(starts, "0123", &whole) == STATUS_OK);
	tap_check(whole == 10000);
	tap_check(read_chunks(starts, "012", &whole) == STATUS_TRUNCATED);
	tap_check(whole == 10000);
	tap_check(read_chunks(starts, "03", &first) == STATUS_CORRUPTED);
	tap_check(first > 1000 && first < 5000);
	tap_check(read_chunks(starts, "0023", &whole) == STATUS_CORRUPTED);
	tap_check(whole == first);
	tap_check(read_chunks(starts, "1023", &whole) == STATUS_CORRUPTED);
	tap_check(whole == 0);
	tap_check(read_chunks(starts, "01233", &whole) == STATUS_CORRUPTED);
	tap_case("a chunk that is missing, or at another place, is found");
}

static void put_chunk(FILE *to, const void *records, size_t bytes, __u32 count,
		      __u64 before)
{
	struct snapshot_chunk chunk;

	snapshot_write_chunk(&chunk, records, bytes, count, before);
	fwrite(&chunk, 1, sizeof(chunk), to);
	fwrite(records, 1, bytes, to);
}

/* One chunk of records that have a correct checksum, but are wrong. */
static enum status judge_records(const void *records, size_t bytes, __u32 count)
{
	FILE *to = fopen(path, "r+");

	fwrite(file, 1, sizeof(struct snapshot_header), to);
	put_chunk(to, records, bytes, count, 0);
	close_file(to);
	return read_snapshot(&ignored);
}

/* Two chunks with a good record each, the second of which says how many are before it. */
static enum status judge_before(__u64 before)
{
	const unsigned char *records = file + sizeof(struct snapshot_header) +
				       sizeof(struct snapshot_chunk);
	FILE *to;

	make_snapshot(all_kinds[0], 2);
	to = fopen(path, "r+");
	fwrite(file, 1, sizeof(struct snapshot_header), to);
	put_chunk(to, records, 16, 1, 0);
	put_chunk(to, records + 16, 16, 1, before);
	close_file(to);
	return read_snapshot(&ignored);
}

static void test_records(void)
{
	static const unsigned char huge[2 + 1025 + 2] = { 0x01, 0x04 };
	unsigned char twice[32] = {};

	make_snapshot((struct kinds){ BLINK_TREE_KEY_BYTES, VALUE_BYTES }, 1);
	tap_check(judge_records("\0\0\0\0", 4, 1) == STATUS_TRUNCATED);
	tap_check(judge_records("\0\0\0\0", 4, 2) == STATUS_CORRUPTED);
	tap_check(judge_records("\0\0\0\0\0", 5, 1) == STATUS_CORRUPTED);
	tap_check(judge_records("\0\0\0", 3, 1) == STATUS_CORRUPTED);
	tap_check(judge_records("\0", 1, 1) == STATUS_CORRUPTED);
	tap_check(judge_records("\1\0", 2, 1) == STATUS_CORRUPTED);
	tap_check(judge_records("\0\0\1\0", 4, 1) == STATUS_CORRUPTED);
	tap_check(judge_records("", 0, 1) == STATUS_CORRUPTED);
	tap_check(judge_records(huge, sizeof(huge), 1) == STATUS_CORRUPTED);
	make_snapshot(all_kinds[0], 1);
	tap_check(judge_records(twice, 32, 2) == STATUS_CORRUPTED);
	make_snapshot((struct kinds){ BLINK_TREE_KEY_MULTI, VALUE_U64 }, 1);
	tap_check(judge_records(twice, 32, 2) == STATUS_CORRUPTED);
	tap_check(judge_before(0) == STATUS_CORRUPTED);
	tap_check(judge_before(1) == STATUS_TRUNCATED);
	tap_check(judge_before(2) == STATUS_CORRUPTED);
	tap_case("records that no save writes are found");
}

int main(void)
{
	const unsigned int planned = 9;
	char name[] = "/tmp/snapshot_test.XXXXXX";

	close(mkstemp(name));
	path = name;
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	tap_begin(planned);
	test_checksum();
	test_kinds();
	test_header();
	test_truncated();
	test_corrupted();
	test_newer();
	test_names();
	test_chunks();
	test_records();
	unlink(path);
	return tap_exit(planned);
}
