// SPDX-License-Identifier: Apache-2.0
// Queue pairs and shared receive queues.
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "call.h"
#include "context_ops.h"
#include "events.h"
#include "export.h"
#include "extended_posting.h"
#include "objects.h"
#include "sanitizers.h"

EXPORT int ibv_destroy_qp(struct ibv_qp *base);

static struct ibv_srq *add_srq(struct ibv_pd *pd, void *srq_context, struct ibv_xrcd *xrcd,
    struct ibv_cq *cq, struct ibv_srq_attr *attr) {
  struct srq *srq = object_new(sizeof *srq);
  if (!srq) return NULL;
  struct args *with = args();
  with->slots[0] = (intptr_t)srq;
  with->slots[1] = HANDLE_OR_0(xrcd, xrcd);
  with->slots[2] = HANDLE_OR_0(cq, cq);
  with->slots[EVENTS_SLOT] = context_of(pd->context)->events;
  memcpy(with->bytes, attr, sizeof *attr);
  srq->handle = call(CREATE_SRQ, HANDLE(pd, pd));
  if (srq->handle < 0) {
    int64_t result = srq->handle;
    object_free(srq);
    return refused(result);
  }
  srq->number = args()->slots[0];
  memcpy(attr, args()->bytes, sizeof *attr);
  srq->max_sge = attr->max_sge;
  srq->base.context = pd->context;
  srq->base.srq_context = srq_context;
  srq->base.pd = pd;
  srq->base.handle = (uint32_t)srq->handle;
  pthread_mutex_init(&srq->base.mutex, NULL);
  pthread_cond_init(&srq->base.cond, NULL);
  return &srq->base;
}

EXPORT struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *init) {
  void *srq_context;
  memcpy(&srq_context, &init->srq_context, sizeof srq_context);
  return add_srq(pd, srq_context, NULL, NULL, &init->attr);
}

struct ibv_srq *create_srq_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *from) {
  (void)context;
  struct ibv_srq_init_attr_ex copy, *init = &copy;
  memcpy(init, from, sizeof *init);
  int type = init->comp_mask & IBV_SRQ_INIT_ATTR_TYPE ? init->srq_type : IBV_SRQT_BASIC;
  if (type != IBV_SRQT_BASIC && type != IBV_SRQT_XRC) return refused(-EOPNOTSUPP);
  if (!(init->comp_mask & IBV_SRQ_INIT_ATTR_PD)) return refused(-EINVAL);
  if (type == IBV_SRQT_BASIC) return add_srq(init->pd, init->srq_context, NULL, NULL, &from->attr);
  const uint32_t needed = IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
  if ((init->comp_mask & needed) != needed || !init->xrcd) return refused(-EINVAL);
  return add_srq(init->pd, init->srq_context, init->xrcd, init->cq, &from->attr);
}

int get_srq_num(struct ibv_srq *base, uint32_t *number) {
  const struct srq *srq = (struct srq *)base;
  if (srq->number < 0) return EINVAL;
  uint32_t found = (uint32_t)srq->number;
  memcpy(number, &found, sizeof found);
  return 0;
}

EXPORT int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask) {
  struct args *with = args();
  with->slots[0] = mask;
  memcpy(with->bytes, attr, sizeof *attr);
  return errno_of(call(MODIFY_SRQ, HANDLE(srq, srq)));
}

EXPORT int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr) {
  int error = errno_of(call(QUERY_SRQ, HANDLE(srq, srq)));
  if (error) return error;
  memcpy(attr, args()->bytes, sizeof *attr);
  return 0;
}

EXPORT int ibv_destroy_srq(struct ibv_srq *base) {
  struct srq *srq = (struct srq *)base;
  int error = errno_of(object_close("ibv_destroy_srq", srq->handle));
  if (error) return error;
  sanitizers_destroyed(base);
  srq->handle = NO_HANDLE;
  events_forget_async(base->context, srq);
  events_await_acknowledged("ibv_destroy_srq",
      (struct events_read){ASYNC_EVENTS, &base->mutex, &base->cond, &base->events_completed,
          &srq->async_reported});
  object_free(srq);
  return 0;
}

