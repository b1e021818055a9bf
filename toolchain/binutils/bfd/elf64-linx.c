/* SPDX-License-Identifier: GPL-3.0-or-later
   BFD: 64-bit little-endian ELF for Linx, static linking only. What each relocation computes and
   where its bits go is data: elf/linx-relocs.h, generated from toolchain/isa. */

#include "sysdep.h"
#include "bfd.h"
#include "libbfd.h"
#include "elf-bfd.h"
#include "elf/linx.h"

#define ARRAY_SIZE(a) (sizeof (a) / sizeof *(a))

#define GOT_ENTRY_SIZE 8
#define PAGE(x) ((x) & ~(bfd_vma) 0xfff)
#define LOW12(x) ((x) & 0xfff)

/* The values of linx_relocs.def. */
enum linx_value
{
  V_NONE, V_ABS, V_PC, V_PAGE, V_LO12, V_GOTPAGE, V_GOTLO12, V_TP, V_TPHI20, V_TPLO12, V_DTP, V_HI20,
  V_DYNAMIC
};

enum linx_range { R_SIGNED, R_UNSIGNED, R_EITHER, R_ANY };

struct linx_piece { unsigned char insn_lsb, value_lsb, bits; };

struct linx_reloc
{
  unsigned char type, value, bytes, width, shift, range;
  struct linx_piece piece[4];   /* none (bits 0): plain data */
};

