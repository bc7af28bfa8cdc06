// SPDX-License-Identifier: GPL-2.0
/*
 * The prefixes of examples/bpf/xdp_filter.c, beside the kernel's own tries of prefixes:
 * both must find the same addresses, also while the list changes.
 */
#include "kselftest_harness.h"

#include "../../examples/bpf/prefixes.h"
#include "../common/random.h"
#include "bpf_test.h"
#include "filter.h"

#define PREFIXES 2000
/* Addresses of each family: in a list that stays, and in one that changes. */
#define QUIET 100000
#define BUSY 1000000

static __u64 random_state = 1;

static __u64 any(void)
{
	return random_next(&random_state);
}

/* A family: two lists of prefixes, tidy and not, and their tree. */
struct family {
	struct prefixes all[2];
	struct prefixes tidy[2];
	struct blinktree *tree;
	/* Bytes of an address, which are the last of a key. */
	size_t size;
	size_t key_length;
};

static void random_bytes(unsigned char *to, size_t size)
{
	while (size--)
		to[size] = any() >> 32;
}

static int add(struct family *f, unsigned int list, const unsigned char *key,
	       size_t length)
{
	return prefixes_add(&f->all[list], key, length) ||
	       prefixes_add(&f->tidy[list], key, length);
}

/* A third of the prefixes is in both lists. Some are within others. */
static int make_lists(struct family *f)
{
	const size_t bits = 8 * f->size, at = f->key_length - f->size;
	unsigned char key[16] = {};
	size_t length = 0, i;
	int err = 0;

	for (i = 0; i < PREFIXES && !err; i++) {
		if (i % 5 || !length)
			random_bytes(key + at, f->size);
		length = bits / 4 + any() % (bits - bits / 4 + 1);
		if (i % 3 != 1)
			err = add(f, 0, key, length);
		if (!err && i % 3 != 2)
			err = add(f, 1, key, length);
	}
	prefixes_tidy(&f->tidy[0]);
	prefixes_tidy(&f->tidy[1]);
	return err;
}

static bool family_begin(struct family *f, struct blinktree_ctl *ctl,
			 enum blink_tree_key key)
{
	struct blink_tree_ioc_create how = { .key = key };
	unsigned int i;

	f->key_length = key == BLINK_TREE_KEY_U64 ? 8 : 16;
	f->size = key == BLINK_TREE_KEY_U64 ? 4 : 16;
	for (i = 0; i < 2; i++) {
		f->all[i].key_length = f->key_length;
		f->tidy[i].key_length = f->key_length;
	}
	return !blinktree_create_as(ctl, &how, sizeof(how), &f->tree) &&
	       !make_lists(f) && !prefixes_load(f->tree, &f->tidy[0]);
}

static void family_end(struct family *f)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		free(f->all[i].prefix);
		free(f->tidy[i].prefix);
	}
	blinktree_close(f->tree);
}

/* Add all prefixes to a trie. Returns whether it has them. */
static bool fill_trie(const struct bpf_object *object, const char *name,
		      const struct family *f, unsigned int list)
{
	int map = bpf_object__find_map_fd_by_name(object, name);
	const struct prefixes *prefixes = &f->all[list];
	struct {
		__u32 length;
		__u8 address[16];
	} key;
	__u8 value = 1;
	size_t i;

	for (i = 0; i < prefixes->nr; i++) {
		key.length = prefixes->prefix[i].length;
		memcpy(key.address,
		       prefixes->prefix[i].key + f->key_length - f->size,
		       f->size);
		if (bpf_map_update_elem(map, &key, &value, BPF_ANY))
			return false;
	}
	return true;
}

/* An address: any, or one in a prefix, or the one beside its first or last one. */
static void choose(const struct family *f, unsigned char *address)
{
	const struct prefixes *list = &f->all[any() % 2];
	const struct prefix *prefix = &list->prefix[any() % list->nr];
	unsigned int how = any() % 4, bit;

	random_bytes(address, f->size);
	if (!how)
		return;
	for (bit = 0; bit < prefix->length; bit++) {
		address[bit / 8] &= ~(0x80 >> bit % 8);
		address[bit / 8] |=
			prefix->key[f->key_length - f->size + bit / 8] &
			0x80 >> bit % 8;
	}
	if (how == 1 && prefix->length)
		address[(prefix->length - 1) / 8] ^= 0x80 >>
						     (prefix->length - 1) % 8;
}

FIXTURE(filter)
{
	struct family ipv4;
	struct family ipv6;
	struct bpf_object *object;
	struct addresses *shared;
};

