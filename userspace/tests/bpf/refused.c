// SPDX-License-Identifier: GPL-2.0
/* The verifier refuses programs that would let a function write where it must not. */
#include "kselftest_harness.h"

#include "bpf_test.h"

/* Load one program of the object. Returns 0 or an error. */
static int load_one(const char *name)
{
	struct bpf_object *object = object_open("refused");
	struct bpf_program *program;
	int err;

	if (!object)
		return -ENOENT;
	bpf_object__for_each_program(program, object)
		bpf_program__set_autoload(
			program, !strcmp(bpf_program__name(program), name));
	err = bpf_object__load(object);
	bpf_object__close(object);
	return err;
}

/* A program that is refused for something else would tell nothing. */
TEST(good_programs_load_and_others_do_not)
{
	struct bpf_object *object = object_open("refused");
	struct bpf_program *program;
	unsigned int good = 0;
	const char *name;
	int err;

	if (!bpf_usable())
		SKIP(return, "the kernel does not know the module's types");
	ASSERT_NE(NULL, object);
	libbpf_set_print(NULL);
	bpf_object__for_each_program(program, object) {
		name = bpf_program__name(program);
		err = load_one(name);
		TH_LOG("%s: %d", name, err);
		if (strncmp(name, "good", 4)) {
			EXPECT_TRUE(err == -EACCES || err == -EINVAL);
		} else {
			EXPECT_EQ(0, err);
			good++;
		}
	}
	EXPECT_EQ(3, good);
	bpf_object__close(object);
}

TEST_HARNESS_MAIN
