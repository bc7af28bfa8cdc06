# SPDX-License-Identifier: GPL-2.0
#
# Everything from one place; `make help` says what. The module's own build is
# described in Kbuild, each part of the userspace in a Makefile of its own.

# The kernel to build the module for: the running one, unless told.
KDIR ?= /lib/modules/$(shell uname -r)/build
# Where everything else is built; see userspace/*/Makefile.
O := $(CURDIR)/build
VM := userspace/vm
C_SOURCES := find include kunit module userspace -name '*.[ch]' ! -name '*.mod.c' ! -path '*/target/*'

# Words of a guest's command line are for the guest: make expands none of them.
override CMD := $(value CMD)
export CMD KERNEL NODES TOPOLOGY CPUS MEM TIMEOUT APPEND LOAD SUITE KEEP
# An empty one is no architecture for the Makefile of a kernel.
ifdef ARCH
export ARCH
endif

module := $(MAKE) --no-print-directory -f module/Makefile KDIR='$(KDIR)'
sub := $(MAKE) --no-print-directory O='$(O)'

.DEFAULT_GOAL := all
.PHONY: $(shell sed -n 's/^\([a-z0-9_.-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

all: modules userspace ## the module for the running kernel, library and command

help: ## this list
	@sed -n 's/^\([a-z0-9_.-]*\):[^#]*## */\1\t/p' $(MAKEFILE_LIST) | expand -t 23
	@echo
	@echo 'KDIR=DIR  the kernel to build the module for: $(KDIR)'
	@echo 'vm takes  CMD= KERNEL=stock|uml|uml-debug|debug|kcsan|RELEASE NODES= TOPOLOGY=even|uneven CPUS= MEM='
	@echo '          ARCH=arm64 TIMEOUT= APPEND= LOAD=no'

modules: have-headers ## the module alone; KDIR=DIR for another kernel
	$(module) modules

modules_install: have-headers ## install the module, as root; INSTALL_MOD_PATH= of kbuild
	$(module) modules_install
	@echo 'To load it: modprobe blink_tree; at every boot:'
	@echo 'echo blink_tree > /etc/modules-load.d/blink_tree.conf'

have-headers:
	@test -e '$(KDIR)/Makefile' || { \
		echo 'No headers in $(KDIR).' >&2; \
		echo "Install linux-headers-$$(uname -r), or set KDIR; make run" \
			'and make check need neither.' >&2; \
		exit 1; }

userspace: ## the library and the command
	$(sub) -C userspace/lib
	$(sub) -C userspace/cli

install: userspace ## install library, command, man pages, udev rule; PREFIX= DESTDIR=
	$(sub) -C userspace/lib install
	$(sub) -C userspace/cli install

# To know what to remove, this installs into a directory of its own first. A
# directory is removed if it is empty, but for those that every Debian has.
uninstall: stage := $(O)/uninstall
uninstall: ## remove what install and modules_install installed; as root, PREFIX= as then
	@$(RM) -r '$(stage)'
	@$(sub) -s install DESTDIR='$(stage)'
	cd '$(stage)' && find . ! -type d -exec sh -c \
		'for path; do rm -f "$(DESTDIR)/$$path"; done' sh {} +
	@cd '$(stage)' && find . -depth -mindepth 3 -type d | \
		grep -vxE '\.$(or $(PREFIX),/usr/local)(/[^/]*|/share/man)?' | \
		while read -r dir; do rmdir "$(DESTDIR)/$$dir" 2>/dev/null || :; done
	@$(RM) -r '$(stage)'
	@test ! -e '$(KDIR)/Makefile' || $(module) modules_uninstall

deb: ## packages for Debian, in build/deb
	@$(VM)/deps deb
	@userspace/packaging/deb

check-deb: ## build, install, use and purge the packages in fresh roots; SUITE= KERNEL=
	@$(VM)/deps fresh vm deb
	@userspace/packaging/test $(if $(SUITE),'$(SUITE)' $(if $(KERNEL),'$(KERNEL)'))

deps: ## install the Debian packages that all of this needs
	$(VM)/deps all

run: ## the main job: in a guest with 2 NUMA nodes x 2 CPUs, all of it at work
	@$(VM)/deps userspace module vm
	@$(sub) -s -C userspace/cli
	@BLINK_ONLY=y TIMEOUT=$${TIMEOUT:-1200} $(VM)/vm --name run userspace/tests/demo/main-job

run-cluster: ## a server and three guests with copies of a tree, some of them killed
	@$(VM)/deps userspace module vm nats
	@$(sub) -s -C userspace/cli
	@$(sub) -s -C userspace/nats
	@userspace/nats/tests/cluster '$(O)'

vm: ## CMD='...' in a guest with the module loaded; a shell without CMD
	@$(VM)/deps userspace module vm $(filter bpf,$(KERNEL)) \
		$(if $(filter debug bpf kcsan uml uml-debug,$(KERNEL)),kernel) \
		$(if $(filter 0% 1% 2% 3% 4% 5% 6% 7% 8% 9%,$(KERNEL)),fresh) \
		$(if $(findstring arm64,$(ARCH) $(KERNEL)),arm64)
	@$(sub) -s -C userspace/cli
	@$(VM)/vm

fresh: ## CMD=run|check|check-fast|install|bindings in a new minimal Debian; SUITE= KEEP=y
	@$(VM)/fresh "$$CMD"

kernels: ## fetch the stock kernel and build the others, into the cache
	$(VM)/deps module vm kernel
	$(VM)/kernel stock
	$(VM)/kernel uml
	$(VM)/kernel debug
	$(VM)/kernel kcsan

check: ## the tests: without a guest, and in a native kernel
	@$(VM)/deps userspace module fast fuzz models docs static vm kernel
	@$(VM)/check

check-all: ## every test that there is: hours, and root for roots of Debian
	@$(VM)/deps all
	@$(VM)/check --all

kunit: ## KUnit in a native kernel, shown by kunit.py; KERNEL=uml-debug ARGS="seed=7 mode=full"
	@$(VM)/deps userspace module vm kernel
	@$(VM)/kunit $(ARGS)

in-tree: ## the module as commits on top of the kernel source LINUX; ARGS=--check tries each
	@$(VM)/deps in-tree $(if $(findstring --,$(ARGS)),userspace module vm kernel)
	@$(VM)/in-tree '$(LINUX)' $(ARGS)

check-fast: ## the tests that need no guest
	@$(VM)/deps userspace module fast static
	@$(VM)/check --fast

matrix: ## the module on each kernel that Debian ships; SUITE= KERNEL= ARCH=
	@$(VM)/deps userspace module vm fresh arm64
	@$(sub) -s -C userspace/cli
	@SUITE='$(SUITE)' $(VM)/matrix

check-kcsan: ## data races: KUnit and stress, in a guest that looks for them
	@$(VM)/deps userspace module vm kernel
	@$(VM)/check kcsan

check-arm64: ## module, library and core for arm64, in emulated guests
	@$(VM)/deps userspace module vm static arm64
	@$(VM)/check 'arm64 core' arm64 'arm64 exclusives'

check-linear: ## histories of the core: can they be explained? SECONDS= SEED=
	@$(VM)/deps linear
	@$(sub) -s -C userspace/tests/histories check SECONDS=$(or $(SECONDS),60)

check-linear-device: ## the same of the module, in a guest; SECONDS= SEED=
	@$(VM)/deps linear userspace module vm $(if $(filter debug kcsan,$(KERNEL)),kernel)
	@$(sub) -s -C userspace/tests/histories device
	@DURATION=$(or $(SECONDS),40) SEED=$(or $(SEED),1) userspace/tests/histories/device

check-models: ## the memory model alone: exploring, litmus tests, Spin; SIZE=ci|full
	@$(VM)/deps models
	@$(sub) -s -C userspace/tests/memory-model check

mutants: ## break the sources in many ways: does a test notice each? ARGS="LEVEL MUTANT ..."
	@$(VM)/deps fast fuzz linear models
	@O='$(O)' userspace/tests/mutants/mutate $(ARGS)

soak: ## random tests of random configurations: MINUTES= SEED= RUN=KIND:SEED
	@$(VM)/deps userspace module fast linear vm kernel
	@MINUTES='$(MINUTES)' SEED='$(SEED)' RUN='$(RUN)' $(VM)/soak

coverage: ## which lines and branches of the module the tests run, in build/coverage
	@$(VM)/deps userspace module fast static kernel vm coverage
	@userspace/tests/coverage/coverage $(ARGS)

fuzz: ## hostile callers, led by what they reach; MINUTES= SEED=
	@$(VM)/deps fuzz userspace module vm kernel
	@$(sub) -s -C userspace/tests/fuzz
	@MINUTES='$(MINUTES)' SEED='$(SEED)' userspace/tests/fuzz/campaign

bench: ## compare with other indexes, natively; ARGS="--quick ..."
	@$(VM)/deps bench
	@test ! -e '$(O)/bench-lines.json' || userspace/bench/run lines --show
	@userspace/bench/run indexes $(ARGS)

bench-bundle: ## both comparisons and libraries, for a machine without packages and compilers
	@$(VM)/deps bench lab
	@userspace/bench/bundle

bench-keys: ## the same by kinds of keys, and of real strings; ARGS="... FILE"
	@$(VM)/deps bench
	@userspace/bench/run keys $(ARGS)

lab: ## the figures of the papers, natively; FIGURES="numa-4.3 ..." ARGS="--quick ..."
	@$(VM)/deps lab
	@userspace/bench/run lab figure $(or $(FIGURES),all) --plots '$(O)/lab' $(ARGS)

bench-core: ## the benchmark of the core by itself, natively; ARGS="--quick ..."
	@$(VM)/deps fast
	@userspace/bench/run core $(ARGS)

bench-layout: ## the core with nodes of several sizes, natively; ARGS="--leaf ..."
	@$(VM)/deps fast
	@userspace/bench/run layout $(ARGS)

bench-contention: ## splits of leaves where writers meet, natively; ARGS="--threads ..."
	@$(VM)/deps fast
	@userspace/bench/run contention $(ARGS)

bench-numa: ## references between NUMA nodes, counted in guests; ARGS="--quick --writes ..."
	@$(VM)/deps module vm numa
	@userspace/bench/run numa $(ARGS)

lab-numa: ## the figures of the papers, counted in guests; ARGS="--quick --figures NAME ..."
	@$(VM)/deps module vm numa
	@userspace/bench/run lab-numa $(ARGS)

bench-lines: ## cache lines and instructions of operations, counted; ARGS="--quick ..."
	@$(VM)/deps lines
	@userspace/bench/run lines $(ARGS)

bench-kernel: ## instructions of indexes and ioctls, counted in a guest; ARGS="--keys ..."
	@$(VM)/deps module vm numa
	@userspace/bench/run kernel $(ARGS)

bench-bpf: ## prefixes in BPF: trees beside the kernel's tries, counted in a guest; ARGS=
	@$(VM)/deps userspace module bpf vm numa
	@userspace/bench/run bpf $(ARGS)

docs: ## the documentation, in build/docs/html
	$(VM)/deps docs
	$(sub) -C Documentation LINUX_SOURCE="$$($(VM)/kernel source)" html

check-docs: ## the documentation, and whether its examples compile
	@$(VM)/deps docs userspace
	@$(sub) -s -C Documentation LINUX_SOURCE="$$($(VM)/kernel source)" check

format: ## lay out all C sources by .clang-format, as the static check wants them
	@$(VM)/deps static
	@$(C_SOURCES) | xargs clang-format-19 -i

compile_commands.json: ## for clangd and clang-tidy; KERNEL=debug has the KUnit suites too
	@$(VM)/deps userspace module fast static $(if $(KERNEL),kernel)
	@$(VM)/compile-commands $(KERNEL)

tags: ## the index of the C sources for editors, by ctags
	@$(VM)/deps edit
	@$(C_SOURCES) | ctags -L -

cscope: ## the same by cscope: cscope.out
	@$(VM)/deps edit
	@$(C_SOURCES) | cscope -b -q -k -i -

clean: ## remove what was built; the cache of kernels stays
	$(RM) -r '$(O)' compile_commands.json cscope.out cscope.in.out cscope.po.out tags
	test ! -e '$(KDIR)/Makefile' || $(module) clean
