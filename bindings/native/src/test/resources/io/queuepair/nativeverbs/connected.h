// SPDX-License-Identifier: Apache-2.0
// Functions of libibverbs, checks, and a queue pair that is connected with another, or itself.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"

struct ibv_device **ibv_get_device_list(int *);
struct ibv_context *ibv_open_device(struct ibv_device *);
int ibv_query_gid(struct ibv_context *, uint8_t, int, union ibv_gid *);
struct ibv_pd *ibv_alloc_pd(struct ibv_context *);
struct ibv_mr *ibv_reg_mr(struct ibv_pd *, void *, size_t, int);
struct ibv_cq *ibv_create_cq(struct ibv_context *, int, void *, struct ibv_comp_channel *, int);
struct ibv_qp *ibv_create_qp(struct ibv_pd *, struct ibv_qp_init_attr *);
int ibv_modify_qp(struct ibv_qp *, struct ibv_qp_attr *, int);

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

struct test_case {
  const char *name;
  void (*run)(void);
};

// Runs the case that the argument names; the exit code of the program.
static inline int run_case(int argc, char **argv, const struct test_case *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (argc == 2 && !strcmp(argv[1], cases[i].name)) {
      cases[i].run();
      return 0;
    }
  }
  fprintf(stderr, "there is no such case\n");
  return 2;
}

static int rnr_retry = 7; // For ever.

enum { QPT_RC = 2, INIT = 1, RTR = 2, RTS = 3, SIGNALED = 2, BYTES = 4096 };

static inline void connect_with(
    struct ibv_context *context, struct ibv_qp *qp, uint32_t peer, int rights) {
  struct ibv_qp_attr attr = {.qp_state = INIT, .port_num = 1, .qp_access_flags = rights};
  CHECK(!ibv_modify_qp(qp, &attr, 1 | 8 | 16 | 32));
  attr = (struct ibv_qp_attr){.qp_state = RTR, .path_mtu = 3, .dest_qp_num = peer,
      .max_dest_rd_atomic = 1, .min_rnr_timer = 12,
      .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 1}}};
  union ibv_gid gid;
  CHECK(!ibv_query_gid(context, 1, 0, &gid));
  memcpy(&attr.ah_attr.grh.dgid, &gid, sizeof gid);
  CHECK(!ibv_modify_qp(qp, &attr, 1 | 128 | 256 | (1 << 12) | (1 << 15) | (1 << 17) | (1 << 20)));
  attr = (struct ibv_qp_attr){
      .qp_state = RTS, .timeout = 18, .retry_cnt = 7, .rnr_retry = (uint8_t)rnr_retry, .max_rd_atomic = 1};
  CHECK(!ibv_modify_qp(qp, &attr, 1 | 512 | 1024 | 2048 | (1 << 13) | (1 << 16)));
}

static inline void connect_with_itself(
    struct ibv_context *context, struct ibv_qp *qp, int rights) {
  connect_with(context, qp, qp->qp_num, rights);
}
