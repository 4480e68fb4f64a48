// SPDX-License-Identifier: Apache-2.0
#include "device_files.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

enum { MAX_FD = 1 << 16 };

static const struct device_file *const devices[] = {&rdma_cm_file};
enum { DEVICES = sizeof devices / sizeof *devices };

// Of each descriptor the place of its device in the table, from 1; 0 for any other file.
static _Atomic(unsigned char) of_fd[MAX_FD];

const struct device_file *device_file_at(const char *path) {
  for (int i = 0; path && i < DEVICES; i++)
    if (devices[i] && !strcmp(devices[i]->path, path)) return devices[i];
  return NULL;
}

const struct device_file *device_file_of(int fd) {
  if (fd < 0 || fd >= MAX_FD) return NULL;
  unsigned char place = atomic_load_explicit(&of_fd[fd], memory_order_relaxed);
  return place ? devices[place - 1] : NULL;
}

int device_file_open(const struct device_file *device, int flags) {
  int fd = device->open(flags);
  if (fd >= MAX_FD) {
    device->close(fd);
    errno = EMFILE;
    return -1;
  }
  for (int i = 0; fd >= 0 && i < DEVICES; i++)
    if (devices[i] == device) of_fd[fd] = (unsigned char)(i + 1);
  return fd;
}

bool device_file_close(int fd) {
  const struct device_file *device = device_file_of(fd);
  if (!device) return false;
  of_fd[fd] = 0;
  device->close(fd);
  return true;
}
