// SPDX-License-Identifier: Apache-2.0
// Least cost of a round trip through a third process on this machine: two programs and a
// service with one mailbox and one completion counter each, which copies 64 bytes by the descriptor
// of a program's memory, and works for some nanoseconds a message. No Java, no protocol.
// Prints the median and the average, one way, in microseconds: model ROUNDS [WORK]
// Without arguments, the MB/s of copies from one program to the service and on to the other.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 64, SPINS = 20, SLICE_NANOS = 100000, COPY_BYTES = 65536, COPIES = 20000 };

struct program {
  _Alignas(64) uint32_t posted;
  _Alignas(64) uint32_t answered;
  _Alignas(64) uint32_t completed;
  char data[BYTES];
};

struct attributes { // Of sched_setattr(2), which libc does not declare.
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

static struct shared {
  struct program programs[2];
  _Alignas(64) uint32_t ready, done;
} *shared;
static char *target;

static uint64_t nanos_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void await(const uint32_t *word, uint32_t value) {
  for (int i = 0; __atomic_load_n(word, __ATOMIC_ACQUIRE) != value; i++)
    if (i >= SPINS) sched_yield();
}

static void post(struct program *own, uint32_t number) {
  memset(own->data, (int)number, BYTES);
  __atomic_store_n(&own->posted, number, __ATOMIC_RELEASE);
  await(&own->answered, number);
}

static int by_size(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void be_client(uint32_t rounds) {
  uint64_t *times = calloc(rounds, sizeof *times), start = nanos_now();
  for (uint32_t i = 0; i < rounds; i++) {
    uint64_t before = nanos_now();
    post(&shared->programs[0], i + 1);
    await(&shared->programs[0].completed, i + 1);
    times[i] = nanos_now() - before;
  }
  double average = (double)(nanos_now() - start) / rounds / 2000;
  qsort(times, rounds, sizeof *times, by_size);
  printf("%.2f %.2f\n", (double)times[rounds / 2] / 2000, average);
  fflush(stdout);
  __atomic_store_n(&shared->done, 1, __ATOMIC_SEQ_CST);
}

static void be_server(uint32_t rounds) {
  for (uint32_t i = 1; i <= rounds; i++) {
    await(&shared->programs[1].completed, i);
    post(&shared->programs[1], i);
  }
}

static void serve(const int memory[2], uint64_t work) {
  struct attributes slice = {.size = sizeof slice, .runtime = SLICE_NANOS};
  syscall(SYS_sched_setattr, 0, &slice, 0);
  for (int idle = 0; !__atomic_load_n(&shared->done, __ATOMIC_RELAXED); idle++) {
    for (int i = 0; i < 2; i++) {
      struct program *from = &shared->programs[i], *to = &shared->programs[!i];
      uint32_t number = __atomic_load_n(&from->posted, __ATOMIC_ACQUIRE);
      if (number == from->answered) continue;
      char data[BYTES];
      memcpy(data, from->data, BYTES);
      __atomic_store_n(&from->answered, number, __ATOMIC_RELEASE);
      for (uint64_t end = nanos_now() + work; nanos_now() < end;) continue;
      if (pwrite(memory[!i], data, BYTES, (off_t)(uintptr_t)target) != BYTES) abort();
      __atomic_store_n(&to->completed, to->completed + 1, __ATOMIC_RELEASE);
      idle = 0;
    }
    if (idle >= SPINS) sched_yield();
  }
}

static void print_copy_rate(const pid_t programs[2]) {
  static _Alignas(4096) char buffer[COPY_BYTES];
  struct iovec own = {buffer, COPY_BYTES}, theirs = {target, COPY_BYTES};
  uint64_t start = nanos_now();
  for (int i = 0; i < COPIES; i++)
    if (process_vm_readv(programs[0], &own, 1, &theirs, 1, 0) != COPY_BYTES ||
        process_vm_writev(programs[1], &own, 1, &theirs, 1, 0) != COPY_BYTES)
      abort();
  double seconds = (double)(nanos_now() - start) / 1e9;
  printf("%.2f\n", (double)COPIES * COPY_BYTES / seconds / (1 << 20));
}

int main(int count, char **arguments) {
  bool copies = count < 2;
  uint32_t rounds = copies ? 0 : (uint32_t)atoi(arguments[1]);
  uint64_t work = count > 2 ? (uint64_t)atoi(arguments[2]) : 1000;
  int memory[2];
  pid_t children[2];
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  target = mmap(NULL, COPY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 2; i++) {
    children[i] = fork();
    if (children[i] == 0) {
      memset(target, 1, COPY_BYTES);
      while (copies) pause();
      await(&shared->ready, 1);
      if (i == 0) be_client(rounds);
      if (i == 1) be_server(rounds);
      _exit(0);
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", children[i]);
    memory[i] = open(path, O_RDWR);
    if (memory[i] < 0) return perror(path), kill(children[0], SIGKILL), 1;
  }
  __atomic_store_n(&shared->ready, 1, __ATOMIC_SEQ_CST);
  if (copies) print_copy_rate(children), kill(children[0], SIGKILL);
  else serve(memory, work);
  kill(children[1], SIGKILL);
  while (wait(NULL) > 0) continue;
  return 0;
}
