// SPDX-License-Identifier: BSD-2-Clause
// Disks by the kernel's calls and as /dev/vda. test_disk.py gives it a disk of 64 sectors (byte i of sector s: s + 3 * i), a
// read-only one of 8, none, or the first one again with the boot argument "again"; it looks at what is on them afterwards.
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/disk.h>
#include <sys/stat.h>
#include <threads.h>
#include <unistd.h>

#include "linx/rt.h"
#include "tests/libc/programs/check.h"

enum { SECTORS = 64, BYTES = SECTORS * 512 };
static char expected(int sector, int i) { return (char)(sector + 3 * i); }
static bool is_sector(const char *p, int sector) {
    for (int i = 0; i < 512; i++)
        if (p[i] != expected(sector, i))
            return false;
    return true;
}

static void information(void) {
    struct linx_block_info info;
    CHECK(linx_block_info(0, &info) == LINX_OK && info.sectors == SECTORS && info.sector_bytes == 512 && info.flags == 0);
    CHECK(linx_block_info(1, &info) == LINX_OK && info.sectors == 8 && info.flags == LINX_BLOCK_READ_ONLY);
    CHECK(linx_block_info(2, &info) == LINX_ERANGE && linx_block_info(0, (struct linx_block_info *)16) == LINX_EFAULT);
}

static char buffer[10 * 512];
static void reading(void) {
    CHECK(linx_block_read(0, 0, buffer, 1) == 1 && is_sector(buffer, 0));
    CHECK(linx_block_read(0, 60, buffer, 4) == 4 && is_sector(buffer, 60) && is_sector(buffer + 3 * 512, 63));
    CHECK(linx_block_read(0, 5, buffer, 10) == LINX_BLOCK_MAX && is_sector(buffer + 7 * 512, 12));
    CHECK(linx_block_read(1, 7, buffer + 1, 1) == 1 && is_sector(buffer + 1, 7));           // any address
}
static void bad_ranges(void) {
    CHECK(linx_block_read(0, 0, buffer, 0) == LINX_EINVAL && linx_block_read(0, SECTORS, buffer, 1) == LINX_EINVAL);
    CHECK(linx_block_read(0, SECTORS - 1, buffer, 2) == LINX_EINVAL && linx_block_read(0, ~0ul, buffer, 2) == LINX_EINVAL);
    CHECK(linx_block_read(0, 1, buffer, ~0ul) == LINX_EINVAL && linx_block_read(2, 0, buffer, 1) == LINX_ERANGE);
    CHECK(linx_block_read(0, 0, (void *)16, 1) == LINX_EFAULT && linx_block_write(0, 0, (void *)16, 1) == LINX_EFAULT);
    CHECK(linx_block_write(1, 0, buffer, 1) == LINX_EPERM);
}
static void writing(void) {
    char text[512];
    memset(text, 'w', sizeof text);
    CHECK(linx_block_write(0, 9, text, 1) == 1 && linx_block_read(0, 8, buffer, 3) == 3);
    CHECK(is_sector(buffer, 8) && memcmp(buffer + 512, text, 512) == 0 && is_sector(buffer + 1024, 10));
}

// Each task has every eighth sector from 16 to 47: fills it, and reads all of them again and again.
enum { TASKS = 8 };
static int own_sectors(void *arg) {
    int me = (int)(long)arg, good = 1;
    char out[512], in[512];
    for (int round = 0; round < 3; round++)
        for (int s = 16 + me; s < 48; s += TASKS) {
            memset(out, me * 16 + round, sizeof out);
            good &= linx_block_write(0, (uint64_t)s, out, 1) == 1;
            memset(in, 0, sizeof in);
            good &= linx_block_read(0, (uint64_t)s, in, 1) == 1 && memcmp(in, out, 512) == 0;
        }
    return good;
}
static void concurrently(void) {
    thrd_t t[TASKS];
    for (long i = 0; i < TASKS; i++)
        CHECK(thrd_create(&t[i], own_sectors, (void *)i) == thrd_success);
    for (int i = 0; i < TASKS; i++) {
        int good = 0;
        CHECK(thrd_join(t[i], &good) == thrd_success && good);
    }
}
static int for_ever(void *arg) {
    static char text[TASKS][512];
    for (;;)
        linx_block_read(0, 0, text[(long)arg], 1);
}
static void killed(void) {                              // tasks that wait for the disk, or whose request it has
    thrd_t t[TASKS];
    for (long i = 0; i < TASKS; i++)
        CHECK(thrd_create(&t[i], for_ever, (void *)i) == thrd_success);
    for (int i = 0; i < TASKS; i++) {
        for (int k = 0; k < i * 3; k++)
            linx_block_read(0, 1, buffer, 1);
        CHECK(linx_task_kill(t[i]) == LINX_OK);
    }
    CHECK(linx_block_read(0, 2, buffer, 1) == 1 && is_sector(buffer, 2));
}

