// SPDX-License-Identifier: GPL-2.0
/*
 * Attacks of a user without rights on others, once the device lets anyone in:
 * calls of a size that would take minutes, and trees without end. The first
 * must let others run on their CPU, and end when their process is killed; the
 * second must count as memory of their maker.
 *
 * A *hog* is a child without rights that makes one kind of huge call again
 * and again. Arrays of it are huge, but in the same piece of memory throughout.
 * How long its calls take depends on the machine, so that what others notice is
 * compared with that: a sleeper on its CPU is to wake up, and the hog is to die, long
 * before the end of a call.
 */
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "cgroup.h"
#include "topology.h"
#include "users.h"

#define NAME "selftest.hostile"

/* A piece, and how often it is mapped, each after the other: 1 GiB in all. */
#define PIECE (64UL << 20)
#define PIECES 16
#define ARRAY_BYTES (PIECES * PIECE)

/* As many as a piece has: their keys are those of the hog's tree. */
#define TREE_KEYS (PIECE / sizeof(struct blink_tree_entry))
#define TREES 10000
/* Half of this many naps must end in time: a slow machine may spoil some. */
#define NAPS 31
#define NAP_US 1000
/* Emulated machines are slow, and their clocks are not steady. */
#define BOUND_US 15000000
/* Calls that take longer than this need not be seen to end. */
#define LONG_US 1000000
/* Of some hogs that are killed, one must be dead in time. */
#define KILLS 8
/* In time: naps end within such a part of a call, deaths within another. */
#define PART 8
#define DEATH_PART 4
/* Charges are counted in batches for each CPU. */
#define SLACK (2L << 20)
/* Other allocations meanwhile: less than the smallest one for each tree. */
#define UNCHARGED (TREES * 64L)

