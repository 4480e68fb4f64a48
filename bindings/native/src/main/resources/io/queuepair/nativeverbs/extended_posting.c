// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "extended_posting.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "posting.h"
#include "sanitizers.h"

// A request in construction.
struct draft {
  struct ibv_send_wr wr;
  char *data; // Entries or inline data.
  size_t inline_bytes;
  bool is_inline;
};

// Requests between wr_start and wr_complete; the thread that adds them holds the lock.
struct batch {
  pthread_mutex_t lock;
  struct draft *drafts;
  int count, room;
  int error;
};

enum { FIRST_ROOM = 16 };

static struct batch *batch_of(struct ibv_qp_ex *qp) { return ((struct qp *)qp)->batch; }

// Stores the error of a batch; returns a draft for the setters of the refused request.
static struct draft *draft_of_mistake(struct batch *batch, int error) {
  static __thread struct draft mistake;
  if (!batch->error) batch->error = error;
  free(mistake.data);
  mistake = (struct draft){0};
  return &mistake;
}

static struct draft *add(struct ibv_qp_ex *qp, int opcode) {
  struct batch *batch = batch_of(qp);
  if (batch->count == batch->room) {
    int room = batch->room ? 2 * batch->room : FIRST_ROOM;
    struct draft *more = realloc(batch->drafts, (size_t)room * sizeof *more);
    if (!more) return draft_of_mistake(batch, ENOMEM);
    batch->drafts = more;
    batch->room = room;
  }
  struct draft *draft = &batch->drafts[batch->count++];
  *draft = (struct draft){
      .wr = {.wr_id = qp->wr_id, .send_flags = qp->wr_flags, .opcode = opcode}};
  return draft;
}

static struct draft *last(struct ibv_qp_ex *qp) {
  struct batch *batch = batch_of(qp);
  return batch->count ? &batch->drafts[batch->count - 1] : draft_of_mistake(batch, EINVAL);
}

static void start(struct ibv_qp_ex *qp) { pthread_mutex_lock(&batch_of(qp)->lock); }

static void empty(struct batch *batch) {
  for (int i = 0; i < batch->count; i++) free(batch->drafts[i].data);
  batch->count = 0;
  batch->error = 0;
}

static void abandon(struct ibv_qp_ex *qp) {
  empty(batch_of(qp));
  pthread_mutex_unlock(&batch_of(qp)->lock);
}

static int add_all(struct records *records, struct ibv_qp_ex *qp, const struct batch *batch) {
  for (int i = 0; i < batch->count; i++) {
    const struct draft *draft = &batch->drafts[i];
    int error = records_add_send(records, &qp->qp_base, &draft->wr,
        draft->is_inline ? draft->data : NULL, draft->inline_bytes);
    if (!error) continue;
    sanitizers_refused_sends(&qp->qp_base, records->count);
    return error;
  }
  return 0;
}

static int post(struct ibv_qp_ex *qp, const struct batch *batch) {
  if (batch->error) return batch->error;
  struct records records = records_in_args();
  int refusal = add_all(&records, qp, batch);
  if (refusal) { // A batch is one call, with room for hundreds of requests, if not for their data.
    records = records_in_args();
    records.is_without_data = true;
    refusal = add_all(&records, qp, batch);
  }
  if (refusal) return ENOMEM;
  args()->slots[0] = records.count;
  struct poster *sender = &((struct qp *)qp)->sender;
  poster_lock(sender);
  sender->mailbox = NULL;
  int error = records.count ? errno_of(call(POST_BATCH, HANDLE(qp, qp))) : 0;
  poster_unlock(sender);
  if (error) sanitizers_refused_sends(&qp->qp_base, records.count);
  return error;
}

static int complete(struct ibv_qp_ex *qp) {
  int error = post(qp, batch_of(qp));
  abandon(qp);
  return error;
}

