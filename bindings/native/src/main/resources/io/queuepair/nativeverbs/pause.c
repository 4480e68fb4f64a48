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
  REFUSALS = 64, // Calls without a try after one that took long: each such try costs milliseconds.
  NANOS_OF_SECOND = 1000000000
};

uint64_t nanos_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * NANOS_OF_SECOND + (uint64_t)time.tv_nsec;
}

bool yield_briefly(uint64_t *now) {
  static __thread int refusals;
  if (refusals > 0) return refusals--, false;
  uint64_t start = *now;
  sched_yield();
  *now = nanos_now();
  if (*now - start < BRIEF_NANOS) return true;
  refusals = REFUSALS;
  return false;
}

void sleep_while(uint32_t *word, uint32_t value, uint64_t nanos) {
  const struct timespec limit = {
      (time_t)(nanos / NANOS_OF_SECOND), (long)(nanos % NANOS_OF_SECOND)};
  syscall(SYS_futex, word, FUTEX_WAIT, value, &limit, NULL, 0);
}
