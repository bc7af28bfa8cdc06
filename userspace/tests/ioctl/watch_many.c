// SPDX-License-Identifier: GPL-2.0
/*
 * Several watches of one tree: each has its own records, and users who only read a tree
 * leave some to its owner. Another user is a child that became that user.
 */
#include "kselftest_harness.h"

#include <sys/prctl.h>

#include "blink_test.h"
#include "users.h"
#include "watch.h"

#define NAME "selftest.watch_many"
#define THREE 3
#define ALL BLINK_TREE_WATCHES_MAX
#define USER BLINK_TREE_WATCHES_USER
#define OTHERS (BLINK_TREE_WATCHES_MAX - BLINK_TREE_WATCHES_OWNER)
#define OWNER 12345
#define STRANGER 34567

/* Each of three watches by its place: which one is closed, in which order others open. */
FIXTURE(three)
{
	int tree;
	struct place place[THREE];
};

FIXTURE_VARIANT(three)
{
	unsigned int closed;
};

FIXTURE_VARIANT_ADD(three, first)
MEMBERS(.closed = 0);
FIXTURE_VARIANT_ADD(three, middle)
MEMBERS(.closed = 1);
FIXTURE_VARIANT_ADD(three, last)
MEMBERS(.closed = 2);

/* The watch of a place has a hundred keys. */
static int watch_again(FIXTURE_DATA(three) * self, unsigned int i)
{
	return place_open(&self->place[i], self->tree,
			  BLINK_TREE_WATCH_SLOTS_MIN, 100 * i, 100 * i + 99);
}

FIXTURE_SETUP(three)
{
	unsigned int i;

	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
	for (i = 0; i < THREE; i++)
		ASSERT_EQ(0, watch_again(self, i));
}

FIXTURE_TEARDOWN(three)
{
	unsigned int i;

	for (i = 0; i < THREE; i++)
		place_close(&self->place[i]);
	close(self->tree);
}

/* Change a key of each place. Returns how many watches have anything but their change. */
static int wrong_ones(FIXTURE_DATA(three) * self, __u64 value)
{
	struct blink_tree_change change;
	unsigned int i;
	int wrong = 0;

	for (i = 0; i < THREE; i++)
		if (store(self->tree, 100 * i + 7, value) < 0)
			return -EUCLEAN;
	for (i = 0; i < THREE; i++) {
		struct place *place = &self->place[i];

		if (!place->ring)
			continue;
		wrong += ring_read(place->ring, place->position++, &change) !=
				 1 ||
			 change.key != 100 * i + 7 || change.value != value ||
			 ring_head(place->ring) != place->position;
	}
	return wrong;
}

TEST_F(three, others_stay)
{
	__u64 value;

	ASSERT_EQ(0, wrong_ones(self, 1));
	for (value = 2; value < 8; value += 2) {
		place_close(&self->place[variant->closed]);
		EXPECT_EQ(0, wrong_ones(self, value));
		ASSERT_EQ(0, watch_again(self, variant->closed));
		EXPECT_EQ(0, wrong_ones(self, value + 1));
	}
}

/* The places are free again, in whatever order they are closed. */
TEST_F(three, all_can_go)
{
	unsigned int i;
	int watch[ALL];

	for (i = 0; i < THREE; i++)
		place_close(&self->place[(variant->closed + i) % THREE]);
	for (i = 0; i < ALL; i++) {
		watch[i] = watch_new(self->tree, 64);
		EXPECT_LE(0, watch[i]);
	}
	EXPECT_EQ(-EUSERS, watch_new(self->tree, 64));
	for (i = 0; i < ALL; i++)
		close(watch[i]);
}

/**
 * struct user - the part of a child, as a user
 * @uid: the user
 * @keep: it keeps this capability and no other, if not 0
 * @wants: how many watches it opens
 * @tree: the tree
 * @opened: set to how many it got
 * @error: set to the error of the next one
 * @leave: says that it shall end
 */
struct user {
	uid_t uid;
	unsigned int keep;
	int wants;
	int tree;
	int *opened;
	int *error;
	bool *leave;
};

static int watch_some(const struct user *user)
{
	int watch = 0, n = 0;

	if (user->uid && (prctl(PR_SET_KEEPCAPS, !!user->keep) ||
			  become(user->uid, user->uid, 0)))
		return 1;
	if (user->keep && keep_capabilities(1u << user->keep))
		return 1;
	while (n < user->wants && watch >= 0) {
		watch = watch_new(user->tree, 64);
		n += watch >= 0;
	}
	__atomic_store_n(user->error, watch < 0 ? watch : 1, __ATOMIC_RELAXED);
	__atomic_store_n(user->opened, n, __ATOMIC_RELEASE);
	while (!__atomic_load_n(user->leave, __ATOMIC_RELAXED))
		usleep(1000);
	return 0;
}

#define USERS 8

FIXTURE(users)
{
	int device;
	int tree;
	int children;
	struct {
		int opened[USERS];
		int error[USERS];
		bool leave;
	} *shared;
};

