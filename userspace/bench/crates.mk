# SPDX-License-Identifier: GPL-2.0
# Benchmarks beside packages, in C++ too, and crates. A Makefile includes this after
# shim/core.mk; $(fast) and $(include) are options of all objects, and $(defines) of some:
#
#   $(crates_lib)   the library, which cargo builds of indexes/crates
#   $(libs)         of packages

CARGO ?= cargo

crates_src := $(top)/userspace/bench/indexes/crates
crates_obj := $(O)/obj/bench/crates
crates_lib := $(crates_obj)/target/release/libcompare_crates.a

$(crates_lib): $(wildcard $(crates_src)/*.* $(crates_src)/src/*.rs)
	@mkdir -p $(crates_obj)
	@cp -r $(crates_src)/. $(crates_obj)
	RUSTFLAGS='-C target-cpu=$(or $(MARCH),native)' $(CARGO) build --quiet --release \
		--manifest-path $(crates_obj)/Cargo.toml

bench := $(top)/userspace/bench
out := $(O)/bench
CXXFLAGS ?= $(CFLAGS)
fast ?= $(filter-out -std=%,$(core_cflags)) $(speed) -DSHIM_FAST
include := -I$(bench) -I$(src)
libs := -ljemalloc -lJudy -llmdb -labsl_throw_delegate -labsl_raw_logging_internal \
	-lurcu-memb -lpthread -lm

$(obj)/%.c.o: $(top)/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -std=gnu11 $(fast) $(include) $(defines) \
		-c -o $@ $<

$(obj)/%.cc.o: $(top)/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(CPPFLAGS) -std=gnu++20 $(fast) $(include) -c -o $@ $<
