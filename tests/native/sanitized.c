// SPDX-License-Identifier: Apache-2.0
// Programs for sanitizers and debuggers: some without a mistake, the others with one each.
#include <netinet/in.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(condition)                                                   \
  do {                                                                     \
    if (!(condition)) {                                                    \
      fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), perror(#condition); \
      exit(2);                                                             \
    }                                                                      \
  } while (0)

#ifdef OWN_OPTIONS
const char *__asan_default_options(void) { return "detect_stack_use_after_return=0"; }
#endif

enum { BYTES = 4096, PAIRS = 2, ENDS = 2, ROUNDS = 100 };
enum { RIGHTS = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ };

static struct ibv_device **list;
static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_srq *srq; // Of the second end of the second pair.
static struct ibv_cq *cqs[PAIRS][ENDS];
static struct ibv_qp *qps[PAIRS][ENDS];
static char *memory[ENDS];
static struct ibv_mr *regions[ENDS];
static char *inbox;
static struct ibv_mr *inbox_region;
static int handed_over[PAIRS];

static void connect_to(struct ibv_qp *qp, const struct ibv_qp *peer) {
  struct ibv_qp_attr attr = {
      .qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = RIGHTS};
  CHECK(!ibv_modify_qp(qp, &attr,
      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024,
      .dest_qp_num = peer->qp_num, .max_dest_rd_atomic = 1, .min_rnr_timer = 12,
      .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 1}}};
  CHECK(!ibv_query_gid(context, 1, 0, &attr.ah_attr.grh.dgid));
  CHECK(!ibv_modify_qp(qp, &attr,
      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
          IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
  attr = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7,
      .rnr_retry = 7, .max_rd_atomic = 1};
  CHECK(!ibv_modify_qp(qp, &attr,
      IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
          IBV_QP_MAX_QP_RD_ATOMIC));
}

static void open_pairs(void) {
  CHECK((list = ibv_get_device_list(NULL)) && list[0]);
  CHECK((context = ibv_open_device(list[0])) && (pd = ibv_alloc_pd(context)));
  struct ibv_srq_init_attr shared = {.attr = {.max_wr = ROUNDS, .max_sge = 1}};
  CHECK((srq = ibv_create_srq(pd, &shared)));
  CHECK((inbox = malloc(BYTES)));
  CHECK((inbox_region = ibv_reg_mr(pd, inbox, BYTES, IBV_ACCESS_LOCAL_WRITE)));
  for (int end = 0; end < ENDS; end++) {
    CHECK((memory[end] = malloc(BYTES)));
    CHECK((regions[end] = ibv_reg_mr(pd, memory[end], BYTES, RIGHTS)));
    for (int pair = 0; pair < PAIRS; pair++) {
      CHECK((cqs[pair][end] = ibv_create_cq(context, 2 * ROUNDS, NULL, NULL, 0)));
      struct ibv_qp_init_attr init = {.send_cq = cqs[pair][end], .recv_cq = cqs[pair][end],
          .srq = pair && end ? srq : NULL, .cap = {ROUNDS, ROUNDS, 1, 1, 0},
          .qp_type = IBV_QPT_RC};
      CHECK((qps[pair][end] = ibv_create_qp(pd, &init)));
    }
  }
  for (int pair = 0; pair < PAIRS; pair++) {
    connect_to(qps[pair][0], qps[pair][1]);
    connect_to(qps[pair][1], qps[pair][0]);
  }
}

static void close_pairs(void) {
  for (int end = 0; end < ENDS; end++) {
    for (int pair = 0; pair < PAIRS; pair++)
      CHECK(!ibv_destroy_qp(qps[pair][end]) && !ibv_destroy_cq(cqs[pair][end]));
    CHECK(!ibv_dereg_mr(regions[end]));
    free(memory[end]);
  }
  CHECK(!ibv_dereg_mr(inbox_region));
  free(inbox);
  CHECK(!ibv_destroy_srq(srq) && !ibv_dealloc_pd(pd) && !ibv_close_device(context));
  ibv_free_device_list(list);
}

static void post(int pair, enum ibv_wr_opcode opcode, char *from, struct ibv_mr *region) {
  struct ibv_sge sge = {(uintptr_t)from, 64, region->lkey};
  struct ibv_send_wr wr = {.sg_list = &sge, .num_sge = 1, .opcode = opcode,
      .send_flags = IBV_SEND_SIGNALED,
      .wr.rdma = {(uintptr_t)regions[1]->addr, regions[1]->rkey}};
  struct ibv_send_wr *bad;
  CHECK(!ibv_post_send(qps[pair][0], &wr, &bad));
}

