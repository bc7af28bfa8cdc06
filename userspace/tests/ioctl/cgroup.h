/* SPDX-License-Identifier: GPL-2.0 */
/* A memory cgroup for what a child does. Include it after blink_test.h. */
#ifndef BLINK_CGROUP_H
#define BLINK_CGROUP_H

#include <sys/mount.h>
#include <sys/stat.h>

/* Where the hierarchy is, and whether it is there because of us; ours in it. */
struct cgroup {
	char root[64];
	char path[96];
	bool mounted;
};

static inline long read_number(const char *dir, const char *name)
{
	char path[160];
	long number = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (fscanf(f, "%ld", &number) != 1)
		number = -1;
	fclose(f);
	return number;
}

/* How often the cgroup's OOM killer killed, -1 if that cannot be read. */
static inline long oom_kills(const char *dir)
{
	char path[160], event[32];
	long number, kills = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/memory.events", dir);
	f = fopen(path, "r");
	if (!f)
		return -1;
	while (fscanf(f, "%31s %ld", event, &number) == 2) {
		if (!strcmp(event, "oom_kill"))
			kills = number;
	}
	fclose(f);
	return kills;
}

/* Where the unified hierarchy is mounted; mount it if it is not. */
static inline bool find_root(char *root, size_t size, bool *mounted)
{
	FILE *f = fopen("/proc/mounts", "r");
	char where[64], type[32];

	while (f && fscanf(f, "%*s %63s %31s %*[^\n]", where, type) == 2) {
		if (!strcmp(type, "cgroup2")) {
			snprintf(root, size, "%s", where);
			fclose(f);
			return true;
		}
	}
	if (f)
		fclose(f);
	snprintf(root, size, "/tmp/blink_cgroup.XXXXXX");
	if (!mkdtemp(root))
		return false;
	*mounted = !mount("none", root, "cgroup2", 0, NULL);
	if (!*mounted)
		rmdir(root);
	return *mounted;
}

/* Make a cgroup to work in; why it cannot be, or NULL. */
static inline const char *cgroup_open(struct cgroup *cgroup)
{
	if (geteuid())
		return "needs root, to make a cgroup";
	if (!find_root(cgroup->root, sizeof(cgroup->root), &cgroup->mounted))
		return "no cgroup2 hierarchy here";
	write_file(cgroup->root, "cgroup.subtree_control", "+memory");
	snprintf(cgroup->path, sizeof(cgroup->path), "%s/blink_selftest.%d",
		 cgroup->root, getpid());
	if (mkdir(cgroup->path, 0755))
		return "cannot make a cgroup";
	if (read_number(cgroup->path, "memory.current") < 0) {
		rmdir(cgroup->path);
		return "no memory controller in the cgroup2 hierarchy";
	}
	return NULL;
}

static inline void cgroup_close(struct cgroup *cgroup)
{
	rmdir(cgroup->path);
	if (cgroup->mounted) {
		umount(cgroup->root);
		rmdir(cgroup->root);
	}
}

/*
 * Charges are settled a little later than memory is given back, and that waits for a
 * grace period, which takes long where a guest's CPUs stand still.
 */
static inline long cgroup_settled(const char *path, long below)
{
	__u64 end = now_ms() + 60000;
	long now;

	do {
		now = read_number(path, "memory.current");
	} while (now > below && now_ms() < end && !usleep(20000));
	return now;
}

#endif /* BLINK_CGROUP_H */
