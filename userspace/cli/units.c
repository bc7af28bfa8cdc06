// SPDX-License-Identifier: GPL-2.0
/* The function of units.h. */
#include <stdio.h>

#include "units.h"

const char *units_text(char text[UNITS_MAX], double number)
{
	static const char units[] = "kMGTPE";
	const char *unit = units;
	int decimals;

	if (number < 999.5) {
		snprintf(text, UNITS_MAX, "%.0f", number);
		return text;
	}
	/* A number that rounds up to 1,000 has the next unit. */
	for (number /= 1000; number >= 999.5 && unit[1]; number /= 1000)
		unit++;
	decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
	snprintf(text, UNITS_MAX, "%.*f%c", decimals, number, *unit);
	return text;
}
