// SPDX-License-Identifier: Apache-2.0
// Flows: which frames reach queue pairs of raw packets.
#include <errno.h>

#include "context_ops.h"
#include "jvm.h"
#include "objects.h"
#include "program_memory.h"

// What each specification begins with.
struct spec_header {
  int type;
  uint16_t size;
};

// Copies attributes and specifications to where they go with a call; an errno.
static int copy_flow(char *to, const struct ibv_flow_attr *attr) {
  struct ibv_flow_attr first;
  if (!read_program(&first, attr, sizeof first)) return EFAULT;
  size_t size = sizeof first;
  for (int i = 0; i < first.num_of_specs; i++) {
    struct spec_header header;
    if (!read_program(&header, (const char *)attr + size, sizeof header)) return EFAULT;
    if (header.size < sizeof header || header.size > ARGS_ROOM - size - sizeof header)
      return EINVAL;
    size += header.size;
  }
  return read_program(to, attr, size) ? 0 : EFAULT;
}

struct ibv_flow *create_flow(struct ibv_qp *qp, struct ibv_flow_attr *attr) {
  int error = copy_flow(args()->bytes, attr);
  if (error) return refused(-error);
  int64_t handle = call(CREATE_FLOW, HANDLE(qp, qp));
  if (handle < 0) return refused(handle);
  struct flow *flow = object_new(sizeof *flow);
  if (!flow) return NULL;
  *flow = (struct flow){.base = {.context = qp->context, .handle = (uint32_t)handle},
      .handle = handle};
  return &flow->base;
}

int destroy_flow(struct ibv_flow *base) {
  return object_destroy(base, &HANDLE(flow, base));
}
