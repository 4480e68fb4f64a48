// SPDX-License-Identifier: Apache-2.0
#include "sanitizers.h"

#include "export.h"
#include "memory.h"
#include "message.h"
#include "valgrind.h"

// Functions of sanitizer runtimes, which programs compiled with a sanitizer have.
__attribute__((weak)) void __asan_loadN(void *, long);
__attribute__((weak)) void __asan_storeN(void *, long);
__attribute__((weak)) void __asan_get_shadow_mapping(size_t *scale, size_t *offset);
__attribute__((weak)) void __asan_report_error(
    void *pc, void *bp, void *sp, void *address, int is_write, size_t bytes);
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

// The gcc runtime is a library that refuses to be loaded after another one, such as this.
EXPORT const char *__asan_default_options(void);
EXPORT const char *__asan_default_options(void) { return "verify_asan_link_order=0"; }

enum { QUEUE_PAIRS = 1 << 16 };

// Addresses that stand for queue pairs in the ThreadSanitizer; each entry points to the shared
// receive queue. Queue pairs whose numbers differ by a multiple of QUEUE_PAIRS share an entry,
// which hides races between them.
static const void *shared_queues[QUEUE_PAIRS];

// Stands for all receive queues that a completion does not name: those of XRC, and work queues.
static char other_queues;

static const struct chunk *reports;

static const void **of_number(uint32_t number) { return &shared_queues[number % QUEUE_PAIRS]; }

// Keys of the sends and receives of a queue pair, for valgrind.
static const void *sends_of(uint32_t number) { return (const char *)of_number(number) + 1; }
static const void *receives_of(uint32_t number) {
  const void **queue = of_number(number);
  return *queue ? *queue : queue;
}

bool sanitizers_run(void) { return __asan_loadN || __tsan_release || valgrind_runs(); }

void sanitizers_describe(struct hello *hello) {
  size_t scale = 0, offset = 0;
  if (__asan_get_shadow_mapping) __asan_get_shadow_mapping(&scale, &offset);
  hello->shadow_scale = scale;
  hello->shadow_offset = offset;
}

void sanitizers_attach(const struct chunk *chunk) { reports = chunk; }

void sanitizers_registered(const struct ibv_mr *mr, unsigned access) {
  // No event tells when a peer has written.
  const unsigned remote =
      IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND;
  if (access & remote && !(access & IBV_ACCESS_ON_DEMAND)) valgrind_define(mr->addr, mr->length);
}

// Reports entries whose memory is freed, or not within one object.
static void check(const struct ibv_sge *list, int entries, bool is_written) {
  for (int i = 0; i < entries; i++) {
    if (!memory_is_named_by(list[i].lkey) || !list[i].length) continue;
    void *memory = (void *)(uintptr_t)list[i].addr;
    if (is_written)
      __asan_storeN(memory, list[i].length);
    else
      __asan_loadN(memory, list[i].length);
  }
}

static bool returns_data(int opcode) {
  return opcode == IBV_WR_RDMA_READ || opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
      opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

static void release(const struct ibv_qp *qp) {
  if (!__tsan_release) return;
  __tsan_release(of_number(qp->qp_num));
  __tsan_release(of_number(((const struct qp *)qp)->peer));
}

void sanitizers_send(const struct ibv_qp *qp, const struct ibv_send_wr *wr,
    const struct ibv_sge *list, int entries) {
  bool is_written = returns_data(wr->opcode);
  if (__asan_loadN && __asan_storeN && !(wr->send_flags & IBV_SEND_INLINE))
    check(list, entries, is_written);
  bool is_signaled = wr->send_flags & IBV_SEND_SIGNALED || ((const struct qp *)qp)->signals_all;
  valgrind_posted(sends_of(qp->qp_num), wr->wr_id, is_signaled, list, is_written ? entries : 0);
  release(qp);
  if (__tsan_release && qp->qp_type == IBV_QPT_UD) __tsan_release(of_number(wr->wr.ud.remote_qpn));
}

void sanitizers_receive(
    const void *queue, const struct ibv_recv_wr *wr, const struct ibv_sge *list, int entries) {
  if (__asan_storeN) check(list, entries, true);
  if (queue)
    valgrind_posted(queue, wr->wr_id, true, list, entries);
  else
    for (int i = 0; i < entries; i++)
      valgrind_define((void *)(uintptr_t)list[i].addr, list[i].length);
}

void sanitizers_refused(const void *queue, int64_t count) {
  if (queue) valgrind_withdrawn(queue, count);
}

void sanitizers_refused_sends(const struct ibv_qp *qp, int64_t count) {
  valgrind_withdrawn(sends_of(qp->qp_num), count);
}

const void *sanitizers_receives(const struct ibv_qp *qp) {
  release(qp);
  return receives_of(qp->qp_num);
}

const void *sanitizers_shared_receives(const struct ibv_srq *srq) {
  if (srq && ((const struct srq *)srq)->number >= 0) srq = NULL;
  if (__tsan_release) __tsan_release(srq ? (void *)(uintptr_t)srq : &other_queues);
  return srq;
}

void sanitizers_created(const struct ibv_qp *qp) { *of_number(qp->qp_num) = qp->srq; }

void sanitizers_reset(const struct ibv_qp *qp) {
  valgrind_forget(sends_of(qp->qp_num));
  valgrind_forget(of_number(qp->qp_num));
}

void sanitizers_destroyed(const struct ibv_srq *srq) { valgrind_forget(srq); }

static void define_completed(const struct ibv_wc *wc) {
  const void *sends = sends_of(wc->qp_num), *receives = receives_of(wc->qp_num);
  if (wc->status != IBV_WC_SUCCESS) { // It does not tell which of the two.
    valgrind_completed(sends, wc->wr_id, 0);
    valgrind_completed(receives, wc->wr_id, 0);
  } else if (wc->opcode & IBV_WC_RECV) {
    bool has_data = wc->opcode != IBV_WC_RECV_RDMA_WITH_IMM;
    valgrind_completed(receives, wc->wr_id, has_data ? wc->byte_len : 0);
  } else {
    valgrind_completed_in_order(sends);
  }
}

void sanitizers_completed(const struct ibv_wc *wc) {
  sanitizers_report();
  if (valgrind_runs()) define_completed(wc);
  if (!__tsan_acquire) return;
  const void **queue_pair = of_number(wc->qp_num);
  __tsan_acquire(queue_pair);
  if (wc->opcode & IBV_WC_RECV)
    __tsan_acquire(*queue_pair ? (void *)(uintptr_t)*queue_pair : &other_queues);
}

void sanitizers_report(void) {
  if (!reports || !__asan_report_error) return;
  const struct chunk *from = reports;
  uint32_t found = __atomic_load_n(&from->stray, __ATOMIC_ACQUIRE);
  if (!found) return;
  reports = NULL;
  bool is_write = found == STRAY_WRITE;
  void *address = (void *)(uintptr_t)from->stray_address;
  message("the device has %s %llu bytes at %p, which are not all of an object in use",
      is_write ? "written" : "read", (unsigned long long)from->stray_bytes, address);
  __asan_report_error(__builtin_return_address(0), __builtin_frame_address(0),
      __builtin_frame_address(0), address, is_write, 1);
}
