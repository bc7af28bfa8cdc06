# SPDX-License-Identifier: GPL-2.0
# The core in userspace: what every program that contains it is built of.

# Lines are all that reports tell: to follow variables through sanitized code takes a fifth of
# the time to compile.
CFLAGS ?= -O2 -g1 -Wall -Wextra -Werror
include $(dir $(lastword $(MAKEFILE_LIST)))../common.mk
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
core_cflags := -std=gnu11 -D_GNU_SOURCE -MMD -MP -fno-strict-aliasing \
	       -Wno-unused-parameter \
	       -Wno-sign-compare -Wno-missing-field-initializers -Wno-c2x-extensions \
	       $(core_includes)

# Options of a benchmark for the sources of the kernel part: as a kernel compiles them, for a
# processor of which nothing is known. The rest is compiled for this one, or for MARCH; with
# NATIVE=1 all is.
as_here := -march=$(or $(MARCH),native)
as_kernel := -fno-tree-vectorize -fno-strict-overflow -fno-delete-null-pointer-checks
architecture := $(shell uname -m)
as_kernel += $(if $(filter x86_64 aarch64,$(architecture)),-mgeneral-regs-only)
as_kernel += $(if $(filter x86_64,$(architecture)),-march=x86-64)
ifeq ($(NATIVE),1)
as_kernel := $(as_here)
endif
# In a recipe: of the first prerequisite.
speed = $(if $(filter $(top)/module/% $(shim)/% $(addsuffix /%,$(linux)),$<),$(as_kernel),$(as_here))

# A program in variants, each a way to build, such as plain, and a size of nodes: that
# of production, or tiny, where a few keys make a tree of many levels. Writers need not
# meet often there for a leaf to be split.
cache_plain := $(slab_sources)
flags_prod :=
flags_tiny := -DBLINK_LEAF_SLOTS=4 -DBLINK_INNER_SLOTS=4 -DBLINK_HEAT_SPLIT=4

# $(1): the program; $(2): the variant; $(3): how it is built; $(4): its nodes' size
define variant
$(obj)/$(2)/%.o: $(top)/%.c
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(CPPFLAGS) $$(variant_cflags) $$(flags_$(3)) \
		$$(flags_$(4)) -c -o $$@ $$<

$(obj)/$(2)/u128/%.o: $(top)/%.c
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(CPPFLAGS) $$(variant_cflags) $$(flags_$(3)) \
		$$(flags_$(4)) $$(u128_cflags) -c -o $$@ $$<

objects_$(2) := $(patsubst $(top)/%.c,$(obj)/$(2)/%.o,$(sources) \
	$(or $(cache_$(3)),$(heap_sources))) \
	$(patsubst $(top)/%.c,$(obj)/$(2)/u128/%.o,$(u128_sources))
$(out)/$(2)/$(1): $$(objects_$(2))
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(flags_$(3)) $$(LDFLAGS) -o $$@ $$^ \
		$(or $(libs_$(3)),-lurcu-memb) -lpthread

-include $$(objects_$(2):.o=.d)
endef

# $(call variants,PROGRAM): rules for $(out)/VARIANT/PROGRAM of each of $(VARIANTS), of
# $(sources) and $(cache_KIND), with $(variant_cflags), $(flags_KIND) and $(libs_KIND).
variants = $(foreach v,$(VARIANTS),$(eval $(call variant,$(1),$(v),$(word 1,\
	$(subst -, ,$(v))),$(word 2,$(subst -, ,$(v))))))
