// SPDX-License-Identifier: GPL-2.0
/* blink_lab_point: measure a point (native.c). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../streams.h"
#include "key_file.h"
#include "lab/point/point.h"

static int set_keys(const char *path)
{
	struct lab_keys keys;
	unsigned long line;
	int ret = key_file_read(path, &keys, &line);

	return ret ?: lab_point_set_keys(keys.key, keys.nr);
}

int main(int argc, char **argv)
{
	static char answer[LAB_POINT_ANSWER_MAX];
	int ret = argc == 3 ? set_keys(argv[2]) : 0;

	streams_open();
	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: %s ORDER [KEY-FILE]\n", argv[0]);
		ret = -EINVAL;
	}
	ret = ret ?: lab_point_order(argv[1], answer, sizeof(answer));
	fputs(answer, stdout);
	return -ret;
}