FIXTURE_SETUP(filter)
{
	struct blinktree_ctl *ctl;

	if (!bpf_usable())
		SKIP(return, "the kernel does not know the module's types");
	ASSERT_EQ(0, blinktree_ctl_open(NULL, &ctl));
	ASSERT_TRUE(family_begin(&self->ipv4, ctl, BLINK_TREE_KEY_U64));
	ASSERT_TRUE(family_begin(&self->ipv6, ctl, BLINK_TREE_KEY_U128));
	blinktree_ctl_close(ctl);
	self->object = object_load("filter");
	ASSERT_NE(NULL, self->object);
	self->shared = object_shared(self->object);
	ASSERT_NE(NULL, self->shared);
	self->shared->handles = (struct filter_handles){
		.ipv4 = handle_of(blinktree_fd(self->ipv4.tree)),
		.ipv6 = handle_of(blinktree_fd(self->ipv6.tree)),
	};
	ASSERT_TRUE(fill_trie(self->object, "old4", &self->ipv4, 0));
	ASSERT_TRUE(fill_trie(self->object, "new4", &self->ipv4, 1));
	ASSERT_TRUE(fill_trie(self->object, "old6", &self->ipv6, 0));
	ASSERT_TRUE(fill_trie(self->object, "new6", &self->ipv6, 1));
}

FIXTURE_TEARDOWN(filter)
{
	family_end(&self->ipv4);
	family_end(&self->ipv6);
	bpf_object__close(self->object);
}

/* How often results were what they were, and how often a list had the address. */
struct tally {
	unsigned int wrong;
	unsigned int busy;
	unsigned int listed;
};

/* While the list changes, an address in one of the lists may be found or not. */
static void judge(struct tally *tally, const struct found *found, bool changing)
{
	bool must = found->old_list && (found->new_list || !changing);
	bool may = found->old_list || (found->new_list && changing);

	tally->listed += must;
	if (found->tree == -EAGAIN)
		tally->busy++;
	else if (found->tree < 0 || (must && !found->tree) ||
		 (!may && found->tree))
		tally->wrong++;
}

static const char packet[64];

static struct tally find(struct addresses *shared, struct bpf_object *object,
			 const struct family *ipv4, const struct family *ipv6,
			 unsigned int nr, bool changing)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
		    .data_size_in = sizeof(packet));
	int program = program_fd(object, "find_all");
	struct tally tally = {};
	unsigned int i, done;

	for (done = 0; done < nr; done += ADDRESSES) {
		for (i = 0; i < ADDRESSES; i++) {
			choose(ipv4, shared->ipv4[i]);
			choose(ipv6, shared->ipv6[i]);
		}
		if (bpf_prog_test_run_opts(program, &opts))
			tally.wrong++;
		for (i = 0; i < ADDRESSES; i++) {
			judge(&tally, &shared->found4[i], changing);
			judge(&tally, &shared->found6[i], changing);
		}
	}
	fprintf(stderr, "# %u of both families: %u listed, %u busy, %u wrong\n",
		2 * done, tally.listed, tally.busy, tally.wrong);
	return tally;
}

TEST_F(filter, a_list_that_stays)
{
	struct tally tally = find(self->shared, self->object, &self->ipv4,
				  &self->ipv6, QUIET, false);

	EXPECT_EQ(0, tally.wrong);
	EXPECT_EQ(0, tally.busy);
	EXPECT_LE(QUIET / 4, tally.listed);
}

/* Replace one list by the other, again and again, until killed. */
static void change(const struct family *ipv4, const struct family *ipv6)
{
	unsigned int round;

	for (round = 0;; round++) {
		const struct prefixes *from4 = &ipv4->tidy[round % 2];
		const struct prefixes *from6 = &ipv6->tidy[round % 2];

		if (prefixes_store(ipv4->tree, from4,
				   &ipv4->tidy[!(round % 2)]) ||
		    prefixes_store(ipv6->tree, from6,
				   &ipv6->tidy[!(round % 2)]))
			_exit(1);
	}
}

TEST_F(filter, a_list_that_changes)
{
	struct tally tally;
	int status;
	pid_t writer = fork();

	ASSERT_LE(0, writer);
	if (!writer)
		change(&self->ipv4, &self->ipv6);
	tally = find(self->shared, self->object, &self->ipv4, &self->ipv6, BUSY,
		     true);
	EXPECT_EQ(0, kill(writer, SIGKILL));
	EXPECT_EQ(writer, waitpid(writer, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(0, tally.wrong);
	EXPECT_GE(BUSY / 50, tally.busy);
	EXPECT_LE(BUSY / 8, tally.listed);
}

TEST_HARNESS_MAIN
