# SPDX-License-Identifier: GPL-2.0
# The kernel's own indexes, as schemes of module/lab in userspace. A Makefile includes
# this after shim/core.mk. All that is in schemes.mk, and:
#
#   $(linux_names)     the kernel's files, without .c, and their objects
#   $(linux_objects)   in $(by_linux)
#   $(linux_sources)   the schemes that call them
#   $(linux_cflags)    the options of all schemes, and of the kernel's files
#   $(linux_headers)   headers that have to be there before they are compiled

include $(dir $(lastword $(MAKEFILE_LIST)))schemes.mk

# A directory with lib/maple_tree.c and the like.
LINUX_INDEXES ?= $(shell $(top)/userspace/vm/kernel indexes)
ifneq ($(MAKECMDGOALS),clean)
linux := $(LINUX_INDEXES)
$(if $(linux),,$(error the indexes of the kernel cannot be had))
endif
by_linux := $(obj)/$(notdir $(linux))

linux_names := btree maple_tree rbtree xarray
linux_objects := $(patsubst %,$(by_linux)/%.o,$(linux_names))
linux_sources := $(of_linux) $(indexes)/kernel/init.c

number = sed -n "s/^$(1) = //p" $(wildcard $(linux)/Makefile) </dev/null
linux_cflags := $(scheme_cflags) -I$(by_linux)/include \
	-DLINUX_VERSION='"$(shell echo `$(call number,VERSION)`.`$(call \
	number,PATCHLEVEL)`.`$(call number,SUBLEVEL)`)"'

# Headers of the kernel's indexes by themselves, not mixed with the other ones of the
# kernel's.
taken := $(patsubst %,$(by_linux)/include/linux/%.h,btree btree-128 btree-type \
	maple_tree rbtree rbtree_augmented rbtree_types xarray)
linux_headers := $(scheme_headers) $(taken)

$(taken): $(by_linux)/include/%: $(linux)/include/%
	@mkdir -p $(@D)
	@cp $< $@

# Unless the Makefile says otherwise before.
fast ?= $(filter-out -std=%,$(core_cflags)) $(speed) -DSHIM_FAST

$(linux_objects): $(linux_headers)
$(linux_objects): $(by_linux)/%.o: $(linux)/lib/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -std=gnu11 $(fast) $(linux_cflags) -w -c -o $@ $<
