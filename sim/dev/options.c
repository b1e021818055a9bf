// SPDX-License-Identifier: BSD-2-Clause
// -netdev, -drive, -chardev and -device in QEMU's spelling, and the virtio slots they fill.
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linx/board.h"
#include "virtio.h"

enum { MAX_BACKENDS = 16, ID_MAX = 64, PATH_LEN = 4096 };

struct backend {                // -netdev, -drive, -chardev
    enum { NETDEV, DRIVE, CHARDEV } kind;
    char id[ID_MAX];
    bool readonly, used;
    char path[PATH_LEN];        // file of a drive; "stdio", "null" or "file:PATH" of a chardev
    struct net_config net;
};
struct front { enum { NET, BLK, CONSOLE } kind; char backend[ID_MAX]; uint8_t mac[6]; bool has_mac; };

static struct backend backends[MAX_BACKENDS];
static unsigned num_backends;
static struct front fronts[BOARD_VIRTIO_SLOTS];
static unsigned num_fronts;
static struct virtio empty_slot[BOARD_VIRTIO_SLOTS];

__attribute__((format(printf, 2, 3))) static bool refuse(const char *option, const char *why, ...)
{
    va_list ap;
    va_start(ap, why);
    fprintf(stderr, "linx-sim: -%s: ", option);
    vfprintf(stderr, why, ap);
    fputc('\n', stderr);
    va_end(ap);
    return false;
}

static bool copy(char *to, size_t room, const char *from)
{
    if (strlen(from) >= room)
        return false;
    strcpy(to, from);
    return true;
}

static bool parse_port(const char *s, const char **end, uint16_t *port)
{
    char *e;
    unsigned long n = strtoul(s, &e, 10);
    *end = e;
    *port = (uint16_t)n;
    return e != s && n >= 1 && n <= 65535;
}

// [ADDR] up to the colon; empty keeps *addr.
static bool parse_address(const char **s, uint32_t *addr)
{
    const char *colon = strchr(*s, ':');
    char text[INET_ADDRSTRLEN];
    if (!colon || (size_t)(colon - *s) >= sizeof text)
        return false;
    memcpy(text, *s, (size_t)(colon - *s));
    text[colon - *s] = 0;
    struct in_addr a;
    if (*text && inet_pton(AF_INET, text, &a) != 1)
        return false;
    if (*text)
        *addr = ntohl(a.s_addr);
    *s = colon + 1;
    return true;
}

// PROTO:[HOSTADDR]:HOSTPORT-[GUESTADDR]:GUESTPORT. An empty host address means 127.0.0.1: a simulator should not open
// ports to the network unasked.
static bool parse_forward(const char *s, struct net_forward *f)
{
    *f = (struct net_forward){.host_addr = 0x7f000001, .guest_addr = 0x0a00020f};
    f->udp = !strncmp(s, "udp:", 4);
    if (!f->udp && strncmp(s, "tcp:", 4))
        return false;
    s += 4;
    if (!parse_address(&s, &f->host_addr) || !parse_port(s, &s, &f->host_port) || *s++ != '-')
        return false;
    return parse_address(&s, &f->guest_addr) && parse_port(s, &s, &f->guest_port) && !*s;
}

static bool parse_mac(const char *s, uint8_t mac[6])
{
    unsigned b[6];
    int n = 0;
    if (sscanf(s, "%2x:%2x:%2x:%2x:%2x:%2x%n", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &n) != 6 || s[n] || b[0] & 1)
        return false;
    for (int i = 0; i < 6; i++)
        mac[i] = (uint8_t)b[i];
    return true;
}

// Splits the next "key[=value]" off *list; ",," in a value stands for a comma, as in QEMU.
static bool next_pair(char **list, char **key, char **value)
{
    if (!*list || !**list)
        return false;
    char *in = *list, *out = *list;
    *key = in;
    *value = NULL;
    while (*in && !(*in == ',' && in[1] != ',')) {
        if (*in == ',')
            in++;
        if (*in == '=' && !*value) {
            *out++ = 0;
            in++;
            *value = out;
            continue;
        }
        *out++ = *in++;
    }
    *list = *in ? in + 1 : in;
    *out = 0;
    return true;
}

static struct backend *find_backend(const char *id, int kind)
{
    for (unsigned i = 0; i < num_backends; i++)
        if (backends[i].kind == (unsigned)kind && !strcmp(backends[i].id, id))
            return &backends[i];
    return NULL;
}