static void await(struct ibv_cq *cq) {
  struct ibv_wc wc;
  int count;
  while ((count = ibv_poll_cq(cq, 1, &wc)) == 0)
    ;
  CHECK(count == 1 && wc.status == IBV_WC_SUCCESS);
}

static void receive(int pair) {
  struct ibv_sge sge = {(uintptr_t)inbox, 128, inbox_region->lkey};
  struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;
  CHECK(!(pair ? ibv_post_srq_recv(srq, &wr, &bad) : ibv_post_recv(qps[pair][1], &wr, &bad)));
}

// Polls receives, and sees what the other thread has done before it has posted.
static void *see(void *place) {
  int pair = *(int *)place;
  for (int i = 0; i < ROUNDS; i++) {
    await(cqs[pair][1]);
    CHECK(handed_over[pair] == ROUNDS && inbox[63] == 'm');
  }
  return NULL;
}

static void pairs(void) {
  pthread_t thread;
  open_pairs();
  memset(memory[0], 'm', BYTES);
  for (int pair = 0; pair < PAIRS; pair++) {
    for (int i = 0; i < ROUNDS; i++) receive(pair);
    CHECK(!pthread_create(&thread, NULL, see, &pair));
    handed_over[pair] = ROUNDS;
    for (int i = 0; i < ROUNDS; i++) {
      post(pair, IBV_WR_SEND, memory[0], regions[0]);
      await(cqs[pair][0]);
    }
    CHECK(!pthread_join(thread, NULL));
    char *read = malloc(64);
    struct ibv_mr *region = ibv_reg_mr(pd, read, 64, IBV_ACCESS_LOCAL_WRITE);
    post(pair, IBV_WR_RDMA_WRITE, memory[0], regions[0]);
    post(pair, IBV_WR_RDMA_READ, read, region);
    await(cqs[pair][0]);
    await(cqs[pair][0]);
    CHECK(!memcmp(read, memory[1], 64) && read[63] == 'm');
    CHECK(!ibv_dereg_mr(region));
    free(read);
  }
  close_pairs();
}

static void next_event(struct rdma_event_channel *channel, enum rdma_cm_event_type type,
    struct rdma_cm_id **id) {
  struct rdma_cm_event *event;
  CHECK(!rdma_get_cm_event(channel, &event) && event->event == type);
  if (id) *id = event->id;
  rdma_ack_cm_event(event);
}

static void create_qp(struct rdma_cm_id *id) {
  struct ibv_qp_init_attr init = {.cap = {1, 1, 1, 1, 0}, .qp_type = IBV_QPT_RC};
  CHECK(!rdma_create_qp(id, NULL, &init));
}

static void *serve(void *listener) {
  struct rdma_event_channel *channel = ((struct rdma_cm_id *)listener)->channel;
  struct rdma_cm_id *id;
  struct rdma_conn_param parameters = {0};
  char text[64];
  struct ibv_wc wc;
  next_event(channel, RDMA_CM_EVENT_CONNECT_REQUEST, &id);
  create_qp(id);
  struct ibv_mr *region = rdma_reg_msgs(id, text, sizeof text);
  CHECK(region && !rdma_post_recv(id, NULL, text, sizeof text, region));
  CHECK(!rdma_accept(id, &parameters));
  next_event(channel, RDMA_CM_EVENT_ESTABLISHED, NULL);
  CHECK(rdma_get_recv_comp(id, &wc) == 1 && wc.status == 0 && !strcmp(text, "hello"));
  next_event(channel, RDMA_CM_EVENT_DISCONNECTED, NULL);
  rdma_disconnect(id);
  CHECK(!rdma_dereg_mr(region));
  rdma_destroy_qp(id);
  CHECK(!rdma_destroy_id(id));
  return NULL;
}

