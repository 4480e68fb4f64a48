// SPDX-License-Identifier: Apache-2.0
// Two RC queue pairs of one process: posts a WRITE of 64 bytes and polls until it has completed, in
// a loop. Prints the nanoseconds of each round's operations: post_poll ROUNDS OPERATIONS
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHECK(is) \
  if (!(is)) return fprintf(stderr, "post_poll: not so: %s\n", #is), 1

static char from[64], to[64];

static int connect_to(struct ibv_qp *qp, struct ibv_qp *peer) {
  struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1,
      .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
  CHECK(!ibv_modify_qp(
      qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024,
      .dest_qp_num = peer->qp_num, .max_dest_rd_atomic = 1, .min_rnr_timer = 12,
      .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 1}}};
  CHECK(!ibv_query_gid(qp->context, 1, 0, &attr.ah_attr.grh.dgid));
  CHECK(!ibv_modify_qp(qp, &attr,
      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
          IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .timeout = 18, .retry_cnt = 7,
      .rnr_retry = 7, .max_rd_atomic = 1};
  CHECK(!ibv_modify_qp(qp, &attr,
      IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
          IBV_QP_MAX_QP_RD_ATOMIC));
  return 0;
}

int main(int count, char **arguments) {
  CHECK(count == 3);
  struct ibv_device **devices = ibv_get_device_list(NULL);
  CHECK(devices && devices[0]);
  struct ibv_context *context = ibv_open_device(devices[0]);
  CHECK(context);
  struct ibv_pd *pd = ibv_alloc_pd(context);
  struct ibv_cq *cq = ibv_create_cq(context, 8, NULL, NULL, 0);
  struct ibv_qp_init_attr attr = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
      .cap = {.max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1}};
  struct ibv_qp *qp = ibv_create_qp(pd, &attr), *peer = ibv_create_qp(pd, &attr);
  CHECK(qp && peer && !connect_to(qp, peer) && !connect_to(peer, qp));
  struct ibv_mr *source = ibv_reg_mr(pd, from, sizeof from, 0);
  struct ibv_mr *target =
      ibv_reg_mr(pd, to, sizeof to, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  CHECK(source && target);
  struct ibv_sge sge = {(uintptr_t)from, sizeof from, source->lkey};
  struct ibv_send_wr wr = {.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE,
      .send_flags = IBV_SEND_SIGNALED, .wr.rdma = {(uintptr_t)to, target->rkey}};
  int rounds = atoi(arguments[1]), operations = atoi(arguments[2]);
  for (int round = 0; round < rounds; round++) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < operations; i++) {
      struct ibv_send_wr *bad;
      struct ibv_wc wc;
      int taken;
      CHECK(!ibv_post_send(qp, &wr, &bad));
      while (!(taken = ibv_poll_cq(cq, 1, &wc))) continue;
      CHECK(taken == 1 && wc.status == IBV_WC_SUCCESS);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double nanos = 1e9 * (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec);
    printf("%.0f\n", nanos / operations);
  }
  return 0;
}
