// SPDX-License-Identifier: GPL-2.0
/* The files of the laboratory; see module/lab/main.c. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"

#define NAME_MAX_ 32

static void explain(const char *path, int error)
{
	message("%s: %s", path, strerror(error));
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		message("load the module, as root: modprobe blink_tree_lab, or");
		message("insmod blink_tree.ko and then module/lab/blink_tree_lab.ko");
		message("if /sys/kernel/debug is empty, mount it first:");
		message("mount -t debugfs none /sys/kernel/debug");
		break;
	case EACCES:
	case EPERM:
		message("only root can run the benchmark");
		break;
	}
}

int lab_open(const char *directory, const char *name)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		explain(path, errno);
	return fd;
}

static int find(const char *name)
{
	int i;

	for (i = 0; workload_words[i] && i < LAB_WORKS_MAX; i++) {
		if (!strcmp(workload_words[i], name))
			return i;
	}
	return -1;
}

static bool read_score(const char *line, struct lab_round *round)
{
	struct lab_score score;
	char name[NAME_MAX_];
	int i;

	if (sscanf(line, "workload=%31s number=%*u ops=%llu ns=%llu wrong=%llu",
		   name, &score.ops, &score.ns, &score.wrong) != 4)
		return false;
	i = find(name);
	if (i < 0 || !score.ops || !score.ns)
		return false;
	round->score[i] = score;
	return true;
}

bool lab_read(FILE *file, struct lab_round *round)
{
	char line[256];
	bool good;

	*round = (struct lab_round){};
	good = fgets(line, sizeof(line), file) &&
	       sscanf(line,
		      "index=%*s threads=%u batch=%*u entries=%llu bytes=%llu",
		      &round->threads, &round->entries, &round->bytes) == 3;
	while (good && fgets(line, sizeof(line), file))
		good = read_score(line, round);
	return good && !ferror(file);
}

/* Read the result of the laboratory, from the start of the file. */
static bool read_back(int fd, struct lab_round *round)
{
	char text[4096];
	ssize_t len = pread(fd, text, sizeof(text), 0);
	FILE *file;
	bool good;

	if (len <= 0)
		return false;
	file = fmemopen(text, len, "r");
	good = file && lab_read(file, round);
	if (file)
		fclose(file);
	return good;
}

int lab_run(int fd, const char *what, struct lab_round *round)
{
	int error = write(fd, what, strlen(what)) < 0 ? errno : 0;

	if (!read_back(fd, round) && !error)
		error = EPROTO;
	return error;
}