/* A huge array that takes little memory; NULL if there is no address for it. */
static void *huge_array(void)
{
	int fd = memfd_create("piece", MFD_CLOEXEC), i;
	char *at;

	at = mmap(NULL, ARRAY_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		  0);
	if (fd < 0 || at == MAP_FAILED || ftruncate(fd, PIECE))
		return NULL;
	for (i = 0; i < PIECES; i++) {
		if (mmap(at + i * PIECE, PIECE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			return NULL;
	}
	close(fd);
	return at;
}

/* The kinds of calls. Each returns the call's result. */
static int huge_batch(int tree, void *array)
{
	unsigned int done;

	return batch(tree, array,
		     ARRAY_BYTES / sizeof(struct blink_tree_ioc_op), &done);
}

/* Keys ascend for one piece: into a tree that has none, and goes again. */
static int huge_load(int tree, void *array)
{
	struct blink_tree_ioc_load arg = {
		.count = ARRAY_BYTES / sizeof(struct blink_tree_entry),
		.entries = ptr_to_u64(array),
		.entry_size = sizeof(struct blink_tree_entry),
		.fill = 100,
	};
	int ret;

	tree = tree_new(0);
	ret = call(tree, BLINK_TREE_IOC_LOAD, &arg);
	close(tree);
	return ret == -EEXIST ? 0 : ret;
}

static int huge_scan(int tree, void *array)
{
	struct blink_tree_ioc_scan arg = {
		.last = U64_MAX,
		.capacity = ARRAY_BYTES / sizeof(struct blink_tree_entry),
		.entries = ptr_to_u64(array),
		.entry_size = sizeof(struct blink_tree_entry),
	};

	return call(tree, BLINK_TREE_IOC_SCAN, &arg);
}

static int huge_count(int tree, void *array)
{
	__u64 bounds[2];
	struct blink_tree_ioc_record_scan arg = {
		.flags = BLINK_TREE_RECORD_SCAN_COUNT |
			 BLINK_TREE_RECORD_SCAN_DESC,
		.first = ptr_to_u64(&bounds[0]),
		.last = ptr_to_u64(&bounds[1]),
	};

	(void)array;
	return call(tree, BLINK_TREE_IOC_RECORD_SCAN, &arg);
}

static int huge_verify(int tree, void *array)
{
	struct blink_tree_ioc_verify arg = {};

	(void)array;
	return call(tree, BLINK_TREE_IOC_VERIFY, &arg);
}

static int huge_stats(int tree, void *array)
{
	struct blink_tree_ioc_levels arg = {
		.capacity = UINT32_MAX,
		.levels = ptr_to_u64(array),
		.level_size = sizeof(struct blink_tree_level_stats),
	};

	return call(tree, BLINK_TREE_IOC_LEVELS, &arg);
}

/* No call at all: it dies as fast as what has all that memory can. */
static int spin(int tree, void *array)
{
	(void)tree;
	while (__atomic_load_n((char *)array, __ATOMIC_RELAXED) != 1)
		;
	return 0;
}

/*
 * The report of a hog: how many calls it began and ended, how long the shortest
 * took; an error, if one came.
 */
struct told {
	__u64 began;
	__u64 ended;
	__u64 shortest;
	int error;
};

FIXTURE(hog)
{
	struct told *told;
	mode_t mode;
	void *array;
	int tree;
	pid_t pid;
};

FIXTURE_VARIANT(hog)
{
	int (*make)(int tree, void *array);
};

FIXTURE_VARIANT_ADD(hog, batch)
MEMBERS(.make = huge_batch);
FIXTURE_VARIANT_ADD(hog, load)
MEMBERS(.make = huge_load);
FIXTURE_VARIANT_ADD(hog, scan)
MEMBERS(.make = huge_scan);
FIXTURE_VARIANT_ADD(hog, count)
MEMBERS(.make = huge_count);
FIXTURE_VARIANT_ADD(hog, verify)
MEMBERS(.make = huge_verify);
FIXTURE_VARIANT_ADD(hog, stats)
MEMBERS(.make = huge_stats);

/* The device lets anyone in until device_close_again(). */
static int device_let_in(mode_t *mode)
{
	struct stat st;

	if (stat(BLINK_TREE_DEVICE, &st))
		return -errno;
	*mode = st.st_mode & 07777;
	return chmod(BLINK_TREE_DEVICE, 0666) ? -errno : 0;
}

/* Ascending keys are operations too: look-ups, of what the opcode is 0 in. */
static void fill_piece(struct blink_tree_entry *entries)
{
	unsigned int i;

	for (i = 0; i < TREE_KEYS; i++)
		entries[i].key = (__u64)i << 16;
}

static int load_piece(int tree, struct blink_tree_entry *entries)
{
	struct blink_tree_ioc_load arg = {
		.count = TREE_KEYS,
		.entries = ptr_to_u64(entries),
		.entry_size = sizeof(struct blink_tree_entry),
		.fill = 100,
	};

	return call(tree, BLINK_TREE_IOC_LOAD, &arg);
}

/* This process runs at once when it wakes up, as soon as the hog lets it. */
static int go_first(void)
{
	const struct sched_param param = { .sched_priority = 1 };

	return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param);
}

FIXTURE_SETUP(hog)
{
	if (geteuid())
		SKIP(return, "needs root, to become nobody");
	self->told = shared_alloc(sizeof(*self->told));
	self->array = huge_array();
	ASSERT_NE(NULL, self->told);
	ASSERT_NE(NULL, self->array);
	fill_piece(self->array);
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, load_piece(self->tree, self->array));
	ASSERT_EQ(0, device_let_in(&self->mode));
}

FIXTURE_TEARDOWN(hog)
{
	chmod(BLINK_TREE_DEVICE, self->mode);
	close(self->tree);
}

static void be_hog(const FIXTURE_DATA(hog) * self,
		   int (*make)(int tree, void *array))
{
	struct told *told = self->told;
	__u64 took;
	int ret;

	/* No page is to be missing: to fetch it gives way, too. */
	if (madvise(self->array, PIECE, MADV_POPULATE_WRITE) ||
	    become(NOBODY, NOBODY, 0))
		_exit(1);
	do {
		took = now_us();
		__atomic_add_fetch(&told->began, 1, __ATOMIC_SEQ_CST);
		ret = make(self->tree, self->array);
		took = now_us() - took;
		if (took < told->shortest)
			told->shortest = took;
		__atomic_add_fetch(&told->ended, 1, __ATOMIC_SEQ_CST);
	} while (!ret);
	told->error = -ret;
	_exit(2);
}

/* Returns when it has begun a call; how long its calls take is kept. */
static pid_t start_hog(const FIXTURE_DATA(hog) * self,
		       int (*make)(int tree, void *array))
{
	struct told *told = self->told;
	pid_t pid;

	told->began = 0;
	told->ended = 0;
	pid = fork();
	if (!pid)
		be_hog(self, make);
	while (pid > 0 && !__atomic_load_n(&told->began, __ATOMIC_SEQ_CST))
		usleep(NAP_US);
	return pid;
}

