// SPDX-License-Identifier: Apache-2.0
// Work requests whose fields C programs set, on a queue pair that is connected with itself.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "connected.h"

enum { MAX_INLINE = 64, INLINE = 8 };
enum { WRITE = 0, LOCAL_INV = 7, BIND_MW = 8, TYPE_2 = 2 };
enum { LOCAL_WRITE = 1, REMOTE_WRITE = 2, REMOTE_READ = 4, MW_BIND = 16 };

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static struct ibv_cq *cq;
static struct ibv_qp *qp;
static char memory[BYTES];

static void connect_self(int sq_sig_all) {
  const int rights = LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ;
  int count;
  context = ibv_open_device(ibv_get_device_list(&count)[0]);
  CHECK(context && (pd = ibv_alloc_pd(context)));
  CHECK((mr = ibv_reg_mr(pd, memory, BYTES, rights | MW_BIND)));
  CHECK((cq = ibv_create_cq(context, 16, NULL, NULL, 0)));
  struct ibv_qp_init_attr init = {.send_cq = cq, .recv_cq = cq,
      .cap = {8, 8, 4, 1, MAX_INLINE}, .qp_type = QPT_RC, .sq_sig_all = sq_sig_all};
  CHECK((qp = ibv_create_qp(pd, &init)));
  connect_with_itself(context, qp, rights);
}

static int post(struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
  return context->ops.post_send(qp, wr, bad);
}

static void await(uint64_t wr_id) {
  struct ibv_wc wc;
  int taken;
  while ((taken = context->ops.poll_cq(cq, 1, &wc)) == 0)
    ;
  CHECK(taken == 1 && wc.status == 0 && wc.wr_id == wr_id);
}

static struct ibv_send_wr write_of(uint64_t wr_id, struct ibv_sge *sge, int entries) {
  struct ibv_send_wr wr = {.wr_id = wr_id, .sg_list = sge, .num_sge = entries};
  wr.opcode = WRITE;
  wr.send_flags = SIGNALED;
  wr.wr.rdma.remote_addr = (uintptr_t)memory + 2048;
  wr.wr.rdma.rkey = mr->rkey;
  return wr;
}

// ibv_post_send(3): bad_wr is the first that was not posted; those before it are.
static void bad_wr(void) {
  connect_self(0);
  struct ibv_sge sge = {(uintptr_t)memory, 8, mr->lkey};
  struct ibv_send_wr third = write_of(3, &sge, 1), second = write_of(2, &sge, 5);
  struct ibv_send_wr first = write_of(1, &sge, 1), *bad = NULL;
  first.next = &second;
  second.next = &third;
  CHECK(post(&first, &bad) == EINVAL && bad == &second);
  await(1);
  struct ibv_wc wc;
  CHECK(context->ops.poll_cq(cq, 1, &wc) == 0);
}

// A length is unsigned: these are 4 GiB less a byte, and then 65, not 64 in all.
static void inline_size(void) {
  connect_self(0);
  struct ibv_sge entries[] = {{(uintptr_t)memory, UINT32_MAX, 0}, {(uintptr_t)memory, 65, 0}};
  struct ibv_send_wr wr = write_of(1, entries, 2), *bad = NULL;
  wr.send_flags |= INLINE;
  CHECK(post(&wr, &bad) == EINVAL && bad == &wr);
  wr.num_sge = 1;
  entries[0].length = 1U << 31;
  CHECK(post(&wr, &bad) == EINVAL && bad == &wr);
  entries[0].length = MAX_INLINE + 1;
  CHECK(post(&wr, &bad) == EINVAL && bad == &wr);
  entries[0].length = MAX_INLINE;
  CHECK(!post(&wr, &bad));
  await(1);
}

// ibv_create_qp(3): with sq_sig_all each request completes, also without IBV_SEND_SIGNALED.
static void all_signaled(void) {
  connect_self(1);
  struct ibv_sge sge = {(uintptr_t)memory, 8, mr->lkey};
  struct ibv_send_wr wr = write_of(1, &sge, 1), *bad;
  wr.send_flags = 0;
  CHECK(!post(&wr, &bad));
  await(1);
}

// The key of LOCAL_INV is in the order of the host, though it shares its place with immediate data.
static void local_invalidate(void) {
  connect_self(0);
  struct ibv_mw *mw = context->ops.alloc_mw(pd, TYPE_2);
  CHECK(mw);
  uint32_t rkey = (mw->rkey & 0xffffff00) | ((mw->rkey + 1) & 0xff);
  struct ibv_send_wr bind = {.wr_id = 1, .opcode = BIND_MW, .send_flags = SIGNALED}, *bad;
  bind.bind_mw.mw = mw;
  bind.bind_mw.rkey = rkey;
  bind.bind_mw.bind_info.mr = mr;
  bind.bind_mw.bind_info.addr = (uintptr_t)memory;
  bind.bind_mw.bind_info.length = 64;
  bind.bind_mw.bind_info.mw_access_flags = REMOTE_WRITE;
  CHECK(!post(&bind, &bad));
  await(1);
  struct ibv_send_wr invalidate = {.wr_id = 2, .opcode = LOCAL_INV, .send_flags = SIGNALED};
  invalidate.invalidate_rkey = rkey;
  CHECK(!post(&invalidate, &bad));
  await(2);
}

static void *post_until_full(void *unused) { // A thread that finds no room polls.
  enum { POSTS = 50000 };
  struct ibv_sge sge = {(uintptr_t)memory, 8, mr->lkey};
  for (int i = 0; i < POSTS; i++) {
    struct ibv_send_wr wr = write_of(1, &sge, 1), *bad;
    int error = post(&wr, &bad);
    struct ibv_wc wc = {0};
    CHECK(!error || error == ENOMEM);
    if (error) CHECK(context->ops.poll_cq(cq, 1, &wc) >= 0 && wc.status == 0);
  }
  return unused;
}

static void full_for_threads(void) {
  connect_self(0);
  pthread_t others[2];
  for (int i = 0; i < 2; i++) CHECK(!pthread_create(&others[i], NULL, post_until_full, NULL));
  post_until_full(NULL);
  for (int i = 0; i < 2; i++) CHECK(!pthread_join(others[i], NULL));
}

static const struct test_case cases[] = {
    {"bad-wr", bad_wr},
    {"inline-size", inline_size},
    {"all-signaled", all_signaled},
    {"local-invalidate", local_invalidate},
    {"full-for-threads", full_for_threads},
};

int main(int argc, char **argv) {
  return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
