# SPDX-License-Identifier: BSD-2-Clause
# Images of the unlucky cases (tests/kernel/test_unlucky.py) and of the hostile tasks.
$(eval $(call kernel_image,unlucky_path,tests/kernel/programs/unlucky_path.c tests/kernel/programs/unlucky.S))
$(eval $(call kernel_image,unlucky,tests/kernel/programs/unlucky.c tests/kernel/programs/unlucky.S))
$(eval $(call kernel_image,hostile,tests/hostile/hostile.c tests/hostile/attacks.c tests/hostile/access.S tests/kernel/programs/unlucky.S tests/kernel/programs/raw.S))
