// SPDX-License-Identifier: BSD-2-Clause
// Translation goes on: the kernel's part of all tables, and the root space.
#include "kernel/board_info.h"
#include "kernel/heap.h"
#include "kernel/space_private.h"
#include "kernel/usermem.h"

#define GB        ((uint64_t)1 << 30)
#define ALL_RWX   ((pte)(LINX_PTE_R | LINX_PTE_W | LINX_PTE_X | LINX_PTE_AF))
#define KERNEL_RW ((pte)(LINX_PTE_R | LINX_PTE_W | LINX_PTE_AF))
#define KERNEL_R  ((pte)(LINX_PTE_R | LINX_PTE_AF))
#define KERNEL_RX (KERNEL_R | LINX_PTE_X)

// linker.ld, all on page borders
extern char __kernel_text[], __program_text[], __program_rodata[], __kernel_rodata[], __kernel_data[], __kernel_bss[];

static pte *table_in(pte *slot) {
    if ((*slot & LINX_PTE_KIND) != LINX_PTE_TABLE) {
        if (!pages_promise(1))
            panic("no memory for page tables");
        uint64_t page = page_take();
        page_zero(direct(page));
        *slot = page | LINX_PTE_TABLE;
    }
    return space_table(*slot);
}

// Addresses that mean themselves, for the kernel, in every space.
static void map(uint64_t at, uint64_t end, pte bits) {
    while (at < end) {
        pte *l = &table_in((pte *)direct(space_kernel_root) + at / GB)[at / CHUNK % 512];
        if (at % CHUNK == 0 && end - at >= CHUNK) {
            *l = at | bits | LINX_PTE_BLOCK;
            at += CHUNK;
        } else {
            table_in(l)[at / PAGE % 512] = at | bits | LINX_PTE_PAGE;
            at += PAGE;
        }
    }
}

static void map_section(const char *from, const char *to, pte bits) {
    map((uint64_t)(uintptr_t)from, (uint64_t)(uintptr_t)to, bits);
}

void space_map_device(uint64_t at) {
    if (at != 0)
        map(at & ~(CHUNK - 1), (at & ~(CHUNK - 1)) + CHUNK, KERNEL_RW);
}

// A table that is enough to reach everything: memory at its own address and in the direct map. Translation is off.
static void turn_on(pte *root) {
    uint64_t end = board.ram + board.ram_bytes;
    for (unsigned i = 0; i < 512; i++)
        root[i] = 0;
    for (uint64_t at = 0; at < end; at += GB) {
        root[at / GB] = at | ALL_RWX | LINX_PTE_BLOCK;
        root[(DIRECT_MAP + at) / GB % 512] = at | KERNEL_RW | LINX_PTE_BLOCK;
    }
    ssr_set(LINX_SSR_MMTBASE, (uint64_t)(uintptr_t)root / ROOT_ALIGN << 2);
    ssr_set(LINX_SSR_MMCONFIG, SPACE_MMCONFIG);
    tlb_flush();
}

static bool fill_root_space(void) {
    uint64_t data = space_data_start(), pages = space_bss_end_pages(), initrd_pages = (board.initrd_bytes + PAGE - 1) / PAGE;
    pte mine = PTE_FOREIGN | LINX_PTE_PAGE;                 // not from the list of pages
    return space_init(&root_space) &&
           space_fill(&root_space, data, pages, data | PTE_USER_RW | mine, PAGE) == pages &&
           space_fill(&root_space, board.initrd & ~(uint64_t)(PAGE - 1), initrd_pages,
                      (board.initrd & ~(uint64_t)(PAGE - 1)) | LINX_PTE_R | LINX_PTE_U | LINX_PTE_AF | mine, PAGE) == initrd_pages;
}

void space_boot(struct pe *pe, uint64_t start, uint64_t end, char *pristine, uint32_t spaces) {
    uint64_t first_root = (start + ROOT_ALIGN - 1) & ~(uint64_t)(ROOT_ALIGN - 1);
    turn_on((pte *)(uintptr_t)first_root);
    pages_init(first_root + PAGE, end);
    space_pristine = pristine;
    for (uint64_t i = 0; i < space_data_pages(); i++)
        page_copy(pristine + i * PAGE, __program_data + i * PAGE);
    if (!pages_promise(1) || (space_kernel_root = page_take_root()) == 0)
        panic("no memory for page tables");
    pte *root = direct(space_kernel_root);
    page_zero(root);
    for (uint64_t at = board.ram & ~(GB - 1); at < board.ram + board.ram_bytes; at += GB)
        root[(DIRECT_MAP + at) / GB % 512] = at | KERNEL_RW | LINX_PTE_BLOCK;
    map_section(__kernel_text, __program_text, KERNEL_RX);
    map_section(__program_text, __program_rodata, KERNEL_RX | LINX_PTE_U);
    map_section(__program_rodata, __kernel_rodata, KERNEL_R | LINX_PTE_U);
    map_section(__kernel_rodata, __kernel_data, KERNEL_R);
    map_section(__kernel_data, __program_data, KERNEL_RW);
    map((uint64_t)(uintptr_t)__kernel_bss, start, KERNEL_RW);
    space_map_device(board.uart);
    space_map_device(board.intc);
    for (uint32_t i = 0; i < board.virtio_slots; i++)
        space_map_device(board.virtio[i].base);
    if (!usermem_init(spaces, (end - start) / PAGE) || !fill_root_space())
        panic("no memory for the root space");
    space_load(pe, &root_space);
    tlb_flush();
    page_free(first_root);
}
