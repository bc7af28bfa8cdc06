// SPDX-License-Identifier: GPL-2.0
/*
 * Processes that are killed while they modify a tree, again and again: by
 * somebody else at any moment, or by the OOM killer of their memory cgroup in
 * the middle of an allocation. A commit is done as a whole or not at all.
 */
#include <signal.h>
#include <sys/prctl.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "cgroup.h"
#include "modes.h"
#include "writer.h"

/* Writers that die, and after them the test itself, which does not. */
#define VICTIMS (WRITER_NR - 1)
#define SURVIVOR VICTIMS

#define KILL_SECONDS 2
#define KILL_PAUSE_US 20000

/* More than fit what a memory cgroup may have. */
#define GROWN 50000U
#define OOM_LIMIT "1M"
#define OOM_DEATHS 2

/* Victims take steps, an ioctl each, until one fails; in a cgroup or not. */
struct storm {
	int tree;
	const char *cgroup;
	int (*step)(int tree, struct writer *w);
	struct writer *writers;
	pid_t pid[VICTIMS];
};

/* A writer's process, until it is killed. */
static void write_forever(const struct storm *storm, struct writer *w)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (storm->cgroup && write_file(storm->cgroup, "cgroup.procs", "0"))
		_exit(2);
	while (!storm->step(storm->tree, w))
		;
	_exit(1);
}

static bool victim_start(struct storm *storm, unsigned int id)
{
	storm->pid[id] = fork();
	if (!storm->pid[id])
		write_forever(storm, &storm->writers[id]);
	return storm->pid[id] > 0;
}

/* Where a process was when it was killed. */
enum where { NOWHERE, BETWEEN_CALLS, AT_A_CALL, WITHIN_A_CALL };

/* Bury a process, or wait until it can be; NOWHERE if that is not yet dead. */
static int victim_bury(struct storm *storm, unsigned int id, int how,
		       enum where *where)
{
	struct writer *w = &storm->writers[id];
	unsigned int done;
	int status;
	pid_t pid = waitpid(storm->pid[id], &status, how);

	*where = NOWHERE;
	if (!pid)
		return 0;
	storm->pid[id] = 0;
	if (pid < 0 || !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
		fprintf(stderr, "# writer %u failed: %#x\n", id, status);
		return -ECHILD;
	}
	*where = BETWEEN_CALLS;
	if (w->deed.nr) {
		done = done_of(&w->deed);
		*where = done && done < w->deed.nr ? WITHIN_A_CALL : AT_A_CALL;
	}
	/* The scan then shows that the tree has all of it or nothing, too. */
	if (w->deed.kind == CALL_COMMIT && *where == WITHIN_A_CALL)
		return -EUCLEAN;
	settle(w);
	return do_scan(storm->tree, w);
}

static int victim_kill(struct storm *storm, unsigned int id, enum where *where)
{
	if (kill(storm->pid[id], SIGKILL))
		return -errno;
	return victim_bury(storm, id, 0, where);
}

static bool storm_open(struct storm *storm,
		       const struct blink_tree_ioc_create *how,
		       unsigned int victims_keys,
		       int (*step)(int tree, struct writer *w))
{
	const struct blink_tree_ioc_create what = how_to(how);
	__u64 seed = seed_get();
	unsigned int id;

	storm->step = step;
	storm->tree = tree_new_as(&what);
	storm->writers = shared_alloc(WRITER_NR * sizeof(*storm->writers));
	if (storm->tree < 0 || !storm->writers)
		return false;
	memset(storm->writers, 0, WRITER_NR * sizeof(*storm->writers));
	for (id = 0; id < WRITER_NR; id++) {
		if (!account_open(&storm->writers[id], id,
				  id == SURVIVOR ? MIXED + ROW : victims_keys,
				  seed))
			return false;
		storm->writers[id].strings = what.key == BLINK_TREE_KEY_BYTES;
	}
	return true;
}

/* Of a test that failed there may be processes left. */
static void storm_close(struct storm *storm)
{
	unsigned int id;

	for (id = 0; id < VICTIMS; id++) {
		if (storm->pid[id] > 0) {
			kill(storm->pid[id], SIGKILL);
			waitpid(storm->pid[id], NULL, 0);
		}
	}
	close(storm->tree);
}

/* Whether the tree is sound, and has what all accounts say and no more. */
static bool all_is_right(struct storm *storm)
{
	__u64 total = 0;
	unsigned int id;

	for (id = 0; id < WRITER_NR; id++) {
		if (do_scan(storm->tree, &storm->writers[id]))
			return false;
		total += present(&storm->writers[id]);
	}
	return tree_sound(storm->tree, total);
}

static int erase_all(struct storm *storm, unsigned int id)
{
	struct writer *w = &storm->writers[id];
	unsigned int index = 0;
	int ret = 0;

	while (!ret && index < w->keys)
		ret = erase_from(storm->tree, w, &index);
	w->next = 0;
	return ret;
}

/* An empty tree can be filled, by others than those that were killed. */
static bool fills_again(struct storm *storm)
{
	struct writer *w = &storm->writers[SURVIVOR];

	if (w->strings)
		return !do_row(storm->tree, w) && tree_sound(storm->tree, ROW);
	return !fill(storm->tree, 0, 1000, 7) && tree_sound(storm->tree, 1000);
}