static bool add_backend(const char *option, int kind, char *list)
{
    char *key, *value, *first = NULL;
    if (num_backends == MAX_BACKENDS)
        return refuse(option, "more than %d of -netdev, -drive and -chardev", MAX_BACKENDS);
    struct backend *b = &backends[num_backends];
    *b = (struct backend){.kind = (unsigned)kind};
    char path[PATH_LEN] = "";
    for (int i = 0; next_pair(&list, &key, &value); i++) {
        if (!i && kind != DRIVE && !value) {
            first = key;
            continue;
        }
        if (!value)
            return refuse(option, "'%s' needs a value", key);
        if (!strcmp(key, "id")) {
            if (!copy(b->id, sizeof b->id, value))
                return refuse(option, "id '%s' is too long", value);
        } else if (kind == NETDEV && !strcmp(key, "hostfwd")) {
            if (b->net.forwards == NET_FORWARDS)
                return refuse(option, "more than %d hostfwd", NET_FORWARDS);
            if (!parse_forward(value, &b->net.forward[b->net.forwards++]))
                return refuse(option, "hostfwd=%s: want tcp|udp:[HOSTADDR]:PORT-[GUESTADDR]:PORT", value);
        } else if (kind == NETDEV && !strcmp(key, "restrict")) {
            b->net.restricted = !strcmp(value, "on") || !strcmp(value, "y") || !strcmp(value, "yes");
        } else if ((kind == DRIVE && !strcmp(key, "file")) || (kind == CHARDEV && !strcmp(key, "path"))) {
            if (!copy(path, sizeof path, value))
                return refuse(option, "file name too long");
        } else if (kind == DRIVE && (!strcmp(key, "readonly") || !strcmp(key, "read-only"))) {
            b->readonly = !strcmp(value, "on");
        } else if (kind == DRIVE && !strcmp(key, "format")) {
            if (strcmp(value, "raw"))
                return refuse(option, "format=%s: only raw files can be attached", value);
        } else if (kind == DRIVE && !strcmp(key, "if")) {
            if (strcmp(value, "none"))
                return refuse(option, "if=%s: want if=none and -device virtio-blk-device,drive=ID", value);
        } else {
            return refuse(option, "unknown key '%s'", key);
        }
    }
    if (!*b->id && kind != NETDEV)              // a network device without netdev= finds its network by itself
        return refuse(option, "needs id=NAME for -device to refer to");
    for (unsigned i = 0; i < num_backends; i++)
        if (*b->id && backends[i].kind == b->kind && !strcmp(backends[i].id, b->id))
            return refuse(option, "id=%s is already taken", b->id);
    if (kind == NETDEV && (!first || strcmp(first, "user")))
        return refuse(option, "only 'user' networks exist");
    if (kind == DRIVE && !*path)
        return refuse(option, "needs file=PATH");
    if (kind == CHARDEV) {
        if (!first || (strcmp(first, "stdio") && strcmp(first, "null") && strcmp(first, "file")))
            return refuse(option, "want stdio, null or file,path=PATH");
        if (!strcmp(first, "file") ? !*path : *path != 0)
            return refuse(option, !*path ? "file needs path=PATH" : "%s takes no path", first);
        snprintf(b->path, sizeof b->path, "%s%.*s", *path ? "file:" : first, PATH_LEN - 6, path);
    } else {
        strcpy(b->path, path);
    }
    num_backends++;
    return true;
}

static bool add_front(const char *option, char *list)
{
    static const struct { const char *name; int kind; const char *key; } models[] = {
        {"virtio-net-device", NET, "netdev"}, {"virtio-blk-device", BLK, "drive"}, {"virtconsole", CONSOLE, "chardev"},
        {"virtio-serial-device", -1, NULL},     // QEMU's bus for virtconsole; nothing of its own here
    };
    char *key, *value;
    if (!next_pair(&list, &key, &value) || value)
        return refuse(option, "needs the name of a device model");
    for (unsigned i = 0; i < sizeof models / sizeof *models; i++) {
        if (strcmp(key, models[i].name))
            continue;
        if (models[i].kind < 0)
            return true;
        if (num_fronts == BOARD_VIRTIO_SLOTS)
            return refuse(option, "all %d virtio slots are taken", BOARD_VIRTIO_SLOTS);
        struct front *f = &fronts[num_fronts];
        *f = (struct front){.kind = (unsigned)models[i].kind};
        while (next_pair(&list, &key, &value)) {
            if (!value)
                return refuse(option, "'%s' needs a value", key);
            if (!strcmp(key, models[i].key)) {
                if (!copy(f->backend, sizeof f->backend, value))
                    return refuse(option, "%s=%s is too long", key, value);
            } else if (f->kind == NET && !strcmp(key, "mac")) {
                if (!(f->has_mac = parse_mac(value, f->mac)))
                    return refuse(option, "mac=%s: want six bytes XX:XX:.., not a group address", value);
            } else {
                return refuse(option, "%s: unknown key '%s'", models[i].name, key);
            }
        }
        if (!*f->backend && f->kind != NET)
            return refuse(option, "%s needs %s=ID", models[i].name, models[i].key);
        num_fronts++;
        return true;
    }
    return refuse(option, "no model '%s'; there are virtio-net-device, virtio-blk-device and virtconsole", key);
}