#define LINX_RELOC(name, number, value, bytes, width, shift, range, ...) \
  { number, V_##value, bytes, width, shift, R_##range, { __VA_ARGS__ } },
static const struct linx_reloc linx_relocs[] =
{
#include "elf/linx-relocs.h"
};

static bfd_reloc_status_type linx_special_reloc
  (bfd *, arelent *, asymbol *, void *, asection *, bfd *, char **);

/* BFD's own description: names for readers, sizes for bounds checks. The patching is linx_install. */
#define LINX_RELOC(name, number, value, bytes, width, shift, range, ...)                   \
  HOWTO (number, shift, (V_##value == V_DYNAMIC ? 0 : (bytes)), (width) & 127,             \
         V_##value == V_PC, 0, complain_overflow_dont, linx_special_reloc, "R_LINX_" #name, \
         false, 0, (width) == 0 ? 0 : ~(bfd_vma) 0 >> (64 - ((width) & 63)) % 64,           \
         V_##value == V_PC),
static reloc_howto_type linx_howtos[] =
{
#include "elf/linx-relocs.h"
};

static const struct linx_reloc *
linx_find (unsigned int type)
{
  for (unsigned int i = 0; i < ARRAY_SIZE (linx_relocs); i++)
    if (linx_relocs[i].type == type)
      return &linx_relocs[i];
  return NULL;
}

static reloc_howto_type *
linx_howto (unsigned int type)
{
  const struct linx_reloc *r = linx_find (type);
  return r != NULL ? &linx_howtos[r - linx_relocs] : NULL;
}

static bool
linx_info_to_howto (bfd *abfd, arelent *cache_ptr, Elf_Internal_Rela *dst)
{
  unsigned int type = ELF64_R_TYPE (dst->r_info);

  cache_ptr->howto = linx_howto (type);
  if (cache_ptr->howto != NULL)
    return true;
  /* xgettext:c-format */
  _bfd_error_handler (_("%pB: unsupported relocation type %#x"), abfd, type);
  bfd_set_error (bfd_error_bad_value);
  return false;
}

static reloc_howto_type *
linx_reloc_type_lookup (bfd *abfd ATTRIBUTE_UNUSED, bfd_reloc_code_real_type code)
{
  switch (code)
    {
    case BFD_RELOC_NONE: return linx_howto (R_LINX_NONE);
    case BFD_RELOC_8: return linx_howto (R_LINX_8);
    case BFD_RELOC_16: return linx_howto (R_LINX_16);
    case BFD_RELOC_32: return linx_howto (R_LINX_32);
    case BFD_RELOC_CTOR:
    case BFD_RELOC_64: return linx_howto (R_LINX_64);
    case BFD_RELOC_32_PCREL: return linx_howto (R_LINX_32_PCREL);
    case BFD_RELOC_64_PCREL: return linx_howto (R_LINX_64_PCREL);
    default: return NULL;
    }
}

static reloc_howto_type *
linx_reloc_name_lookup (bfd *abfd ATTRIBUTE_UNUSED, const char *name)
{
  for (unsigned int i = 0; i < ARRAY_SIZE (linx_howtos); i++)
    if (strcasecmp (linx_howtos[i].name, name) == 0)
      return &linx_howtos[i];
  return NULL;
}

/* Low value bits that have no place in the field and so must be zero. */
static unsigned int
linx_dropped_bits (const struct linx_reloc *r)
{
  unsigned int low = 64;

  if (r->piece[0].bits == 0)
    return 0;
  for (const struct linx_piece *p = r->piece; p < r->piece + 4 && p->bits != 0; p++)
    if (p->value_lsb < low)
      low = p->value_lsb;
  return r->shift + low;
}

/* The largest and smallest value that R can hold; false when there is no limit. */
static bool
linx_limits (const struct linx_reloc *r, bfd_signed_vma *min, bfd_signed_vma *max)
{
  bfd_vma unit = (bfd_vma) 1 << linx_dropped_bits (r);
  bfd_vma span;

  if (r->range == R_ANY || r->width + r->shift >= 64)
    return false;
  span = (bfd_vma) 1 << (r->width + r->shift);
  *min = r->range == R_UNSIGNED ? 0 : -(bfd_signed_vma) (span / 2);
  *max = (r->range == R_SIGNED ? span / 2 : span) - unit;
  return true;
}

/* Puts VALUE into the place that R describes. */
static bfd_reloc_status_type
linx_install (const struct linx_reloc *r, bfd_byte *where, bfd_vma value)
{
  bfd_signed_vma min, max;
  bfd_vma word = 0;

  if (linx_limits (r, &min, &max)
      && ((bfd_signed_vma) value < min || (bfd_signed_vma) value > max))
    return bfd_reloc_overflow;
  if ((value & (((bfd_vma) 1 << linx_dropped_bits (r)) - 1)) != 0)
    return bfd_reloc_dangerous;

  if (r->piece[0].bits == 0)
    word = value;
  else
    {
      for (unsigned int i = 0; i < r->bytes; i++)
        word |= (bfd_vma) where[i] << (8 * i);
      value >>= r->shift;
      for (const struct linx_piece *p = r->piece; p < r->piece + 4 && p->bits != 0; p++)
        {
          bfd_vma mask = ((bfd_vma) 1 << p->bits) - 1;
          word &= ~(mask << p->insn_lsb);
          word |= (value >> p->value_lsb & mask) << p->insn_lsb;
        }
    }
  for (unsigned int i = 0; i < r->bytes; i++)
    where[i] = word >> (8 * i);
  return bfd_reloc_ok;
}

/* Relocations applied one at a time: by objcopy and readers of debug sections. A partial link only
   moves them; data is patched; instructions are the business of linx_relocate_section. */
static bfd_reloc_status_type
linx_special_reloc (bfd *abfd, arelent *entry, asymbol *symbol, void *data, asection *section,
                    bfd *output_bfd, char **message)
{
  const struct linx_reloc *r = linx_find (entry->howto->type);
  bfd_vma value;

  if (output_bfd != NULL)
    return bfd_elf_generic_reloc (abfd, entry, symbol, data, section, output_bfd, message);
  if (r->value == V_NONE)
    return bfd_reloc_ok;
  if ((r->value != V_ABS && r->value != V_PC) || r->piece[0].bits != 0)
    {
      *message = (char *) _("this relocation needs a full link");
      return bfd_reloc_dangerous;
    }
  if (!bfd_reloc_offset_in_range (entry->howto, abfd, section, entry->address))
    return bfd_reloc_outofrange;
  value = entry->addend;
  if (!bfd_is_com_section (symbol->section))
    value += symbol->value + symbol->section->output_section->vma + symbol->section->output_offset;
  if (r->value == V_PC)
    value -= section->output_section->vma + section->output_offset + entry->address;
  return linx_install (r, (bfd_byte *) data + entry->address, value);
}

/* Global offset table: one word for each symbol that a GOT relocation names, filled at link time. */

static bool
linx_want_got (bfd *abfd, struct bfd_link_info *info, struct elf_link_hash_entry *h,
               unsigned long symndx)
{
  struct elf_link_hash_table *htab = elf_hash_table (info);
  bfd_vma *entry;

  if (htab->sgot == NULL)
    {
      if (htab->dynobj == NULL)
        htab->dynobj = abfd;
      htab->sgot = bfd_make_section_anyway_with_flags
        (htab->dynobj, ".got", SEC_ALLOC | SEC_LOAD | SEC_HAS_CONTENTS | SEC_IN_MEMORY
                               | SEC_LINKER_CREATED);
      if (htab->sgot == NULL || !bfd_set_section_alignment (htab->sgot, 3))
        return false;
    }
  if (h != NULL)
    entry = &h->got.offset;
  else
    {
      if (elf_local_got_offsets (abfd) == NULL)
        {
          size_t n = elf_symtab_hdr (abfd).sh_info;
          bfd_vma *offsets = bfd_alloc (abfd, n * sizeof *offsets);
          if (offsets == NULL)
            return false;
          memset (offsets, -1, n * sizeof *offsets);
          elf_local_got_offsets (abfd) = offsets;
        }
      entry = &elf_local_got_offsets (abfd)[symndx];
    }
  if (*entry == (bfd_vma) -1)
    {
      *entry = htab->sgot->size;
      htab->sgot->size += GOT_ENTRY_SIZE;
    }
  return true;
}

/* Called after unused sections were removed, for each section that stays. */
static bool
linx_check_relocs (bfd *abfd, struct bfd_link_info *info, asection *sec ATTRIBUTE_UNUSED,
                   const Elf_Internal_Rela *relocs)
{
  if (bfd_link_relocatable (info))
    return true;
  for (const Elf_Internal_Rela *rel = relocs; rel < relocs + sec->reloc_count; rel++)
    {
      const struct linx_reloc *r = linx_find (ELF64_R_TYPE (rel->r_info));
      unsigned long symndx = ELF64_R_SYM (rel->r_info);
      struct elf_link_hash_entry *h = NULL;

      if (r == NULL || (r->value != V_GOTPAGE && r->value != V_GOTLO12))
        continue;
      if (symndx >= elf_symtab_hdr (abfd).sh_info)
        {
          h = elf_sym_hashes (abfd)[symndx - elf_symtab_hdr (abfd).sh_info];
          while (h->root.type == bfd_link_hash_indirect || h->root.type == bfd_link_hash_warning)
            h = (struct elf_link_hash_entry *) h->root.u.i.link;
        }
      if (!linx_want_got (abfd, info, h, symndx))
        return false;
    }
  return true;
}

static bool
linx_always_size_sections (bfd *output_bfd ATTRIBUTE_UNUSED, struct bfd_link_info *info)
{
  asection *got = elf_hash_table (info)->sgot;

  if (got == NULL || got->size == 0)
    return true;
  got->contents = bfd_zalloc (elf_hash_table (info)->dynobj, got->size);
  return got->contents != NULL;
}

/* BFD takes the table's owner for the holder of dynamic sections and calls this; there are none. */
static bool
linx_finish_dynamic_sections (bfd *output_bfd ATTRIBUTE_UNUSED, struct bfd_link_info *info ATTRIBUTE_UNUSED)
{
  return true;
}

/* Address of the GOT entry at OFFSET, after storing the symbol's VALUE in it. */
static bfd_vma
linx_got_entry (struct bfd_link_info *info, bfd_vma offset, bfd_vma value)
{
  asection *got = elf_hash_table (info)->sgot;

  bfd_put_64 (got->owner, value, got->contents + offset);
  return got->output_section->vma + got->output_offset + offset;
}

/* One relocation of a final link, with what is known about it. */
struct linx_site
{
  struct bfd_link_info *info;
  bfd *abfd;
  asection *section;
  Elf_Internal_Rela *rel;
  const struct linx_reloc *reloc;
  struct elf_link_hash_entry *h;
  Elf_Internal_Sym *sym;
  asection *sym_sec;
  bfd_vma place;                /* P */
  bfd_vma symbol;               /* S */
};

static const char *
linx_symbol_name (const struct linx_site *s)
{
  const char *name;

  if (s->h != NULL)
    return s->h->root.root.string;
  name = bfd_elf_string_from_elf_section (s->abfd, elf_symtab_hdr (s->abfd).sh_link, s->sym->st_name);
  if (name == NULL || *name == 0)
    name = s->sym_sec != NULL ? bfd_section_name (s->sym_sec) : "*unknown*";
  return name;
}

/* Reports "object:(section+offset): R_LINX_X against `symbol': what"; the link fails. */
static void
linx_complain (const struct linx_site *s, const char *what)
{
  bfd_signed_vma a = s->rel->r_addend;
  char addend[24] = "";

  if (a != 0)
    snprintf (addend, sizeof addend, "%c%#llx", a < 0 ? '-' : '+', (long long) (a < 0 ? -a : a));
  s->info->callbacks->einfo ("%X%P: %H: %s against `%s%s': %s\n", s->abfd, s->section, s->rel->r_offset,
                             linx_howtos[s->reloc - linx_relocs].name, linx_symbol_name (s), addend,
                             what);
}

/* Computes the value of relocation S into *VALUE; false after an error message. */
static bool
linx_value (const struct linx_site *s, bfd_vma *value)
{
  struct elf_link_hash_table *htab = elf_hash_table (s->info);
  bfd_vma sa = s->symbol + s->rel->r_addend;
  bfd_vma got = 0, tls = 0;

  switch (s->reloc->value)
    {
    case V_GOTPAGE:
    case V_GOTLO12:
      got = linx_got_entry (s->info,
                            s->h != NULL ? s->h->got.offset
                            : elf_local_got_offsets (s->abfd)[ELF64_R_SYM (s->rel->r_info)],
                            s->symbol) + s->rel->r_addend;
      break;
    case V_TP:
    case V_TPHI20:
    case V_TPLO12:
    case V_DTP:
      if (htab->tls_sec == NULL)
        {
          if (s->h != NULL && s->h->root.type == bfd_link_hash_undefweak)
            break;
          linx_complain (s, _("the output has no thread-local section (.tdata, .tbss)"));
          return false;
        }
      tls = htab->tls_sec->vma;
      break;
    case V_DYNAMIC:
      linx_complain (s, _("only a dynamic linker can apply this relocation; link statically"));
      return false;
    default:
      break;
    }

  switch ((enum linx_value) s->reloc->value)
    {
    case V_NONE: case V_DYNAMIC: *value = 0; break;
    case V_ABS: *value = sa; break;
    case V_PC: *value = sa - s->place; break;
    case V_PAGE: *value = PAGE (sa) - PAGE (s->place); break;
    case V_LO12: *value = LOW12 (sa); break;
    case V_GOTPAGE: *value = PAGE (got) - PAGE (s->place); break;
    case V_GOTLO12: *value = LOW12 (got); break;
    case V_TP: case V_DTP: *value = sa - tls; break;
    case V_TPHI20: *value = PAGE (sa - tls); break;
    case V_TPLO12: *value = LOW12 (sa - tls); break;
    case V_HI20: *value = PAGE (sa); break;
    }
  return true;
}

/* An undefined weak symbol is address 0, which may be out of reach. ADDTPC then becomes LUI, with
   the same fields; any other pc-relative reference, which must not be executed or used, refers to
   itself. */
static bool
linx_weak_zero (const struct linx_site *s, bfd_byte *where, bfd_vma *value)
{
  if (s->h == NULL || s->h->root.type != bfd_link_hash_undefweak)
    return false;
  if (s->reloc->value == V_PAGE && (where[0] & 0x7f) == LINX_MATCH_ADDTPC)
    {
      where[0] = (where[0] & 0x80) | LINX_MATCH_LUI;
      *value = PAGE (s->rel->r_addend);
      return true;
    }
  if (s->reloc->value == V_PC && s->reloc->piece[0].bits != 0)
    {
      *value = 0;
      return true;
    }
  return false;
}

static void
linx_relocate_one (const struct linx_site *s, bfd_byte *contents)
{
  bfd_byte *where = contents + s->rel->r_offset;
  char text[200];
  bfd_signed_vma min = 0, max = 0;
  bfd_vma value = 0;

  if (s->rel->r_offset > s->section->size || s->reloc->bytes > s->section->size - s->rel->r_offset)
    {
      linx_complain (s, _("the place lies outside its section"));
      return;
    }
  if (s->reloc->value == V_NONE
      || (!linx_weak_zero (s, where, &value) && !linx_value (s, &value)))
    return;

  switch (linx_install (s->reloc, where, value))
    {
    case bfd_reloc_ok:
      return;
    case bfd_reloc_overflow:
      linx_limits (s->reloc, &min, &max);
      snprintf (text, sizeof text,
                s->reloc->value == V_PC || s->reloc->value == V_PAGE || s->reloc->value == V_GOTPAGE
                ? _("relocation out of range: distance %lld is not in %lld..%lld; "
                    "place the two nearer or use a longer instruction")
                : _("relocation out of range: value %lld is not in %lld..%lld"),
                (long long) value, (long long) min, (long long) max);
      linx_complain (s, text);
      return;
    default:
      snprintf (text, sizeof text, _("misaligned: value %#llx is no multiple of %d"),
                (long long) value, 1 << linx_dropped_bits (s->reloc));
      linx_complain (s, text);
      return;
    }
}

static int
linx_relocate_section (bfd *output_bfd, struct bfd_link_info *info, bfd *input_bfd,
                       asection *input_section, bfd_byte *contents, Elf_Internal_Rela *relocs,
                       Elf_Internal_Sym *local_syms, asection **local_sections)
{
  Elf_Internal_Shdr *symtab_hdr = &elf_symtab_hdr (input_bfd);
  struct elf_link_hash_entry **sym_hashes = elf_sym_hashes (input_bfd);
  Elf_Internal_Rela *relend = relocs + input_section->reloc_count;

  for (Elf_Internal_Rela *rel = relocs; rel < relend; rel++)
    {
      unsigned int type = ELF64_R_TYPE (rel->r_info);
      unsigned long symndx = ELF64_R_SYM (rel->r_info);
      struct linx_site s = { .info = info, .abfd = input_bfd, .section = input_section, .rel = rel };
      reloc_howto_type *howto = linx_howto (type);
      bool unresolved = false, warned = false, ignored = false;

      if (howto == NULL)
        {
          /* xgettext:c-format */
          info->callbacks->einfo ("%X%P: %H: unsupported relocation type %d\n", input_bfd, input_section,
                                  rel->r_offset, (int) type);
          continue;
        }
      s.reloc = linx_find (type);
      if (symndx < symtab_hdr->sh_info)
        {
          s.sym = local_syms + symndx;
          s.sym_sec = local_sections[symndx];
          s.symbol = _bfd_elf_rela_local_sym (output_bfd, s.sym, &s.sym_sec, rel);
        }
      else
        RELOC_FOR_GLOBAL_SYMBOL (info, input_bfd, input_section, rel, symndx, symtab_hdr, sym_hashes,
                                 s.h, s.sym_sec, s.symbol, unresolved, warned, ignored);

      if (s.sym_sec != NULL && discarded_section (s.sym_sec))
        RELOC_AGAINST_DISCARDED_SECTION (info, input_bfd, input_section, rel, 1, relend, howto, 0,
                                         contents);
      if (bfd_link_relocatable (info) || warned)
        continue;
      s.place = input_section->output_section->vma + input_section->output_offset + rel->r_offset;
      linx_relocate_one (&s, contents);
    }
  return true;
}

#define TARGET_LITTLE_SYM linx_elf64_vec
#define TARGET_LITTLE_NAME "elf64-linx"
#define ELF_ARCH bfd_arch_linx
#define ELF_MACHINE_CODE EM_LINX
#define ELF_MAXPAGESIZE 0x1000

#define elf_info_to_howto linx_info_to_howto
#define elf_info_to_howto_rel NULL
#define bfd_elf64_bfd_reloc_type_lookup linx_reloc_type_lookup
#define bfd_elf64_bfd_reloc_name_lookup linx_reloc_name_lookup

#define elf_backend_relocate_section linx_relocate_section
#define elf_backend_check_relocs linx_check_relocs
#define elf_backend_always_size_sections linx_always_size_sections
#define elf_backend_finish_dynamic_sections linx_finish_dynamic_sections
#define elf_backend_can_gc_sections 1
#define elf_backend_rela_normal 1
#define elf_backend_default_execstack 0

#include "elf64-target.h"