static struct ibv_qp *give(struct ibv_context *context, struct qp *qp, void *qp_context) {
  if (qp->handle < 0) {
    int64_t result = qp->handle;
    extended_posting_end(qp);
    object_free(qp);
    return refused(result);
  }
  struct ibv_qp *base = &qp->base.qp_base;
  base->context = context;
  base->qp_context = qp_context;
  base->handle = (uint32_t)qp->handle;
  base->qp_num = (uint32_t)args()->slots[0];
  base->state = IBV_QPS_RESET;
  pthread_mutex_init(&base->mutex, NULL);
  pthread_cond_init(&base->cond, NULL);
  return base;
}

static bool has(const struct ibv_qp_init_attr_ex *init, uint32_t flag) {
  return init->comp_mask & flag;
}

// Copies the attributes of a program, which has the last member only if comp_mask names it.
static void read_init(struct ibv_qp_init_attr_ex *copy, const struct ibv_qp_init_attr_ex *from) {
  bool is_whole = has(from, IBV_QP_INIT_ATTR_SEND_OPS_FLAGS);
  memset(copy, 0, sizeof *copy);
  memcpy(copy, from,
      is_whole ? sizeof *copy : offsetof(struct ibv_qp_init_attr_ex, send_ops_flags));
}

struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *from) {
  struct ibv_qp_init_attr_ex copy, *init = &copy;
  read_init(init, from);
  struct qp *qp = object_new(sizeof *qp);
  if (!qp) return NULL;
  bool is_extended = has(init, IBV_QP_INIT_ATTR_SEND_OPS_FLAGS);
  if (is_extended && !extended_posting_begin(qp)) return NULL;
  struct ibv_pd *pd = has(init, IBV_QP_INIT_ATTR_PD) ? init->pd : NULL;
  struct ibv_xrcd *xrcd = has(init, IBV_QP_INIT_ATTR_XRCD) ? init->xrcd : NULL;
  struct ibv_rwq_ind_table *table =
      has(init, IBV_QP_INIT_ATTR_IND_TABLE) ? init->rwq_ind_tbl : NULL;
  struct args *with = args();
  with->slots[0] = (intptr_t)qp;
  with->slots[1] = HANDLE_OR_0(pd, pd);
  with->slots[2] = HANDLE_OR_0(cq, init->send_cq);
  with->slots[3] = HANDLE_OR_0(cq, init->recv_cq);
  with->slots[4] = HANDLE_OR_0(srq, init->srq);
  with->slots[5] = HANDLE_OR_0(xrcd, xrcd);
  with->slots[6] = HANDLE_OR_0(rwq_ind_table, table);
  with->slots[EVENTS_SLOT] = context_of(context)->events;
  memcpy(with->bytes, init, sizeof *init);
  const struct ibv_rx_hash_conf *hash = &init->rx_hash_conf;
  if (has(init, IBV_QP_INIT_ATTR_RX_HASH))
    memcpy(with->bytes + sizeof *init, hash->rx_hash_key, hash->rx_hash_key_len);
  qp->handle = call(CREATE_QP, context_of(context)->handle);
  struct ibv_qp *base = give(context, qp, init->qp_context);
  if (!base) return NULL;
  memcpy(&from->cap, args()->bytes, sizeof from->cap);
  qp->max_send_sge = from->cap.max_send_sge;
  qp->max_recv_sge = from->cap.max_recv_sge;
  qp->max_inline_data = from->cap.max_inline_data;
  base->pd = pd;
  base->send_cq = init->send_cq;
  base->recv_cq = init->recv_cq;
  base->srq = init->srq;
  base->qp_type = init->qp_type;
  qp->signals_all = init->sq_sig_all;
  sanitizers_created(base);
  return base;
}

EXPORT struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *from) {
  struct ibv_qp_init_attr copy, *init = &copy;
  memcpy(init, from, sizeof *init);
  struct ibv_qp_init_attr_ex extended = {.qp_context = init->qp_context,
      .send_cq = init->send_cq, .recv_cq = init->recv_cq, .srq = init->srq, .cap = init->cap,
      .qp_type = init->qp_type, .sq_sig_all = init->sq_sig_all,
      .comp_mask = IBV_QP_INIT_ATTR_PD, .pd = pd};
  struct ibv_qp *qp = create_qp_ex(pd->context, &extended);
  if (qp) from->cap = extended.cap;
  return qp;
}

