// SPDX-License-Identifier: GPL-2.0
/* The mark of a CPU that runs a writer (mark.h). */
#include "mark.h"

#ifdef BLINK_KFUNCS
DEFINE_PER_CPU(unsigned int, blink_writers);
#endif