static void atomic_cmp_swp(
    struct ibv_qp_ex *qp, uint32_t rkey, uint64_t address, uint64_t compare, uint64_t swap) {
  struct ibv_send_wr *wr = &add(qp, IBV_WR_ATOMIC_CMP_AND_SWP)->wr;
  wr->wr.atomic.rkey = rkey;
  wr->wr.atomic.remote_addr = address;
  wr->wr.atomic.compare_add = compare;
  wr->wr.atomic.swap = swap;
}

static void atomic_fetch_add(
    struct ibv_qp_ex *qp, uint32_t rkey, uint64_t address, uint64_t addend) {
  struct ibv_send_wr *wr = &add(qp, IBV_WR_ATOMIC_FETCH_AND_ADD)->wr;
  wr->wr.atomic.rkey = rkey;
  wr->wr.atomic.remote_addr = address;
  wr->wr.atomic.compare_add = addend;
}

static void bind(struct ibv_qp_ex *qp, struct ibv_mw *mw, uint32_t rkey,
    const struct ibv_mw_bind_info *info) {
  struct ibv_send_wr *wr = &add(qp, IBV_WR_BIND_MW)->wr;
  wr->bind_mw.mw = mw;
  wr->bind_mw.rkey = rkey;
  wr->bind_mw.bind_info = *info;
}

static void local_inv(struct ibv_qp_ex *qp, uint32_t rkey) {
  add(qp, IBV_WR_LOCAL_INV)->wr.invalidate_rkey = rkey;
}

static struct draft *add_access(
    struct ibv_qp_ex *qp, int opcode, uint32_t rkey, uint64_t address) {
  struct draft *draft = add(qp, opcode);
  draft->wr.wr.rdma.rkey = rkey;
  draft->wr.wr.rdma.remote_addr = address;
  return draft;
}

// Stores a FLUSH in members of an atomic, as the structure has none for it: length in swap, type
// and level in rkey.
static void flush(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t address, size_t length,
    uint8_t type, uint8_t level) {
  struct ibv_send_wr *wr = &add_access(qp, IBV_WR_FLUSH, rkey, address)->wr;
  wr->wr.atomic.swap = length;
  wr->wr.atomic.rkey = type | (uint32_t)level << 8;
}

static void rdma_read(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t address) {
  add_access(qp, IBV_WR_RDMA_READ, rkey, address);
}

static void rdma_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t address) {
  add_access(qp, IBV_WR_RDMA_WRITE, rkey, address);
}

static void rdma_write_imm(
    struct ibv_qp_ex *qp, uint32_t rkey, uint64_t address, uint32_t imm_data) {
  add_access(qp, IBV_WR_RDMA_WRITE_WITH_IMM, rkey, address)->wr.imm_data = imm_data;
}

static void send(struct ibv_qp_ex *qp) { add(qp, IBV_WR_SEND); }

static void send_imm(struct ibv_qp_ex *qp, uint32_t imm_data) {
  add(qp, IBV_WR_SEND_WITH_IMM)->wr.imm_data = imm_data;
}

static void send_inv(struct ibv_qp_ex *qp, uint32_t rkey) {
  add(qp, IBV_WR_SEND_WITH_INV)->wr.invalidate_rkey = rkey;
}

static void send_tso(struct ibv_qp_ex *qp, void *header, uint16_t bytes, uint16_t mss) {
  (void)header, (void)bytes, (void)mss;
  draft_of_mistake(batch_of(qp), EOPNOTSUPP); // TSO is only for raw packets.
}

// Allocates the data of a draft, entries or inline bytes; null with an error of the batch.
static char *take_data(struct ibv_qp_ex *qp, struct draft *draft, size_t bytes) {
  free(draft->data);
  draft->data = malloc(bytes + 1);
  if (!draft->data) draft_of_mistake(batch_of(qp), ENOMEM);
  return draft->data;
}

