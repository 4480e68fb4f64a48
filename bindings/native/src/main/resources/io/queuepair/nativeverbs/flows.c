// SPDX-License-Identifier: Apache-2.0
// Flows: which frames reach raw packet queue pairs, and counters of these frames.
#include <errno.h>
#include <string.h>

#include "call.h"
#include "context_ops.h"
#include "objects.h"

// Beginning of each specification.
struct spec_header {
  int type;
  uint16_t size;
};

// Copies a flow and its specifications to the arguments of a call; returns an errno.
static int copy_flow(char *to, const struct ibv_flow_attr *attr) {
  struct ibv_flow_attr first;
  memcpy(&first, attr, sizeof first);
  size_t size = sizeof first;
  for (int i = 0; i < first.num_of_specs; i++) {
    struct spec_header header;
    memcpy(&header, (const char *)attr + size, sizeof header);
    if (header.size < sizeof header || header.size > ARGS_ROOM - size - sizeof header)
      return EINVAL;
    size += header.size;
  }
  memcpy(to, attr, size);
  return 0;
}

struct ibv_flow *create_flow(struct ibv_qp *qp, struct ibv_flow_attr *attr) {
  int error = copy_flow(args()->bytes, attr);
  if (error) return refused(-error);
  int64_t handle = call(CREATE_FLOW, HANDLE(qp, qp));
  return OBJECT_OF(flow, handle, .base = {.context = qp->context, .handle = (uint32_t)handle});
}

int destroy_flow(struct ibv_flow *base) {
  return object_destroy("ibv_destroy_flow", base, &HANDLE(flow, base));
}

struct ibv_counters *create_counters(
    struct ibv_context *context, struct ibv_counters_init_attr *attr) {
  uint32_t mask;
  memcpy(&mask, &attr->comp_mask, sizeof mask);
  if (mask) return refused(-EINVAL);
  int64_t handle = call(CREATE_COUNTERS, context_of(context)->handle);
  return OBJECT_OF(flow_counters, handle, .base = {.context = context});
}

int destroy_counters(struct ibv_counters *base) {
  return object_destroy("ibv_destroy_counters", base, &HANDLE(flow_counters, base));
}

int attach_counters_point_flow(struct ibv_counters *counters,
    struct ibv_counter_attach_attr *from, struct ibv_flow *flow) {
  struct ibv_counter_attach_attr attr;
  memcpy(&attr, from, sizeof attr);
  if (attr.comp_mask) return errno = EINVAL;
  struct args *with = args();
  with->slots[0] = (int64_t)attr.counter_desc;
  with->slots[1] = attr.index;
  with->slots[2] = HANDLE_OR_0(flow, flow);
  return errno_of(call(ATTACH_COUNTERS, HANDLE(flow_counters, counters)));
}

int read_counters(
    struct ibv_counters *counters, uint64_t *values, uint32_t count, uint32_t flags) {
  const uint32_t known = 1; // Cached values are allowed; these are always current.
  if (flags & ~known) return errno = EINVAL;
  args()->slots[0] = count;
  int error = errno_of(call(READ_COUNTERS, HANDLE(flow_counters, counters)));
  if (error) return error;
  memcpy(values, args()->bytes, count * sizeof *values);
  return 0;
}
