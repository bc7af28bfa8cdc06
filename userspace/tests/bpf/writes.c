// SPDX-License-Identifier: GPL-2.0
/*
 * Modifying trees by BPF programs: results, types of programs, limits, the control group
 * that pays, and packets in softirqs.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "kselftest_harness.h"

#include "bpf_test.h"

#include "../common/random.h"
#include "../ioctl/cgroup.h"
#include "change.h"

#define KEYS 200U

FIXTURE(writes)
{
	int device;
	int tree;
	__u64 handle;
	struct bpf_object *object;
	int program;
	struct traffic *traffic;
};

FIXTURE_SETUP(writes)
{
	if (!bpf_usable())
		SKIP(return, "the kernel does not know the module's types");
	self->device = device_open();
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
	self->handle = handle_of(self->tree);
	ASSERT_NE(0, self->handle);
	self->object = object_load("change");
	ASSERT_NE(NULL, self->object);
	self->program = program_fd(self->object, "run_change");
	self->traffic = object_shared(self->object);
	ASSERT_NE(NULL, self->traffic);
	self->traffic->handle = self->handle;
}

FIXTURE_TEARDOWN(writes)
{
	munmap(self->traffic, page_size());
	bpf_object__close(self->object);
	close(self->tree);
	close(self->device);
}

/* Have the program make a change. Returns the result of its function. */
static int run(int program, struct change *change)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = change,
		    .ctx_size_in = sizeof(*change));
	int err = bpf_prog_test_run_opts(program, &opts);

	return err ? -EUCLEAN : change->result;
}

/* The content that a tree has to have: which of the keys below KEYS, and their values. */
struct model {
	bool present[KEYS];
	__u64 value[KEYS];
};

/* Whether a change adds a key that is absent, and overwrites the value of one that is not. */
static bool stores(unsigned int kind)
{
	return kind == CHANGE_STORE || kind == CHANGE_ADD ||
	       kind == CHANGE_ADD_SATURATE;
}

/* The value that a change gives a key which had @value, or 0 for none. */
static __u64 value_after(const struct change *c, __u64 value)
{
	const __s64 number = c->value;

	if (c->kind == CHANGE_ADD)
		return value + c->value;
	if (c->kind != CHANGE_ADD_SATURATE)
		return c->value;
	if (number < 0)
		return value < -c->value ? 0 : value + c->value;
	return value > ~c->value ? ~0ULL : value + c->value;
}

/* Do to the model what a change does. Returns the result that the change has to have. */
static int model_change(struct model *m, struct change *c)
{
	const bool present = m->present[c->key];
	const __u64 value = m->value[c->key];

	if (c->kind == CHANGE_INSERT ? present : !present && !stores(c->kind))
		return c->kind == CHANGE_INSERT ? -EEXIST : -ENOENT;
	if (c->kind == CHANGE_CMPXCHG && value != c->old) {
		c->old = value;
		return -ESTALE;
	}
	if (present && c->kind != CHANGE_CMPXCHG && !c->blind)
		c->old = value;
	m->present[c->key] = c->kind != CHANGE_ERASE;
	m->value[c->key] = value_after(c, present ? value : 0);
	return present && stores(c->kind);
}

TEST_F(writes, results_are_those_of_a_model)
{
	struct model model = {};
	__u64 state = random_stream(seed_get(), 0), value, entries = 0;
	struct change change, other;
	unsigned int i;
	int ret;

	for (i = 0; i < 20000; i++) {
		change = (struct change){
			.handle = self->handle,
			.kind = random_below(&state, CHANGE_KINDS),
			.key = random_below(&state, KEYS),
			.value = random_below(&state, 4) -
				 random_below(&state, 3),
			.old = random_below(&state, 4),
		};
		change.blind = change.kind != CHANGE_INSERT &&
			       change.kind != CHANGE_CMPXCHG &&
			       random_below(&state, 2);
		other = change;
		ret = model_change(&model, &other);
		ASSERT_EQ(ret, run(self->program, &change))
		TH_LOG("change %u of kind %u", i, change.kind);
		ASSERT_EQ(other.old, change.old);
	}
	for (i = 0; i < KEYS; i++) {
		ret = lookup(self->tree, i, &value);
		ASSERT_EQ(model.present[i] ? 0 : -ENOENT, ret);
		if (!ret)
			ASSERT_EQ(model.value[i], value);
		entries += !ret;
	}
	EXPECT_EQ(0, tree_check(self->tree, entries));
}

static int run_simple(int program, __u64 handle, unsigned int kind, __u64 key)
{
	struct change change = { .handle = handle, .kind = kind, .key = key };

	return run(program, &change);
}

