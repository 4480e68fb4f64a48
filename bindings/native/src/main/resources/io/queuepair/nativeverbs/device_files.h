// SPDX-License-Identifier: Apache-2.0
// Character devices that this library answers for. Each is a table of functions in a file of its
// own, named at the end of this one. Programs see them by open, write, fstat and close; reading,
// polling and the flags are those of the file that `open` returns, such as one end of a pipe.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct device_file {
  const char *path;

  // A new file descriptor, or -1 with errno.
  int (*open)(int flags);

  // What write(2) returns; -1 with errno. The bytes are those of the program, not checked.
  ssize_t (*write)(int fd, const void *bytes, size_t count);

  // In place of close(2).
  void (*close)(int fd);
};

// Of the connection manager; absent while no file defines it.
extern const struct device_file rdma_cm_file __attribute__((weak));

// The device that a path names, or null.
const struct device_file *device_file_at(const char *path);

// The device that a descriptor is of, or null.
const struct device_file *device_file_of(int fd);

// Opens a device and remembers its descriptor.
int device_file_open(const struct device_file *device, int flags);

// Closes a descriptor, if it is of a device; whether it was.
bool device_file_close(int fd);
