// SPDX-License-Identifier: GPL-2.0
/*
 * The latches of the laboratory: Malbrain's modes and their compatibility (latch.h), by
 * semaphores and by NUMA-aware locks (numa_rw.h), and the latch with distributed
 * counters (spread_latch.h). Actors (actor.h) take them in a given order; then threads
 * take them in any order, and change memory that the latch protects. Besides, the
 * versions that take the place of latches for lock-free readers (malbrain_read.h).
 */
#include <linux/kernel.h>
#include <tap.h>

#include "actor.h"
#include "schemes/malbrain_read.h"

/* Fewer than a thread makes before it loses patience (numa_rw.c), and more. */
#define FEW 20
#define MANY 1200
/* How often in a row a lock stays on a NUMA node (numa_rw.c). */
#define BOUND 64

#define ACTORS 4
#define THREADS 3
#define ROUNDS 500
/* Rounds between two in which another thread comes while the latch is held. */
#define ALONE 25
#define CASES 27

static const char *const kind_names[LATCH_KINDS] = {
	"semaphores",	     "neutral locks",	     "reader preference",
	"writer preference", "distributed counters",
};

static struct latched latched;
static struct actor actor[ACTORS];

/* Half of the actors are on each of two NUMA nodes. */
static void begin(unsigned int kind)
{
	unsigned int i;

	latched_init(&latched, kind);
	for (i = 0; i < ACTORS; i++)
		actor_start(&actor[i], &latched, i * 2 / ACTORS);
}

static void report(unsigned int kind, const char *name)
{
	char text[80];

	snprintf(text, sizeof(text), "%s: %s", kind_names[kind], name);
	tap_case(text);
}

static void end(unsigned int kind, const char *name)
{
	unsigned int i;

	for (i = 0; i < ACTORS; i++)
		actor_end(&actor[i]);
	report(kind, name);
}

static bool enters(unsigned int i, enum latch_mode mode)
{
	actor_ask(&actor[i], mode);
	return actor_enters(&actor[i]);
}

static bool waits(unsigned int i, enum latch_mode mode)
{
	actor_ask(&actor[i], mode);
	return actor_waits(&actor[i], FEW);
}

static bool still_waits(unsigned int i)
{
	return actor_waits(&actor[i], FEW);
}

static bool has_waited(unsigned int i)
{
	return actor_enters(&actor[i]);
}

static void leave(unsigned int i)
{
	actor_leave(&actor[i]);
}

/* Table 3.1 of McKenzie's thesis: a row for each mode held. */
static void check_table(unsigned int kind)
{
	static const enum latch_mode mode[] = { LATCH_ACCESS, LATCH_DELETE,
						LATCH_READ, LATCH_WRITE,
						LATCH_PARENT };
	static const char *const table[] = { "YNYYY", "NNYYY", "YYYNY", "YYNNY",
					     "YYYYN" };
	unsigned int held, asked;
	bool together;

	begin(kind);
	for (held = 0; held < ARRAY_SIZE(mode); held++) {
		for (asked = 0; asked < ARRAY_SIZE(mode); asked++) {
			together = table[held][asked] == 'Y';
			tap_check(enters(0, mode[held]));
			if (!tap_check(together ? enters(3, mode[asked]) :
						  waits(3, mode[asked])))
				printf("# held %u, requested %u\n", held,
				       asked);
			leave(0);
			leave(3);
		}
	}
	end(kind, "compatibility");
}

/* A writer alone, readers together. */
static void check_exclusion(unsigned int kind)
{
	begin(kind);
	tap_check(enters(0, LATCH_READ));
	tap_check(enters(1, LATCH_READ));
	tap_check(enters(2, LATCH_READ));
	tap_check(waits(3, LATCH_WRITE));
	leave(1);
	leave(2);
	tap_check(still_waits(3));
	leave(0);
	tap_check(has_waited(3));
	tap_check(waits(0, LATCH_READ));
	leave(3);
	tap_check(has_waited(0));
	tap_check(waits(1, LATCH_WRITE));
	leave(0);
	tap_check(has_waited(1));
	tap_check(waits(2, LATCH_WRITE));
	leave(1);
	tap_check(has_waited(2));
	leave(2);
	end(kind, "exclusion");
}

/* A reader that comes while a writer waits for another reader. */
static void check_late_reader(unsigned int kind)
{
	begin(kind);
	tap_check(enters(0, LATCH_READ));
	tap_check(waits(1, LATCH_WRITE));
	if (kind == LATCH_READERS) {
		tap_check(enters(2, LATCH_READ));
		leave(0);
		tap_check(still_waits(1));
		leave(2);
		tap_check(has_waited(1));
		leave(1);
	} else {
		tap_check(waits(2, LATCH_READ));
		leave(0);
		tap_check(still_waits(2));
		tap_check(has_waited(1));
		tap_check(still_waits(2));
		leave(1);
		leave(2);
	}
	end(kind, "a reader after a writer");
}

/* A reader and then a writer of another NUMA node that come while a writer is there. */
static void check_late_writer(unsigned int kind)
{
	unsigned int first = kind == LATCH_WRITERS ? 2 : 1, last = 3 - first;

	begin(kind);
	tap_check(enters(0, LATCH_WRITE));
	tap_check(waits(1, LATCH_READ));
	tap_check(waits(2, LATCH_WRITE));
	leave(0);
	tap_check(still_waits(last));
	tap_check(has_waited(first));
	tap_check(still_waits(last));
	leave(first);
	tap_check(has_waited(last));
	leave(last);
	end(kind, "a writer after a reader");
}

