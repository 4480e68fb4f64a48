// SPDX-License-Identifier: Apache-2.0
// /dev/infiniband/rdma_cm: programs see it by open, write, fstat and close; reading, polling and the
// flags are those of the socket that it is.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

bool rdma_cm_is_at(const char *path);

// Whether a descriptor is one of it; those of others go to the system call.
bool rdma_cm_has(int fd);

// As the system calls: -1 with errno. The bytes are those of the program, not checked.
int rdma_cm_open(int flags);
ssize_t rdma_cm_write(int fd, const void *bytes, size_t count);
void rdma_cm_close(int fd);
