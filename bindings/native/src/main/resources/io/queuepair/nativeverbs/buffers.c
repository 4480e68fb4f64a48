// SPDX-License-Identifier: Apache-2.0
// ibv_alloc_buf and ibv_reg_mr_ex, verbs of releases after 44. As in libibverbs without a driver's
// allocator, a buffer is memory of the process that begins at a page.
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

// Opaque to programs.
struct ibv_buf {
  struct ibv_pd *pd;
  char *address;
  size_t size;
};

enum {
  IBV_REG_MR_MASK_IOVA = 1 << 0,
  IBV_REG_MR_MASK_ADDR = 1 << 1,
  IBV_REG_MR_MASK_BUF = 1 << 5
};

struct ibv_mr_init_attr {
  size_t length;
  int access;
  uint64_t comp_mask;
  uint64_t iova;
  void *addr;
  int fd;
  uint64_t fd_offset;
  void *dmah;
  struct ibv_buf *buf;
};

EXPORT void *ibv_alloc_buf(struct ibv_pd *pd, size_t size, struct ibv_buf **buf);
EXPORT void ibv_free_buf(struct ibv_buf *buf);
EXPORT int ibv_export_buf_dmabuf_fd(struct ibv_buf *buf);
EXPORT struct ibv_mr *ibv_reg_buf_mr(
    struct ibv_pd *pd, struct ibv_buf *buf, void *address, size_t length, int access);
EXPORT struct ibv_mr *ibv_reg_mr_ex(struct ibv_pd *pd, struct ibv_mr_init_attr *attr);
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access);
struct ibv_mr *ibv_reg_mr_iova(
    struct ibv_pd *pd, void *address, size_t length, uint64_t iova, int access);

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
  refused(-ENODATA); // The memory is no dma-buf.
  return -1;
}

EXPORT struct ibv_mr *ibv_reg_buf_mr(
    struct ibv_pd *pd, struct ibv_buf *buf, void *address, size_t length, int access) {
  uintptr_t offset = (uintptr_t)address - (uintptr_t)buf->address;
  bool is_inside = offset <= buf->size && length <= buf->size - offset;
  if (pd != buf->pd || !is_inside) return refused(-EINVAL);
  return ibv_reg_mr(pd, address, length, access);
}

EXPORT struct ibv_mr *ibv_reg_mr_ex(struct ibv_pd *pd, struct ibv_mr_init_attr *attr) {
  const uint64_t known = IBV_REG_MR_MASK_IOVA | IBV_REG_MR_MASK_ADDR | IBV_REG_MR_MASK_BUF;
  if (attr->comp_mask & ~known) return refused(-EOPNOTSUPP); // Neither dma-buf nor dmah.
  if (!(attr->comp_mask & IBV_REG_MR_MASK_ADDR)) return refused(-EINVAL);
  if (attr->comp_mask & IBV_REG_MR_MASK_BUF)
    return ibv_reg_buf_mr(pd, attr->buf, attr->addr, attr->length, attr->access);
  if (attr->comp_mask & IBV_REG_MR_MASK_IOVA)
    return ibv_reg_mr_iova(pd, attr->addr, attr->length, attr->iova, attr->access);
  return ibv_reg_mr(pd, attr->addr, attr->length, attr->access);
}