/* A thread that has waited for long keeps the preferred ones out. */
static void check_patience(unsigned int kind)
{
	enum latch_mode preferred = LATCH_READ, other = LATCH_WRITE;

	if (kind == LATCH_WRITERS)
		swap(preferred, other);
	begin(kind);
	tap_check(enters(0, preferred));
	actor_ask(&actor[1], other);
	tap_check(actor_waits(&actor[1], MANY));
	tap_check(waits(2, preferred));
	leave(0);
	tap_check(still_waits(2));
	tap_check(has_waited(1));
	leave(1);
	tap_check(has_waited(2));
	leave(2);
	end(kind, "patience");
}

/* Writers of a NUMA node go before those of others, but not for ever. */
static void check_cohort(unsigned int kind)
{
	unsigned int passes, has = 0;

	begin(kind);
	tap_check(enters(0, LATCH_WRITE));
	tap_check(waits(2, LATCH_WRITE));
	for (passes = 0; passes < 2 * BOUND; passes++) {
		tap_check(waits(1 - has, LATCH_WRITE));
		leave(has);
		has = 1 - has;
		if (!still_waits(2))
			break;
		tap_check(has_waited(has));
	}
	tap_check(passes == BOUND);
	leave(2);
	leave(has);
	end(kind, "writers of a NUMA node");
}

/* Memory that the latch protects, and how often it was changed. */
static struct {
	unsigned long a;
	unsigned long b;
} shared;
static unsigned long writes;

struct worker {
	pthread_t thread;
	unsigned int id;
	bool good;
};

static void *work(void *arg)
{
	struct worker *worker = arg;
	unsigned int part = worker->id % 2, i;
	u64 random = worker->id;

	shim_thread_register();
	worker->good = true;
	for (i = 0; i < ROUNDS; i++) {
		random = random * 6364136223846793005ULL + 1;
		if (random >> 62 && i % ALONE) {
			latched_lock(&latched, LATCH_READ, part);
			worker->good &= shared.a == shared.b;
			latched_unlock(&latched, LATCH_READ, part);
			continue;
		}
		latched_lock(&latched, LATCH_WRITE, part);
		shared.a++;
		if (!(i % ALONE))
			sched_yield();
		shared.b++;
		latched_unlock(&latched, LATCH_WRITE, part);
		__atomic_fetch_add(&writes, 1, __ATOMIC_RELAXED);
	}
	shim_thread_unregister();
	return NULL;
}

static void check_threads(unsigned int kind)
{
	struct worker worker[THREADS];
	unsigned int i;

	latched_init(&latched, kind);
	memset(&shared, 0, sizeof(shared));
	writes = 0;
	for (i = 0; i < THREADS; i++) {
		worker[i].id = i;
		if (pthread_create(&worker[i].thread, NULL, work, &worker[i]))
			shim_die(__FILE__, __LINE__, "no thread");
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(worker[i].thread, NULL);
		tap_check(worker[i].good);
	}
	tap_check(shared.a == writes && shared.b == writes);
	report(kind, "threads in any order");
}

/* A tree whose root is a leaf of one entry, and what a reader found of it. */
static struct malbrain_tree read_tree = { .plain = { .slots = 1 } };
static struct blink_tree_entry read_entry;

/* A reader that waits looks at an odd version: it has read no entry, and the writer ends. */
static void end_change(void)
{
	struct plain_node *leaf =
		rcu_dereference_protected(read_tree.plain.root, true);

	tap_check(!read_entry.key);
	/* Pairs with the load of the version in malbrain_read_lockfree(). */
	smp_store_release(&leaf->policy, leaf->policy + 1);
}

static void check_odd_version(void)
{
	static const struct malbrain_policy policy = { .lockfree = true };
	static u64 memory[sizeof(struct plain_node) / sizeof(u64) + 2];
	struct plain_node *leaf = (struct plain_node *)memory;
	struct malbrain_reader reader = {
		.tree = &read_tree,
		.r = { .key = 5, .entry = &read_entry, .nr = 1 },
	};

	leaf->count = 1;
	leaf->high = PLAIN_KEY_MAX;
	leaf->policy = 1;
	leaf->slot[0] = 5;
	leaf->slot[1] = 7;
	rcu_assign_pointer(read_tree.plain.root, leaf);
	shim_hooks.spin = end_change;
	malbrain_read(&policy, &reader, READING_LOOKUP);
	shim_hooks.spin = NULL;
	tap_check(reader.r.got == 1 && read_entry.value == 7);
	tap_check(atomic_long_read(&read_tree.retries) == 1);
	tap_case("versions: a node that a writer changes is not searched");
}

int main(void)
{
	unsigned int kind;

	/* A test that aborts has reported what came before. */
	setlinebuf(stdout);
	shim_nodes = 2;
	tap_begin(CASES);
	check_odd_version();
	for (kind = 0; kind < LATCH_KINDS; kind++) {
		check_exclusion(kind);
		if (kind != LATCH_SPREAD)
			check_table(kind);
		if (kind != LATCH_RWSEM)
			check_late_reader(kind);
		if (kind != LATCH_RWSEM && kind != LATCH_SPREAD) {
			check_late_writer(kind);
			check_cohort(kind);
		}
		if (kind == LATCH_READERS || kind == LATCH_WRITERS)
			check_patience(kind);
		check_threads(kind);
	}
	return tap_exit(CASES);
}
