# SPDX-License-Identifier: GPL-2.0
# For Makefiles to include: $(version), as version.h has it.
version := $(shell sed -n 's/^.define BLINK_VERSION "\(.*\)"/\1/p' \
	$(dir $(lastword $(MAKEFILE_LIST)))version.h)
