// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "posting.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "attachment.h"
#include "context_ops.h"
#include "memory.h"
#include "objects.h"
#include "sanitizers.h"

enum { NOT_COPIED = -1, MAX_INLINE = 16 << 10, ALIGNMENT = 8 };

// Limits up to which the data of a send is copied; the service reads larger data by a system call.
enum { MAX_COPY = 12 << 10, MAX_COPIED_ENTRIES = 4 };
static const int64_t IS_COPY = 1ll << 32;

// Limits of a send that is posted without an answer.
enum {
  UNANSWERED_FLAGS = IBV_SEND_FENCE | IBV_SEND_SIGNALED | IBV_SEND_SOLICITED | IBV_SEND_INLINE,
  MAX_UNANSWERED = 1 << 20
};

static size_t room_in(const struct records *records) {
  return (size_t)(records->limit - records->end);
}

void poster_lock(struct poster *poster) {
  pthread_t self = pthread_self(), none = 0;
  while (!__atomic_compare_exchange_n(
             &poster->thread, &none, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) &&
      none != self) {
    none = 0;
    sched_yield();
  }
}

void poster_unlock(struct poster *poster) {
  __atomic_store_n(&poster->thread, 0, __ATOMIC_RELEASE);
}

struct records records_in_args(void) {
  char *bytes = args()->bytes;
  return (struct records){.end = bytes, .limit = bytes + ARGS_ROOM};
}

static int entries_of(int num_sge) { return num_sge > 0 ? num_sge : 0; }

// Bytes of inline data in all entries; NOT_COPIED if they are more than any device takes.
static int64_t inline_bytes_of(const struct ibv_sge *list, int entries) {
  int64_t bytes = 0;
  for (int i = 0; i < entries; i++) bytes += list[i].length;
  return bytes <= MAX_INLINE ? bytes : NOT_COPIED;
}

static void copy_each(char *to, const struct ibv_sge *list, int entries) {
  for (int i = 0; i < entries; to += list[i++].length)
    memcpy(to, (const void *)(uintptr_t)list[i].addr, list[i].length);
}

static bool has_data(int opcode) {
  return opcode == IBV_WR_SEND || opcode == IBV_WR_SEND_WITH_IMM ||
      opcode == IBV_WR_SEND_WITH_INV || opcode == IBV_WR_RDMA_WRITE ||
      opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
}

// Whether a range can be read: rt_sigprocmask reads its set before it refuses an unknown operation.
static bool is_readable(uint64_t address, uint32_t length) {
  enum { NO_OPERATION = -1, LEAST_PAGE = 4096 };
  int before = errno;
  bool is = true;
  for (uint64_t at = address & -(uint64_t)ALIGNMENT; is && at < address + length;
       at = (at | (LEAST_PAGE - 1)) + 1)
    is = syscall(SYS_rt_sigprocmask, NO_OPERATION, at, NULL, ALIGNMENT) < 0 && errno == EINVAL;
  errno = before;
  return is;
}

// Copies entries by a system call, since tools that watch the program see no access in it.
static bool copy_unseen(char *to, const struct ibv_sge *list, int entries, size_t bytes) {
  struct iovec own = {to, bytes}, named[MAX_COPIED_ENTRIES];
  for (int i = 0; i < entries; i++)
    named[i] = (struct iovec){(void *)(uintptr_t)list[i].addr, list[i].length};
  int before = errno;
  long copied = syscall(
      SYS_process_vm_readv, attachment_process(), &own, 1, named, (long)entries, 0);
  errno = before;
  return copied == (long)bytes;
}

// Copies the data of entries with keys of this process; returns its bytes, or 0 to leave that to
// the service, which fails requests for memory that is not there.
static size_t copy_entries(char *to, size_t room, const struct ibv_sge *list, int entries) {
  if (entries < 1 || entries > MAX_COPIED_ENTRIES) return 0;
  size_t bytes = 0;
  for (int i = 0; i < entries; bytes += list[i++].length)
    if (list[i].length > MAX_COPY - bytes || !memory_is_named_by(list[i].lkey)) return 0;
  if (bytes == 0 || bytes > room) return 0;
  if (sanitizers_run()) return copy_unseen(to, list, entries, bytes) ? bytes : 0;
  for (int i = 0; i < entries; i++)
    if (!is_readable(list[i].addr, list[i].length)) return 0;
  copy_each(to, list, entries);
  return bytes;
}

// Whether no fault plan lets verbs fail; attributes are hidden otherwise.
static bool calls_cannot_fail(const struct ibv_context *context) {
  const struct device *device = (const struct device *)context->device;
  const struct attributes *shown = attachment_attributes(device->index);
  return shown && __atomic_load_n(&shown->version, __ATOMIC_RELAXED);
}

#define AS_POINTER(handle) ((void *)(intptr_t)(handle))

// Replaces a pointer to an object by its handle, unless it is null.
#define NAME(type, pointer) \
  if (pointer) (pointer) = AS_POINTER(HANDLE(type, pointer))

