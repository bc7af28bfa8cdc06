// SPDX-License-Identifier: GPL-2.0
/*
 * The rules for every ioctl alike: how long its structure may be, which
 * descriptor takes it, which numbers are unknown, what a bad address and a bit
 * in a reserved place do. One *variant* for each ioctl; its *prepare* fills a
 * structure with which the call succeeds, if zeroes are not enough.
 */
#include <stddef.h>

#include "kselftest_harness.h"

#include "abi.h"

#define PAGES 5
#define SIZE_MAX_IOC ((1u << _IOC_SIZEBITS) - 1)

/* A field of so many bits, of which only those in @known may be set. */
struct field {
	size_t offset;
	unsigned int bits;
	__u64 known;
};

FIXTURE(abi)
{
	struct env env;
};

/*
 * @first_size: of the structure's first version, 0 if there was no other;
 * @element_size: where the size of an array's elements is, 0 if it has none;
 * @element_min: their first version's; @feature: the one that the ioctl needs.
 */
FIXTURE_VARIANT(abi)
{
	unsigned int cmd;
	unsigned int first_size;
	unsigned int element_size;
	unsigned int element_min;
	__u64 feature;
	bool on_tree;
	bool replies;
	void (*prepare)(struct env *env, void *arg);
	struct field fields[4];
};

