/* SPDX-License-Identifier: GPL-2.0 */
/* Signals come when a test says so. */
#ifndef SHIM_LINUX_SCHED_SIGNAL_H
#define SHIM_LINUX_SCHED_SIGNAL_H

#include <linux/sched.h>

#define signal_pending(...) (shim_self->signalled || shim_self->killed)
#define fatal_signal_pending(...) (shim_self->killed)

#endif /* SHIM_LINUX_SCHED_SIGNAL_H */
