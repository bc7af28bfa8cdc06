// SPDX-License-Identifier: GPL-2.0
/* Reading a snapshot. Each way in which it can be damaged has its own message. */
#include <endian.h>

#include "crc32c.h"
#include "interrupt.h"
#include "snapshot_reader.h"

static enum status tell_truncated(const struct snapshot_reader *reader)
{
	message("%s: truncated: it ends at byte %llu, without an end mark",
		input_name(reader->input), input_position(reader->input));
	return STATUS_TRUNCATED;
}

static enum status tell_corrupted(const struct snapshot_reader *reader,
				  const char *why)
{
	message("%s: corrupted: in the chunk at byte %llu %s",
		input_name(reader->input), reader->start, why);
	return STATUS_CORRUPTED;
}

/* Read up to @len bytes, and fewer only at the end. */
static enum status read_some(const struct snapshot_reader *reader, void *bytes,
			     size_t len, size_t *nr)
{
	ssize_t ret = input_read(reader->input, bytes, len);

	if (interrupted())
		return STATUS_INTERRUPTED;
	*nr = ret;
	return ret < 0 ? STATUS_SYSTEM : STATUS_OK;
}

static enum status read_bytes(const struct snapshot_reader *reader, void *bytes,
			      size_t len)
{
	size_t nr;
	enum status status = read_some(reader, bytes, len, &nr);

	return !status && nr < len ? tell_truncated(reader) : status;
}

enum status snapshot_open(struct snapshot_reader *reader, struct input *input)
{
	struct snapshot_header header;
	enum status status;
	const char *why;
	size_t nr;

	reader->input = input;
	reader->entries = 0;
	reader->left = 0;
	status = read_some(reader, &header, sizeof(header), &nr);
	if (status)
		return status;
	status = snapshot_read_header(&header, nr, &reader->attr, &why);
	if (status)
		message("%s: %s", input_name(input), why);
	reader->kinds.key = reader->attr.key;
	reader->kinds.value = value_kind(reader->attr.create_flags);
	return status;
}

/* Nothing follows the end mark. */
static enum status read_end(const struct snapshot_reader *reader)
{
	char byte;
	size_t nr;
	enum status status = read_some(reader, &byte, sizeof(byte), &nr);

	return !status && nr ?
		       tell_corrupted(reader, "the end mark is not the end") :
		       status;
}

static enum status read_records(struct snapshot_reader *reader,
				const struct snapshot_chunk *chunk)
{
	enum status status;

	reader->bytes = le32toh(chunk->bytes);
	reader->used = 0;
	status = read_bytes(reader, reader->records, reader->bytes);
	if (status)
		return status;
	if (chunk->records_crc !=
	    htole32(crc32c(0, reader->records, reader->bytes)))
		return tell_corrupted(reader,
				      "the checksum of the records is wrong");
	reader->left = le32toh(chunk->count);
	return reader->left ? STATUS_OK : read_end(reader);
}

enum status snapshot_next_chunk(struct snapshot_reader *reader)
{
	struct snapshot_chunk chunk;
	enum status status;

	reader->start = input_position(reader->input);
	status = read_bytes(reader, &chunk, sizeof(chunk));
	if (status)
		return status;
	if (!snapshot_chunk_is_good(&chunk))
		return tell_corrupted(reader,
				      "the checksum of its head is wrong");
	if (le64toh(chunk.before) != reader->entries)
		return tell_corrupted(reader,
				      "entries are missing or repeated");
	return read_records(reader, &chunk);
}

enum status snapshot_next(struct snapshot_reader *reader, struct entry *entry)
{
	size_t len = snapshot_read_record(reader->records + reader->used,
					  reader->bytes - reader->used,
					  reader->kinds, entry);
	bool is_last = reader->left == 1;

	if (!len || is_last != (reader->used + len == reader->bytes))
		return tell_corrupted(reader, "a record has a wrong length");
	if (reader->entries &&
	    !snapshot_ascends(&reader->last, entry, reader->kinds.key))
		return tell_corrupted(reader, "the keys do not ascend");
	key_copy(&reader->last.key, &entry->key);
	value_copy(&reader->last.value, &entry->value);
	reader->used += len;
	reader->entries++;
	reader->left--;
	return STATUS_OK;
}