FIXTURE_SETUP(users)
{
	struct blink_tree_ioc_attr arg = { .flags = BLINK_TREE_ATTR_UID,
					   .uid = OWNER };

	if (geteuid())
		SKIP(return, "needs root, to become other users");
	self->device = device_open();
	ASSERT_GE(self->device, 0);
	tree_unlink(self->device, NAME);
	self->tree = tree_create(self->device, NAME, 0666, 0);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, call(self->tree, BLINK_TREE_IOC_ATTR, &arg));
	self->shared = shared_alloc(sizeof(*self->shared));
	ASSERT_NE(NULL, self->shared);
}

static void all_leave(FIXTURE_DATA(users) * self)
{
	int status;

	__atomic_store_n(&self->shared->leave, true, __ATOMIC_RELAXED);
	while (wait(&status) > 0)
		;
}

FIXTURE_TEARDOWN(users)
{
	all_leave(self);
	tree_unlink(self->device, NAME);
	close(self->tree);
	close(self->device);
}

/* Let a user open watches and keep them. Returns how many it got, or an error. */
static int capable_watches(FIXTURE_DATA(users) * self, uid_t uid,
			   unsigned int keep, int wants)
{
	const int i = self->children++;
	const struct user user = {
		.uid = uid,
		.keep = keep,
		.wants = wants,
		.tree = self->tree,
		.opened = &self->shared->opened[i],
		.error = &self->shared->error[i],
		.leave = &self->shared->leave,
	};
	int n;

	*user.opened = -1;
	if (!fork())
		_exit(watch_some(&user));
	while ((n = __atomic_load_n(user.opened, __ATOMIC_ACQUIRE)) < 0)
		if (waitpid(-1, NULL, WNOHANG) > 0)
			return -ECHILD;
	if (*user.error < 0 && *user.error != -EUSERS)
		return *user.error;
	return n;
}

static int user_watches(FIXTURE_DATA(users) * self, uid_t uid, int wants)
{
	return capable_watches(self, uid, 0, wants);
}

TEST_F(users, a_reader_leaves_some_to_others)
{
	EXPECT_EQ(USER, user_watches(self, STRANGER, ALL));
	EXPECT_EQ(USER, user_watches(self, STRANGER + 1, ALL));
	/* Another process of a user is no other user. */
	EXPECT_EQ(0, user_watches(self, STRANGER, ALL));
	EXPECT_EQ(ALL - 2 * USER, user_watches(self, OWNER, ALL));
}

TEST_F(users, readers_leave_some_to_the_owner)
{
	int i;

	for (i = 0; i < OTHERS / USER; i++)
		EXPECT_EQ(USER, user_watches(self, STRANGER + i, ALL));
	/* A place is free, and none of theirs. */
	EXPECT_EQ(0, user_watches(self, STRANGER + i, ALL));
	EXPECT_EQ(BLINK_TREE_WATCHES_OWNER, user_watches(self, OWNER, ALL));
}

TEST_F(users, cap_fowner_is_as_the_owner)
{
	int i;

	for (i = 0; i < OTHERS / USER; i++)
		EXPECT_EQ(USER, user_watches(self, STRANGER + i, ALL));
	EXPECT_EQ(BLINK_TREE_WATCHES_OWNER,
		  capable_watches(self, 0, CAP_FOWNER, ALL));
}

/* Their rings are charged to the same payer, the module. */
TEST_F(users, services_are_users_of_their_own)
{
	int i;

	for (i = 0; i < OTHERS / USER; i++)
		EXPECT_EQ(USER, capable_watches(self, STRANGER + i,
						CAP_SYS_RESOURCE, ALL));
	EXPECT_EQ(0,
		  capable_watches(self, STRANGER + i, CAP_SYS_RESOURCE, ALL));
}

/* The watches of the new owner are the owner's, and no longer those of a reader. */
TEST_F(users, an_owner_is_the_present_one)
{
	struct blink_tree_ioc_attr arg = { .flags = BLINK_TREE_ATTR_UID,
					   .uid = STRANGER };
	int i;

	EXPECT_EQ(USER, user_watches(self, STRANGER, ALL));
	ASSERT_EQ(0, call(self->tree, BLINK_TREE_IOC_ATTR, &arg));
	for (i = 1; i <= OTHERS / USER; i++)
		EXPECT_EQ(USER, user_watches(self, STRANGER + i, ALL));
}

/* The capability stays, also that of a user who owned the tree besides. */
TEST_F(users, cap_fowner_outlives_the_ownership)
{
	struct blink_tree_ioc_attr arg = { .flags = BLINK_TREE_ATTR_UID,
					   .uid = STRANGER };
	int i;

	EXPECT_EQ(USER, capable_watches(self, OWNER, CAP_FOWNER, USER));
	ASSERT_EQ(0, call(self->tree, BLINK_TREE_IOC_ATTR, &arg));
	for (i = 1; i <= OTHERS / USER; i++)
		EXPECT_EQ(USER, user_watches(self, STRANGER + i, ALL));
}

TEST_F(users, the_owner_can_have_all)
{
	EXPECT_EQ(ALL, user_watches(self, OWNER, ALL));
	EXPECT_EQ(0, user_watches(self, STRANGER, 1));
}

/* A watch that ended counts no more. */
TEST_F(users, places_come_back)
{
	int i;

	for (i = 0; i < 3; i++) {
		self->children = 0;
		EXPECT_EQ(USER, user_watches(self, STRANGER, ALL));
		all_leave(self);
		self->shared->leave = false;
	}
}

TEST_HARNESS_MAIN
