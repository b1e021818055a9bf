/* SPDX-License-Identifier: GPL-3.0-or-later
   BFD: the one machine of the Linx architecture. */

#include "sysdep.h"
#include "bfd.h"
#include "libbfd.h"

const bfd_arch_info_type bfd_linx_arch =
{
  64, 64, 8,                    /* bits per word, address, byte */
  bfd_arch_linx, bfd_mach_linx64,
  "linx", "linx64",
  1,                            /* instructions are 2-byte aligned */
  true,
  bfd_default_compatible,
  bfd_default_scan,
  bfd_arch_default_fill,        /* zeros: two of them are a C.BSTOP */
  NULL,
  0
};
