// SPDX-License-Identifier: Apache-2.0
// Functions of libc that take paths or descriptors of the device. Paths below
// /sys/class/infiniband, /dev/infiniband and the like lead to the directory that the service has
// made, QUEUEPAIR_ROOT. Most of the functions have several names.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "attachment.h"
#include "export.h"
#include "rdma_cm.h"
#include "symbols.h"

static const char *const prefixes[] = {
    "/sys/class/infiniband", "/sys/class/infiniband_verbs", "/sys/class/infiniband_cm",
    "/sys/class/misc/rdma_cm", "/sys/devices/pciffff:00", "/dev/infiniband"};

struct path {
  char text[PATH_MAX];
};

static int is_below(const char *path, const char *prefix) {
  size_t length = strlen(prefix);
  return !strncmp(path, prefix, length) && (path[length] == 0 || path[length] == '/');
}

// Maps a path of the device to the directory of the service; other paths stay as they are.
static const char *map(const char *path, struct path *to) {
  if (!path || path[0] != '/' || (path[1] != 's' && path[1] != 'd')) return path;
  if (rdma_cm_is_at(path)) return "/dev/null"; // Has the type of a character device.
  const char *root = NULL;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (is_below(path, prefixes[i]) && (root = getenv("QUEUEPAIR_ROOT"))) break;
  if (!root) return path;
  int length = snprintf(to->text, sizeof to->text, "%s%s", root, path);
  return length < (int)sizeof to->text ? to->text : path;
}

// Whether flags would change a file that even root can only read, as most of sysfs; sets errno.
static bool is_refused(const char *path, int flags) {
  struct path to;
  if (!(flags & (O_ACCMODE | O_CREAT | O_TRUNC)) || map(path, &to) == path || path[1] != 's')
    return false;
  const char *name = strrchr(path, '/') + 1;
  if (!strcmp(name, "node_desc") || !strcmp(name, "lifespan")) return false;
  errno = EACCES;
  return true;
}

// Removes the directory of the service from the beginning of a path.
static void unmap(char *path) {
  const char *root = getenv("QUEUEPAIR_ROOT");
  size_t length = root ? strlen(root) : 0;
  if (length && is_below(path, root)) memmove(path, path + length, strlen(path + length) + 1);
}

