# SPDX-License-Identifier: GPL-2.0
# The laboratory's driver, in both programs. A Makefile includes this after common.mk.
#
#   $(driver_sources)  the driver, but for the world where it measures, and its
#                      tables
#   $(driver_cflags)   options for these, beside those for json-c

driver := $(top)/userspace/bench/lab
driver_sources := $(filter-out $(addprefix $(driver)/,kernel.c native.c \
	program.c point_main.c),$(wildcard $(driver)/*.c)) \
	$(addprefix $(top)/userspace/bench/,facts.c figures.c figure_values.c \
	key_file.c)
driver_cflags := -std=gnu2x -D_GNU_SOURCE -MMD -MP -Wno-missing-field-initializers \
	-I$(top)/userspace/shim -I$(top)/include/uapi -I$(top)/module \
	-I$(top)/userspace/bench -I$(top)/userspace/cli

PKG_CONFIG ?= pkg-config
JSON_CFLAGS := $(shell $(PKG_CONFIG) --cflags json-c)
JSON_LIBS := $(shell $(PKG_CONFIG) --libs json-c)
