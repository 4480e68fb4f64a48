// SPDX-License-Identifier: Apache-2.0
// Completion queues, plain and extended.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "attachment.h"
#include "call.h"
#include "context_ops.h"
#include "events.h"
#include "export.h"
#include "objects.h"
#include "pause.h"
#include "protocol.h"
#include "sanitizers.h"

// Empty polls before the next ones yield the processor, which the service may need. First and
// longest sleep, if others use the processor, or if the program has done nothing but poll for
// MAX_IDLE_NANOS. If it takes longer than MAX_GAP_NANOS between two polls, it does something else.
enum {
  SPINNING_POLLS = 20,
  FIRST_SLEEP_NANOS = 20000,
  MAX_SLEEP_NANOS = 1000000,
  MAX_IDLE_NANOS = 1000000,
  MAX_GAP_NANOS = 300
};

static size_t bytes_of_ring(uint32_t entries) {
  return sizeof(struct ring) + entries * sizeof(struct ring_entry);
}

static void unmap_ring(struct cq *cq) {
  if (cq->ring) munmap(cq->ring, bytes_of_ring(cq->ring_entries));
  cq->ring = NULL;
}

// Polls a new ring from now on, with the entries that the last call has set; false with errno.
static bool map_ring(struct cq *cq, int fd) {
  uint32_t entries = (uint32_t)args()->slots[1];
  struct ring *ring = attachment_map(fd, bytes_of_ring(entries), true);
  if (!ring) return false;
  unmap_ring(cq);
  cq->ring = ring;
  cq->ring_entries = entries;
  return true;
}

static void lock_ring(struct cq *cq) {
  while (__atomic_test_and_set(&cq->is_locked, __ATOMIC_ACQUIRE)) sched_yield();
}

static void unlock_ring(struct cq *cq) { __atomic_clear(&cq->is_locked, __ATOMIC_RELEASE); }

// Takes the oldest completion and its times; false if there is none. Called under the lock.
static bool take_oldest(struct cq *cq, struct ibv_wc *to) {
  struct ring *ring = cq->ring;
  while (ring->taken != __atomic_load_n(&ring->added, __ATOMIC_ACQUIRE)) {
    const struct ring_entry *entry = &ring->entries[ring->taken & (cq->ring_entries - 1)];
    memcpy(to, &entry->wc, sizeof *to);
    cq->timestamp = entry->timestamp;
    cq->wallclock = entry->wallclock;
    __atomic_store_n(&ring->taken, ring->taken + 1, __ATOMIC_RELEASE);
    if ((int)to->status != RING_REMOVED) { // Of the copy, as the service may remove it meanwhile.
      sanitizers_completed(to);
      return true;
    }
  }
  return false;
}

// Sleeps until a completion comes, or for a while: the program may poll something else, too, and
// another thread may resize the queue, which unmaps the ring.
static void sleep_on(struct cq *cq) {
  lock_ring(cq);
  struct ring *ring = cq->ring;
  uint32_t taken = ring->taken;
  __atomic_store_n(&ring->sleeps, 1, __ATOMIC_SEQ_CST);
  bool is_empty = __atomic_load_n(&ring->added, __ATOMIC_SEQ_CST) == taken;
  unlock_ring(cq);
  if (!cq->sleep_nanos) cq->sleep_nanos = FIRST_SLEEP_NANOS;
  if (is_empty) sleep_while(&ring->added, taken, cq->sleep_nanos);
  lock_ring(cq);
  if (cq->ring == ring) __atomic_store_n(&ring->sleeps, 0, __ATOMIC_RELAXED);
  unlock_ring(cq);
  cq->sleep_nanos *= 2;
  if (cq->sleep_nanos > MAX_SLEEP_NANOS) cq->sleep_nanos = MAX_SLEEP_NANOS;
}

