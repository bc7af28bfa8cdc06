/* SPDX-License-Identifier: GPL-2.0 */
/* The universe of a test's model (model.h), and ranges of it. */
#ifndef BLINK_KUNIT_UNIVERSE_H
#define BLINK_KUNIT_UNIVERSE_H

#include "fixture.h"
#include "model.h"

void model_init(struct kunit *test, struct model *model, u64 base, u64 step,
		unsigned int nr);
void model_init_random(struct kunit *test, struct model *model, unsigned int nr,
		       struct rnd_state *rnd);
unsigned int model_range(const struct model *model,
			 const struct blink_scan *scan,
			 struct blink_tree_entry *entries);

#endif /* BLINK_KUNIT_UNIVERSE_H */
