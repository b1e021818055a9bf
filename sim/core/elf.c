// SPDX-License-Identifier: BSD-2-Clause
// Loads an ELF image with libelf and keeps its symbols.
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core.h"
#include "loader.h"

enum { EM_LINX = 233 };

struct symbol { uint64_t addr, size; const char *name; };
struct symbols { struct symbol *s; size_t n; };

static int by_address(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void load_symbols(struct machine *m, Elf *e)
{
    symbols_free(m);
    struct symbols *t = calloc(1, sizeof *t);
    if (!t) return;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(e, scn));) {
        GElf_Shdr sh;
        if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB || !sh.sh_entsize) continue;
        Elf_Data *data = elf_getdata(scn, NULL);
        size_t n = data ? data->d_size / sh.sh_entsize : 0;
        struct symbol *s = n ? realloc(t->s, (t->n + n) * sizeof *s) : NULL;
        if (!s) continue;
        t->s = s;
        for (size_t i = 0; i < n; i++) {
            GElf_Sym sym;
            if (!gelf_getsym(data, (int)i, &sym) || sym.st_shndx == SHN_UNDEF) continue;
            unsigned type = GELF_ST_TYPE(sym.st_info);
            const char *name = elf_strptr(e, sh.sh_link, sym.st_name);
            if (!name || !*name || (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE)) continue;
            if (type == STT_NOTYPE && (name[0] == '.' || name[0] == '$')) continue;
            char *copy = strdup(name);
            if (copy) t->s[t->n++] = (struct symbol){ sym.st_value, sym.st_size, copy };
        }
    }
    if (t->n) qsort(t->s, t->n, sizeof *t->s, by_address);
    m->syms = t;
}

void symbols_free(struct machine *m)
{
    if (!m->syms) return;
    for (size_t i = 0; i < m->syms->n; i++) free((char *)m->syms->s[i].name);
    free(m->syms->s);
    free(m->syms);
    m->syms = NULL;
}

const char *symbol_at(const struct machine *m, uint64_t addr, uint64_t *off)
{
    if (!m->syms || !m->syms->n) return NULL;
    size_t lo = 0, hi = m->syms->n;
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        if (m->syms->s[mid].addr <= addr) lo = mid; else hi = mid;
    }
    const struct symbol *s = &m->syms->s[lo];
    if (addr < s->addr || (s->size && addr - s->addr >= s->size + 16)) return NULL;
    *off = addr - s->addr;
    return s->name;
}

static bool complain(const char *file, const char *what)
{
    fprintf(stderr, "linx-sim: %s: %s\n", file, what);
    return false;
}

static bool load_segments(struct machine *m, Elf *e, const char *file, int fd)
{
    size_t n, loaded = 0;
    struct stat st;
    if (elf_getphdrnum(e, &n) != 0 || fstat(fd, &st) != 0) return complain(file, "damaged program headers");
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr ph;
        if (!gelf_getphdr(e, (int)i, &ph)) return complain(file, "damaged program headers");
        if (ph.p_type != PT_LOAD || ph.p_memsz == 0) continue;
        uint8_t *to = machine_ram(m, ph.p_paddr, ph.p_memsz);
        if (!to) {
            fprintf(stderr, "linx-sim: %s: segment %zu at %#llx..%#llx is outside RAM %#llx..%#llx (-m SIZE, -M virt,ram-base=ADDR)\n",
                    file, i, (unsigned long long)ph.p_paddr, (unsigned long long)(ph.p_paddr + ph.p_memsz),
                    (unsigned long long)m->cfg.ram_base, (unsigned long long)(m->cfg.ram_base + m->cfg.ram_size));
            return false;
        }
        if (ph.p_filesz > ph.p_memsz || ph.p_offset > (uint64_t)st.st_size || ph.p_filesz > (uint64_t)st.st_size - ph.p_offset) {
            fprintf(stderr, "linx-sim: %s: segment %zu reaches past the end of the file\n", file, i);
            return false;
        }
        uint64_t done = 0;
        while (done < ph.p_filesz) {
            ssize_t got = pread(fd, to + done, ph.p_filesz - done, (off_t)(ph.p_offset + done));
            if (got <= 0) return complain(file, got < 0 ? strerror(errno) : "file ends early");
            done += (uint64_t)got;
        }
        memset(to + ph.p_filesz, 0, ph.p_memsz - ph.p_filesz);
        if (ph.p_paddr + ph.p_memsz > m->image_end) m->image_end = ph.p_paddr + ph.p_memsz;
        loaded++;
    }
    return loaded ? true : complain(file, "has no segment to load");
}

bool elf_load(struct machine *m, const char *file)
{
    if (elf_version(EV_CURRENT) == EV_NONE) return complain(file, "libelf is too old");
    int fd = open(file, O_RDONLY);
    if (fd < 0) return complain(file, strerror(errno));
    bool ok = false;
    Elf *e = elf_begin(fd, ELF_C_READ, NULL);
    GElf_Ehdr eh;
    char text[96];
    uint8_t *entry;
    if (!e || elf_kind(e) != ELF_K_ELF) complain(file, "not an ELF file");
    else if (!gelf_getehdr(e, &eh)) complain(file, "damaged ELF header");
    else if (gelf_getclass(e) != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB) complain(file, "not a 64-bit little-endian ELF file");
    else if (eh.e_machine != EM_LINX) {
        snprintf(text, sizeof text, "ELF machine %u is not Linx (%d)", eh.e_machine, EM_LINX);
        complain(file, text);
    } else if (eh.e_type != ET_EXEC && eh.e_type != ET_DYN) complain(file, "not an executable (link it first)");
    else if (load_segments(m, e, file, fd)) {
        m->entry = eh.e_entry;
        entry = machine_ram(m, eh.e_entry, 2);
        if (!entry || eh.e_entry & 1) {
            snprintf(text, sizeof text, "entry point %#llx is %s", (unsigned long long)eh.e_entry,
                     eh.e_entry & 1 ? "odd" : "not in RAM");
            complain(file, text);
        } else ok = true;
        load_symbols(m, e);
    }
    if (e) elf_end(e);
    close(fd);
    return ok;
}
