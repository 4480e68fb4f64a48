// SPDX-License-Identifier: Apache-2.0
// Replaces the JVM of the launcher by the program, which Java itself cannot.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export.h"
#include "jni_abi.h"

// The JVM's own files, opened since it started, are not for the program.
static void close_at_exec(const char *java_home) {
  DIR *dir = opendir("/proc/self/fd");
  if (!dir) return;
  for (struct dirent *entry; (entry = readdir(dir));) {
    char link[64], target[4096];
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

// Words with a zero byte behind each, and one more behind the last, as a list.
static char **list_of(char *words) {
  size_t count = 0;
  for (char *word = words; *word; word += strlen(word) + 1) count++;
  char **list = calloc(count + 1, sizeof *list);
  for (size_t i = 0; list && i < count; i++, words += strlen(words) + 1) list[i] = words;
  return list;
}

// Of the class NativeLauncher: never returns, but for an errno.
EXPORT int32_t Java_io_queuepair_nativeverbs_NativeLauncher_exec(JNIEnv *env, jclass class,
    jobject program, jobject arguments, jobject environment, jobject java_home) {
  (void)class;
  char *path = (*env)->GetDirectBufferAddress(env, program);
  char **argv = list_of((*env)->GetDirectBufferAddress(env, arguments));
  char **envp = list_of((*env)->GetDirectBufferAddress(env, environment));
  if (!argv || !envp) return ENOMEM;
  close_at_exec((*env)->GetDirectBufferAddress(env, java_home));
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL); // Threads of the JVM block some.
  execve(path, argv, envp);
  return errno;
}
