/* SPDX-License-Identifier: GPL-2.0 */
#define LCB_F_SPIN 1
#define trace_contention_begin(lock, flags) ((void)(lock))
#define trace_contention_end(lock, ret) ((void)(lock))