TEST_F(writes, handle_has_the_access_of_the_descriptor)
{
	const char *name = "selftest.bpf.writes";
	int tree = tree_create(self->device, name, 0600, 0);
	int reader = tree_open(self->device, name, BLINK_TREE_OPEN_READ);
	int writer = tree_open(self->device, name, BLINK_TREE_OPEN_WRITE);
	unsigned int kind;

	EXPECT_EQ(0, tree_unlink(self->device, name));
	for (kind = 0; kind < CHANGE_KINDS; kind++) {
		EXPECT_EQ(-EBADF, run_simple(self->program, handle_of(reader),
					     kind, 1));
		EXPECT_EQ(-EBADF, run_simple(self->program, 0, kind, 1));
	}
	EXPECT_EQ(0, tree_check(tree, 0));
	EXPECT_EQ(0, run_simple(self->program, handle_of(writer), CHANGE_INSERT,
				1));
	EXPECT_EQ(0, tree_check(tree, 1));
	close(writer);
	close(reader);
	close(tree);
}

/* As for a descriptor: a program that cannot read a tree is told no value. */
TEST_F(writes, writer_learns_no_value)
{
	const char *name = "selftest.bpf.writes";
	int tree = tree_create(self->device, name, 0600, 0);
	int writer = tree_open(self->device, name, BLINK_TREE_OPEN_WRITE);
	struct change change = { .handle = handle_of(writer), .key = 1 };
	unsigned int kind;
	int ret;

	EXPECT_EQ(0, tree_unlink(self->device, name));
	EXPECT_EQ(0, insert(tree, 1, 4711));
	for (kind = 0; kind < CHANGE_KINDS; kind++) {
		change.kind = kind;
		change.value = 4711;
		change.old = 1;
		ret = run(self->program, &change);
		EXPECT_TRUE(kind == CHANGE_CMPXCHG ? ret == -EBADF :
						     ret >= -EEXIST);
		/* As it was, or 0 in the place of the value. */
		EXPECT_GE(1, change.old);
	}
	close(writer);
	close(tree);
}

TEST_F(writes, other_trees_are_eopnotsupp)
{
	const struct blink_tree_ioc_create kinds[] = {
		{ .key = BLINK_TREE_KEY_U128 },
		{ .key = BLINK_TREE_KEY_MULTI },
		{ .key = BLINK_TREE_KEY_BYTES },
		{ .flags = BLINK_TREE_CREATE_BYTE_VALUES },
	};
	unsigned int i, kind;
	int tree;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		tree = tree_new_as(&kinds[i]);
		for (kind = 0; kind < CHANGE_KINDS; kind++)
			EXPECT_EQ(-EOPNOTSUPP,
				  run_simple(self->program, handle_of(tree),
					     kind, 1));
		close(tree);
	}
}

TEST_F(writes, limit_of_entries_is_enospc)
{
	int tree = tree_new(3);
	__u64 handle = handle_of(tree);
	unsigned int i;

	for (i = 0; i < 3; i++)
		EXPECT_EQ(0,
			  run_simple(self->program, handle, CHANGE_INSERT, i));
	EXPECT_EQ(-ENOSPC, run_simple(self->program, handle, CHANGE_INSERT, 3));
	EXPECT_EQ(-ENOSPC, run_simple(self->program, handle, CHANGE_STORE, 3));
	EXPECT_EQ(0, run_simple(self->program, handle, CHANGE_ERASE, 0));
	EXPECT_EQ(0, run_simple(self->program, handle, CHANGE_STORE, 3));
	EXPECT_EQ(0, tree_check(tree, 3));
	close(tree);
}

/* A type, and an attach type if programs of the type need one. */
struct type {
	enum bpf_prog_type type;
	unsigned int attach;
};

/* BPF_PROG_TYPE_NETFILTER and BPF_NETFILTER, which Debian 12's header does not have. */
#define NETFILTER 32
#define AT_NETFILTER 45

/* Load one program of an object as a program of a type. Returns 0 or -errno. */
static int load_as(const char *name, struct type type)
{
	struct bpf_object *object = object_open("types");
	struct bpf_program *program, *other;
	int err;

	libbpf_set_print(NULL);
	program = bpf_object__find_program_by_name(object, name);
	bpf_object__for_each_program(other, object)
		bpf_program__set_autoload(other, other == program);
	bpf_program__set_type(program, type.type);
	bpf_program__set_expected_attach_type(program, type.attach);
	if (type.type == BPF_PROG_TYPE_SYSCALL)
		bpf_program__set_flags(program, BPF_F_SLEEPABLE);
	err = bpf_object__load(object);
	bpf_object__close(object);
	return err;
}

