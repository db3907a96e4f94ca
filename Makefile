# For OpenBench, which builds every engine by `make EXE=name` and finds it there. Everybody else says `cargo build --release`.

EXE ?= chuhe
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

# Built for the processor at hand, beside the portable build of target/release.
export RUSTFLAGS := -C target-cpu=native
FOLDER := target/openbench

.PHONY: all
all:
	cargo build --release --locked --bin chuhe --target-dir $(FOLDER)
	cp -f $(FOLDER)/release/chuhe$(SUFFIX) $(EXE:.exe=)$(SUFFIX)