// Finds the function of libc that ours replaces.
#define NEXT(name)                   \
  static __typeof__(&name) next;     \
  if (!next) {                       \
    *(void **)&next = next_symbol(#name); \
    if (!next) {                     \
      errno = ENOSYS;                \
      return FAILED;                 \
    }                                \
  }                                  \
  struct path to;                    \
  (void)to

#define FAILED (-1)

// Before glibc 2.33, functions such as stat are compiled into each program and call others of libc,
// to which they pass the version of struct stat.
#ifdef __x86_64__
enum { STAT_VERSION = 1 };
#else
enum { STAT_VERSION = 0 };
#endif

#define NEXT_OR_OLDER(name, older)                      \
  static __typeof__(&name) next;                        \
  static __typeof__(&older) next_older;                 \
  if (!next && !next_older) {                           \
    *(void **)&next = next_symbol(#name);               \
    *(void **)&next_older = next_symbol(#older);        \
  }

#define STAT(name, older, type)                                                          \
  EXPORT int older(int version, const char *path, struct type *into);                    \
  EXPORT int name(const char *path, struct type *into) {                                 \
    NEXT_OR_OLDER(name, older)                                                           \
    struct path to;                                                                      \
    const char *mapped = map(path, &to);                                                 \
    return next ? next(mapped, into) : next_older(STAT_VERSION, mapped, into);           \
  }                                                                                      \
  EXPORT int older(int version, const char *path, struct type *into) {                   \
    (void)version;                                                                       \
    return name(path, into);                                                             \
  }
STAT(stat, __xstat, stat)
STAT(lstat, __lxstat, stat)
STAT(stat64, __xstat64, stat64)
STAT(lstat64, __lxstat64, stat64)

#define STATAT(name, older, type)                                                        \
  EXPORT int older(int version, int dir, const char *path, struct type *into, int flags); \
  EXPORT int name(int dir, const char *path, struct type *into, int flags) {             \
    NEXT_OR_OLDER(name, older)                                                           \
    struct path to;                                                                      \
    const char *mapped = map(path, &to);                                                 \
    if (next) return next(dir, mapped, into, flags);                                     \
    return next_older(STAT_VERSION, dir, mapped, into, flags);                           \
  }                                                                                      \
  EXPORT int older(int version, int dir, const char *path, struct type *into, int flags) { \
    (void)version;                                                                       \
    return name(dir, path, into, flags);                                                 \
  }
STATAT(fstatat, __fxstatat, stat)
STATAT(fstatat64, __fxstatat64, stat64)

EXPORT int statx(int dir, const char *path, int flags, unsigned mask, struct statx *into) {
  NEXT(statx);
  return next(dir, map(path, &to), flags, mask, into);
}

EXPORT int access(const char *path, int mode) {
  NEXT(access);
  return next(map(path, &to), mode);
}

EXPORT int euidaccess(const char *path, int mode) {
  NEXT(euidaccess);
  return next(map(path, &to), mode);
}

EXPORT int eaccess(const char *path, int mode) { return euidaccess(path, mode); }

EXPORT int chdir(const char *path) {
  NEXT(chdir);
  return next(map(path, &to));
}

EXPORT int chroot(const char *path) {
  NEXT(chroot);
  attachment_keep_proc();
  return next(map(path, &to));
}

EXPORT int faccessat(int dir, const char *path, int mode, int flags) {
  NEXT(faccessat);
  return next(dir, map(path, &to), mode, flags);
}

EXPORT ssize_t readlink(const char *path, char *into, size_t size) {
  NEXT(readlink);
  return next(map(path, &to), into, size);
}

EXPORT ssize_t readlinkat(int dir, const char *path, char *into, size_t size) {
  NEXT(readlinkat);
  return next(dir, map(path, &to), into, size);
}

EXPORT ssize_t getxattr(const char *path, const char *name, void *into, size_t size) {
  NEXT(getxattr);
  return next(map(path, &to), name, into, size);
}

EXPORT ssize_t lgetxattr(const char *path, const char *name, void *into, size_t size) {
  NEXT(lgetxattr);
  return next(map(path, &to), name, into, size);
}

EXPORT int scandir(const char *path, struct dirent ***into, int (*filter)(const struct dirent *),
    int (*compare)(const struct dirent **, const struct dirent **)) {
  NEXT(scandir);
  return next(map(path, &to), into, filter, compare);
}

EXPORT int scandir64(const char *path, struct dirent64 ***into,
    int (*filter)(const struct dirent64 *),
    int (*compare)(const struct dirent64 **, const struct dirent64 **)) {
  NEXT(scandir64);
  return next(map(path, &to), into, filter, compare);
}

EXPORT int glob(
    const char *pattern, int flags, int (*on_error)(const char *, int), glob_t *into) {
  NEXT(glob);
  const char *mapped = map(pattern, &to);
  size_t before = flags & GLOB_APPEND ? into->gl_pathc : 0;
  size_t offset = flags & GLOB_DOOFFS ? into->gl_offs : 0;
  int result = next(mapped, flags, on_error, into);
  for (size_t i = before; !result && mapped != pattern && i < into->gl_pathc; i++)
    unmap(into->gl_pathv[offset + i]);
  return result;
}

// Mode argument, which only flags that create a file have.
#define MODE(flags, mode)                       \
  mode_t mode = 0;                              \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {      \
    va_list values;                             \
    va_start(values, flags);                    \
    mode = va_arg(values, mode_t);              \
    va_end(values);                             \
  }

EXPORT int open(const char *path, int flags, ...) {
  if (rdma_cm_is_at(path)) return rdma_cm_open(flags);
  if (is_refused(path, flags)) return -1;
  NEXT(open);
  MODE(flags, mode)
  return next(map(path, &to), flags, mode);
}

EXPORT int open64(const char *path, int flags, ...) {
  if (rdma_cm_is_at(path)) return rdma_cm_open(flags);
  if (is_refused(path, flags)) return -1;
  NEXT(open64);
  MODE(flags, mode)
  return next(map(path, &to), flags, mode);
}

EXPORT int openat(int dir, const char *path, int flags, ...) {
  if (rdma_cm_is_at(path)) return rdma_cm_open(flags);
  if (is_refused(path, flags)) return -1;
  NEXT(openat);
  MODE(flags, mode)
  return next(dir, map(path, &to), flags, mode);
}

EXPORT int openat64(int dir, const char *path, int flags, ...) {
  if (rdma_cm_is_at(path)) return rdma_cm_open(flags);
  if (is_refused(path, flags)) return -1;
  NEXT(openat64);
  MODE(flags, mode)
  return next(dir, map(path, &to), flags, mode);
}

// Names that the compiler uses with _FORTIFY_SOURCE.
#define OPEN_2(name, function)                     \
  EXPORT int name(const char *path, int flags);    \
  EXPORT int name(const char *path, int flags) { return function(path, flags); }
OPEN_2(__open_2, open)
OPEN_2(__open64_2, open64)

EXPORT int __openat_2(int dir, const char *path, int flags);
EXPORT int __openat_2(int dir, const char *path, int flags) { return openat(dir, path, flags); }

EXPORT int __openat64_2(int dir, const char *path, int flags);
EXPORT int __openat64_2(int dir, const char *path, int flags) {
  return openat64(dir, path, flags);
}

EXPORT ssize_t __readlink_chk(const char *path, char *into, size_t size, size_t room);
EXPORT ssize_t __readlink_chk(const char *path, char *into, size_t size, size_t room) {
  return readlink(path, into, size < room ? size : room);
}

EXPORT ssize_t __readlinkat_chk(int dir, const char *path, char *into, size_t size, size_t room);
EXPORT ssize_t __readlinkat_chk(int dir, const char *path, char *into, size_t size, size_t room) {
  return readlinkat(dir, path, into, size < room ? size : room);
}

EXPORT ssize_t write(int fd, const void *bytes, size_t count) {
  if (rdma_cm_has(fd)) return rdma_cm_write(fd, bytes, count);
  NEXT(write);
  return next(fd, bytes, count);
}

// The ThreadSanitizer of clang also calls the older functions, as the next ones after its own.
#define FSTAT(name, older, type)                                                         \
  EXPORT int older(int version, int fd, struct type *into);                              \
  EXPORT int older(int version, int fd, struct type *into) {                             \
    NEXT(older);                                                                         \
    int result = next(version, fd, into);                                                \
    if (result == 0 && rdma_cm_has(fd)) into->st_mode = S_IFCHR | 0666;                  \
    return result;                                                                       \
  }                                                                                      \
  EXPORT int name(int fd, struct type *into) {                                           \
    NEXT_OR_OLDER(name, older)                                                           \
    int result = next ? next(fd, into) : next_older(STAT_VERSION, fd, into);             \
    if (result == 0 && rdma_cm_has(fd)) into->st_mode = S_IFCHR | 0666;                  \
    return result;                                                                       \
  }
FSTAT(fstat, __fxstat, stat)
FSTAT(fstat64, __fxstat64, stat64)

EXPORT int close(int fd) {
  NEXT(close);
  if (!rdma_cm_has(fd)) return next(fd);
  rdma_cm_close(fd);
  return 0;
}

#undef FAILED
#define FAILED NULL

static int flags_of(const char *mode) {
  return *mode != 'r' || strchr(mode, '+') ? O_RDWR : O_RDONLY;
}

EXPORT FILE *fopen(const char *path, const char *mode) {
  if (is_refused(path, flags_of(mode))) return NULL;
  NEXT(fopen);
  return next(map(path, &to), mode);
}

EXPORT FILE *fopen64(const char *path, const char *mode) {
  if (is_refused(path, flags_of(mode))) return NULL;
  NEXT(fopen64);
  return next(map(path, &to), mode);
}

EXPORT DIR *opendir(const char *path) {
  NEXT(opendir);
  return next(map(path, &to));
}

EXPORT char *realpath(const char *path, char *into) {
  NEXT(realpath);
  char *found = next(map(path, &to), into);
  if (found) unmap(found);
  return found;
}

EXPORT char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }

EXPORT char *__realpath_chk(const char *path, char *into, size_t room);
EXPORT char *__realpath_chk(const char *path, char *into, size_t room) {
  (void)room; // The compiler has warned if the room is known and too small.
  return realpath(path, into);
}