/* Sleep a little: by how much that was too long. */
static __u64 nap(void)
{
	__u64 began = now_us(), took;

	usleep(NAP_US);
	took = now_us() - began;
	return took > NAP_US ? took - NAP_US : 0;
}

static __u64 free_memory(void)
{
	struct sysinfo info;

	return sysinfo(&info) ? 0 : (__u64)info.freeram * info.mem_unit;
}

static int compare(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * Nap until one call has ended or is long. Returns by how much half of the naps
 * were too long at most; @least is how little memory there was.
 */
static __u64 watch_hog(const struct told *told, __u64 *least)
{
	__u64 began = now_us(), late[NAPS], now, free;
	unsigned int naps = 0;

	do {
		late[naps++ % NAPS] = nap();
		free = free_memory();
		*least = free < *least ? free : *least;
		now = now_us() - began;
	} while (now < BOUND_US &&
		 (naps < NAPS || (!told->ended && now < LONG_US)));
	naps = naps < NAPS ? naps : NAPS;
	qsort(late, naps, sizeof(*late), compare);
	return late[naps / 2];
}

/* How long it takes to die. */
static __u64 kill_hog(pid_t pid)
{
	__u64 before = now_us();
	int status;

	if (kill(pid, SIGKILL) || waitpid(pid, &status, 0) != pid ||
	    !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		return U64_MAX;
	return now_us() - before;
}

/* Kill a hog in its first call; @soonest is how soon one such was dead. */
static pid_t kill_in_first_call(FIXTURE_DATA(hog) * self,
				int (*make)(int tree, void *array),
				__u64 *soonest)
{
	__u64 took;

	self->pid = start_hog(self, make);
	if (self->pid <= 0)
		return self->pid;
	usleep(3 * NAP_US);
	took = kill_hog(self->pid);
	*soonest = took < *soonest ? took : *soonest;
	return self->pid;
}

TEST_F(hog, shares_its_cpu_and_dies)
{
	__u64 most = free_memory(), least = most, late;
	__u64 any = U64_MAX, soonest = U64_MAX;
	struct told *told = self->told;
	unsigned int i;

	ASSERT_EQ(0, run_on(1));
	ASSERT_EQ(0, go_first());
	told->shortest = LONG_US;
	self->pid = start_hog(self, variant->make);
	ASSERT_LT(0, self->pid);
	late = watch_hog(told, &least);
	EXPECT_NE(U64_MAX, kill_hog(self->pid));
	TH_LOG("calls of %llu us at least; naps %llu us too long; %llu MiB in use",
	       told->shortest, late, (most - least) >> 20);
	EXPECT_EQ(0, told->error);
	EXPECT_GT(ARRAY_BYTES / 4, most - least);
	ASSERT_GT(told->shortest / PART, late);
	/* Far from the end of its first call, but for what any of them needs. */
	for (i = 0; i < KILLS; i++) {
		ASSERT_LT(0, kill_in_first_call(self, spin, &any));
		ASSERT_LT(0, kill_in_first_call(self, variant->make, &soonest));
	}
	TH_LOG("killed within %llu us, out of a call %llu us", any, soonest);
	EXPECT_EQ(0, told->error);
	EXPECT_GT(any + told->shortest / DEATH_PART, soonest);
	EXPECT_EQ(0, tree_check(self->tree, TREE_KEYS));
}

/* The report of the maker of trees: how many there are, the error that ended it. */
struct made {
	unsigned int trees;
	int error;
};

FIXTURE(trees)
{
	struct cgroup cgroup;
	struct made *made;
	struct blink_tree_list_entry *listed;
	mode_t mode;
};

FIXTURE_VARIANT(trees)
{
	/* Memory that there is for them, 0 for no limit. */
	long room;
};

FIXTURE_VARIANT_ADD(trees, unbounded)
MEMBERS(.room = 0);
FIXTURE_VARIANT_ADD(trees, bounded)
MEMBERS(.room = 4L << 20);

FIXTURE_SETUP(trees)
{
	const char *missing = cgroup_open(&self->cgroup);

	if (missing)
		SKIP(return, "%s", missing);
	self->made = shared_alloc(sizeof(*self->made));
	self->listed = calloc(TREES + 1, sizeof(*self->listed));
	ASSERT_NE(NULL, self->made);
	ASSERT_NE(NULL, self->listed);
	ASSERT_EQ(0, device_let_in(&self->mode));
}

FIXTURE_TEARDOWN(trees)
{
	chmod(BLINK_TREE_DEVICE, self->mode);
	cgroup_close(&self->cgroup);
	free(self->listed);
}

static void name_tree(char name[BLINK_TREE_NAME_MAX], unsigned int number)
{
	snprintf(name, BLINK_TREE_NAME_MAX, "%s.%u", NAME, number);
}

/* A tree that stays, with an entry; 0, or what it failed with. */
static int make_tree(int device, unsigned int number)
{
	char name[BLINK_TREE_NAME_MAX];
	int tree, ret;

	name_tree(name, number);
	tree = tree_create(device, name, 0600, 0);
	if (tree < 0)
		return tree;
	ret = insert(tree, number, number);
	close(tree);
	return ret;
}

static int make_trees(const struct cgroup *cgroup, struct made *made, long room)
{
	int device = device_open();
	char text[32];

	snprintf(text, sizeof(text), "%ld", room);
	if (device < 0 || write_file("/proc/self", "oom_score_adj", "-1000") ||
	    write_file(cgroup->path, "cgroup.procs", "0") ||
	    (room && write_file(cgroup->path, "memory.max", text)) ||
	    become(NOBODY, NOBODY, 0))
		return 1;
	while (made->trees < TREES && !made->error) {
		made->error = -make_tree(device, made->trees);
		made->trees += !made->error;
	}
	return 0;
}

/* The trees of a user, in one call; -1 if it fails. */
static int list_trees(int device, struct blink_tree_list_entry *entries)
{
	struct blink_tree_ioc_list arg = {
		.capacity = TREES + 1,
		.trees = ptr_to_u64(entries),
		.entry_size = sizeof(*entries),
	};

	return call(device, BLINK_TREE_IOC_LIST, &arg) ? -1 : (int)arg.count;
}

static unsigned int unlink_trees(int device, unsigned int nr)
{
	char name[BLINK_TREE_NAME_MAX];
	unsigned int i, unlinked = 0;

	for (i = 0; i < nr; i++) {
		name_tree(name, i);
		unlinked += !tree_unlink(device, name);
	}
	return unlinked;
}

static long percpu_memory(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	char line[128];
	long kib = 0;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "Percpu: %ld", &kib) == 1)
			break;
	}
	if (f)
		fclose(f);
	return kib << 10;
}

