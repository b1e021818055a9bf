// SPDX-License-Identifier: BSD-2-Clause
// POSIX file calls and stdio on the RAM file system. The initrd (test_programs.py) has /dir/one (5 bytes "12345") and
// /big (70,000 bytes, byte i = i * 7).
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <threads.h>
#include <unistd.h>

#include "tests/libc/programs/check.h"

static void initrd(void) {
    struct stat st;
    char text[8] = { 0 };
    CHECK(stat("/dir/one", &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 5);
    CHECK(stat("/dir", &st) == 0 && S_ISDIR(st.st_mode));
    int fd = open("/dir/one", O_RDONLY);
    CHECK(fd >= 3 && read(fd, text, 8) == 5 && memcmp(text, "12345", 5) == 0 && read(fd, text, 8) == 0);
    CHECK(lseek(fd, -2, SEEK_END) == 3 && read(fd, text, 1) == 1 && text[0] == '4');
    CHECK(write(fd, "x", 1) == -1 && errno == EBADF && close(fd) == 0 && close(fd) == -1);
    unsigned char big[1000];
    fd = open("big", O_RDONLY);
    CHECK(lseek(fd, 69500, SEEK_SET) == 69500 && read(fd, big, 1000) == 500);
    for (int i = 0; i < 500; i++)
        CHECK(big[i] == (unsigned char)((69500 + i) * 7));
    close(fd);
}

static void copy_on_write(void) {
    char text[16] = { 0 };
    int fd = open("/dir/one", O_RDWR);
    CHECK(lseek(fd, 2, SEEK_SET) == 2 && write(fd, "xyz-more", 8) == 8 && lseek(fd, 0, SEEK_SET) == 0);
    CHECK(read(fd, text, 16) == 10 && strcmp(text, "12xyz-more") == 0);
    CHECK(ftruncate(fd, 3) == 0 && lseek(fd, 0, SEEK_SET) == 0 && read(fd, text, 16) == 3);
    CHECK(ftruncate(fd, 6) == 0 && lseek(fd, 0, SEEK_SET) == 0 && read(fd, text, 16) == 6 && memcmp(text, "12x\0\0\0", 6) == 0);
    close(fd);
}

static void create_rename_remove(void) {
    struct stat st;
    int fd = open("/tmp/a", O_CREAT | O_EXCL | O_WRONLY, 0644);
    CHECK(fd >= 0 && write(fd, "hello", 5) == 5);
    CHECK(open("/tmp/a", O_CREAT | O_EXCL | O_WRONLY, 0644) == -1 && errno == EEXIST);
    CHECK(unlink("/tmp/a") == 0 && stat("/tmp/a", &st) == -1 && errno == ENOENT);
    CHECK(write(fd, "!", 1) == 1 && fstat(fd, &st) == 0 && st.st_size == 6 && close(fd) == 0);    // lives until closed
    CHECK(mkdir("/tmp/d", 0755) == 0 && mkdir("/tmp/d", 0755) == -1 && errno == EEXIST);
    CHECK(close(open("/tmp/d/f", O_CREAT | O_WRONLY, 0644)) == 0);
    CHECK(rmdir("/tmp/d") == -1 && errno == ENOTEMPTY && unlink("/tmp/d") == -1 && errno == EISDIR);
    CHECK(rename("/tmp/d/f", "/tmp/g") == 0 && stat("/tmp/g", &st) == 0 && rmdir("/tmp/d") == 0);
    CHECK(rename("/tmp", "/tmp/x") == -1 && errno == EINVAL);
    CHECK(open("/no/such/file", O_CREAT | O_WRONLY, 0644) == -1 && errno == ENOENT);
    CHECK(open("/tmp/g/h", O_RDONLY) == -1 && errno == ENOTDIR && open("/tmp", O_WRONLY) == -1 && errno == EISDIR);
    CHECK(unlink("/tmp/g") == 0);
}

static void directories(void) {
    char path[64];
    CHECK(chdir("/dir") == 0 && strcmp(getcwd(path, sizeof path), "/dir") == 0 && access("one", R_OK) == 0);
    CHECK(access("../dir/./one", R_OK) == 0 && getcwd(path, 3) == NULL && errno == ERANGE && chdir("one") == -1);
    CHECK(chdir("..") == 0 && strcmp(getcwd(path, sizeof path), "/") == 0);
    DIR *d = opendir("/");
    int seen = 0;
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        seen += strcmp(e->d_name, "dir") == 0 && e->d_type == DT_DIR;
    CHECK(d != NULL && seen == 1 && closedir(d) == 0 && opendir("/big") == NULL && errno == ENOTDIR);
}

static void streams(void) {
    char line[32];
    int n = 0;
    FILE *f = fopen("/tmp/s", "w+");
    CHECK(f != NULL && fprintf(f, "%d %s\n%.2f\n", 12, "twelve", 0.25) == 15);
    rewind(f);
    CHECK(fscanf(f, "%d %31s", &n, line) == 2 && n == 12 && strcmp(line, "twelve") == 0);
    CHECK(fgets(line, 32, f) != NULL && fgets(line, 32, f) != NULL && strcmp(line, "0.25\n") == 0 && fgets(line, 32, f) == NULL);
    CHECK(feof(f) && fclose(f) == 0);
    f = fopen("/tmp/s", "a");
    CHECK(f != NULL && fputs("end", f) >= 0 && fclose(f) == 0);
    f = fopen("/tmp/s", "r");
    CHECK(f != NULL && fseek(f, -3, SEEK_END) == 0 && ftell(f) == 15 && fread(line, 1, 32, f) == 3 && memcmp(line, "end", 3) == 0);
    CHECK(fclose(f) == 0 && remove("/tmp/s") == 0 && fopen("/tmp/s", "r") == NULL && isatty(1) && !isatty(99));
}

static int writer(void *arg) {
    char name[16], text[32];
    int me = *(int *)arg, good = 1;
    snprintf(name, sizeof name, "/tmp/w%d", me);
    for (int i = 0; i < 10; i++) {
        FILE *f = fopen(name, "w");
        good &= f != NULL && fprintf(f, "%d-%d", me, i) > 0 && fclose(f) == 0;
        f = fopen(name, "r");
        good &= f != NULL && fgets(text, sizeof text, f) != NULL && fclose(f) == 0 && atoi(text) == me;
        char *dash = strchr(text, '-');
        good &= dash != NULL && atoi(dash + 1) == i;
    }
    return good && unlink(name) == 0;
}
static void many_writers(void) {
    thrd_t t[8];
    int id[8];
    for (int i = 0; i < 8; i++) {
        id[i] = i;
        CHECK(thrd_create(&t[i], writer, &id[i]) == thrd_success);
    }
    for (int i = 0; i < 8; i++) {
        int result = 0;
        CHECK(thrd_join(t[i], &result) == thrd_success && result == 1);
    }
}

static void limits(void) {
    int fd[80], n = 0;
    while (n < 80 && (fd[n] = open("/big", O_RDONLY)) >= 0)
        n++;
    CHECK(n == 61 && errno == EMFILE);
    while (n > 0)
        CHECK(close(fd[--n]) == 0);
    void *volatile all = malloc(1u << 30);
    CHECK(all == NULL && errno == ENOMEM);
    char name[80];
    memset(name, 'n', sizeof name - 1);
    name[79] = 0;
    CHECK(open(name, O_CREAT | O_WRONLY, 0644) == -1 && errno == ENAMETOOLONG);
}

int main(void) {
    test("libc files: the initrd", initrd);
    test("libc files: copy on write, truncate", copy_on_write);
    test("libc files: create, rename, remove", create_rename_remove);
    test("libc files: directories", directories);
    test("libc files: streams", streams);
    test("libc files: eight writers at once", many_writers);
    test("libc files: limits", limits);
    return check_failures;
}
