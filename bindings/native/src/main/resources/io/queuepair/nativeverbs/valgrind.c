// SPDX-License-Identifier: Apache-2.0
#include "valgrind.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct posted {
  struct posted *next; // Request posted before this one.
  const void *queue;
  uint64_t wr_id;
  bool is_signaled;
  int entries;
  struct ibv_sge list[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct posted *last;

// Request codes, from the manual of valgrind and its valgrind.h.
enum {
  RUNNING_ON_VALGRIND = 0x1001,
  MAKE_MEM_DEFINED_IF_ADDRESSABLE = 'M' << 24 | 'C' << 16 | 11
};

static uintptr_t ask(uintptr_t what, uintptr_t first, uintptr_t second) {
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

bool valgrind_runs(void) {
  static int answer = -1;
  if (__builtin_expect(answer < 0, 0)) answer = ask(RUNNING_ON_VALGRIND, 0, 0) != 0;
  return answer;
}

void valgrind_define(const void *memory, size_t bytes) {
  if (valgrind_runs()) ask(MAKE_MEM_DEFINED_IF_ADDRESSABLE, (uintptr_t)memory, bytes);
}

void valgrind_posted(const void *queue, uint64_t wr_id, bool is_signaled,
    const struct ibv_sge *list, int entries) {
  if (!valgrind_runs()) return;
  size_t bytes = (size_t)entries * sizeof *list;
  struct posted *posted = malloc(sizeof *posted + bytes);
  if (!posted) return;
  *posted = (struct posted){.queue = queue, .wr_id = wr_id, .is_signaled = is_signaled,
      .entries = entries};
  memcpy(posted->list, list, bytes);
  pthread_mutex_lock(&lock);
  posted->next = last;
  last = posted;
  pthread_mutex_unlock(&lock);
}

static void take(struct posted **place, size_t bytes) {
  struct posted *taken = *place;
  *place = taken->next;
  for (int i = 0; i < taken->entries; i++) {
    size_t part = taken->list[i].length < bytes ? taken->list[i].length : bytes;
    valgrind_define((void *)(uintptr_t)taken->list[i].addr, part);
    bytes -= part;
  }
  free(taken);
}

// Takes all requests of a queue, from a place in the list on.
static void take_all(const void *queue, struct posted **place, size_t bytes) {
  while (*place)
    if ((*place)->queue == queue) take(place, bytes);
    else place = &(*place)->next;
}

void valgrind_withdrawn(const void *queue, int64_t count) {
  if (!valgrind_runs()) return;
  pthread_mutex_lock(&lock);
  for (struct posted **place = &last; *place && count > 0;)
    if ((*place)->queue == queue) take(place, 0), count--;
    else place = &(*place)->next;
  pthread_mutex_unlock(&lock);
}

void valgrind_completed_in_order(const void *queue) {
  if (!valgrind_runs()) return;
  pthread_mutex_lock(&lock);
  struct posted **first = NULL;
  for (struct posted **place = &last; *place; place = &(*place)->next)
    if ((*place)->queue == queue && (*place)->is_signaled) first = place;
  if (first) take_all(queue, first, SIZE_MAX);
  pthread_mutex_unlock(&lock);
}

void valgrind_completed(const void *queue, uint64_t wr_id, size_t bytes) {
  if (!valgrind_runs()) return;
  pthread_mutex_lock(&lock);
  struct posted **first = NULL;
  for (struct posted **place = &last; *place; place = &(*place)->next)
    if ((*place)->queue == queue && (*place)->wr_id == wr_id) first = place;
  if (first) take(first, bytes);
  pthread_mutex_unlock(&lock);
}

void valgrind_forget(const void *queue) {
  if (!valgrind_runs()) return;
  pthread_mutex_lock(&lock);
  take_all(queue, &last, 0);
  pthread_mutex_unlock(&lock);
}
