// SPDX-License-Identifier: Apache-2.0
// /dev/infiniband/rdma_cm for open, write, fstat and close; read, poll and the flags are those of
// its socket.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

bool rdma_cm_is_at(const char *path);

// Whether a descriptor is of this file; others are left to the system calls.
bool rdma_cm_has(int fd);

// Return -1 with errno, as the system calls. The bytes are the program's, and not checked yet.
int rdma_cm_open(int flags);
ssize_t rdma_cm_write(int fd, const void *bytes, size_t count);
void rdma_cm_close(int fd);
