// SPDX-License-Identifier: Apache-2.0
#include "sanitizers.h"

#include "export.h"
#include "memory.h"
#include "message.h"

// Functions of the runtimes, which programs have that were compiled so.
__attribute__((weak)) void __asan_loadN(void *, long);
__attribute__((weak)) void __asan_storeN(void *, long);
__attribute__((weak)) void __asan_get_shadow_mapping(size_t *scale, size_t *offset);
__attribute__((weak)) void __asan_report_error(
    void *pc, void *bp, void *sp, void *address, int is_write, size_t bytes);
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

// The runtime of gcc is a library that refuses to be loaded behind another, such as this one.
EXPORT const char *__asan_default_options(void);
EXPORT const char *__asan_default_options(void) { return "verify_asan_link_order=0"; }

enum { QUEUE_PAIRS = 1 << 16 };

// What stands for a queue pair in the eyes of the ThreadSanitizer: each entry has its shared receive
// queue. Queue pairs whose numbers end alike are taken for one, which hides races between them.
static const void *shared_queues[QUEUE_PAIRS];

static const struct chunk *reports;

static const void **of_number(uint32_t number) { return &shared_queues[number % QUEUE_PAIRS]; }

// Requests of valgrind, as its manual and valgrind.h have them: instructions that do nothing.
enum { RUNNING_ON_VALGRIND = 0x1001, MAKE_MEM_DEFINED_IF_ADDRESSABLE = 'M' << 24 | 'C' << 16 | 11 };

static uintptr_t ask_valgrind(uintptr_t what, uintptr_t first, uintptr_t second) {
  volatile uintptr_t request[6] = {what, first, second};
  uintptr_t result = 0;
#ifdef __x86_64__
  __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n\t"
                   "xchgq %%rbx, %%rbx"
                   : "+d"(result)
                   : "a"(request)
                   : "cc", "memory");
#elif defined __aarch64__
  __asm__ volatile("mov x3, #0; mov x4, %1\n\t"
                   "ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61\n\t"
                   "orr x10, x10, x10; mov %0, x3"
                   : "=r"(result)
                   : "r"(request)
                   : "cc", "memory", "x3", "x4");
#endif
  return result;
}

bool sanitizers_run_in_valgrind(void) { return ask_valgrind(RUNNING_ON_VALGRIND, 0, 0); }

void sanitizers_filled(const void *memory, size_t bytes) {
  ask_valgrind(MAKE_MEM_DEFINED_IF_ADDRESSABLE, (uintptr_t)memory, bytes);
}

void sanitizers_describe(struct hello *hello) {
  size_t scale = 0, offset = 0;
  if (__asan_get_shadow_mapping) __asan_get_shadow_mapping(&scale, &offset);
  hello->shadow_scale = scale;
  hello->shadow_offset = offset;
}

void sanitizers_attach(const struct chunk *chunk) { reports = chunk; }

void sanitizers_registered(const struct ibv_mr *mr, unsigned access) {
  // Nothing tells when a peer has written.
  const unsigned remote =
      IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND;
  if (access & remote && !(access & IBV_ACCESS_ON_DEMAND)) sanitizers_filled(mr->addr, mr->length);
}

// Reports entries whose memory was freed, or is not all of an object.
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

static void fill(const struct ibv_sge *list, int entries) {
  for (int i = 0; i < entries; i++)
    sanitizers_filled((void *)(uintptr_t)list[i].addr, list[i].length);
}

static bool returns_data(int opcode) {
  return opcode == IBV_WR_RDMA_READ || opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
      opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

void sanitizers_send(const struct ibv_qp *qp, const struct ibv_send_wr *wr,
    const struct ibv_sge *list, int entries) {
  bool is_written = returns_data(wr->opcode);
  if (__asan_loadN && __asan_storeN && !(wr->send_flags & IBV_SEND_INLINE))
    check(list, entries, is_written);
  if (is_written) fill(list, entries);
  if (!__tsan_release) return;
  sanitizers_post_to(qp);
  if (qp->qp_type == IBV_QPT_UD) __tsan_release(of_number(wr->wr.ud.remote_qpn));
}

void sanitizers_receive(const struct ibv_sge *list, int entries) {
  if (__asan_storeN) check(list, entries, true);
  fill(list, entries);
}

void sanitizers_post_to(const struct ibv_qp *qp) {
  if (!__tsan_release) return;
  __tsan_release(of_number(qp->qp_num));
  __tsan_release(of_number(((const struct qp *)qp)->peer));
}

void sanitizers_post_to_shared(const struct ibv_srq *srq) {
  if (__tsan_release) __tsan_release((void *)(uintptr_t)srq);
}

void sanitizers_created(const struct ibv_qp *qp) { *of_number(qp->qp_num) = qp->srq; }

void sanitizers_completed(const struct ibv_wc *wc) {
  sanitizers_report();
  if (!__tsan_acquire) return;
  const void **queue_pair = of_number(wc->qp_num);
  __tsan_acquire(queue_pair);
  if (wc->opcode & IBV_WC_RECV && *queue_pair) __tsan_acquire((void *)(uintptr_t)*queue_pair);
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
