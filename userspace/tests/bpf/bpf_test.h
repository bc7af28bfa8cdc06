/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for all tests of BPF programs: handles of trees, and objects of programs.
 *
 * Include it after kselftest_harness.h.
 */
#ifndef BLINK_BPF_TEST_H
#define BLINK_BPF_TEST_H

#include <limits.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "../ioctl/blink_test.h"

/* Whether the kernel knows the functions of the module. */
static inline bool bpf_usable(void)
{
	struct blink_tree_ioc_info info = {};
	int device = device_open();
	int ret = device < 0 ? device :
			       call(device, BLINK_TREE_IOC_INFO, &info);

	close(device);
	return !ret && info.features & BLINK_TREE_FEATURE_BPF;
}

/* The handle of a tree, 0 if it gets none. */
static inline __u64 handle_of(int tree)
{
	struct blink_tree_ioc_bpf_handle arg = {};

	return call(tree, BLINK_TREE_IOC_BPF_HANDLE, &arg) ? 0 : arg.handle;
}

/* Open an object of programs beside the test's own file. NULL: it does not exist. */
static inline struct bpf_object *object_open(const char *name)
{
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *file;

	if (len < 0)
		return NULL;
	path[len] = '\0';
	file = strrchr(path, '/') + 1;
	snprintf(file, path + sizeof(path) - file, "%s.bpf.o", name);
	return bpf_object__open_file(path, NULL);
}

/* Open it, and load its programs. NULL: the kernel refuses them. */
static inline struct bpf_object *object_load(const char *name)
{
	struct bpf_object *object = object_open(name);

	if (!object || !bpf_object__load(object))
		return object;
	bpf_object__close(object);
	return NULL;
}

/* Set the only variable of an object that is not loaded yet. */
static inline int set_variable(const struct bpf_object *object, __u64 value)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, ".bss");

	if (!map)
		return -ENOENT;
	return bpf_map__set_initial_value(map, &value, sizeof(value));
}

static inline int program_fd(const struct bpf_object *object, const char *name)
{
	return bpf_program__fd(bpf_object__find_program_by_name(object, name));
}

/* The variables of its programs. NULL: they cannot be mapped. */
static inline void *object_shared(const struct bpf_object *object)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, ".bss");
	void *shared;

	if (!map)
		return NULL;
	shared = mmap(NULL, bpf_map__value_size(map), PROT_READ | PROT_WRITE,
		      MAP_SHARED, bpf_map__fd(map), 0);
	return shared == MAP_FAILED ? NULL : shared;
}

#endif /* BLINK_BPF_TEST_H */
