// SPDX-License-Identifier: Apache-2.0
// Completion queues, plain and extended.
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "context_ops.h"
#include "events.h"
#include "export.h"
#include "jvm.h"
#include "objects.h"
#include "program_memory.h"

static struct cq *create(enum entry entry, struct ibv_context *context,
    const struct ibv_cq_init_attr_ex *attr) {
  struct cq *cq = object_new(sizeof *cq);
  if (!cq) return NULL;
  struct args *with = args();
  with->slots[0] = (intptr_t)cq;
  with->slots[1] = HANDLE_OR_0(channel, attr->channel);
  memcpy(with->bytes, attr, sizeof *attr);
  cq->handle = call(entry, context_of(context)->handle);
  if (cq->handle < 0) {
    int64_t result = cq->handle;
    object_free(cq);
    return refused(result);
  }
  cq->base.context = context;
  cq->base.channel = attr->channel;
  cq->base.cq_context = attr->cq_context;
  cq->base.handle = (uint32_t)cq->handle;
  cq->base.cqe = (int)args()->slots[0];
  pthread_mutex_init(&cq->base.mutex, NULL);
  pthread_cond_init(&cq->base.cond, NULL);
  if (attr->channel) __atomic_add_fetch(&attr->channel->refcnt, 1, __ATOMIC_RELAXED);
  return cq;
}

EXPORT struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context,
    struct ibv_comp_channel *channel, int vector) {
  if (cqe < 0 || vector < 0) return refused(-EINVAL);
  struct ibv_cq_init_attr_ex attr = {.cqe = (uint32_t)cqe, .cq_context = cq_context,
      .channel = channel, .comp_vector = (uint32_t)vector};
  struct cq *cq = create(CREATE_CQ, context, &attr);
  return cq ? plain(cq) : NULL;
}

EXPORT int ibv_destroy_cq(struct ibv_cq *base) {
  struct cq *cq = (struct cq *)base;
  int error = errno_of(object_close("ibv_destroy_cq", cq->handle));
  if (error) return error;
  cq->handle = NO_HANDLE;
  if (base->channel) events_forget_completions(base->channel, cq);
  events_forget_async(base->context, cq);
  events_await_acknowledged("ibv_destroy_cq",
      (struct events_read){COMPLETION_EVENTS, &base->mutex, &base->cond,
          &base->comp_events_completed, &cq->completions_reported});
  events_await_acknowledged("ibv_destroy_cq",
      (struct events_read){ASYNC_EVENTS, &base->mutex, &base->cond,
          &base->async_events_completed, &cq->async_reported});
  if (base->channel) __atomic_sub_fetch(&base->channel->refcnt, 1, __ATOMIC_RELAXED);
  object_free(cq);
  return 0;
}

EXPORT int ibv_resize_cq(struct ibv_cq *cq, int cqe) {
  args()->slots[0] = cqe;
  int64_t result = call(RESIZE_CQ, HANDLE(cq, cq));
  if (result < 0) return errno_of(result);
  cq->cqe = (int)result;
  return 0;
}

int modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr) {
  if (!read_program(args()->bytes, attr, sizeof *attr)) return EFAULT;
  return errno_of(call(MODIFY_CQ, HANDLE(cq, cq)));
}

int req_notify_cq(struct ibv_cq *cq, int solicited_only) {
  args()->slots[0] = solicited_only;
  return errno_of(call_fast(REQ_NOTIFY_CQ, HANDLE(cq, cq)));
}

int poll_cq(struct ibv_cq *cq, int count, struct ibv_wc *completions) {
  const int most = ARGS_ROOM / (int)sizeof *completions;
  int done = 0;
  while (done < count) {
    int wanted = count - done < most ? count - done : most;
    args()->slots[0] = wanted;
    int64_t taken = call_fast(POLL_CQ, HANDLE(cq, cq));
    if (taken < 0) return done ? done : -errno_of(taken);
    size_t bytes = (size_t)taken * sizeof *completions;
    if (!write_program(completions + done, args()->bytes, bytes)) return -EFAULT;
    done += (int)taken;
    if (taken < wanted) break;
  }
  return done;
}

// Takes over the completion that an extended queue is at.
static int show(struct cq *cq, int64_t result) {
  if (result < 0) return (int)-result;
  const struct args *found = args();
  memcpy(&cq->current, found->bytes, sizeof cq->current);
  cq->timestamp = (uint64_t)found->slots[0];
  cq->wallclock = (uint64_t)found->slots[1];
  cq->base.wr_id = cq->current.wr_id;
  cq->base.status = cq->current.status;
  return 0;
}

static int start_poll(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr) {
  uint32_t mask;
  if (!read_program(&mask, &attr->comp_mask, sizeof mask)) return EFAULT;
  args()->slots[0] = mask;
  return show((struct cq *)cq, call_fast(START_POLL, HANDLE(cq, cq)));
}

static int next_poll(struct ibv_cq_ex *cq) {
  return show((struct cq *)cq, call_fast(NEXT_POLL, HANDLE(cq, cq)));
}

static void end_poll(struct ibv_cq_ex *cq) { call_fast(END_POLL, HANDLE(cq, cq)); }

#define READER(type, name, field) \
  static type name(struct ibv_cq_ex *cq) { return ((struct cq *)cq)->field; }
READER(int, read_opcode, current.opcode)
READER(uint32_t, read_vendor_err, current.vendor_err)
READER(uint32_t, read_byte_len, current.byte_len)
READER(uint32_t, read_imm_data, current.imm_data)
READER(uint32_t, read_qp_num, current.qp_num)
READER(uint32_t, read_src_qp, current.src_qp)
READER(unsigned, read_wc_flags, current.wc_flags)
READER(uint32_t, read_slid, current.slid)
READER(uint8_t, read_sl, current.sl)
READER(uint8_t, read_dlid_path_bits, current.dlid_path_bits)
READER(uint64_t, read_completion_ts, timestamp)
READER(uint64_t, read_completion_wallclock_ns, wallclock)

struct ibv_cq_ex *create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr) {
  struct ibv_cq_init_attr_ex copy = {0};
  if (!read_program(&copy, attr, sizeof copy)) return NULL;
  struct cq *cq = create(CREATE_CQ_EX, context, &copy);
  if (!cq) return NULL;
  struct ibv_cq_ex *base = &cq->base;
  base->start_poll = start_poll;
  base->next_poll = next_poll;
  base->end_poll = end_poll;
  base->read_opcode = read_opcode;
  base->read_vendor_err = read_vendor_err;
  base->read_byte_len = read_byte_len;
  base->read_imm_data = read_imm_data;
  base->read_qp_num = read_qp_num;
  base->read_src_qp = read_src_qp;
  base->read_wc_flags = read_wc_flags;
  base->read_slid = read_slid;
  base->read_sl = read_sl;
  base->read_dlid_path_bits = read_dlid_path_bits;
  base->read_completion_ts = read_completion_ts;
  base->read_completion_wallclock_ns = read_completion_wallclock_ns;
  return base;
}
