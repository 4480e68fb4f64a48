// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pause.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  BRIEF_NANOS = 100000,
  // Calls without a try after one that took long. The first may be due to an interrupt; each further
  // one costs milliseconds.
  FEW_REFUSALS = 4,
  MAX_REFUSALS = 4096,
  NANOS_OF_SECOND = 1000000000
};

uint64_t nanos_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * NANOS_OF_SECOND + (uint64_t)time.tv_nsec;
}

bool yield_briefly(uint64_t *now) {
  static __thread int refusals, next_refusals = FEW_REFUSALS;
  if (refusals > 0) return refusals--, false;
  uint64_t start = *now;
  sched_yield();
  *now = nanos_now();
  bool is_brief = *now - start < BRIEF_NANOS;
  if (!is_brief) refusals = next_refusals;
  next_refusals = is_brief ? next_refusals / 2 : next_refusals * 2;
  if (next_refusals < FEW_REFUSALS) next_refusals = FEW_REFUSALS;
  if (next_refusals > MAX_REFUSALS) next_refusals = MAX_REFUSALS;
  return is_brief;
}

void sleep_while(uint32_t *word, uint32_t value, uint64_t nanos) {
  const struct timespec limit = {
      (time_t)(nanos / NANOS_OF_SECOND), (long)(nanos % NANOS_OF_SECOND)};
  syscall(SYS_futex, word, FUTEX_WAIT, value, &limit, NULL, 0);
}
