# SPDX-License-Identifier: GPL-2.0
# The Makefiles of the userspace begin with this. $(top) is the top of the sources,
# $(src) the folder of the Makefile that includes this one, and $(O) the folder for all
# that is built: programs go to $(out), objects to $(obj).

top := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)
src := $(abspath $(dir $(firstword $(MAKEFILE_LIST))))
O ?= $(top)/build
out := $(O)/$(patsubst $(top)/userspace/%,%,$(src))
obj := $(O)/obj/$(patsubst $(top)/userspace/%,%,$(src))

CFLAGS ?= -O2 -g -Wall -Wextra -Werror
