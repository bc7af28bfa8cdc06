// SPDX-License-Identifier: GPL-2.0
/* Errors, trees, handles and objects of programs, for all examples. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader.h"

void die(const char *what, int err)
{
	fprintf(stderr, "%s: %s\n", what, strerror(-err));
	exit(1);
}

struct blinktree *new_tree(enum blink_tree_key key)
{
	struct blink_tree_ioc_create how = { .key = key };
	struct blinktree_ctl *ctl;
	struct blinktree *tree;
	int err = blinktree_ctl_open(NULL, &ctl);

	if (err)
		die(BLINK_TREE_DEVICE, err);
	err = blinktree_create_as(ctl, &how, sizeof(how), &tree);
	if (err)
		die("a tree", err);
	blinktree_ctl_close(ctl);
	return tree;
}

__u64 handle_of(struct blinktree *tree)
{
	__u64 handle;
	int err = blinktree_bpf_handle(tree, &handle);

	if (err)
		die("a handle", err);
	return handle;
}

static void path_of(char path[PATH_MAX], const char *name)
{
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *file;

	if (len < 0)
		die("/proc/self/exe", -errno);
	path[len] = '\0';
	file = strrchr(path, '/') + 1;
	snprintf(file, path + PATH_MAX - file, "%s.bpf.o", name);
}

struct bpf_object *load_object(const char *name, const void *variables,
			       size_t size)
{
	char path[PATH_MAX];
	struct bpf_object *object;
	struct bpf_map *map;
	int err;

	path_of(path, name);
	object = bpf_object__open_file(path, NULL);
	if (!object)
		die(path, -errno);
	map = bpf_object__find_map_by_name(object, ".bss");
	err = map ? bpf_map__set_initial_value(map, variables, size) : -ENOENT;
	if (!err)
		err = bpf_object__load(object);
	if (err)
		die(path, err);
	return object;
}

struct bpf_program *program_of(const struct bpf_object *object,
			       const char *name)
{
	struct bpf_program *program =
		bpf_object__find_program_by_name(object, name);

	if (!program)
		die(name, -ENOENT);
	return program;
}