#define AT(type, member) offsetof(struct blink_tree_ioc_##type, member)
#define ADD_DEVICE(name, number, ...)  \
	FIXTURE_VARIANT_ADD(abi, name) \
	MEMBERS(.cmd = BLINK_TREE_IOC_##number, __VA_ARGS__)
#define ADD_TREE(name, number, ...) \
	ADD_DEVICE(name, number, .on_tree = true, __VA_ARGS__)
/* The flags are the first field. */
#define NO_FLAGS { 0, 32, 0 }

ADD_DEVICE(info, INFO, .replies = true, .first_size = AT(info, ioctls),
	   .fields = { NO_FLAGS });
ADD_DEVICE(create, CREATE, .prepare = prepare_create,
	   .first_size = AT(create, replication),
	   .fields = { { AT(create, flags), 32,
			 BLINK_TREE_CREATE_COMPRESS |
				 BLINK_TREE_CREATE_BYTE_VALUES },
		       { AT(create, mode), 32, 0777 },
		       { AT(create, __reserved), 8, 0 },
		       { AT(create, key), 32, 3 } });
ADD_DEVICE(open, OPEN, .prepare = prepare_open,
	   .fields = { { AT(open, flags), 32,
			 BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE |
				 BLINK_TREE_OPEN_OWNER },
		       /* Without BLINK_TREE_OPEN_OWNER it must be zero. */
		       { AT(open, uid), 32, 0 } });
ADD_DEVICE(unlink, UNLINK, .prepare = prepare_unlink,
	   .fields = { NO_FLAGS, { AT(unlink, __reserved), 32, 0 } });
ADD_DEVICE(list, LIST, .replies = true, .prepare = prepare_list,
	   .element_size = AT(list, entry_size),
	   .element_min = offsetof(struct blink_tree_list_entry, max_bytes),
	   .fields = { { AT(list, flags), 32, BLINK_TREE_LIST_BELOW },
		       { AT(list, __reserved), 32, 0 } });
ADD_TREE(op, OP, .replies = true, .prepare = prepare_op,
	 .fields = { { AT(op, flags), 16, 0 } });
ADD_TREE(batch, BATCH, .replies = true, .prepare = prepare_batch,
	 .element_size = AT(batch, op_size),
	 .element_min = sizeof(struct blink_tree_ioc_op),
	 .fields = { { AT(batch, flags), 32, BLINK_TREE_BATCH_COMMIT } });
ADD_TREE(load, LOAD, .replies = true, .prepare = prepare_load,
	 .element_size = AT(load, entry_size),
	 .element_min = sizeof(struct blink_tree_entry),
	 .fields = { NO_FLAGS, { AT(load, __reserved), 32, 0 } });
ADD_TREE(scan, SCAN, .replies = true, .prepare = prepare_scan,
	 .element_size = AT(scan, entry_size),
	 .element_min = sizeof(struct blink_tree_entry),
	 .fields = { { AT(scan, flags), 32,
		       BLINK_TREE_SCAN_DESC | BLINK_TREE_SCAN_DONE },
		     { AT(scan, __reserved), 32, 0 } });
ADD_TREE(records, RECORDS, .replies = true, .prepare = prepare_records,
	 .fields = { { AT(records, flags), 32,
		       BLINK_TREE_RECORDS_LOAD | BLINK_TREE_RECORDS_COMMIT },
		     { AT(records, fill), 32, 0 } });
ADD_TREE(record_scan, RECORD_SCAN, .replies = true,
	 .prepare = prepare_record_scan,
	 .fields = { { AT(record_scan, flags), 32,
		       BLINK_TREE_RECORD_SCAN_DESC |
			       BLINK_TREE_RECORD_SCAN_COUNT |
			       BLINK_TREE_RECORD_SCAN_FIRST_OPEN |
			       BLINK_TREE_RECORD_SCAN_LAST_OPEN |
			       BLINK_TREE_RECORD_SCAN_PREFIX |
			       BLINK_TREE_RECORD_SCAN_DONE },
		     { AT(record_scan, __reserved), 32, 0 } });
ADD_TREE(record_erase, RECORD_ERASE, .replies = true,
	 .prepare = prepare_record_erase,
	 .fields = { { AT(record_erase, flags), 32,
		       BLINK_TREE_RECORD_ERASE_FIRST_OPEN |
			       BLINK_TREE_RECORD_ERASE_LAST_OPEN |
			       BLINK_TREE_RECORD_ERASE_PREFIX |
			       BLINK_TREE_RECORD_ERASE_DONE },
		     { AT(record_erase, __reserved), 32, 0 } });
ADD_TREE(bpf_handle, BPF_HANDLE, .replies = true,
	 .feature = BLINK_TREE_FEATURE_BPF,
	 .fields = { NO_FLAGS, { AT(bpf_handle, __reserved), 32, 0 } });
ADD_TREE(watch, WATCH, .fields = { NO_FLAGS });
ADD_TREE(range, RANGE, .replies = true,
	 .fields = { { AT(range, flags), 32, 0 },
		     { AT(range, first_low), 64, 0 },
		     { AT(range, size), 64, 0 } });
ADD_TREE(stats, STATS, .replies = true, .first_size = AT(stats, gate_passes),
	 .fields = { NO_FLAGS });
ADD_TREE(levels, LEVELS, .replies = true, .prepare = prepare_levels,
	 .element_size = AT(levels, level_size),
	 .element_min = sizeof(struct blink_tree_level_stats),
	 .fields = { NO_FLAGS });
ADD_TREE(hot_leaves, HOT_LEAVES, .replies = true, .prepare = prepare_hot_leaves,
	 .element_size = AT(hot_leaves, leaf_size),
	 .element_min = sizeof(struct blink_tree_hot_leaf),
	 .fields = { NO_FLAGS, { AT(hot_leaves, __reserved), 32, 0 } });
ADD_TREE(attr, ATTR, .replies = true, .first_size = AT(attr, max_bytes),
	 .fields = { { AT(attr, flags), 32,
		       BLINK_TREE_ATTR_UID | BLINK_TREE_ATTR_GID |
			       BLINK_TREE_ATTR_MODE | BLINK_TREE_ATTR_NAME |
			       BLINK_TREE_ATTR_MAX_ENTRIES |
			       BLINK_TREE_ATTR_MAX_BYTES } });
ADD_TREE(verify, VERIFY, .replies = true, .first_size = AT(verify, misplaced),
	 .fields = { NO_FLAGS, { AT(verify, __reserved), 32, 0 } });

static __u64 features_of(int device)
{
	struct blink_tree_ioc_info info = {};

	return call(device, BLINK_TREE_IOC_INFO, &info) ? 0 : info.features;
}

FIXTURE_SETUP(abi)
{
	self->env.end = guard_alloc(PAGES);
	ASSERT_NE(NULL, self->env.end);
	self->env.device = device_open();
	ASSERT_GE(self->env.device, 0);
	if (variant->feature & ~features_of(self->env.device))
		SKIP(return, "the module does not have it here");
	tree_unlink(self->env.device, NAME);
	self->env.tree = tree_create(self->env.device, NAME, 0600, 0);
	ASSERT_GE(self->env.tree, 0);
	ASSERT_EQ(0, fill(self->env.tree, 1, 10, 1));
	self->env.fd = variant->on_tree ? self->env.tree : self->env.device;
	self->env.cmd = variant->cmd;
	self->env.prepare = variant->prepare;
}

FIXTURE_TEARDOWN(abi)
{
	tree_unlink(self->env.device, NAME);
	close(self->env.tree);
	close(self->env.device);
}

static unsigned int resized(unsigned int cmd, unsigned int size)
{
	return _IOC(_IOC_DIR(cmd), _IOC_TYPE(cmd), _IOC_NR(cmd), size);
}

/* A structure of @size right before the memory that is not accessible. */
static char *place(struct env *env, unsigned int size)
{
	char buf[sizeof(struct blink_tree_ioc_stats)];
	unsigned int known = _IOC_SIZE(env->cmd);
	char *arg = env->end - size;

	memset(buf, 0, sizeof(buf));
	if (env->prepare)
		env->prepare(env, buf);
	memset(arg, 0, size);
	memcpy(arg, buf, size < known ? size : known);
	return arg;
}

/* Call and, if that gave a descriptor, close it: the next gets the same. */
static int try(struct env *env, unsigned int size, char *arg)
{
	int ret = call(env->fd, resized(env->cmd, size), arg);

	if (ret > 0)
		close(ret);
	return ret;
}

TEST_F(abi, exact_size)
{
	unsigned int size = _IOC_SIZE(variant->cmd);

	EXPECT_LE(0, try(&self->env, size, place(&self->env, size)));
}

TEST_F(abi, shorter_is_einval)
{
	unsigned int known = _IOC_SIZE(variant->cmd), size;

	for (size = 0; size < (variant->first_size ?: known); size++) {
		char *arg = place(&self->env, size);

		ASSERT_EQ(-EINVAL, try(&self->env, size, arg))
		TH_LOG("size %u", size);
	}
}

/* Memory behind an older structure is not read. */
TEST_F(abi, older_is_the_same)
{
	unsigned int known = _IOC_SIZE(variant->cmd), size;

	for (size = variant->first_size ?: known; size < known; size++) {
		char *arg = place(&self->env, size);

		ASSERT_LE(0, try(&self->env, size, arg))
		TH_LOG("size %u", size);
	}
}

TEST_F(abi, longer_and_zero_is_the_same)
{
	unsigned int known = _IOC_SIZE(variant->cmd), i, j;
	const unsigned int sizes[] = { known + 1, known + 8, SIZE_MAX_IOC };
	char want[sizeof(struct blink_tree_ioc_stats)];
	char *arg = place(&self->env, known);
	int ret = try(&self->env, known, arg);

	memcpy(want, arg, known);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		arg = place(&self->env, sizes[i]);
		EXPECT_EQ(ret, try(&self->env, sizes[i], arg));
		EXPECT_EQ(0, memcmp(want, arg, known));
		for (j = known; j < sizes[i]; j++)
			ASSERT_EQ(0, arg[j]);
	}
}