/* The end: a tree from which everything can be taken, and that works on. */
static bool works_on(struct storm *storm)
{
	__u64 operations = 0;
	unsigned int id;

	for (id = 0; id < WRITER_NR; id++) {
		if (erase_all(storm, id))
			return false;
		operations += storm->writers[id].operations;
	}
	fprintf(stderr, "# operations %llu\n", operations);
	return tree_sound(storm->tree, 0) && fills_again(storm);
}

FIXTURE(kill_storm)
{
	struct storm storm;
};

FIXTURE_VARIANT(kill_storm)
{
	struct blink_tree_ioc_create how;
};

ADD_MODES(kill_storm);
FOR_EACH_BYTES_MODE(ADD_MODE, kill_storm);

FIXTURE_SETUP(kill_storm)
{
	ASSERT_TRUE(
		storm_open(&self->storm, &variant->how, MIXED + ROW, do_any));
}

FIXTURE_TEARDOWN(kill_storm)
{
	storm_close(&self->storm);
}

/* The survivor's work, for a while that it cannot foresee. */
static int survive(struct storm *storm)
{
	struct writer *w = &storm->writers[SURVIVOR];
	__u64 end = now_us() + random_next(&w->state) % KILL_PAUSE_US;
	int ret;

	do {
		ret = do_any(storm->tree, w);
	} while (!ret && now_us() < end);
	return ret;
}

TEST_F(kill_storm, done_or_not)
{
	__u64 end = now_ms() + 1000 * seconds_get(KILL_SECONDS), state;
	struct storm *storm = &self->storm;
	unsigned int found[4] = {}, id;
	enum where where;

	state = random_stream(storm->writers[SURVIVOR].state, WRITER_NR);
	for (id = 0; id < VICTIMS; id++)
		ASSERT_TRUE(victim_start(storm, id));
	/* However slow the machine, a call must have been cut short. */
	do {
		id = random_next(&state) % VICTIMS;
		ASSERT_EQ(0, survive(storm));
		ASSERT_EQ(0, victim_kill(storm, id, &where));
		found[where]++;
		ASSERT_TRUE(victim_start(storm, id));
	} while (now_ms() < end || !found[WITHIN_A_CALL]);
	for (id = 0; id < VICTIMS; id++)
		ASSERT_EQ(0, victim_kill(storm, id, &where));
	fprintf(stderr,
		"# killed %u between calls, %u before or after the operations of one, %u among them\n",
		found[BETWEEN_CALLS], found[AT_A_CALL], found[WITHIN_A_CALL]);
	EXPECT_TRUE(all_is_right(storm));
	EXPECT_TRUE(works_on(storm));
}

FIXTURE(oom_storm)
{
	struct storm storm;
	struct cgroup cgroup;
};

FIXTURE_VARIANT(oom_storm)
{
	struct blink_tree_ioc_create how;
};

ADD_MODE(oom_storm, plain, "", 1);
ADD_MODE(oom_storm, full, "", 2, MODE_FULL);
ADD_MODE(oom_storm, inner, "", 3, MODE_INNER);
ADD_MODE(oom_storm, bytes, "", 1, MODE_BYTES);

FIXTURE_SETUP(oom_storm)
{
	const char *missing = cgroup_open(&self->cgroup);
	unsigned int id;

	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, write_file(self->cgroup.path, "memory.max", OOM_LIMIT));
	ASSERT_TRUE(storm_open(&self->storm, &variant->how, GROWN, do_grow));
	self->storm.cgroup = self->cgroup.path;
	for (id = 0; id < VICTIMS; id++) {
		self->storm.writers[id].short_of_memory = true;
		/* So that few keys make a big tree. */
		self->storm.writers[id].fill_most = 5;
	}
}

FIXTURE_TEARDOWN(oom_storm)
{
	storm_close(&self->storm);
	cgroup_close(&self->cgroup);
}

/* Bury dead victims, whose keys must be all there, and are erased; start others. */
static int next_lives(struct storm *storm, unsigned int *deaths)
{
	enum where where;
	unsigned int id;
	int ret;

	for (id = 0; id < VICTIMS; id++) {
		ret = victim_bury(storm, id, WNOHANG, &where);
		if (!ret && where != NOWHERE) {
			*deaths += where != BETWEEN_CALLS;
			ret = erase_all(storm, id);
			if (!ret && !victim_start(storm, id))
				ret = -EAGAIN;
		}
		if (ret)
			return ret;
	}
	return 0;
}

TEST_F(oom_storm, outsider_sees_no_error)
{
	__u64 end = now_ms() + 1000 * seconds_get(0);
	struct storm *storm = &self->storm;
	unsigned int deaths = 0, id;
	enum where where;

	for (id = 0; id < VICTIMS; id++)
		ASSERT_TRUE(victim_start(storm, id));
	do {
		ASSERT_EQ(0, do_any(storm->tree, &storm->writers[SURVIVOR]));
		ASSERT_EQ(0, next_lives(storm, &deaths));
	} while (now_ms() < end || deaths < OOM_DEATHS);
	/* So far only the OOM killer has killed. */
	EXPECT_LE(deaths, oom_kills(self->cgroup.path));
	for (id = 0; id < VICTIMS; id++)
		ASSERT_EQ(0, victim_kill(storm, id, &where));
	fprintf(stderr, "# %u deaths within calls\n", deaths);
	EXPECT_TRUE(all_is_right(storm));
	EXPECT_TRUE(works_on(storm));
}

TEST_HARNESS_MAIN
