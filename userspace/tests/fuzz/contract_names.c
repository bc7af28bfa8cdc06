// SPDX-License-Identifier: GPL-2.0
/* The names that trees can have. */
#include <ctype.h>
#include <string.h>

#include <linux/blink_tree.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract.h"
#include "shim/files.h"

static bool name_refused(const char *name)
{
	return create(name, 0600) == -EINVAL &&
	       open_tree(name, BLINK_TREE_OPEN_READ) == -EINVAL &&
	       unlink_tree(name) == -EINVAL;
}

void bad_names(void)
{
	static const char *const bad[] = {
		"-",	     ".",	"..",
		"-rf",	     ".hidden", "a/b",
		"a b",	     "$(a)",	"`a`",
		"a;b",	     "a\"b",	"a'b",
		"a\\b",	     "a*",	"~a",
		"a\xc3\xa4", "\xff",	"\x9b[2J",
		"a\n",	     "\x7f",	"\xe2\x80\xae",
		"a=b",	     "a,b",	"a%",
	};
	unsigned int i;
	char name[2] = "";

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		if (!tap_check(name_refused(bad[i])))
			printf("# name %u\n", i);
	}
	for (i = 1; i < 256; i++) {
		bool inner = i < 128 && (isalnum(i) || strchr("._@:+-", i));
		long fd;

		name[0] = i;
		fd = create(name, 0600);
		if (inner && !strchr(".-", i))
			tap_check(fd > 0 && !unlink_tree(name));
		else
			tap_check(fd == -EINVAL);
		fuzz_close(fd > 0 ? fd : -1);
	}
	tap_case("names have a safe alphabet");
}
