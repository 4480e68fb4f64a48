// SPDX-License-Identifier: Apache-2.0
// A pair of queue pairs in one process, its memory, and what is written from one page to another.
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>

#include "connected.h"

int ibv_close_device(struct ibv_context *);
int ibv_dealloc_pd(struct ibv_pd *);
struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *);
int ibv_get_cq_event(struct ibv_comp_channel *, struct ibv_cq **, void **);

enum { RIGHTS = 7, LOC_PROT_ERR = 4, REM_ACCESS_ERR = 10, PAGE = 4096, MAX_WORK = 16 };

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_comp_channel *channel;
static struct ibv_cq *cq;
static struct ibv_qp *qp, *peer;

static inline struct ibv_qp *new_qp(void) {
  struct ibv_qp_init_attr init = {
      .send_cq = cq, .recv_cq = cq, .cap = {MAX_WORK, 1, 2, 1, 0}, .qp_type = QPT_RC};
  struct ibv_qp *created = ibv_create_qp(pd, &init);
  CHECK(created);
  return created;
}

// Two queue pairs of one completion queue.
static inline void connect_new(void) {
  qp = new_qp();
  peer = new_qp();
  connect_with(context, qp, peer->qp_num, RIGHTS);
  connect_with(context, peer, qp->qp_num, RIGHTS);
}

static inline void create_queues(void) {
  channel = ibv_create_comp_channel(context);
  CHECK(channel);
  cq = ibv_create_cq(context, MAX_WORK, NULL, channel, 0);
  CHECK(cq);
  connect_new();
}

static inline void connect_pair(void) {
  struct ibv_device **list = ibv_get_device_list(NULL);
  CHECK(list && list[0]);
  context = ibv_open_device(list[0]);
  CHECK(context);
  pd = ibv_alloc_pd(context);
  CHECK(pd);
  create_queues();
}

static inline char *new_page(void) {
  char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(page != MAP_FAILED);
  return page;
}

static inline struct ibv_mr *region(char *page) {
  struct ibv_mr *mr = ibv_reg_mr(pd, page, PAGE, RIGHTS);
  CHECK(mr);
  return mr;
}

static inline void post(uint64_t id, const struct ibv_mr *from, const struct ibv_mr *to) {
  struct ibv_sge sge = {(uintptr_t)from->addr, 64, from->lkey};
  struct ibv_send_wr wr = {.wr_id = id, .sg_list = &sge, .num_sge = 1, .send_flags = SIGNALED};
  struct ibv_send_wr *bad;
  wr.wr.rdma.remote_addr = (uintptr_t)to->addr;
  wr.wr.rdma.rkey = to->rkey;
  CHECK(!context->ops.post_send(qp, &wr, &bad));
}

static inline struct ibv_wc completion(void) {
  struct ibv_wc wc;
  int taken;
  while ((taken = context->ops.poll_cq(cq, 1, &wc)) == 0)
    ;
  CHECK(taken == 1);
  return wc;
}

static inline void write_once(void) {
  struct ibv_mr *from = region(new_page()), *to = region(new_page());
  strcpy(from->addr, "hello");
  post(7, from, to);
  struct ibv_wc wc = completion();
  CHECK(wc.status == 0 && wc.wr_id == 7 && !strcmp(to->addr, "hello"));
}

static inline void exits_well(pid_t child) {
  int status;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
