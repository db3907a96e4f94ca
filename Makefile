# For OpenBench, which builds every engine with `make EXE=name` and expects the program in this folder.
# Otherwise use `cargo build --release`, or `make pgo` for the fastest build.
#
# OpenBench builds the program that plays its games without EXE and expects the name fastchess.

ifeq ($(origin EXE),undefined)
RUNNER := fastchess
endif
EXE ?= chuhe
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

# Builds for this machine's processor, in a separate folder from the portable build of target/release.
export RUSTFLAGS := -C target-cpu=native
FOLDER := target/openbench

.PHONY: all pgo wasm
all:
	cargo build --release --locked --bin chuhe --target-dir $(FOLDER)
	cp -f $(FOLDER)/release/chuhe$(SUFFIX) $(EXE:.exe=)$(SUFFIX)
	$(if $(RUNNER),cp -f $(FOLDER)/release/chuhe$(SUFFIX) $(RUNNER)$(SUFFIX))

# Builds with a profile of the bench: an instrumented build, a run, and an optimised build. The llvm-profdata
# of the compiler's own LLVM merges the counts: install it with `rustup component add llvm-tools`, or set
# PROFDATA to another one.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
PROFDATA ?= $(shell rustc --print sysroot)/lib/rustlib/$(HOST)/bin/llvm-profdata
COUNTS = $(CURDIR)/target/pgo/counts
# The explicit target keeps the flags from build scripts.
pgo: CARGO = cargo build --release --locked --bin chuhe --target $(HOST) --target-dir target/pgo
pgo: BUILT = target/pgo/$(HOST)/release/chuhe$(SUFFIX)
pgo:
	rm -rf $(COUNTS)
	RUSTFLAGS="$(RUSTFLAGS) -C profile-generate=$(COUNTS)" $(CARGO)
	$(BUILT) bench && $(BUILT) bench --handcrafted && $(BUILT) perft 4
	$(PROFDATA) merge -o $(COUNTS).profdata $(COUNTS)
	RUSTFLAGS="$(RUSTFLAGS) -C profile-use=$(COUNTS).profdata" $(CARGO)
	cp -f $(BUILT) $(EXE:.exe=)$(SUFFIX)

# Builds the page with its engine inside, and the npm package: target/wasm (docs/12-wasm.md).
wasm:
	src/wasm/build.sh