TEST_F(abi, longer_and_not_zero_is_e2big)
{
	unsigned int known = _IOC_SIZE(variant->cmd), i;
	const unsigned int sizes[] = { known + 1, known + 8, SIZE_MAX_IOC };
	char *arg;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		arg = place(&self->env, sizes[i]);
		arg[sizes[i] - 1] = 1;
		EXPECT_EQ(-E2BIG, try(&self->env, sizes[i], arg));
		arg[sizes[i] - 1] = 0;
		arg[known] = 1;
		EXPECT_EQ(-E2BIG, try(&self->env, sizes[i], arg));
	}
}

TEST_F(abi, impossible_element_size_is_einval)
{
	const __u32 bad[] = { 0, 1, variant->element_min - 1,
			      BLINK_TREE_ELEMENT_MAX + 1, UINT32_MAX };
	unsigned int size = _IOC_SIZE(variant->cmd), i;

	if (!variant->element_size)
		SKIP(return, "has no array");
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		char *arg = place(&self->env, size);

		memcpy(arg + variant->element_size, &bad[i], sizeof(bad[i]));
		EXPECT_EQ(-EINVAL, try(&self->env, size, arg))
		TH_LOG("element of %u bytes", bad[i]);
	}
}

TEST_F(abi, wrong_descriptor_is_enotty)
{
	unsigned int size = _IOC_SIZE(variant->cmd);
	char *arg = place(&self->env, size);
	int null = open("/dev/null", O_RDWR), other;

	other = variant->on_tree ? self->env.device : self->env.tree;
	EXPECT_EQ(-ENOTTY, call(other, variant->cmd, arg));
	EXPECT_EQ(-ENOTTY, call(null, variant->cmd, arg));
	close(null);
}

