// SPDX-License-Identifier: Apache-2.0
// The library as an executable, as libc itself is one: it replaces itself by a program that loads
// it.
//   libqueuepair-verbs.so COMMAND...
#define _GNU_SOURCE
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export.h"
#include "jni_abi.h"

enum { FAILED = 1, NOT_UNDERSTOOD = 2 };

// Entry point for the dynamic linker, with the number of words and the words on the stack.
#if defined __x86_64__
#define LINKER "/lib64/ld-linux-x86-64.so.2"
__asm__(".text\n.globl launcher_entry\n.hidden launcher_entry\nlauncher_entry:\n"
        "xor %ebp, %ebp\nmov %rsp, %rdi\nand $-16, %rsp\ncall launch\nhlt\n");
#elif defined __aarch64__
#define LINKER "/lib/ld-linux-aarch64.so.1"
__asm__(".text\n.globl launcher_entry\n.hidden launcher_entry\nlauncher_entry:\n"
        "mov x29, #0\nmov x30, #0\nmov x0, sp\nbl launch\nbrk #1\n");
#else
#error "neither x86-64 nor aarch64"
#endif
__attribute__((used, section(".interp"))) static const char linker[] = LINKER;

__attribute__((noreturn, format(printf, 2, 3))) static void refuse(int code, const char *format, ...) {
  char line[PATH_MAX + 256];
  va_list values;
  va_start(values, format);
  vsnprintf(line, sizeof line, format, values);
  va_end(values);
  dprintf(STDERR_FILENO, "queuepair run: %s\n", line);
  _exit(code);
}

static bool is_program(const char *path) {
  struct stat file;
  return !access(path, X_OK) && !stat(path, &file) && !S_ISDIR(file.st_mode);
}

// File of a command; a name without a slash is looked for on the PATH.
static const char *find(const char *name) {
  static char path[PATH_MAX];
  if (!*name) refuse(NOT_UNDERSTOOD, "'' is no name of a program (see 'queuepair run --help')");
  if (strchr(name, '/')) {
    if (access(name, F_OK))
      refuse(NOT_UNDERSTOOD, "cannot read %s: there is no such file (see 'queuepair run --help')", name);
    if (!is_program(name)) refuse(FAILED, "%s does not exist, or is no program", name);
    return name;
  }
  const char *search = getenv("PATH");
  for (const char *from = search ? search : ""; from;) {
    int length = (int)(strchrnul(from, ':') - from);
    snprintf(path, sizeof path, "%.*s%s%s", length, from, length ? "/" : "./", name);
    if (is_program(path)) return path;
    from = from[length] ? from + length + 1 : NULL;
  }
  refuse(FAILED, "%s is not found on the PATH", name);
}

static bool is_privileged(const char *path) {
  struct stat file;
  return !stat(path, &file) && (file.st_mode & (S_ISUID | S_ISGID)) && file.st_uid != geteuid();
}

// Refuses an ELF file that names no dynamic linker, or that of musl.
static void refuse_linker(const char *path, const char *image, size_t bytes) {
  const Elf64_Ehdr *elf = (const void *)image;
  for (size_t i = 0; i < elf->e_phnum; i++) {
    uint64_t at = elf->e_phoff + i * sizeof(Elf64_Phdr);
    if (at > bytes || bytes - at < sizeof(Elf64_Phdr)) return; // The kernel refuses the file.
    const Elf64_Phdr *part = (const void *)(image + at);
    if (part->p_type != PT_INTERP) continue;
    if (part->p_offset > bytes || bytes - part->p_offset < part->p_filesz) return;
    if (memmem(image + part->p_offset, part->p_filesz, "/ld-musl-", 9))
      refuse(FAILED, "%s is linked with musl: the library is for programs of glibc", path);
    return;
  }
  refuse(FAILED, "%s is linked statically: no library can be loaded into it", path);
}

// Refuses programs into which the dynamic linker loads no library: they would see no device.
static void refuse_unsuitable(const char *path) {
  if (is_privileged(path))
    refuse(FAILED, "%s is setuid or setgid: the dynamic linker loads no library into it", path);
  struct stat file;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &file) || file.st_size < (off_t)sizeof(Elf64_Ehdr)) return;
  size_t bytes = (size_t)file.st_size;
  char *image = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  if (image == MAP_FAILED || memcmp(image, ELFMAG, SELFMAG)) return;
  if (image[EI_CLASS] != ELFCLASS64)
    refuse(FAILED, "%s is a program of 32 bits: the library has 64", path);
  refuse_linker(path, image, bytes);
}

// Puts a word first in the list of a variable, unless it is there.
static void put_first(const char *variable, const char *word) {
  char list[2 * PATH_MAX];
  const char *others = getenv(variable);
  if (others && strstr(others, word)) return;
  bool is_first = !others || !*others;
  snprintf(list, sizeof list, "%s%s%s", word, is_first ? "" : ":", is_first ? "" : others);
  setenv(variable, list, 1);
}

// Puts this library first in LD_PRELOAD.
static void preload(void) {
  char own[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  if (length < 0) refuse(FAILED, "/proc/self/exe: %s", strerror(errno));
  own[length] = 0;
  put_first("LD_PRELOAD", own);
  // The library has this option as its default, but programs may replace the default by their own.
  put_first("ASAN_OPTIONS", "verify_asan_link_order=0");
}

__attribute__((noreturn, used)) void launch(long *stack);
__attribute__((noreturn, used)) void launch(long *stack) {
  char **argv = (char **)(stack + 1);
  if (stack[0] < 2) refuse(NOT_UNDERSTOOD, "There is no program to run (see 'queuepair run --help')");
  const char *path = find(argv[1]);
  refuse_unsuitable(path);
  preload();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL); // Threads of a JVM block some signals.
  execv(path, argv + 1);
  refuse(FAILED, "%s cannot be run: %s", path, strerror(errno));
}

// List of words, each of which ends with a zero byte.
static char **list_of(char *words, int32_t count) {
  char **list = calloc((size_t)count + 1, sizeof *list);
  for (int32_t i = 0; list && i < count; i++, words += strlen(words) + 1) list[i] = words;
  return list;
}

// Closes at exec the files that the JVM has opened for itself.
static void close_at_exec(const char *java_home) {
  DIR *dir = opendir("/proc/self/fd");
  if (!dir) return;
  for (struct dirent *entry; (entry = readdir(dir));) {
    char link[64], target[PATH_MAX];
    int fd = atoi(entry->d_name);
    if (fd <= STDERR_FILENO) continue;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length < 0) continue;
    target[length] = 0;
    bool is_own = !strncmp(target, java_home, strlen(java_home)) ||
        (length > 4 && !strcmp(target + length - 4, ".jar"));
    if (is_own) fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  closedir(dir);
}

// Native method of the class NativeLauncher; returns only an errno.
EXPORT int32_t Java_io_queuepair_nativeverbs_NativeLauncher_exec(JNIEnv *env, jclass class,
    jobject arguments, int32_t argument_count, jobject environment, int32_t variable_count,
    jobject java_home) {
  (void)class;
  char **argv = list_of((*env)->GetDirectBufferAddress(env, arguments), argument_count);
  char **envp = list_of((*env)->GetDirectBufferAddress(env, environment), variable_count);
  if (!argv || !envp) return ENOMEM;
  close_at_exec((*env)->GetDirectBufferAddress(env, java_home));
  execve(argv[0], argv, envp);
  return errno;
}