struct ibv_qp *open_qp(struct ibv_context *context, struct ibv_qp_open_attr *from) {
  struct ibv_qp_open_attr copy, *attr = &copy;
  memcpy(attr, from, sizeof *attr);
  struct qp *qp = object_new(sizeof *qp);
  if (!qp) return NULL;
  struct args *with = args();
  with->slots[0] = (intptr_t)qp;
  with->slots[1] = HANDLE_OR_0(xrcd, attr->xrcd);
  with->slots[EVENTS_SLOT] = context_of(context)->events;
  memcpy(with->bytes, attr, sizeof *attr);
  qp->handle = call(OPEN_QP, context_of(context)->handle);
  struct ibv_qp *base = give(context, qp, attr->qp_context);
  if (base) base->qp_type = attr->qp_type;
  return base;
}

EXPORT struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *base) {
  struct qp *qp = (struct qp *)base;
  return qp->batch ? &qp->base : NULL;
}

EXPORT int ibv_modify_qp(struct ibv_qp *base, struct ibv_qp_attr *attr, int mask) {
  struct qp *qp = (struct qp *)base;
  struct args *with = args();
  struct ibv_qp_attr wanted;
  memcpy(&wanted, attr, sizeof wanted);
  with->slots[0] = mask;
  memcpy(with->bytes, &wanted, sizeof wanted);
  int error = errno_of(call(MODIFY_QP, qp->handle));
  if (error) return error;
  if (mask & IBV_QP_CAP) // Requests that the new limits may refuse need calls.
    qp->max_send_sge = qp->max_recv_sge = qp->max_inline_data = 0;
  if (mask & IBV_QP_STATE) base->state = wanted.qp_state;
  if (mask & IBV_QP_STATE && wanted.qp_state == IBV_QPS_RESET) sanitizers_reset(base);
  if (mask & IBV_QP_DEST_QPN) qp->peer = wanted.dest_qp_num;
  return 0;
}

EXPORT int ibv_query_qp(
    struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init) {
  int error = errno_of(call(QUERY_QP, HANDLE(qp, qp)));
  if (error) return error;
  struct ibv_qp_attr found;
  memcpy(&found, args()->bytes, sizeof found);
  struct ibv_qp_init_attr created = {.qp_context = qp->qp_context, .send_cq = qp->send_cq,
      .recv_cq = qp->recv_cq, .srq = qp->srq, .cap = found.cap, .qp_type = qp->qp_type,
      .sq_sig_all = (int)args()->slots[0]};
  // All attributes are returned, whatever the mask; the state in the structure of the queue pair
  // changes only if the mask names it.
  if (mask & IBV_QP_STATE) qp->state = found.qp_state;
  *attr = found;
  *init = created;
  return 0;
}

int modify_qp_rate_limit(struct ibv_qp *qp, struct ibv_qp_rate_limit_attr *attr) {
  memcpy(args()->bytes, attr, sizeof *attr);
  return errno_of(call(LIMIT_QP_RATE, HANDLE(qp, qp)));
}

EXPORT int ibv_query_qp_data_in_order(struct ibv_qp *qp, int opcode, uint32_t flags) {
  (void)qp, (void)opcode, (void)flags;
  return 0;
}

static int use_group(enum entry entry, struct ibv_qp *qp, const union ibv_gid *gid) {
  memcpy(args()->bytes, gid, sizeof *gid);
  return errno_of(call(entry, HANDLE(qp, qp)));
}

EXPORT int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid) {
  (void)lid; // RoCE has no LIDs.
  return use_group(ATTACH_MCAST, qp, gid);
}

EXPORT int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid) {
  (void)lid;
  return use_group(DETACH_MCAST, qp, gid);
}

EXPORT int ibv_destroy_qp(struct ibv_qp *base) {
  struct qp *qp = (struct qp *)base;
  int error = errno_of(object_close("ibv_destroy_qp", qp->handle));
  if (error) return error;
  sanitizers_reset(base);
  qp->handle = NO_HANDLE;
  events_forget_async(base->context, qp);
  events_await_acknowledged("ibv_destroy_qp",
      (struct events_read){ASYNC_EVENTS, &base->mutex, &base->cond, &base->events_completed,
          &qp->async_reported});
  extended_posting_end(qp);
  object_free(qp);
  return 0;
}