TEST_F(abi, other_number_is_enotty)
{
	unsigned int cmd = variant->cmd, dir;
	char *arg = place(&self->env, _IOC_SIZE(cmd));

	for (dir = 0; dir < 4; dir++) {
		if (dir == _IOC_DIR(cmd))
			continue;
		EXPECT_EQ(-ENOTTY, call(self->env.fd,
					_IOC(dir, BLINK_TREE_IOC_TYPE,
					     _IOC_NR(cmd), _IOC_SIZE(cmd)),
					arg));
	}
	EXPECT_EQ(-ENOTTY,
		  call(self->env.fd, cmd ^ (1 << _IOC_TYPESHIFT), arg));
	EXPECT_EQ(-ENOTTY,
		  call(self->env.fd, cmd ^ (1 << (_IOC_NRSHIFT + 7)), arg));
}

TEST_F(abi, unknown_bit_is_einval)
{
	unsigned int size = _IOC_SIZE(variant->cmd), i, bit;

	for (i = 0; i < ARRAY_SIZE(variant->fields); i++) {
		const struct field *field = &variant->fields[i];

		for (bit = 0; bit < field->bits; bit++) {
			char *arg;

			if (field->known >> bit & 1)
				continue;
			arg = place(&self->env, size);
			arg[field->offset + bit / 8] |= 1 << bit % 8;
			EXPECT_EQ(-EINVAL, try(&self->env, size, arg))
			TH_LOG("field at %zu, bit %u", field->offset, bit);
		}
	}
}

TEST_F(abi, bad_address_is_efault)
{
	unsigned int size = _IOC_SIZE(variant->cmd), missing;
	char *arg;

	EXPECT_EQ(-EFAULT, try(&self->env, size, NULL));
	EXPECT_EQ(-EFAULT, try(&self->env, size, self->env.end));
	EXPECT_EQ(-EFAULT, try(&self->env, size, (char *)-4096L));
	for (missing = 1; missing < size; missing++) {
		arg = place(&self->env, size) + missing;
		ASSERT_EQ(-EFAULT, try(&self->env, size, arg));
	}
}

/* The tail that the kernel does not know is read as well. */
TEST_F(abi, bad_tail_is_efault)
{
	unsigned int size = _IOC_SIZE(variant->cmd);
	char *arg = place(&self->env, size);

	EXPECT_EQ(-EFAULT, try(&self->env, size + 1, arg));
}

TEST_F(abi, read_only_memory)
{
	unsigned int size = _IOC_SIZE(variant->cmd);
	char *arg = place(&self->env, size);
	int ret;

	ASSERT_EQ(0, mprotect(self->env.end - page_size(), page_size(),
			      PROT_READ));
	ret = try(&self->env, size, arg);
	EXPECT_TRUE(variant->replies ? ret == -EFAULT : ret >= 0);
}

TEST_HARNESS_MAIN
