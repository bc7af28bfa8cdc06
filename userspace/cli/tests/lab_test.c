// SPDX-License-Identifier: GPL-2.0
/* The result of a round of the benchmark, and medians of rounds. */
#include <stdlib.h>
#include <string.h>

#include "../../tests/common/tap.h"
#include "../lab.h"
#include "../median.h"

#define HEAD "index=maple_tree threads=4 batch=1 entries=1000 bytes=64000\n"
#define LOOKUP "workload=lookup number=7 ops=100 ns=200 wrong=3\n"

static bool read_text(const char *text, struct lab_round *round)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	bool good = lab_read(file, round);

	fclose(file);
	return good;
}

static void test_round(void)
{
	struct lab_round round;

	tap_check(read_text(HEAD LOOKUP
			    "workload=50/50 number=8 ops=4 ns=5 wrong=0\n",
			    &round));
	tap_check(round.threads == 4 && round.entries == 1000 &&
		  round.bytes == 64000);
	tap_check(!strcmp(workload_words[1], "lookup"));
	tap_check(round.score[1].ops == 100 && round.score[1].ns == 200 &&
		  round.score[1].wrong == 3);
	tap_check(!strcmp(workload_words[7], "50/50"));
	tap_check(round.score[7].ops == 4 && round.score[7].ns == 5);
	tap_check(!round.score[0].ops && !round.score[2].ops);
	tap_check(read_text(HEAD, &round) && !round.score[1].ops);
	tap_case("a round");
}

static void test_nonsense(void)
{
	struct lab_round round;

	tap_check(!read_text("\n", &round));
	tap_check(!read_text(LOOKUP, &round));
	tap_check(!read_text("index=maple_tree threads=4\n", &round));
	tap_check(!read_text(
		HEAD "workload=nothing number=1 ops=1 ns=1 wrong=0\n", &round));
	tap_check(!read_text(HEAD "workload=lookup number=1 ops=1 ns=1\n",
			     &round));
	tap_check(!read_text(
		HEAD "workload=lookup number=1 ops=1 ns=0 wrong=0\n", &round));
	tap_check(!read_text(HEAD LOOKUP "what\n", &round));
	tap_case("no round");
}

static void test_median(void)
{
	double three[] = { 9, 1, 4 }, two[] = { 3, 1 }, one[] = { 5 };

	tap_check(median(three, 3) == 4);
	tap_check(three[0] == 1 && three[1] == 4 && three[2] == 9);
	tap_check(median(two, 2) == 2);
	tap_check(median(one, 1) == 5);
	tap_case("medians");
}

int main(void)
{
	const unsigned int planned = 3;

	tap_begin(planned);
	test_round();
	test_nonsense();
	test_median();
	return tap_exit(planned);
}
