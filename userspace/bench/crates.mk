# SPDX-License-Identifier: GPL-2.0
# What benchmarks have from crates.io. A Makefile includes this after shim/core.mk:
#
#   $(crates_lib)   the library, which cargo builds of indexes/crates

CARGO ?= cargo

crates_src := $(top)/userspace/bench/indexes/crates
crates_obj := $(O)/obj/bench/crates
crates_lib := $(crates_obj)/target/release/libcompare_crates.a

$(crates_lib): $(wildcard $(crates_src)/*.* $(crates_src)/src/*.rs)
	@mkdir -p $(crates_obj)
	@cp -r $(crates_src)/. $(crates_obj)
	RUSTFLAGS='-C target-cpu=native' $(CARGO) build --quiet --release \
		--manifest-path $(crates_obj)/Cargo.toml