// Replaces the pointers in a copied request by handles.
static void name_objects(struct ibv_send_wr *copy, const struct ibv_qp *qp) {
  if (qp->qp_type == IBV_QPT_UD) NAME(ah, copy->wr.ud.ah);
  if (copy->opcode != IBV_WR_BIND_MW) return;
  NAME(mw, copy->bind_mw.mw);
  NAME(mr, copy->bind_mw.bind_info.mr);
}

int records_add_send(struct records *records, const struct ibv_qp *qp,
    const struct ibv_send_wr *wr, const void *inline_data, size_t inline_bytes) {
  int entries = entries_of(wr->num_sge);
  size_t fixed = sizeof *wr + (size_t)entries * sizeof *wr->sg_list;
  if (fixed > room_in(records)) return ENOSPC;
  struct ibv_send_wr *copy = (struct ibv_send_wr *)records->end;
  struct ibv_sge *list = (struct ibv_sge *)(copy + 1);
  *copy = *wr;
  name_objects(copy, qp);
  if (entries) memcpy(list, wr->sg_list, fixed - sizeof *wr);
  bool copies = !inline_data && wr->send_flags & IBV_SEND_INLINE;
  int64_t data = copies ? inline_bytes_of(list, entries) : (int64_t)inline_bytes;
  bool is_left = copies || inline_data || records->is_without_data || !has_data(copy->opcode);
  size_t copy_bytes = is_left
      ? 0
      : copy_entries(records->end + fixed, room_in(records) - fixed, list, entries);
  size_t used = fixed + copy_bytes + (data > 0 ? (size_t)data : 0);
  size_t bytes = (used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (bytes > room_in(records)) return ENOSPC;
  copy->next = AS_POINTER(bytes);
  copy->sg_list = AS_POINTER(copy_bytes ? IS_COPY | (int64_t)copy_bytes : data);
  char *behind = records->end + fixed;
  if (copies && data > 0) copy_each(behind, list, entries);
  if (inline_data) memcpy(behind, inline_data, inline_bytes);
  sanitizers_send(qp, wr, list, entries);
  records->end += bytes;
  records->count++;
  return 0;
}

// Ends a list at a refused request: stores its address in *bad, and returns the errno.
static int refuse_at(const void *request, void *bad, int error) {
  memcpy(bad, &request, sizeof request);
  return errno = error;
}

// Whether the request that was not added is refused: it does not fit into empty records either.
static bool is_final(int error, const struct records *records) {
  return error && records->count == 0;
}

// Most bytes that the record of a request needs, if nothing but a lack of room can refuse the
// request; otherwise 0.
static size_t unanswered_bytes(const struct qp *qp, const struct ibv_send_wr *wr) {
  const struct ibv_qp *base = &qp->base.qp_base;
  bool is_connected = base->qp_type == IBV_QPT_RC || base->qp_type == IBV_QPT_UC;
  if (!is_connected || base->state != IBV_QPS_RTS || !has_data(wr->opcode) ||
      wr->opcode == IBV_WR_SEND_WITH_INV || wr->send_flags & ~UNANSWERED_FLAGS || wr->num_sge < 0 ||
      (uint32_t)wr->num_sge > qp->max_send_sge)
    return 0;
  uint64_t length = 0;
  for (int i = 0; i < wr->num_sge; i++) length += wr->sg_list[i].length;
  bool is_inline = wr->send_flags & IBV_SEND_INLINE;
  if (length > (is_inline ? qp->max_inline_data : MAX_UNANSWERED)) return 0;
  size_t data = is_inline || length <= MAX_COPY ? (size_t)length : 0;
  return sizeof *wr + (size_t)wr->num_sge * sizeof *wr->sg_list + data + ALIGNMENT;
}

// Posts a request that nothing can refuse, without an answer; false if a call has to post it.
static bool post_unanswered(struct qp *qp, const struct ibv_send_wr *wr) {
  size_t bytes = unanswered_bytes(qp, wr);
  if (!bytes || !calls_cannot_fail(qp->base.qp_base.context)) return false;
  char *at = mailbox_begin_post(qp->sender.mailbox, SEND_REQUEST, qp->handle, bytes);
  if (!at) return false;
  struct records records = {.end = at, .limit = at + bytes};
  int error = records_add_send(&records, &qp->base.qp_base, wr, NULL, 0);
  assert(!error); // The reserved bytes suffice.
  mailbox_end_post(qp->sender.mailbox, SEND_REQUEST, qp->handle, (size_t)(records.end - at));
  return true;
}

static int post_sends(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
  while (wr && post_unanswered((struct qp *)qp, wr)) wr = wr->next;
  while (wr) {
    struct records records = records_in_args();
    struct ibv_send_wr *first = wr;
    int error = 0;
    while (wr && !error) {
      error = records_add_send(&records, qp, wr, NULL, 0);
      if (!error) wr = wr->next;
    }
    args()->slots[0] = records.count;
    struct mailbox **sender = &((struct qp *)qp)->sender.mailbox;
    int64_t result =
        records.count ? call_to_post(POST_SEND, SEND_REQUEST, HANDLE(qp, qp), sender) : 0;
    if (result < 0) {
      sanitizers_refused_sends(qp, records.count - args()->slots[0]);
      for (int64_t index = args()->slots[0]; index > 0 && first->next; index--) first = first->next;
      return refuse_at(first, bad, (int)-result);
    }
    if (is_final(error, &records)) return refuse_at(wr, bad, EINVAL);
  }
  return 0;
}

int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
  struct poster *sender = &((struct qp *)qp)->sender;
  poster_lock(sender);
  int error = post_sends(qp, wr, bad);
  poster_unlock(sender);
  return error;
}

