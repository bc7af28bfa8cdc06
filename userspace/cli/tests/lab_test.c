// SPDX-License-Identifier: GPL-2.0
/* The answers of the laboratory, and medians of rounds. */
#include <stdlib.h>
#include <string.h>

#include "../../tests/common/tap.h"
#include "../lab.h"
#include "../median.h"

#define ANSWER \
	"number=7 threads=4 ops=100 ns=200 wrong=3 retries=- bytes=%s entries=%s"

static bool reads(const char *bytes, const char *entries,
		  struct lab_answer *answer)
{
	char text[256];

	snprintf(text, sizeof(text), ANSWER, bytes, entries);
	return lab_read(text, answer);
}

static void test_answer(void)
{
	struct lab_answer answer;

	tap_check(reads("64000", "1000\n", &answer));
	tap_check(answer.threads == 4 && answer.ops == 100 &&
		  answer.ns == 200 && answer.wrong == 3);
	tap_check(answer.bytes == 64000 && answer.entries == 1000);
	tap_check(reads("-", "9\nop=read count=100", &answer) &&
		  !answer.bytes && answer.entries == 9);
	tap_case("an answer");
}

static void test_nonsense(void)
{
	struct lab_answer answer;

	tap_check(!lab_read("", &answer));
	tap_check(!lab_read("\n", &answer));
	tap_check(!reads("64000", "", &answer));
	tap_check(!lab_read("number=7 threads=4 ops=100\n", &answer));
	tap_check(!lab_read(
		"number=7 threads=4 ops=1 ns=0 wrong=0 retries=- bytes=- entries=9\n",
		&answer));
	tap_case("no answer");
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
	test_answer();
	test_nonsense();
	test_median();
	return tap_exit(planned);
}
