// SPDX-License-Identifier: GPL-2.0
/* Orders and answers as text (point.h). */
#include <linux/types.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "point.h"

void point_order(const struct point *point, char text[ORDER_MAX])
{
	snprintf(
		text, ORDER_MAX,
		"scheme=%s mix=%s order=%s threads=%u keys=%llu ops=%llu warm_up=%llu batch=%u node_bytes=%u seed=%llu timed=%d",
		point->scheme, point->mix, point->order, point->threads,
		point->keys, point->ops, point->warm_up, point->batch,
		point->node_bytes, point->seed, point->timed);
}

/* The value of NAME=VALUE in a line, or NULL. */
static const char *find_value(const char *line, const char *name)
{
	size_t length = strlen(name);
	const char *end = strchrnul(line, '\n');

	while (line < end) {
		if (!strncmp(line, name, length) && line[length] == '=')
			return line + length + 1;
		line += strcspn(line, "\n ");
		line += *line == ' ';
	}
	return NULL;
}

static bool read_number(const char *line, const char *name, u64 *number)
{
	const char *value = find_value(line, name);
	char *end;

	if (!value || *value < '0' || *value > '9')
		return false;
	*number = strtoull(value, &end, 10);
	return !*end || *end == ' ' || *end == '\n';
}

/* A number, or NaN for "-". */
static bool read_maybe(const char *line, const char *name, double *number)
{
	const char *value = find_value(line, name);
	u64 known;

	*number = NAN;
	if (value && *value == '-')
		return true;
	if (!read_number(line, name, &known))
		return false;
	*number = (double)known;
	return true;
}

/* The kind of operation of a line, or -1. */
static int find_op(const char *line)
{
	const char *name = find_value(line, "op");
	int op;

	for (op = 0; name && op < LAB_OP_NR; op++) {
		size_t length = strlen(lab_op_names[op]);

		if (!strncmp(name, lab_op_names[op], length) &&
		    name[length] == ' ')
			return op;
	}
	return -1;
}

static bool read_times(struct answer *answer, const char *line)
{
	const char *buckets = find_value(line, "times");
	struct lab_times *times;
	int op = find_op(line);
	char *copy;
	bool good;

	if (op < 0 || !buckets)
		return false;
	times = &answer->times[op];
	copy = strndup(buckets, strcspn(buckets, "\n "));
	good = copy && read_number(line, "count", &times->count) &&
	       read_number(line, "sum", &times->sum) &&
	       read_number(line, "least", &times->least) &&
	       read_number(line, "most", &times->most) &&
	       times_read(times, copy);
	free(copy);
	return good;
}

bool answer_read(struct answer *answer, const char *text)
{
	const char *line = text;
	u64 threads = 0;
	bool good;

	*answer = (struct answer){};
	good = read_number(line, "threads", &threads) &&
	       read_number(line, "ops", &answer->ops) &&
	       read_number(line, "ns", &answer->ns) &&
	       read_number(line, "wrong", &answer->wrong) &&
	       read_maybe(line, "retries", &answer->retries) &&
	       read_maybe(line, "bytes", &answer->bytes);
	answer->threads = threads;
	for (line = strchr(line, '\n'); good && line && line[1];
	     line = strchr(line + 1, '\n'))
		good = read_times(answer, line + 1);
	return good && answer->ns;
}
