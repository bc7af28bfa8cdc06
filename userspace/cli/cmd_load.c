// SPDX-License-Identifier: GPL-2.0
/* load: store the entries of a file in a tree. */
#include <errno.h>

#include "device.h"
#include "loader.h"
#include "printer.h"
#include "progress.h"
#include "reader.h"
#include "target.h"

/* Entries to read before the progress line looks at the clock again. */
#define LOOK 256

/* Read the file. The entries before an error are stored. */
static enum status feed(struct reader *reader, struct loader *loader,
			struct progress *progress, __u64 *read)
{
	struct entry entry;
	int ret;

	while ((ret = reader_next(reader, &entry)) == 1) {
		if (!loader_add(loader, &entry))
			return STATUS_OK;
		if (!(++*read % LOOK))
			progress_update(progress, input_position(reader->input),
					"%llu entries", *read);
	}
	return -ret;
}

static enum status report_error(const struct args *args,
				const struct target *target,
				const struct loader_result *result)
{
	char what[KEY_TEXT_MAX + 128], key[KEY_TEXT_MAX];

	if (!result->error)
		return STATUS_OK;
	key_text(key, &result->key, args->key_form, args->hex);
	snprintf(what, sizeof(what), "%s: key %s", target->name, key);
	return target_failed(target, what, result->error);
}

static enum status load(const struct args *args, struct printer *out,
			const struct target *target, struct input *input)
{
	struct reader reader = { .input = input,
				 .format = args->format,
				 .kinds = target->kinds };
	struct loader_result result;
	struct progress progress;
	double seconds;
	__u64 read = 0;
	struct loader *loader;
	enum status status, failed;

	loader = loader_start(target->tree, target->kinds.key,
			      args->sorted ? 1 : args->jobs, args->batch,
			      args->sorted ? args->fill : 0);
	if (!loader)
		return device_failed("threads", ENOMEM);
	progress_start(&progress, input_size(input));
	status = feed(&reader, loader, &progress, &read);
	reader_close(&reader);
	result = loader_finish(loader);
	seconds = progress_seconds(&progress);
	progress_end(&progress);

	print_begin(out, PART_OBJECT, NULL);
	print_u64(out, "read", read);
	print_u64(out, "added", result.added);
	print_u64(out, "overwritten", result.overwritten);
	print_real(out, "seconds", seconds, 1);
	print_end(out);
	failed = report_error(args, target, &result);
	return failed > status ? failed : status;
}

enum status run_load(const struct args *args, struct printer *out)
{
	struct target target;
	struct input *input;
	enum status status = target_open(args, BLINK_TREE_OPEN_WRITE, &target);

	if (status)
		return status;
	if (!target_format(&target, args->format)) {
		target_close(&target);
		return STATUS_USAGE;
	}
	status = STATUS_SYSTEM;
	input = input_open(args->nr > 1 ? args->words[1] : "-");
	if (input) {
		status = load(args, out, &target, input);
		input_close(input);
	}
	target_close(&target);
	return status;
}
