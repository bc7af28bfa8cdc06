# SPDX-License-Identifier: GPL-2.0
# The core in userspace: what every program that contains it is built of. The
# Makefile that includes this has set $(top), the top of the sources.

shim := $(top)/userspace/shim

core_sources := $(wildcard $(addprefix $(top)/module/,core/*.c core/*/*.c lock/*.c)) $(top)/module/obs/counters.c
shim_sources := $(wildcard $(shim)/*.c)

# Behind kmem_cache, either: objects that are used again at once, as the kernel's
# allocator does; or those of malloc(), which sanitizers watch.
slab_sources := $(top)/userspace/bench/slab.c
heap_sources := $(top)/userspace/tests/heap.c

core_includes := -I$(shim) -I$(top)/include -I$(top)/include/uapi -I$(top)/module
# The kernel's sources are not written for these warnings.
core_cflags := -std=gnu11 -D_GNU_SOURCE -MMD -MP -Wno-unused-parameter \
	       -Wno-sign-compare -Wno-missing-field-initializers -Wno-c2x-extensions \
	       $(core_includes)
