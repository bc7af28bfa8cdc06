// SPDX-License-Identifier: GPL-2.0
/*
 * A probe: known references, to see whether they are counted right. One CPU
 * reads and writes a page of one NUMA node, so many times.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <linux/workqueue.h>

#include "lab.h"
#include "marks.h"

struct touch {
	const struct lab_probe *probe;
	u64 *word;
};

static long touch(void *data)
{
	const struct touch *touch = data;
	u32 loads = touch->probe->loads, stores = touch->probe->stores;
	u64 *word = touch->word;

	blink_mark(BLINK_MARK_COUNT);
	blink_mark(BLINK_MARK_BEGIN | BLINK_CLASS_PROBE);
	while (loads--)
		READ_ONCE(*word);
	while (stores--)
		WRITE_ONCE(*word, stores);
	blink_mark(BLINK_MARK_END);
	blink_mark(BLINK_MARK_PAUSE);
	return 0;
}

/* Do a probe. Returns 0; -ENODEV if there is no such CPU or NUMA node; -ENOMEM. */
int lab_probe(struct lab_probe *probe)
{
	struct touch data = { .probe = probe };
	struct page *page;
	long ret = -ENODEV;

	if (probe->node >= nr_node_ids ||
	    !node_state(probe->node, N_NORMAL_MEMORY))
		return -ENODEV;
	page = alloc_pages_node(probe->node, GFP_KERNEL | __GFP_THISNODE, 0);
	if (!page)
		return -ENOMEM;
	data.word = page_address(page);
	blink_mark(BLINK_MARK_FORGET);
	blink_tell(data.word, BLINK_TAG_PROBE);
	cpus_read_lock();
	if (probe->cpu < nr_cpu_ids && cpu_online(probe->cpu))
		ret = work_on_cpu(probe->cpu, touch, &data);
	cpus_read_unlock();
	if (!ret)
		probe->number = lab_dump();
	__free_page(page);
	return ret;
}