static void set_inline_data_list(
    struct ibv_qp_ex *qp, size_t count, const struct ibv_data_buf *parts) {
  struct draft *draft = last(qp);
  size_t bytes = 0;
  for (size_t i = 0; i < count; i++) {
    if (parts[i].length > ARGS_ROOM - bytes) {
      draft_of_mistake(batch_of(qp), EINVAL);
      return;
    }
    bytes += parts[i].length;
  }
  char *to = take_data(qp, draft, bytes);
  if (!to) return;
  draft->wr.num_sge = 0;
  draft->is_inline = true;
  draft->inline_bytes = bytes;
  for (size_t i = 0; i < count; to += parts[i++].length)
    memcpy(to, parts[i].addr, parts[i].length);
}

static void set_inline_data(struct ibv_qp_ex *qp, void *address, size_t bytes) {
  struct ibv_data_buf part = {.addr = address, .length = bytes};
  set_inline_data_list(qp, 1, &part);
}

static void atomic_write(
    struct ibv_qp_ex *qp, uint32_t rkey, uint64_t address, const void *value) {
  add_access(qp, IBV_WR_ATOMIC_WRITE, rkey, address);
  struct ibv_data_buf part = {.addr = (void *)(uintptr_t)value, .length = 8};
  set_inline_data_list(qp, 1, &part);
}

static void set_sge_list(struct ibv_qp_ex *qp, size_t count, const struct ibv_sge *list) {
  struct draft *draft = last(qp);
  if (count > ARGS_ROOM / sizeof *list) {
    draft_of_mistake(batch_of(qp), EINVAL);
    return;
  }
  if (!take_data(qp, draft, count * sizeof *list)) return;
  draft->wr.num_sge = (int)count;
  draft->wr.sg_list = (struct ibv_sge *)draft->data;
  draft->is_inline = false;
  draft->inline_bytes = 0;
  memcpy(draft->data, list, count * sizeof *list);
}

static void set_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t address, uint32_t length) {
  struct ibv_sge sge = {.addr = address, .length = length, .lkey = lkey};
  set_sge_list(qp, 1, &sge);
}

static void set_ud_addr(
    struct ibv_qp_ex *qp, struct ibv_ah *ah, uint32_t remote_qpn, uint32_t remote_qkey) {
  struct ibv_send_wr *wr = &last(qp)->wr;
  wr->wr.ud.ah = ah;
  wr->wr.ud.remote_qpn = remote_qpn;
  wr->wr.ud.remote_qkey = remote_qkey;
}

static void set_xrc_srqn(struct ibv_qp_ex *qp, uint32_t remote_srqn) {
  last(qp)->wr.qp_type.xrc.remote_srqn = remote_srqn;
}

bool extended_posting_begin(struct qp *qp) {
  qp->batch = object_new(sizeof *qp->batch);
  if (!qp->batch) return false;
  pthread_mutex_init(&qp->batch->lock, NULL);
  struct ibv_qp_ex *base = &qp->base;
  base->wr_start = start;
  base->wr_complete = complete;
  base->wr_abort = abandon;
  base->wr_atomic_cmp_swp = atomic_cmp_swp;
  base->wr_atomic_fetch_add = atomic_fetch_add;
  base->wr_atomic_write = atomic_write;
  base->wr_bind_mw = bind;
  base->wr_flush = flush;
  base->wr_local_inv = local_inv;
  base->wr_rdma_read = rdma_read;
  base->wr_rdma_write = rdma_write;
  base->wr_rdma_write_imm = rdma_write_imm;
  base->wr_send = send;
  base->wr_send_imm = send_imm;
  base->wr_send_inv = send_inv;
  base->wr_send_tso = send_tso;
  base->wr_set_ud_addr = set_ud_addr;
  base->wr_set_xrc_srqn = set_xrc_srqn;
  base->wr_set_inline_data = set_inline_data;
  base->wr_set_inline_data_list = set_inline_data_list;
  base->wr_set_sge = set_sge;
  base->wr_set_sge_list = set_sge_list;
  return true;
}

void extended_posting_end(struct qp *qp) {
  if (!qp->batch) return;
  empty(qp->batch);
  free(qp->batch->drafts);
  free(qp->batch);
  qp->batch = NULL;
}
