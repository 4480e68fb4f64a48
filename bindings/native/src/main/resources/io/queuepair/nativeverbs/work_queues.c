// SPDX-License-Identifier: Apache-2.0
// Work queues, and the indirection tables by which raw packet queue pairs spread frames over them.
#include <errno.h>
#include <string.h>

#include "call.h"
#include "context_ops.h"
#include "events.h"
#include "objects.h"

struct ibv_wq *create_wq(struct ibv_context *context, struct ibv_wq_init_attr *from) {
  struct ibv_wq_init_attr init;
  memcpy(&init, from, sizeof init);
  if (init.comp_mask & ~(uint32_t)IBV_WQ_INIT_ATTR_FLAGS) return refused(-EINVAL);
  struct wq *wq = object_new(sizeof *wq);
  if (!wq) return NULL;
  struct args *with = args();
  with->slots[0] = (intptr_t)wq;
  with->slots[1] = HANDLE_OR_0(pd, init.pd);
  with->slots[2] = HANDLE_OR_0(cq, init.cq);
  with->slots[3] = init.wq_type;
  with->slots[4] = init.max_wr;
  with->slots[5] = init.max_sge;
  with->slots[EVENTS_SLOT] = context_of(context)->events;
  with->slots[6] = init.comp_mask & IBV_WQ_INIT_ATTR_FLAGS ? init.create_flags : 0;
  wq->handle = call(CREATE_WQ, context_of(context)->handle);
  if (wq->handle < 0) {
    int64_t result = wq->handle;
    object_free(wq);
    return refused(result);
  }
  uint32_t max_wr = (uint32_t)with->slots[4], max_sge = (uint32_t)with->slots[5];
  wq->base = (struct ibv_wq){.context = context, .wq_context = init.wq_context, .pd = init.pd,
      .cq = init.cq, .wq_num = (uint32_t)with->slots[0], .handle = (uint32_t)wq->handle,
      .state = IBV_WQS_RESET, .wq_type = init.wq_type, .post_recv = post_wq_recv};
  pthread_mutex_init(&wq->base.mutex, NULL);
  pthread_cond_init(&wq->base.cond, NULL);
  from->max_wr = max_wr;
  from->max_sge = max_sge;
  return &wq->base;
}

int modify_wq(struct ibv_wq *wq, struct ibv_wq_attr *from) {
  struct ibv_wq_attr attr;
  memcpy(&attr, from, sizeof attr);
  struct args *with = args();
  with->slots[0] = attr.attr_mask;
  with->slots[1] = attr.wq_state;
  with->slots[2] = attr.curr_wq_state;
  with->slots[3] = attr.flags;
  with->slots[4] = attr.flags_mask;
  int error = errno_of(call(MODIFY_WQ, HANDLE(wq, wq)));
  if (!error && attr.attr_mask & IBV_WQ_ATTR_STATE) wq->state = attr.wq_state;
  return error;
}

int destroy_wq(struct ibv_wq *base) {
  struct wq *wq = (struct wq *)base;
  int error = errno_of(object_close("ibv_destroy_wq", wq->handle));
  if (error) return error;
  wq->handle = NO_HANDLE;
  events_forget_async(base->context, wq);
  events_await_acknowledged("ibv_destroy_wq",
      (struct events_read){ASYNC_EVENTS, &base->mutex, &base->cond, &base->events_completed,
          &wq->async_reported});
  object_free(wq);
  return 0;
}

struct ibv_rwq_ind_table *create_rwq_ind_table(
    struct ibv_context *context, struct ibv_rwq_ind_table_init_attr *from) {
  enum { LARGEST_LOG = 12 }; // A larger table would not fit, and is not offered.
  struct ibv_rwq_ind_table_init_attr init;
  memcpy(&init, from, sizeof init);
  if (init.comp_mask || init.log_ind_tbl_size > LARGEST_LOG) return refused(-EINVAL);
  struct args *with = args();
  with->slots[0] = 1 << init.log_ind_tbl_size;
  for (int i = 0; i < 1 << init.log_ind_tbl_size; i++) {
    struct ibv_wq *wq;
    memcpy(&wq, init.ind_tbl + i, sizeof wq);
    ((int64_t *)with->bytes)[i] = HANDLE_OR_0(wq, wq);
  }
  int64_t handle = call(CREATE_RWQ_IND_TABLE, context_of(context)->handle);
  return OBJECT_OF(rwq_ind_table, handle,
      .base = {.context = context, .ind_tbl_handle = (int)handle, .ind_tbl_num = (int)handle});
}

int destroy_rwq_ind_table(struct ibv_rwq_ind_table *base) {
  return object_destroy("ibv_destroy_rwq_ind_table", base, &HANDLE(rwq_ind_table, base));
}
