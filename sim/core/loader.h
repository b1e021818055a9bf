// SPDX-License-Identifier: BSD-2-Clause
#ifndef LINX_SIM_LOADER_H
#define LINX_SIM_LOADER_H
#include "machine.h"

// Loads the executable's segments at their physical addresses; sets entry and image_end. False with a message.
bool elf_load(struct machine *m, const char *file);
void symbols_free(struct machine *m);
#endif