TEST_F(writes, some_types_may)
{
	static const struct type types[] = {
		{ .type = BPF_PROG_TYPE_SYSCALL },
		{ .type = BPF_PROG_TYPE_XDP },
		{ .type = BPF_PROG_TYPE_SCHED_CLS },
		{ .type = BPF_PROG_TYPE_SCHED_ACT },
		{ .type = BPF_PROG_TYPE_SK_SKB },
		{ .type = BPF_PROG_TYPE_CGROUP_SKB },
		{ .type = BPF_PROG_TYPE_LWT_IN },
		{ .type = BPF_PROG_TYPE_LWT_OUT },
		{ .type = BPF_PROG_TYPE_LWT_XMIT },
		{ .type = NETFILTER, .attach = AT_NETFILTER },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		EXPECT_EQ(0, load_as("reads", types[i]))
		TH_LOG("type %u", types[i].type);
		EXPECT_EQ(0, load_as("writes", types[i]))
		TH_LOG("type %u", types[i].type);
	}
}

TEST_F(writes, types_that_run_anywhere_may_not)
{
	static const struct type types[] = {
		{ .type = BPF_PROG_TYPE_KPROBE },
		{ .type = BPF_PROG_TYPE_TRACEPOINT },
		{ .type = BPF_PROG_TYPE_RAW_TRACEPOINT },
		{ .type = BPF_PROG_TYPE_PERF_EVENT },
		{ .type = BPF_PROG_TYPE_SOCKET_FILTER },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		EXPECT_EQ(0, load_as("reads", types[i]))
		TH_LOG("type %u", types[i].type);
		EXPECT_EQ(-EACCES, load_as("writes", types[i]))
		TH_LOG("type %u", types[i].type);
	}
}

/* A process in a cgroup of its own, which has a handle until it is told to go. */
struct payer {
	struct cgroup cgroup;
	pid_t child;
	struct {
		__u64 handle;
		int done;
	} *shared;
};

static int pay(const struct payer *payer, int tree)
{
	if (write_file(payer->cgroup.path, "cgroup.procs", "0"))
		return 1;
	__atomic_store_n(&payer->shared->handle, handle_of(tree),
			 __ATOMIC_RELEASE);
	while (!__atomic_load_n(&payer->shared->done, __ATOMIC_ACQUIRE))
		usleep(10000);
	return 0;
}

/* Returns NULL, or what the machine lacks. */
static const char *payer_begin(struct payer *payer, int tree)
{
	const char *missing;

	*payer = (struct payer){};
	missing = cgroup_open(&payer->cgroup);
	if (missing)
		return missing;
	payer->shared = shared_alloc(sizeof(*payer->shared));
	payer->child = fork();
	if (!payer->child)
		_exit(pay(payer, tree));
	while (!__atomic_load_n(&payer->shared->handle, __ATOMIC_ACQUIRE))
		usleep(1000);
	return NULL;
}

static long payer_charge(const struct payer *payer)
{
	return read_number(payer->cgroup.path, "memory.current");
}

static bool payer_end(struct payer *payer)
{
	int status = -1;

	__atomic_store_n(&payer->shared->done, 1, __ATOMIC_RELEASE);
	waitpid(payer->child, &status, 0);
	return !status;
}

/* Insert until that fails, but no more than so many keys. */
static unsigned int insert_most(int program, __u64 handle, unsigned int most,
				int *err)
{
	unsigned int i;

	*err = 0;
	for (i = 0; i < most && !*err; i++)
		*err = run_simple(program, handle, CHANGE_INSERT, i);
	return i - !!*err;
}

/* The kernel charges in advance, so less than the tree grows is visible. */
TEST_F(writes, the_process_with_the_handle_pays)
{
	const long grown = 1L << 20, limit = 4L << 20;
	int err, tree = tree_new(0);
	unsigned int inserted;
	const char *missing;
	struct payer payer;
	long before;

	missing = payer_begin(&payer, tree);
	if (missing)
		SKIP(return, "%s", missing);
	before = payer_charge(&payer);
	inserted = insert_most(self->program, payer.shared->handle, grown / 16,
			       &err);
	EXPECT_EQ(0, err);
	EXPECT_LT(before + grown / 2, payer_charge(&payer));
	/* Its limit is that of the programs, too. */
	ASSERT_EQ(0, write_file(payer.cgroup.path, "memory.max", "4194304"));
	for (; !err && inserted < 4 * limit / 16; inserted++)
		err = run_simple(self->program, payer.shared->handle,
				 CHANGE_STORE, (1ULL << 32) + inserted);
	EXPECT_EQ(-ENOMEM, err);
	EXPECT_TRUE(tree_sound(tree, entries_of(tree)));
	EXPECT_TRUE(payer_end(&payer));
	close(tree);
	EXPECT_GT(before + grown / 2,
		  cgroup_settled(payer.cgroup.path, before + grown / 2));
	cgroup_close(&payer.cgroup);
}

