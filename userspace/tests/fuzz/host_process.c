// SPDX-License-Identifier: GPL-2.0
/* The tests of the contract in this process, beside the sources of the module. */
#include <stdlib.h>

#include "contract.h"
#include "memory.h"

#include "chardev/device.h"
#include "chardev/handle.h"
#include "core/core.h"

int device;

void contract_begin(void)
{
	shim_nodes = 2;
	shim_rcu_waits = true;
	blink_handles_enable();
	if (memory_map() || blink_core_init() || blink_device_init())
		abort();
	device = fuzz_open_device(O_RDWR);
}
