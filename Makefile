# For OpenBench, which builds every engine by `make EXE=name` and finds it there. Everybody else says `cargo build --release`, or
# `make pgo` for the fastest build there is.
#
# OpenBench builds the program that plays its games without EXE, and expects it to be called fastchess.

ifeq ($(origin EXE),undefined)
RUNNER := fastchess
endif
EXE ?= chuhe
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

# Built for the processor at hand, beside the portable build of target/release.
export RUSTFLAGS := -C target-cpu=native
FOLDER := target/openbench

.PHONY: all pgo wasm
all:
	cargo build --release --locked --bin chuhe --target-dir $(FOLDER)
	cp -f $(FOLDER)/release/chuhe$(SUFFIX) $(EXE:.exe=)$(SUFFIX)
	$(if $(RUNNER),cp -f $(FOLDER)/release/chuhe$(SUFFIX) $(RUNNER)$(SUFFIX))

# Guided by a profile of the bench: a build that counts, a run of it, a build that knows. The counts are merged by the llvm-profdata
# of the compiler's own LLVM: `rustup component add llvm-tools`, or name another by PROFDATA.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
PROFDATA ?= $(shell rustc --print sysroot)/lib/rustlib/$(HOST)/bin/llvm-profdata
COUNTS = $(CURDIR)/target/pgo/counts
# Naming the target keeps the flags from build scripts.
pgo: CARGO = cargo build --release --locked --bin chuhe --target $(HOST) --target-dir target/pgo
pgo: BUILT = target/pgo/$(HOST)/release/chuhe$(SUFFIX)
pgo:
	rm -rf $(COUNTS)
	RUSTFLAGS="$(RUSTFLAGS) -C profile-generate=$(COUNTS)" $(CARGO)
	$(BUILT) bench && $(BUILT) bench --handcrafted && $(BUILT) perft 4
	$(PROFDATA) merge -o $(COUNTS).profdata $(COUNTS)
	RUSTFLAGS="$(RUSTFLAGS) -C profile-use=$(COUNTS).profdata" $(CARGO)
	cp -f $(BUILT) $(EXE:.exe=)$(SUFFIX)

# The page with its engine inside, and the npm package: target/wasm (docs/12-wasm.md).
wasm:
	src/wasm/build.sh
