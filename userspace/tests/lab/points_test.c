// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/slab.h>
#include <stdio.h>
#include <stdlib.h>
#include "core/core.h"
#include "indexes/kernel/init.h"
#include "point/point.h"

const struct lab_scheme lab_schemes[] = {
	{ "blink_tree", "", "", "", LAB_OF_BLINK, &lab_blink_ops },
	LAB_SCHEMES_OLFIT(LAB_SCHEME)
	LAB_SCHEMES_RCU(LAB_SCHEME)
	LAB_SCHEMES_MXKERNEL(LAB_SCHEME)
	LAB_SCHEMES_MCKENZIE(LAB_SCHEME)
	LAB_SCHEMES_END,
};

void standin_init(void)
{
	if (blink_core_init()) abort();
}

int main(int argc, char **argv)
{
	char *answer = malloc(LAB_POINT_ANSWER_MAX);
	int ret = lab_point_order(argv[1], answer, LAB_POINT_ANSWER_MAX);
	printf("%d\n%s", ret, answer);
	return 0;
}