static void connection(void) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct rdma_event_channel *channels[] = {
      rdma_create_event_channel(), rdma_create_event_channel()};
  struct rdma_cm_id *listener, *id;
  struct rdma_conn_param parameters = {0};
  char text[64] = "hello";
  struct ibv_wc wc;
  pthread_t thread;
  CHECK(channels[0] && !rdma_create_id(channels[0], &listener, NULL, RDMA_PS_TCP));
  CHECK(!rdma_bind_addr(listener, (struct sockaddr *)&address) && !rdma_listen(listener, 1));
  CHECK(!pthread_create(&thread, NULL, serve, listener));
  address.sin_port = rdma_get_src_port(listener);
  CHECK(channels[1] && !rdma_create_id(channels[1], &id, NULL, RDMA_PS_TCP));
  CHECK(!rdma_resolve_addr(id, NULL, (struct sockaddr *)&address, 1000));
  next_event(channels[1], RDMA_CM_EVENT_ADDR_RESOLVED, NULL);
  CHECK(!rdma_resolve_route(id, 1000));
  next_event(channels[1], RDMA_CM_EVENT_ROUTE_RESOLVED, NULL);
  create_qp(id);
  CHECK(!rdma_connect(id, &parameters));
  next_event(channels[1], RDMA_CM_EVENT_ESTABLISHED, NULL);
  struct ibv_mr *region = rdma_reg_msgs(id, text, sizeof text);
  CHECK(region && !rdma_post_send(id, NULL, text, sizeof text, region, IBV_SEND_SIGNALED));
  CHECK(rdma_get_send_comp(id, &wc) == 1 && wc.status == 0 && !rdma_disconnect(id));
  next_event(channels[1], RDMA_CM_EVENT_DISCONNECTED, NULL);
  CHECK(!pthread_join(thread, NULL) && !rdma_dereg_mr(region));
  rdma_destroy_qp(id);
  CHECK(!rdma_destroy_id(id) && !rdma_destroy_id(listener));
  for (int i = 0; i < ENDS; i++) rdma_destroy_event_channel(channels[i]);
}

// The mistakes.

static void send_freed(void) {
  open_pairs();
  free(memory[0]);
  post(0, IBV_WR_SEND, memory[0], regions[0]);
}

static void receive_freed(void) {
  open_pairs();
  free(inbox);
  receive(0);
}

static void into_freed(enum ibv_wr_opcode opcode) {
  open_pairs();
  memset(memory[0], 'm', BYTES);
  free(memory[1]);
  post(0, opcode, memory[0], regions[0]);
  await(cqs[0][0]);
}

static void write_freed(void) { into_freed(IBV_WR_RDMA_WRITE); }

static void read_freed(void) { into_freed(IBV_WR_RDMA_READ); }

static void arrive_in_freed(void) {
  open_pairs();
  receive(0);
  free(inbox);
  post(0, IBV_WR_SEND, memory[0], regions[0]);
  await(cqs[0][1]);
}

static void leak(void) {
  pairs();
  CHECK((list = ibv_get_device_list(NULL)));
  list = NULL;
}

static void *see_too_much(void *unused) {
  usleep(100000); // The other thread has posted to the first pair, too, but this one polls the second.
  await(cqs[1][1]);
  CHECK(handed_over[0] == 1);
  return unused;
}

static void race(void) {
  pthread_t thread;
  open_pairs();
  memset(memory[0], 'm', BYTES);
  receive(0);
  receive(1);
  CHECK(!pthread_create(&thread, NULL, see_too_much, NULL));
  post(1, IBV_WR_SEND, memory[0], regions[0]);
  handed_over[0] = 1;
  post(0, IBV_WR_SEND, memory[0], regions[0]);
  CHECK(!pthread_join(thread, NULL));
  close_pairs();
}

static void shift(void) {
  pairs();
  volatile int places = 32;
  printf("%d\n", 1 << places);
}

static void early(void) {
  open_pairs();
  receive(0);
  if (inbox[0] == 'x') puts("an x");
}

static void beyond(void) {
  open_pairs();
  memset(memory[0], 'm', BYTES);
  receive(0);
  post(0, IBV_WR_SEND, memory[0], regions[0]);
  await(cqs[0][1]);
  if (inbox[64] == 'x') puts("an x");
}

static void null_pointer(void) {
  open_pairs();
  *(volatile int *)NULL = 1;
}

static void dump(void) {
  open_pairs();
  abort();
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"pairs", pairs},
    {"connection", connection},
    {"send-freed", send_freed},
    {"receive-freed", receive_freed},
    {"write-freed", write_freed},
    {"read-freed", read_freed},
    {"arrive-in-freed", arrive_in_freed},
    {"leak", leak},
    {"race", race},
    {"shift", shift},
    {"early", early},
    {"beyond", beyond},
    {"null-pointer", null_pointer},
    {"dump", dump},
};

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (argc == 2 && !strcmp(argv[1], cases[i].name)) {
      cases[i].run();
      return 0;
    }
  }
  fprintf(stderr, "there is no such case\n");
  return 2;
}
