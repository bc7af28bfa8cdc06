// SPDX-License-Identifier: GPL-2.0
/* Writing a snapshot. */
#include "snapshot_writer.h"

bool snapshot_begin(struct snapshot_writer *writer, struct output *output,
		    const struct blink_tree_ioc_attr *attr, __u64 entries)
{
	struct snapshot_header header;

	writer->output = output;
	writer->kinds.key = attr->key;
	writer->kinds.value = value_kind(attr->create_flags);
	writer->before = 0;
	writer->count = 0;
	writer->bytes = 0;
	snapshot_write_header(&header, attr, entries);
	return output_write(output, &header, sizeof(header));
}

/* Without records, this is the end mark. */
static bool write_chunk(struct snapshot_writer *writer)
{
	struct snapshot_chunk chunk;

	snapshot_write_chunk(&chunk, writer->records, writer->bytes,
			     writer->count, writer->before);
	if (!output_write(writer->output, &chunk, sizeof(chunk)) ||
	    !output_write(writer->output, writer->records, writer->bytes))
		return false;
	writer->before += writer->count;
	writer->count = 0;
	writer->bytes = 0;
	return true;
}

bool snapshot_add(struct snapshot_writer *writer,
		  const struct blinktree_record *record)
{
	if (writer->bytes > SNAPSHOT_RECORDS_MAX - SNAPSHOT_RECORD_MAX &&
	    !write_chunk(writer))
		return false;
	writer->bytes += snapshot_write_record(writer->records + writer->bytes,
					       writer->kinds, record);
	writer->count++;
	return true;
}

bool snapshot_end(struct snapshot_writer *writer)
{
	if (writer->count && !write_chunk(writer))
		return false;
	return write_chunk(writer);
}