/* Memory of kmalloc() that is charged to a cgroup, or memory that is not. */
static long slab_memory(bool charged)
{
	FILE *f = fopen("/proc/slabinfo", "re");
	long objects, size, sum = 0;
	char line[512], name[64];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %ld %*d %ld", name, &objects, &size) ==
			    3 &&
		    !strncmp(name, "kmalloc-", 8) &&
		    !strncmp(name, "kmalloc-cg-", 11) == charged)
			sum += objects * size;
	}
	if (f)
		fclose(f);
	return sum;
}

TEST_F(trees, cost_their_maker)
{
	const char *path = self->cgroup.path;
	struct made *made = self->made;
	int device = device_open(), status, listed, i;
	long others = percpu_memory() + slab_memory(true);
	long uncharged = slab_memory(false), charged;
	__u64 bytes = 0;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(make_trees(&self->cgroup, made, variant->room));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	/* Their maker has ended: the trees are all that is charged. */
	charged = read_number(path, "memory.current");
	others = percpu_memory() + slab_memory(true) - others;
	uncharged = slab_memory(false) - uncharged;
	listed = list_trees(device, self->listed);
	for (i = 0; i < listed; i++)
		bytes += self->listed[i].bytes;
	TH_LOG("%u trees of %llu bytes and %ld around them, %ld charged, %ld not",
	       made->trees, bytes, others, charged, uncharged);
	EXPECT_EQ(variant->room ? ENOMEM : 0, made->error);
	EXPECT_LE(variant->room ? 1 : TREES, made->trees);
	EXPECT_GE(variant->room ? TREES - 1 : TREES, made->trees);
	/* One may have its name, but not its entry. */
	EXPECT_LE((int)made->trees, listed);
	EXPECT_GE((int)made->trees + 1, listed);
	EXPECT_LE((long)bytes + others, charged);
	EXPECT_LE(uncharged, UNCHARGED);

	/* Others have memory, and root can clean up. */
	i = tree_new(0);
	EXPECT_LE(0, i);
	EXPECT_EQ(0, fill(i, 0, 1000, 1));
	close(i);
	EXPECT_EQ(listed, unlink_trees(device, made->trees + 1));
	EXPECT_GE(SLACK, cgroup_settled(path, SLACK / 2));
	close(device);
}

TEST_HARNESS_MAIN
