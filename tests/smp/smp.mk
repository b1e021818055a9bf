# SPDX-License-Identifier: BSD-2-Clause
# Images for several PEs.
$(eval $(call kernel_image,smp_migrate,tests/smp/programs/migrate.c demos/preempt/bodies.S))
$(eval $(call kernel_image,gang,demos/gang/main.c demos/gang/tiles.S))
$(eval $(call kernel_image,smp_shared,tests/smp/programs/shared.c tests/smp/programs/shared_tiles.S))
$(eval $(call kernel_image,smp_roles,tests/smp/programs/roles.c tests/smp/programs/roles.S))
$(eval $(call kernel_image,smp_stress,tests/smp/programs/stress.c demos/preempt/bodies.S demos/gang/tiles.S))
$(eval $(call kernel_image,scale,demos/scale/main.c demos/image/filters.c))
$(eval $(call kernel_image,scale_bench,bench/scale.c demos/gang/tiles.S))

# The same programs with the debug kernel, which checks every rule of kernel/check.c on the way out of every trap.
SMP_DEBUG := $(BUILD)/images-debug
all: smp-debug
## make smp-debug   images with the debug kernel, which checks its rules on the way out of every trap
.PHONY: smp-debug smp-long smp-stress
smp-debug: kernel
	@$(MAKE) --no-print-directory KERNEL_OUT=$(BUILD)/kernel-debug IMAGES=$(SMP_DEBUG) KERNEL_DEFS=-DLINX_DEBUG \
	    $(patsubst %,$(SMP_DEBUG)/%.elf,smp_migrate smp_stress gang)

## make smp-long    all programs for several PEs on 1 to 64 PEs with 100 interleavings each (tests/smp/seeds.py; 10 minutes)
smp-long: kernel
	@tests/smp/seeds.py

## make smp-stress  10^8 instructions of random operations on 16 PEs, every rule checked (tests/smp/stress.py; 2 minutes)
smp-stress: smp-debug
	@tests/smp/stress.py

## make bench-scale throughput against PEs, wake-up on another PE, turns of gangs
.PHONY: bench-scale
bench-scale: kernel
	@bench/scale.py
