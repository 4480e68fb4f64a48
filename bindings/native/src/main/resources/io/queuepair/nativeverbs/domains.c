// SPDX-License-Identifier: Apache-2.0
// Protection, thread and XRC domains, and address handles.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "context_ops.h"
#include "export.h"
#include "objects.h"

EXPORT struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
  int64_t handle = call(ALLOC_PD, context_of(context)->handle);
  return OBJECT_OF(pd, handle, .base = {.context = context, .handle = (uint32_t)handle});
}

EXPORT int ibv_dealloc_pd(struct ibv_pd *base) {
  return object_destroy("ibv_dealloc_pd", base, &HANDLE(pd, base));
}

struct ibv_pd *alloc_parent_domain(
    struct ibv_context *context, struct ibv_parent_domain_init_attr *from) {
  struct ibv_parent_domain_init_attr copy, *attr = &copy;
  memcpy(attr, from, sizeof *attr);
  // Allocators, which are not needed, and their context; since release 65 also memory that the host
  // can read, for guests whose other memory it cannot.
  const uint32_t known = 7;
  if (!attr->pd || attr->comp_mask & ~known) return refused(-EINVAL);
  args()->slots[0] = HANDLE(pd, attr->pd);
  args()->slots[1] = HANDLE_OR_0(td, attr->td);
  int64_t handle = call(ALLOC_PARENT_DOMAIN, context_of(context)->handle);
  return OBJECT_OF(pd, handle, .base = {.context = context, .handle = (uint32_t)handle});
}

struct ibv_td *alloc_td(struct ibv_context *context, struct ibv_td_init_attr *attr) {
  uint32_t mask;
  memcpy(&mask, &attr->comp_mask, sizeof mask);
  if (mask) return refused(-EINVAL);
  int64_t handle = call(ALLOC_TD, context_of(context)->handle);
  return OBJECT_OF(td, handle, .base = {.context = context});
}

int dealloc_td(struct ibv_td *base) {
  return object_destroy("ibv_dealloc_td", base, &HANDLE(td, base));
}

// The XRC domain of a file is shared by all processes that open the file; the path identifies it.
struct ibv_xrcd *open_xrcd(struct ibv_context *context, struct ibv_xrcd_init_attr *from) {
  struct ibv_xrcd_init_attr copy, *attr = &copy;
  memcpy(attr, from, sizeof *attr);
  struct args *with = args();
  with->slots[0] = attr->oflags;
  with->slots[1] = attr->fd >= 0;
  if (attr->fd >= 0) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", attr->fd);
    ssize_t length = readlink(link, with->bytes, ARGS_ROOM - 1);
    if (length < 0) return refused(-EBADF);
    with->bytes[length] = 0;
  }
  int64_t handle = call(OPEN_XRCD, context_of(context)->handle);
  return OBJECT_OF(xrcd, handle, .base = {.context = context});
}

int close_xrcd(struct ibv_xrcd *base) {
  return object_destroy("ibv_close_xrcd", base, &HANDLE(xrcd, base));
}

EXPORT struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr) {
  memcpy(args()->bytes, attr, sizeof *attr);
  int64_t handle = call(CREATE_AH, HANDLE(pd, pd));
  return OBJECT_OF(
      ah, handle, .base = {.context = pd->context, .pd = pd, .handle = (uint32_t)handle});
}

EXPORT int ibv_destroy_ah(struct ibv_ah *base) {
  return object_destroy("ibv_destroy_ah", base, &HANDLE(ah, base));
}

EXPORT int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port, struct ibv_wc *wc,
    struct ibv_grh *grh, struct ibv_ah_attr *attr) {
  struct args *with = args();
  with->slots[0] = port;
  memcpy(with->bytes, wc, sizeof *wc);
  memcpy(with->bytes + sizeof *wc, grh, sizeof *grh);
  if (errno_of(call(INIT_AH_FROM_WC, context_of(context)->handle))) return -1;
  memcpy(attr, args()->bytes, sizeof *attr);
  return 0;
}

EXPORT struct ibv_ah *ibv_create_ah_from_wc(
    struct ibv_pd *pd, struct ibv_wc *wc, struct ibv_grh *grh, uint8_t port) {
  struct ibv_ah_attr attr;
  if (ibv_init_ah_from_wc(pd->context, port, wc, grh, &attr)) return NULL;
  return ibv_create_ah(pd, &attr);
}

EXPORT int ibv_resolve_eth_l2_from_gid(struct ibv_context *context, struct ibv_ah_attr *attr,
    uint8_t mac[6], uint16_t *vlan) {
  memcpy(args()->bytes, attr, sizeof *attr);
  if (errno_of(call(RESOLVE_ETH_L2, context_of(context)->handle))) return -1;
  memcpy(mac, args()->bytes, 6);
  uint16_t found = (uint16_t)args()->slots[0];
  if (vlan) *vlan = found;
  return 0;
}
