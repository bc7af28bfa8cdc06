# SPDX-License-Identifier: GPL-2.0
# The schemes and points of module/lab in userspace, but for those schemes that are the
# kernel's own indexes (linux_indexes.mk). A Makefile includes this after shim/core.mk.
#
#   $(scheme_sources)  the schemes that are this project's code, zipf.c and check.c
#   $(point_sources)   what measures a point besides: lab_point_order()
#   $(scheme_cflags)   their options, beside $(core_cflags)
#   $(scheme_headers)  headers that have to be there before they are compiled

indexes := $(top)/userspace/bench/indexes
lab := $(top)/module/lab

of_linux := $(patsubst %,$(lab)/schemes/%.c,btree maple rbtree xarray)
scheme_sources := $(filter-out $(of_linux) %/list.c %/rhashtable.c,$(wildcard \
	$(lab)/zipf.c $(lab)/schemes/*.c $(lab)/check/*.c))
point_sources := $(patsubst %,$(lab)/%.c,dump lists mixes words workloads) \
	$(wildcard $(lab)/point/*.c) \
	$(addprefix $(indexes)/,lab_point.c lab_threads.c)

# Headers of the kernel's of which all that matters is in standin.h.
stand_ins := $(obj)/standin
scheme_headers := $(patsubst %,$(stand_ins)/%.h,asm/barrier linux/bitmap \
	linux/container_of linux/gfp linux/kconfig linux/list linux/mempool \
	linux/module linux/sched/mm trace/events/maple_tree)

# The kernel's code relies on what the first option says.
scheme_cflags := -fno-strict-aliasing -I$(stand_ins) -I$(top)/userspace/bench \
	-I$(indexes) -include $(indexes)/kernel/standin.h -DBUG_ON=WARN_ON_ONCE

$(scheme_headers):
	@mkdir -p $(@D)
	@: >$@
