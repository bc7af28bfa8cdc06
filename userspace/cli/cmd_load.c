// SPDX-License-Identifier: GPL-2.0
/* load: store the entries of a file in a tree. */
#include <errno.h>

#include "device.h"
#include "loader.h"
#include "printer.h"
#include "progress.h"
#include "reader.h"
#include "util.h"

struct summary {
	__u64 read;
	__u64 added;
	__u64 overwritten;
	double seconds;
};

static const struct field summary_fields[] = {
	FIELD(FIELD_U64, struct summary, read),
	FIELD(FIELD_U64, struct summary, added),
	FIELD(FIELD_U64, struct summary, overwritten),
	FIELD(FIELD_REAL, struct summary, seconds),
};

static const struct schema summary_schema = {
	.layout = LAYOUT_LINES,
	.fields = summary_fields,
	.nr = ARRAY_SIZE(summary_fields),
};

/* Entries to read before the progress line looks at the clock again. */
#define LOOK 256

/* Read the file. The entries before an error are stored. */
static enum status feed(const struct args *args, struct input *input,
			struct loader *loader, struct progress *progress,
			__u64 *read)
{
	struct blink_tree_entry entry;
	bool first = true;
	int ret;

	while ((ret = reader_next(input, args->format, &first, &entry)) == 1) {
		if (!loader_add(loader, &entry))
			return STATUS_OK;
		if (!(++*read % LOOK))
			progress_update(progress, input_position(input),
					"%llu entries", *read);
	}
	return -ret;
}

static enum status report_error(const struct args *args,
				const struct loader_result *result)
{
	char what[128];

	if (!result->error)
		return STATUS_OK;
	snprintf(what, sizeof(what), "%s: key %llu", args->words[0],
		 result->key);
	return device_failed(what, result->error);
}

static enum status load(const struct args *args, struct printer *out,
			struct blinktree *tree, struct input *input)
{
	struct loader_result result;
	struct summary summary = {};
	struct progress progress;
	struct loader *loader;
	enum status status, failed;

	loader = loader_start(tree, args->sorted ? 1 : args->jobs, args->batch,
			      args->sorted ? args->fill : 0);
	if (!loader)
		return device_failed("threads", ENOMEM);
	progress_start(&progress, input_size(input));
	status = feed(args, input, loader, &progress, &summary.read);
	result = loader_finish(loader);
	summary.seconds = progress_seconds(&progress);
	progress_end(&progress);

	summary.added = result.added;
	summary.overwritten = result.overwritten;
	print_record(out, &summary_schema, &summary);
	failed = report_error(args, &result);
	return failed > status ? failed : status;
}

enum status run_load(const struct args *args, struct printer *out)
{
	struct blinktree *tree = device_open_tree(args, BLINK_TREE_OPEN_WRITE);
	enum status status = STATUS_SYSTEM;
	struct input *input;

	if (!tree)
		return status;
	input = input_open(args->nr > 1 ? args->words[1] : "-");
	if (input) {
		status = load(args, out, tree, input);
		input_close(input);
	}
	blinktree_close(tree);
	return status;
}