/* Values that are too wide for their leaves split them. */
TEST_F(writes, the_process_pays_for_wider_values)
{
	const struct blink_tree_ioc_create how = {
		.flags = BLINK_TREE_CREATE_COMPRESS,
	};
	const unsigned int keys = 60000;
	int err, tree = tree_new_as(&how);
	const char *missing;
	struct payer payer;
	unsigned int i;
	long before;

	missing = payer_begin(&payer, tree);
	if (missing)
		SKIP(return, "%s", missing);
	EXPECT_EQ(keys,
		  insert_most(self->program, payer.shared->handle, keys, &err));
	before = payer_charge(&payer);
	for (i = 0; i < keys && !err; i++) {
		struct change change = {
			.handle = payer.shared->handle,
			.kind = CHANGE_REPLACE,
			.blind = true,
			.key = i,
			.value = 0x9e3779b97f4a7c15ULL * i,
		};

		err = run(self->program, &change);
	}
	EXPECT_EQ(0, err);
	/* They grow by more than 16 bytes for each key. */
	EXPECT_LT(before + keys * 8, payer_charge(&payer));
	EXPECT_TRUE(payer_end(&payer));
	close(tree);
	cgroup_settled(payer.cgroup.path, before);
	cgroup_close(&payer.cgroup);
}

static const char packet[64];

/* Bring up the loopback device in a network of this process. Returns its index. */
static int loopback(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd, err;

	if (unshare(CLONE_NEWNET))
		return -1;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	err = ioctl(fd, SIOCSIFFLAGS, &request);
	close(fd);
	return err ? -1 : (int)if_nametoindex("lo");
}

static int send_packets(unsigned int count)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	unsigned int sent = 0;

	while (sent < count && sendto(fd, packet, sizeof(packet), 0,
				      (struct sockaddr *)&to, sizeof(to)) > 0)
		sent++;
	close(fd);
	return sent == count ? 0 : -errno;
}

/* Real packets: the program runs in softirqs, which writers disable. */
TEST_F(writes, on_packets_in_softirqs)
{
	struct traffic *t = self->traffic;
	struct bpf_link *link;
	int lo = loopback();

	ASSERT_GT(lo, 0);
	t->keys = 500;
	link = bpf_program__attach_xdp(
		bpf_object__find_program_by_name(self->object, "on_packet"),
		lo);
	ASSERT_NE(NULL, link);
	EXPECT_EQ(0, send_packets(5000));
	bpf_link__destroy(link);
	/* The answers that the port is closed are packets, too. */
	EXPECT_LE(5000, t->turn);
	EXPECT_EQ(0, t->busy);
	EXPECT_EQ(0, t->errors);
	EXPECT_EQ(t->turn, t->inserted + t->erased);
	EXPECT_EQ(0, tree_check(self->tree, t->inserted - t->erased));
}

/* The example of Documentation/bpf.rst: its variables. */
struct count {
	__u64 handle;
	__u64 missed;
};

#define COUNTED 50000U

static int send_some(int id, void *arg)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
		    .data_size_in = sizeof(packet), .repeat = COUNTED);

	(void)id;
	return !!bpf_prog_test_run_opts(*(const int *)arg, &opts);
}

TEST_F(writes, packets_are_counted)
{
	struct bpf_object *object = object_load("count");
	struct count *count;
	__u64 counted;
	int program;

	ASSERT_NE(NULL, object);
	count = object_shared(object);
	ASSERT_NE(NULL, count);
	count->handle = self->handle;
	program = program_fd(object, "count_packet");
	EXPECT_EQ(0, in_children(2, send_some, &program));
	EXPECT_EQ(0, lookup(self->tree, sizeof(packet), &counted));
	EXPECT_EQ(2 * COUNTED, counted + count->missed);
	EXPECT_GT(COUNTED / 10, count->missed);
	EXPECT_EQ(0, tree_check(self->tree, 1));
	munmap(count, page_size());
	bpf_object__close(object);
}

TEST_F(writes, changes_are_told_to_watches)
{
	struct blink_tree_ioc_watch arg = { .last = U64_MAX };
	int watch = call(self->tree, BLINK_TREE_IOC_WATCH, &arg);
	__u64 head;

	ASSERT_GE(watch, 0);
	EXPECT_EQ(0, run_simple(self->program, self->handle, CHANGE_INSERT, 1));
	EXPECT_EQ(0, run_simple(self->program, self->handle, CHANGE_ERASE, 1));
	EXPECT_EQ(sizeof(head), read(watch, &head, sizeof(head)));
	EXPECT_EQ(2, head);
	close(watch);
}

TEST_HARNESS_MAIN