// Spins, yields or sleeps after an empty poll; returns EIO if the service is dead.
static int rest(struct cq *cq) {
  sanitizers_report();
  if (!attachment_is_alive()) return EIO;
  if (++cq->empty_polls < SPINNING_POLLS) {
    PAUSE();
    return 0;
  }
  uint64_t now = nanos_now();
  if (cq->empty_polls == SPINNING_POLLS || now - cq->rested_at > MAX_GAP_NANOS)
    cq->idle_since = now;
  if (now - cq->idle_since > MAX_IDLE_NANOS || !yield_briefly(&now)) {
    sleep_on(cq);
    now = nanos_now();
  }
  cq->rested_at = now;
  return 0;
}

static int poll_ring(struct cq *cq, int count, struct ibv_wc *completions) {
  if (!cq->ring) return -EINVAL;
  int done = 0;
  lock_ring(cq);
  while (done < count && take_oldest(cq, &completions[done])) done++;
  unlock_ring(cq);
  if (done) cq->empty_polls = cq->sleep_nanos = 0;
  return done || count <= 0 ? done : -rest(cq);
}

static struct cq *create(enum entry entry, struct ibv_context *context,
    const struct ibv_cq_init_attr_ex *attr) {
  struct cq *cq = object_new(sizeof *cq);
  if (!cq) return NULL;
  struct args *with = args();
  with->slots[0] = (intptr_t)cq;
  with->slots[1] = HANDLE_OR_0(channel, attr->channel);
  with->slots[EVENTS_SLOT] = context_of(context)->events;
  memcpy(with->bytes, attr, sizeof *attr);
  int fd = -1;
  cq->handle = call_for_file(entry, context_of(context)->handle, &fd);
  cq->base.cqe = (int)args()->slots[0];
  if (cq->handle >= 0 && !map_ring(cq, fd)) {
    object_destroy("ibv_create_cq", cq, &cq->handle);
    return refused(-ENOMEM);
  }
  if (cq->handle < 0) {
    int64_t result = cq->handle;
    object_free(cq);
    return refused(result);
  }
  cq->base.context = context;
  cq->base.channel = attr->channel;
  cq->base.cq_context = attr->cq_context;
  cq->base.handle = (uint32_t)cq->handle;
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
  unmap_ring(cq);
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

EXPORT int ibv_resize_cq(struct ibv_cq *base, int cqe) {
  struct cq *cq = (struct cq *)base;
  int fd = -1;
  args()->slots[0] = cqe;
  lock_ring(cq); // The service copies the completions that are not taken to a new ring.
  int64_t result = call_for_file(RESIZE_CQ, cq->handle, &fd);
  if (result >= 0 && !map_ring(cq, fd)) result = -ENOMEM;
  unlock_ring(cq);
  if (result < 0) return errno_of(result);
  base->cqe = (int)result;
  return 0;
}

int modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr) {
  memcpy(args()->bytes, attr, sizeof *attr);
  return errno_of(call(MODIFY_CQ, HANDLE(cq, cq)));
}

int req_notify_cq(struct ibv_cq *cq, int solicited_only) {
  args()->slots[0] = solicited_only;
  return errno_of(call(REQ_NOTIFY_CQ, HANDLE(cq, cq)));
}

int poll_cq(struct ibv_cq *cq, int count, struct ibv_wc *completions) {
  return poll_ring((struct cq *)cq, count, completions);
}

// Makes the oldest completion the current one; ENOENT if there is none.
static int show_oldest(struct cq *cq) {
  if (!take_oldest(cq, &cq->current)) return ENOENT;
  cq->base.wr_id = cq->current.wr_id;
  cq->base.status = cq->current.status;
  cq->empty_polls = cq->sleep_nanos = 0;
  return 0;
}

// Starts to poll; the ring stays locked until end_poll, unless it is empty.
static int start_ring(struct cq *cq) {
  if (!cq->ring) return EINVAL;
  lock_ring(cq);
  int error = show_oldest(cq);
  if (!error) return 0;
  unlock_ring(cq);
  int gone = rest(cq);
  return gone ? gone : error;
}

static int start_poll(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr) {
  return attr->comp_mask ? EINVAL : start_ring((struct cq *)cq);
}

static int next_poll(struct ibv_cq_ex *cq) { return show_oldest((struct cq *)cq); }

static void end_poll(struct ibv_cq_ex *cq) { unlock_ring((struct cq *)cq); }

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
  memcpy(&copy, attr, sizeof copy);
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
