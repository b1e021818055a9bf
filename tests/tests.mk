# SPDX-License-Identifier: BSD-2-Clause
## make test        build everything and run all tests (tests/run AREA runs a part)
test: setup
	@$(MAKE) --no-print-directory -j$(JOBS) all newlib
	@tests/run
