// SPDX-License-Identifier: Apache-2.0
// Imports of objects by number, in contexts that share the file of the one that created them.
#include <errno.h>

#include "call.h"
#include "export.h"
#include "objects.h"

// Handle of the object with a number; its attributes are left in the arguments.
static int64_t find(enum entry entry, struct ibv_context *context, uint32_t number) {
  args()->slots[0] = (int32_t)number;
  return call(entry, context_of(context)->handle);
}

EXPORT struct ibv_pd *ibv_import_pd(struct ibv_context *context, uint32_t number) {
  int64_t handle = find(IMPORT_PD, context, number);
  return OBJECT_OF(pd, handle, .base = {.context = context, .handle = number});
}

EXPORT struct ibv_mr *ibv_import_mr(struct ibv_pd *pd, uint32_t number) {
  int64_t handle = find(IMPORT_MR, pd->context, number);
  const struct args *found = args();
  return OBJECT_OF(mr, handle,
      .base = {.context = pd->context, .pd = pd, .length = (size_t)found->slots[2],
          .handle = number, .lkey = (uint32_t)found->slots[0], .rkey = (uint32_t)found->slots[1]});
}

EXPORT struct ibv_dm *ibv_import_dm(struct ibv_context *context, uint32_t number) {
  return dm_new(context, find(IMPORT_DM, context, number));
}

// Frees the structure; the object itself stays.
static void unimport(void *object, int64_t *handle) {
  *handle = NO_HANDLE;
  object_free(object);
}

EXPORT void ibv_unimport_pd(struct ibv_pd *pd) { unimport(pd, &HANDLE(pd, pd)); }

EXPORT void ibv_unimport_mr(struct ibv_mr *mr) { unimport(mr, &HANDLE(mr, mr)); }

EXPORT void ibv_unimport_dm(struct ibv_dm *dm) { unimport(dm, &HANDLE(dm, dm)); }
