# SPDX-License-Identifier: BSD-2-Clause
## make torture     gcc.c-torture/execute (downloaded) with linx-cc on linx-sim; report in build/torture
.PHONY: torture
torture: toolchain-parts sim
	@tests/torture/fetch.sh $(BUILD)/torture/src
	@tests/torture/run.py --build $(BUILD) -j $(JOBS)