bool devices_option(struct machine *m, const char *option, const char *arg)
{
    (void)m;
    while (*option == '-')
        option++;
    char *list = strdup(arg);
    bool ok = false;
    if (!list)
        return refuse(option, "out of memory");
    if (!strcmp(option, "netdev"))
        ok = add_backend(option, NETDEV, list);
    else if (!strcmp(option, "drive"))
        ok = add_backend(option, DRIVE, list);
    else if (!strcmp(option, "chardev"))
        ok = add_backend(option, CHARDEV, list);
    else if (!strcmp(option, "device"))
        ok = add_front(option, list);
    else
        refuse(option, "unknown option");
    free(list);
    return ok;
}

static struct virtio *start_front(unsigned slot, struct front *f)
{
    static const char *const key[] = {[NET] = "netdev", [BLK] = "drive", [CONSOLE] = "chardev"};
    static const int kind[] = {[NET] = NETDEV, [BLK] = DRIVE, [CONSOLE] = CHARDEV};
    struct backend *b = NULL;
    if (*f->backend) {
        b = find_backend(f->backend, kind[f->kind]);
    } else {                    // a network device without netdev= takes the first free one, or a plain user network
        for (unsigned i = 0; i < num_backends && !b; i++)
            b = backends[i].kind == NETDEV && !backends[i].used ? &backends[i] : NULL;
        static struct backend plain[BOARD_VIRTIO_SLOTS];
        if (!b)
            b = &plain[slot];
    }
    if (!b || b->used) {
        refuse("device", b ? "%s=%s is used twice" : "%s=%s: there is no such backend", key[f->kind], f->backend);
        return NULL;
    }
    b->used = true;
    switch (f->kind) {
    case NET: {
        static const uint8_t base[6] = {0x52, 0x54, 0x00, 0x12, 0x34, 0x56};
        memcpy(b->net.mac, f->has_mac ? f->mac : base, 6);
        if (!f->has_mac)
            b->net.mac[5] = (uint8_t)(base[5] + slot);
        return virtio_net_new(slot, &b->net);
    }
    case BLK:
        return virtio_blk_new(slot, b->path, b->readonly);
    default:
        return virtio_console_new(slot, b->path);
    }
}

bool devices_start(struct machine *m)
{
    for (unsigned slot = 0; slot < BOARD_VIRTIO_SLOTS; slot++) {
        struct virtio *v = &empty_slot[slot];
        if (slot < num_fronts) {
            if (!(v = start_front(slot, &fronts[slot])))
                return false;
        } else {
            virtio_init(v, slot, NULL, NULL, 0);
        }
        if (!machine_add_device(m, &v->dev))
            return false;
    }
    for (unsigned i = 0; i < num_backends; i++)
        if (!backends[i].used)
            fprintf(stderr, "linx-sim: warning: id=%s is used by no -device\n", *backends[i].id ? backends[i].id : "(none)");
    return true;
}

const char *devices_help(void)
{
    return "  -netdev user[,id=ID][,hostfwd=tcp|udp:[HOSTADDR]:PORT-[GUESTADDR]:PORT]...[,restrict=on]\n"
           "                            user-mode network; host ports listen on 127.0.0.1 unless HOSTADDR is given\n"
           "  -drive file=F,id=ID[,if=none][,format=raw][,readonly=on]\n"
           "                            a disk on a file of whole 512-byte sectors\n"
           "  -chardev stdio|null,id=ID, -chardev file,path=F,id=ID\n"
           "                            streams for virtconsole\n"
           "  -device virtio-net-device[,netdev=ID][,mac=M] | virtio-blk-device,drive=ID | virtconsole,chardev=ID\n"
           "                            a device in the next free virtio slot (8 slots)\n";
}