static int add_receive(
    struct records *records, const void *queue, const struct ibv_recv_wr *wr) {
  size_t bytes = sizeof *wr + (size_t)entries_of(wr->num_sge) * sizeof *wr->sg_list;
  if (bytes > room_in(records)) return ENOSPC;
  struct ibv_recv_wr *copy = (struct ibv_recv_wr *)records->end;
  *copy = *wr;
  copy->next = AS_POINTER(bytes);
  if (bytes > sizeof *wr) memcpy(copy + 1, wr->sg_list, bytes - sizeof *wr);
  sanitizers_receive(queue, wr, (struct ibv_sge *)(copy + 1), entries_of(wr->num_sge));
  records->end += bytes;
  records->count++;
  return 0;
}

// Queue to which receives are posted.
struct receive_queue {
  enum entry entry;
  int64_t handle;
  const void *sanitized;
  const struct ibv_context *context;
  struct poster *receiver;
  uint32_t max_sge;
  bool is_open; // Whether only entries and a lack of room can refuse a receive.
};

// Posts a receive that nothing can refuse, without an answer; false if a call has to post it.
static bool post_receive_unanswered(
    const struct receive_queue *queue, const struct ibv_recv_wr *wr) {
  if (!queue->is_open || wr->num_sge < 0 || (uint32_t)wr->num_sge > queue->max_sge ||
      !calls_cannot_fail(queue->context))
    return false;
  for (int i = 0; i < wr->num_sge; i++)
    if (wr->sg_list[i].length > INT32_MAX) return false;
  size_t bytes = sizeof *wr + (size_t)wr->num_sge * sizeof *wr->sg_list;
  char *at = mailbox_begin_post(queue->receiver->mailbox, RECEIVE_REQUEST, queue->handle, bytes);
  if (!at) return false;
  struct records records = {.end = at, .limit = at + bytes};
  int error = add_receive(&records, queue->sanitized, wr);
  assert(!error); // The reserved bytes suffice.
  mailbox_end_post(queue->receiver->mailbox, RECEIVE_REQUEST, queue->handle, bytes);
  return true;
}

static int post_each(
    const struct receive_queue *queue, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  while (wr && post_receive_unanswered(queue, wr)) wr = wr->next;
  while (wr) {
    struct records records = records_in_args();
    struct ibv_recv_wr *first = wr;
    int error = 0;
    while (wr && !error) {
      error = add_receive(&records, queue->sanitized, wr);
      if (!error) wr = wr->next;
    }
    args()->slots[0] = records.count;
    int64_t result = records.count
        ? call_to_post(queue->entry, RECEIVE_REQUEST, queue->handle, &queue->receiver->mailbox)
        : 0;
    if (result < 0) {
      sanitizers_refused(queue->sanitized, records.count - args()->slots[0]);
      for (int64_t index = args()->slots[0]; index > 0 && first->next; index--) first = first->next;
      return refuse_at(first, bad, (int)-result);
    }
    if (is_final(error, &records)) return refuse_at(wr, bad, EINVAL);
  }
  return 0;
}

static int post_receives(
    const struct receive_queue *queue, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  poster_lock(queue->receiver);
  int error = post_each(queue, wr, bad);
  poster_unlock(queue->receiver);
  return error;
}

int post_recv(struct ibv_qp *base, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  struct qp *qp = (struct qp *)base;
  bool is_usual = base->qp_type == IBV_QPT_RC || base->qp_type == IBV_QPT_UC ||
      base->qp_type == IBV_QPT_UD;
  const struct receive_queue queue = {POST_RECV, qp->handle, sanitizers_receives(base),
      base->context, &qp->receiver, qp->max_recv_sge,
      is_usual && !base->srq && base->state != IBV_QPS_RESET};
  return post_receives(&queue, wr, bad);
}

int post_srq_recv(struct ibv_srq *base, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  struct srq *srq = (struct srq *)base;
  const struct receive_queue queue = {POST_SRQ_RECV, srq->handle,
      sanitizers_shared_receives(base), base->context, &srq->receiver, srq->max_sge, true};
  return post_receives(&queue, wr, bad);
}

int post_wq_recv(struct ibv_wq *wq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  struct poster receiver = {0};
  const struct receive_queue queue = {.entry = POST_WQ_RECV, .handle = HANDLE(wq, wq),
      .sanitized = sanitizers_shared_receives(NULL), .receiver = &receiver};
  return post_receives(&queue, wr, bad);
}
