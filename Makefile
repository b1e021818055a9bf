# SPDX-License-Identifier: BSD-2-Clause
# linx-rt: `make` builds everything, `make test` runs all tests, `make help` lists targets.
SHELL := /bin/bash
BUILD ?= build
BIN   := $(BUILD)/bin
JOBS  ?= $(shell nproc)
CCACHE := $(shell command -v ccache 2>/dev/null)

.PHONY: all help setup test clean
all:

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## make setup       install the Debian packages that the build needs (root or sudo)
setup:
	@scripts/setup.sh

-include toolchain/toolchain.mk
-include sim/sim.mk
-include kernel/kernel.mk
-include lib/libc/libc.mk
-include tests/tests.mk

## make clean       remove build/
clean:
	rm -rf $(BUILD)
