// SPDX-License-Identifier: Apache-2.0
// Calls verbs, and prints the median of each in microseconds: speed verbs. Polls an empty completion
// queue until it is killed: speed poll.
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 20000 };

#define CHECK(is) \
  if (!(is)) fprintf(stderr, "speed: not so: %s\n", #is), exit(1)

static uint64_t nanos_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

#define MEASURE(...)                                           \
  for (int i = 0; i < CALLS; i++) {                            \
    uint64_t before = nanos_now();                             \
    __VA_ARGS__;                                               \
    times[i] = nanos_now() - before;                           \
  }                                                            \
  qsort(times, CALLS, sizeof *times, by_size);                 \
  medians[count++] = (double)times[CALLS / 2] / 1000

int main(int arguments, char **argument) {
  static uint64_t times[CALLS];
  double medians[4];
  int count = 0;
  struct ibv_device **devices = ibv_get_device_list(NULL);
  CHECK(arguments == 2 && devices && devices[0]);
  struct ibv_context *context = ibv_open_device(devices[0]);
  CHECK(context);
  struct ibv_pd *pd = ibv_alloc_pd(context);
  struct ibv_cq *cq = ibv_create_cq(context, 64, NULL, NULL, 0);
  CHECK(pd && cq);
  struct ibv_wc wc;
  while (!strcmp(argument[1], "poll")) CHECK(ibv_poll_cq(cq, 1, &wc) == 0);
  struct ibv_qp_init_attr init = {
      .send_cq = cq, .recv_cq = cq, .cap = {16, 16, 1, 1, 0}, .qp_type = IBV_QPT_RC};
  struct ibv_qp *qp = ibv_create_qp(pd, &init);
  CHECK(qp);
  struct ibv_port_attr port;
  struct ibv_qp_attr attr;
  struct ibv_qp_init_attr found;
  void *page = aligned_alloc(4096, 4096);
  CHECK(page);
  MEASURE(CHECK(!ibv_query_port(context, 1, &port)));
  MEASURE(CHECK(!ibv_query_qp(qp, &attr, IBV_QP_STATE, &found)));
  MEASURE(CHECK(!ibv_dereg_mr(ibv_reg_mr(pd, page, 4096, IBV_ACCESS_LOCAL_WRITE))));
  MEASURE(CHECK(!ibv_destroy_qp(ibv_create_qp(pd, &init))));
  printf("%.2f %.2f %.2f %.2f\n", medians[0], medians[1], medians[2], medians[3]);
  return 0;
}
