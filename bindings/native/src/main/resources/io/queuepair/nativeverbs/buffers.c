// SPDX-License-Identifier: Apache-2.0
// Memory of the device's choice, of releases after 44: as libibverbs does where a driver chooses
// nothing, memory of the process at the start of a page.
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi.h"
#include "call.h"
#include "export.h"
#include "objects.h"

// What programs have a pointer to, and must not look into.
struct ibv_buf {
  struct ibv_pd *pd;
  char *address;
  size_t size;
};

EXPORT void *ibv_alloc_buf(struct ibv_pd *pd, size_t size, struct ibv_buf **buf);
EXPORT void ibv_free_buf(struct ibv_buf *buf);
EXPORT int ibv_export_buf_dmabuf_fd(struct ibv_buf *buf);
EXPORT struct ibv_mr *ibv_reg_buf_mr(
    struct ibv_pd *pd, struct ibv_buf *buf, void *address, size_t length, int access);
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access);

EXPORT void *ibv_alloc_buf(struct ibv_pd *pd, size_t size, struct ibv_buf **to) {
  if (size == 0) return refused(-EINVAL);
  void *memory;
  if (posix_memalign(&memory, (size_t)sysconf(_SC_PAGESIZE), size)) return refused(-ENOMEM);
  struct ibv_buf *buf = object_new(sizeof *buf);
  if (buf) {
    *to = buf;
    *buf = (struct ibv_buf){.pd = pd, .address = memory, .size = size};
    return memset(memory, 0, size);
  }
  free(memory);
  object_free(buf);
  return NULL;
}

EXPORT void ibv_free_buf(struct ibv_buf *buf) {
  free(buf->address);
  object_free(buf);
}

EXPORT int ibv_export_buf_dmabuf_fd(struct ibv_buf *buf) {
  (void)buf;
  refused(-ENODATA); // It is none.
  return -1;
}

EXPORT struct ibv_mr *ibv_reg_buf_mr(
    struct ibv_pd *pd, struct ibv_buf *buf, void *address, size_t length, int access) {
  uintptr_t offset = (uintptr_t)address - (uintptr_t)buf->address;
  bool is_inside = offset <= buf->size && length <= buf->size - offset;
  if (pd != buf->pd || !is_inside) return refused(-EINVAL);
  return ibv_reg_mr(pd, address, length, access);
}
