# SPDX-License-Identifier: GPL-2.0
# The core in userspace: what every program that contains it is built of. The
# Makefile that includes this has set $(top), the top of the sources.

shim := $(top)/userspace/shim

core_sources := $(wildcard $(addprefix $(top)/module/,core/*.c core/*/*.c lock/*.c)) \
		$(top)/module/obs/counters.c

# One of the two is behind kmem_cache. slab.c uses a freed object again at once, as the
# kernel does; heap.c takes each object from malloc(), which sanitizers watch.
slab_sources := $(shim)/slab.c
heap_sources := $(shim)/heap.c
shim_sources := $(filter-out $(slab_sources) $(heap_sources),$(wildcard $(shim)/*.c))

core_includes := -I$(shim) -I$(top)/include -I$(top)/include/uapi -I$(top)/module
# The kernel's sources are not written for these warnings.
core_cflags := -std=gnu11 -D_GNU_SOURCE -MMD -MP -Wno-unused-parameter \
	       -Wno-sign-compare -Wno-missing-field-initializers -Wno-c2x-extensions \
	       $(core_includes)
