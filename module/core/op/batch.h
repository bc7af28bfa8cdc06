/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The number of operations of a batch that are under way at a time (batch.c).
 */
#ifndef BLINK_CORE_BATCH_H
#define BLINK_CORE_BATCH_H

#define BLINK_BATCH_WIDTH 16U
#define BLINK_BATCH_WIDTH_MAX 16U

extern unsigned int blink_batch_width;

#endif /* BLINK_CORE_BATCH_H */
