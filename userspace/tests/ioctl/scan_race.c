// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_SCAN while other processes insert and erase around it. Of every
 * two keys the even one is a *stayer*, in the tree throughout; the odd one is a
 * *comer* that comes and goes, so that leaves split and merge all the time, or
 * now and then a key that never exists. Each scan must be strictly monotone,
 * with each stayer exactly once, and with no key that never was.
 */
#include <signal.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "modes.h"

#define NR 2000
#define WRITERS 2
#define MILLISECONDS 800

#define STRETCH 200

/* Whether a key can be in the tree at all. */
static bool can_be(__u64 key)
{
	return key < 2 * NR && key % 16 != 15;
}

FIXTURE(race)
{
	int tree;
	pid_t writer[WRITERS];
};

FIXTURE_VARIANT(race)
{
	unsigned int flags;
	unsigned int capacity;
	struct blink_tree_ioc_create how;
};

FIXTURE_VARIANT_ADD(race, ascending_one)
MEMBERS(.capacity = 1);

FIXTURE_VARIANT_ADD(race, ascending_all)
MEMBERS(.capacity = 2 * NR + 1);

FIXTURE_VARIANT_ADD(race, descending_one)
MEMBERS(.flags = BLINK_TREE_SCAN_DESC, .capacity = 1);

FIXTURE_VARIANT_ADD(race, descending_all)
MEMBERS(.flags = BLINK_TREE_SCAN_DESC, .capacity = 2 * NR + 1);

#define ADD_DIRECTION(name, which, ...) \
	FIXTURE_VARIANT_ADD(race, name) \
	MEMBERS(.flags = (which), .capacity = 50, .how = { __VA_ARGS__ })

#define ADD_DIRECTIONS(arg, mode, text, nodes, ...)      \
	;                                                \
	ADD_DIRECTION(mode##_ascending, 0, __VA_ARGS__); \
	ADD_DIRECTION(mode##_descending, BLINK_TREE_SCAN_DESC, __VA_ARGS__)

FOR_EACH_U64_MODE(ADD_DIRECTIONS, unused);

/* Insert or erase the comers of a stretch. */
static bool write_stretch(int tree, unsigned int opcode, __u64 first,
			  unsigned int nr)
{
	struct blink_tree_ioc_op ops[STRETCH];
	unsigned int i, count = 0;

	for (i = 0; i < nr; i++) {
		__u64 key = first + 2 * i + 1;

		if (can_be(key))
			ops[count++] = (struct blink_tree_ioc_op){
				.opcode = opcode,
				.key = key,
				.value = value_of(key),
			};
	}
	if (batch_all(tree, ops, count))
		return false;
	for (i = 0; i < count; i++) {
		if (ops[i].result)
			return false;
	}
	return true;
}

/*
 * Until killed: fill a random stretch of one's own part of the keys, then
 * empty it, with batches so that leaves come and go quickly.
 */
static void write_forever(int tree, unsigned int id, __u64 seed)
{
	__u64 state = random_stream(seed, id);
	const unsigned int part = NR / WRITERS;

	for (;;) {
		unsigned int nr = 1 + random_next(&state) % STRETCH;
		unsigned int at = random_next(&state) % (part - nr);
		__u64 first = 2ULL * (id * part + at);

		if (!write_stretch(tree, BLINK_TREE_OP_INSERT, first, nr) ||
		    !write_stretch(tree, BLINK_TREE_OP_ERASE, first, nr))
			_exit(1);
	}
}

FIXTURE_SETUP(race)
{
	__u64 seed = seed_get();
	unsigned int i;

	self->tree = tree_new_as(&variant->how);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, fill(self->tree, 0, NR, 2));
	for (i = 0; i < WRITERS; i++) {
		self->writer[i] = fork();
		ASSERT_LE(0, self->writer[i]);
		if (!self->writer[i])
			write_forever(self->tree, i, seed);
	}
}

/* Only writers that a failed test left behind. */
FIXTURE_TEARDOWN(race)
{
	unsigned int i;

	for (i = 0; i < WRITERS; i++) {
		if (self->writer[i] > 0)
			kill(self->writer[i], SIGKILL);
	}
	close(self->tree);
}

/* The keys that one scan saw so far. */
struct seen {
	unsigned int stayers;
	unsigned int comers;
	bool any;
	__u64 last;
};

static bool check(struct seen *seen, unsigned int flags,
		  const struct blink_tree_entry *entry)
{
	__u64 key = entry->key;

	if (seen->any && (flags & BLINK_TREE_SCAN_DESC ? key >= seen->last :
							 key <= seen->last))
		return false;
	if (!can_be(key) || entry->value != value_of(key))
		return false;
	seen->any = true;
	seen->last = key;
	if (key % 2)
		seen->comers++;
	else
		seen->stayers++;
	return true;
}

static int scan_once(int tree, unsigned int flags, unsigned int capacity,
		     struct seen *seen)
{
	static struct blink_tree_entry entries[2 * NR + 1];
	struct blink_tree_ioc_scan arg = {
		.flags = flags,
		.capacity = capacity,
		.last = U64_MAX,
		.entries = ptr_to_u64(entries),
		.entry_size = sizeof(struct blink_tree_entry),
	};
	unsigned int i;
	int ret;

	memset(seen, 0, sizeof(*seen));
	do {
		ret = call(tree, BLINK_TREE_IOC_SCAN, &arg);
		if (ret)
			return ret;
		for (i = 0; i < arg.count; i++) {
			if (!check(seen, flags, &entries[i]))
				return -EBADMSG;
		}
	} while (!(arg.flags & BLINK_TREE_SCAN_DONE));
	return seen->stayers == NR ? 0 : -ENODATA;
}

TEST_F(race, stayers_exactly_once)
{
	__u64 end = now_ms() + MILLISECONDS, comers = 0;
	unsigned int scans = 0, i;
	struct seen seen;
	int status;

	/* On a slow machine too, one scan at least. */
	do {
		ASSERT_EQ(0, scan_once(self->tree, variant->flags,
				       variant->capacity, &seen))
		TH_LOG("scan %u, after key %llu", scans, seen.last);
		comers += seen.comers;
		scans++;
	} while (now_ms() < end);
	for (i = 0; i < WRITERS; i++) {
		pid_t pid = self->writer[i];

		self->writer[i] = 0;
		ASSERT_EQ(0, kill(pid, SIGKILL));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status))
		TH_LOG("writer %u failed", i);
	}
	EXPECT_LT(0, comers)
	TH_LOG("nothing changed in %u scans", scans);
	EXPECT_EQ(0, tree_check(self->tree, entries_of(self->tree)));
	EXPECT_LE(NR, entries_of(self->tree));
}

TEST_HARNESS_MAIN