static void device_node(void) {
    struct stat st;
    char text[2000];
    CHECK(disk_nodes() == 2 && disk_nodes() == 2);
    int fd = open("/dev/vda", O_RDWR);
    CHECK(fd >= 3 && fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) && st.st_size == BYTES);
    CHECK(lseek(fd, 2 * 512 + 100, SEEK_SET) == 1124 && read(fd, text, 1500) == 1500);      // parts at both ends
    for (int i = 0; i < 1500; i++)
        CHECK(text[i] == expected(2 + (100 + i) / 512, (100 + i) % 512));
    CHECK(lseek(fd, 4 * 512 - 3, SEEK_SET) > 0 && write(fd, "across the border", 17) == 17);
    CHECK(lseek(fd, -10, SEEK_CUR) > 0 && read(fd, text, 10) == 10 && memcmp(text, "the border", 10) == 0);
    CHECK(linx_block_read(0, 3, buffer, 2) == 2 && memcmp(buffer + 509, "across the border", 17) == 0);
    CHECK(buffer[508] == expected(3, 508) && buffer[512 + 14] == expected(4, 14));          // and nothing beside it
    CHECK(lseek(fd, -4, SEEK_END) == BYTES - 4 && read(fd, text, 100) == 4 && read(fd, text, 1) == 0);
    CHECK(write(fd, "x", 1) == -1 && errno == ENOSPC && ftruncate(fd, 0) == -1 && close(fd) == 0);
    CHECK(open("/dev/vdb", O_RDWR) == -1 && errno == EROFS && unlink("/dev/vda") == -1);
    fd = open("/dev/vdb", O_RDONLY);
    CHECK(read(fd, text, 600) == 600 && text[599] == expected(1, 87) && close(fd) == 0 && open("/dev/vdc", O_RDONLY) == -1);
    FILE *f = fopen("/dev/vda", "r");
    CHECK(f != NULL && fseek(f, 5 * 512, SEEK_SET) == 0 && fgetc(f) == (unsigned char)expected(5, 0) && fclose(f) == 0);
}

static void kept(void) {
    CHECK(linx_block_read(0, 3, buffer, 2) == 2 && memcmp(buffer + 509, "across the border", 17) == 0);
    CHECK(linx_block_read(0, 9, buffer, 1) == 1 && buffer[0] == 'w' && buffer[511] == 'w');
}
static void absent(void) {
    struct linx_block_info info;
    CHECK(linx_block_info(0, &info) == LINX_ERANGE && linx_block_read(0, 0, buffer, 1) == LINX_ERANGE);
    CHECK(disk_nodes() == 0 && open("/dev/vda", O_RDONLY) == -1 && errno == ENOENT);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "absent") == 0) {
        test("disk: no disk", absent);
    } else if (argc > 1 && strcmp(argv[1], "again") == 0) {
        test("disk: what was written is there in the next run", kept);
    } else {
        test("disk: information", information);
        test("disk: reading", reading);
        test("disk: bad ranges, addresses, a read-only disk", bad_ranges);
        test("disk: writing", writing);
        test("disk: eight tasks at once", concurrently);
        test("disk: tasks killed while they wait", killed);
        test("disk: /dev/vda", device_node);
    }
    return check_failures;
}
