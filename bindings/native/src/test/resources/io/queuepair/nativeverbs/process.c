// SPDX-License-Identifier: Apache-2.0
// A program that uses the device, and checks what else a process may do meanwhile.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "connected.h"

int ibv_close_device(struct ibv_context *);
int ibv_dealloc_pd(struct ibv_pd *);
struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *, void *, size_t, uint64_t, unsigned);
int ibv_dereg_mr(struct ibv_mr *);
struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *);
int ibv_get_cq_event(struct ibv_comp_channel *, struct ibv_cq **, void **);
void ibv_ack_cq_events(struct ibv_cq *, unsigned);
int ibv_destroy_cq(struct ibv_cq *);
int ibv_destroy_comp_channel(struct ibv_comp_channel *);
int ibv_destroy_qp(struct ibv_qp *);
int ibv_query_qp(struct ibv_qp *, struct ibv_qp_attr *, int, struct ibv_qp_init_attr *);
int ibv_query_device(struct ibv_context *, struct ibv_device_attr *);
int ibv_get_async_event(struct ibv_context *, struct ibv_async_event *);
int ibv_query_gid_type(struct ibv_context *, uint8_t, unsigned, unsigned *);
int ibv_resolve_eth_l2_from_gid(struct ibv_context *, struct ibv_ah_attr *, uint8_t *, uint16_t *);
int ibv_attach_mcast(struct ibv_qp *, const union ibv_gid *, uint16_t);
struct ibv_srq *ibv_create_srq(struct ibv_pd *, struct ibv_srq_init_attr *);
struct ibv_ah *ibv_create_ah(struct ibv_pd *, struct ibv_ah_attr *);
struct ibv_context *ibv_import_device(int);
struct ibv_pd *ibv_import_pd(struct ibv_context *, uint32_t);
struct ibv_mr *ibv_import_mr(struct ibv_pd *, uint32_t);
void ibv_unimport_pd(struct ibv_pd *);
void ibv_unimport_mr(struct ibv_mr *);
void *ibv_alloc_dmah(void *, void *);
int ibv_dm_export_dmabuf_fd(void *);
struct ibv_buf;
void *ibv_alloc_buf(struct ibv_pd *, size_t, struct ibv_buf **);
void ibv_free_buf(struct ibv_buf *);
int ibv_export_buf_dmabuf_fd(struct ibv_buf *);
struct ibv_mr *ibv_reg_buf_mr(struct ibv_pd *, struct ibv_buf *, void *, size_t, int);
struct ibv_mr_init_attr { // As in verbs.h of release 65.
  size_t length;
  int access;
  uint64_t comp_mask, iova;
  void *addr;
  int fd;
  uint64_t fd_offset;
  void *dmah;
  struct ibv_buf *buf;
};
enum { MASK_IOVA = 1, MASK_ADDR = 2, MASK_DMAH = 16, MASK_BUF = 32 };
struct ibv_mr *ibv_reg_mr_ex(struct ibv_pd *, struct ibv_mr_init_attr *);

enum { ALL_RIGHTS = 7 };

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static struct ibv_comp_channel *channel;
static struct ibv_cq *cq;
static struct ibv_qp *qp;
static char memory[BYTES];

static struct ibv_context *open_first(void) {
  int count;
  struct ibv_device **list = ibv_get_device_list(&count);
  CHECK(list && count == 1 && !list[1]);
  struct ibv_context *opened = ibv_open_device(list[0]);
  CHECK(opened);
  return opened;
}

// A queue pair that is connected with itself.
static void connect_self(void) {
  context = open_first();
  pd = ibv_alloc_pd(context);
  mr = ibv_reg_mr(pd, memory, BYTES, ALL_RIGHTS);
  CHECK(mr);
  channel = ibv_create_comp_channel(context);
  cq = ibv_create_cq(context, 16, memory, channel, 0);
  CHECK(cq);
  struct ibv_qp_init_attr init = {
      .send_cq = cq, .recv_cq = cq, .cap = {8, 8, 1, 1, 0}, .qp_type = QPT_RC};
  qp = ibv_create_qp(pd, &init);
  CHECK(qp);
  connect_with_itself(context, qp, ALL_RIGHTS);
}

static void post_write(void) {
  struct ibv_sge sge = {(uintptr_t)memory, 64, mr->lkey};
  struct ibv_send_wr wr = {.wr_id = 7, .sg_list = &sge, .num_sge = 1, .send_flags = SIGNALED};
  struct ibv_send_wr *bad;
  wr.wr.rdma.remote_addr = (uintptr_t)memory + 128;
  wr.wr.rdma.rkey = mr->rkey;
  CHECK(!qp->context->ops.post_send(qp, &wr, &bad));
}

static void await_completion(void) {
  struct ibv_wc wc;
  int taken;
  while ((taken = cq->context->ops.poll_cq(cq, 1, &wc)) == 0)
    ;
  CHECK(taken == 1 && wc.status == 0 && wc.wr_id == 7);
}

static void write_once(void) {
  strcpy(memory, "hello");
  memset(memory + 128, 0, 64);
  post_write();
  await_completion();
  CHECK(!strcmp(memory + 128, "hello"));
}

static void disconnect(void) {
  CHECK(!ibv_destroy_qp(qp));
  CHECK(!ibv_destroy_cq(cq));
  CHECK(!ibv_destroy_comp_channel(channel));
  CHECK(!ibv_dereg_mr(mr));
  CHECK(!ibv_dealloc_pd(pd));
  CHECK(!ibv_close_device(context));
}

static void use_device(void) {
  connect_self();
  write_once();
}

static void devices(void) { CHECK(!ibv_close_device(open_first())); }

static void write_and_close(void) {
  use_device();
  disconnect();
}

static void events(void) {
  connect_self();
  for (int i = 0; i < 10; i++) {
    CHECK(!cq->context->ops.req_notify_cq(cq, 0));
    post_write();
    struct ibv_cq *source;
    void *cookie;
    CHECK(!ibv_get_cq_event(channel, &source, &cookie));
    CHECK(source == cq && cookie == memory);
    ibv_ack_cq_events(cq, 1);
    await_completion();
  }
  disconnect();
}

// Standard error, which a thread reads until it says that a verb waits.
static int errors;

static void capture_errors(void) {
  int ends[2];
  CHECK(!pipe(ends) && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
  errors = ends[0];
}

static void await_explanation(void) {
  char text[4096] = "";
  for (size_t length = 0; !strstr(text, " waits: "); ) {
    ssize_t more = read(errors, text + length, sizeof text - 1 - length);
    CHECK(more > 0);
    length += (size_t)more;
    text[length] = 0;
  }
  printf("%s", text);
  fflush(stdout);
}

static void *acknowledge_late(void *unused) {
  await_explanation();
  ibv_ack_cq_events(cq, 1);
  return unused;
}

static void unacknowledged(void) {
  CHECK(!setenv("QUEUEPAIR_EXPLAIN", "1", 1));
  connect_self();
  CHECK(!cq->context->ops.req_notify_cq(cq, 0));
  post_write();
  struct ibv_cq *source;
  void *cookie;
  CHECK(!ibv_get_cq_event(channel, &source, &cookie));
  await_completion();
  capture_errors();
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, acknowledge_late, NULL));
  disconnect();
  pthread_join(thread, NULL);
}

// Pages that are read-only, then not even that, and one that is not there.
static void unregistrable(void) {
  CHECK(!setenv("QUEUEPAIR_EXPLAIN", "1", 1));
  context = open_first();
  pd = ibv_alloc_pd(context);
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 3 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED && !munmap(pages + 2 * page, page));
  enum { LOCAL_WRITE = 1, REMOTE_READ = 4 };
  CHECK(!ibv_reg_mr(pd, pages + 8, page, LOCAL_WRITE) && errno == EFAULT);
  uintptr_t start = (uintptr_t)pages + 8; // The macro ibv_reg_mr of verbs.h passes it as the iova.
  CHECK(!ibv_reg_mr_iova2(pd, pages + 8, 2 * page, start, REMOTE_READ) && errno == EFAULT);
  CHECK(!ibv_reg_mr_iova2(pd, pages + 8, page, 0, LOCAL_WRITE) && errno == EFAULT);
  printf("page %p %p\n", (void *)pages, (void *)(pages + 2 * page));
  CHECK(!mprotect(pages, page, PROT_NONE) && !ibv_reg_mr(pd, pages, page, 0) && errno == EFAULT);
}

static int (*ack_cm_event)(void *);
static void *cm_event;

static void *acknowledge_cm_late(void *unused) {
  await_explanation();
  CHECK(!ack_cm_event(cm_event));
  return unused;
}

int rdma_destroy_id(void *);

// As far as librdmacm is installed: otherwise the case ends with this code.
enum { NO_LIBRDMACM = 77 };

static void unacknowledged_cm(void) {
  CHECK(!setenv("QUEUEPAIR_EXPLAIN", "1", 1));
  void *library = dlopen("librdmacm.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) exit(NO_LIBRDMACM);
  void *(*create_event_channel)(void), *id;
  int (*create_id)(void *, void **, void *, int), (*get_cm_event)(void *, void **);
  int (*resolve_addr)(void *, void *, void *, int), (*create_qp)(void *, void *, void *);
  void (*destroy_qp)(void *);
  *(void **)&create_event_channel = dlsym(library, "rdma_create_event_channel");
  *(void **)&create_id = dlsym(library, "rdma_create_id");
  *(void **)&resolve_addr = dlsym(library, "rdma_resolve_addr");
  *(void **)&create_qp = dlsym(library, "rdma_create_qp");
  *(void **)&destroy_qp = dlsym(library, "rdma_destroy_qp");
  *(void **)&get_cm_event = dlsym(library, "rdma_get_cm_event");
  *(void **)&ack_cm_event = dlsym(library, "rdma_ack_cm_event");
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001)};
  void *events = create_event_channel();
  enum { PS_TCP = 0x0106 };
  CHECK(events && !create_id(events, &id, NULL, PS_TCP));
  CHECK(!resolve_addr(id, NULL, &to, 1000) && !get_cm_event(events, &cm_event));
  struct ibv_qp_init_attr init = {.cap = {8, 8, 1, 1, 0}, .qp_type = QPT_RC};
  CHECK(!create_qp(id, NULL, &init));
  destroy_qp(id);
  capture_errors();
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, acknowledge_cm_late, NULL));
  CHECK(!rdma_destroy_id(id));
  pthread_join(thread, NULL);
}

static sigjmp_buf back;
static volatile int caught;

static void on_segv(int number) {
  (void)number;
  caught++;
  siglongjmp(back, 1);
}

static void fault(void) {
  if (!sigsetjmp(back, 1)) *(volatile int *)(uintptr_t)16 = 1;
}

static void own_segv_handler(void) {
  signal(SIGSEGV, on_segv);
  use_device();
  fault();
  CHECK(caught == 1);
  for (int i = 0; i < 100; i++) write_once();
  CHECK(caught == 1);
}

static void segv_handler_after_start(void) {
  use_device();
  struct sigaction action = {.sa_handler = on_segv}, before;
  CHECK(!sigaction(SIGSEGV, &action, &before) && before.sa_handler == SIG_DFL);
  fault();
  CHECK(caught == 1);
  write_once();
}

static void segv(void) {
  use_device();
  *(volatile int *)(uintptr_t)16 = 1;
}

static void broken_pipe(void) {
  use_device();
  int ends[2];
  CHECK(!pipe(ends));
  close(ends[0]);
  CHECK(write(ends[1], "x", 1) == 1);
}

static void *use_in_thread(void *argument) {
  (void)argument;
  write_once();
  return NULL;
}

static void small_stack(void) {
  connect_self();
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  CHECK(!pthread_attr_setstacksize(&attributes, 64 << 10));
  pthread_t thread;
  CHECK(!pthread_create(&thread, &attributes, use_in_thread, NULL));
  pthread_join(thread, NULL);
}

static void many_threads(void) {
  connect_self();
  for (int i = 0; i < 100; i++) {
    pthread_t thread;
    CHECK(!pthread_create(&thread, NULL, use_in_thread, NULL));
    pthread_join(thread, NULL);
  }
}

static struct verbs_context *extended_context(void) {
  return (struct verbs_context *)((char *)context - offsetof(struct verbs_context, context));
}

static void exec_child(void) {
  use_device();
  CHECK(system("true") == 0);
  write_once();
}

static void dlopened(void) {
  void *library = dlopen("libibverbs.so.1", RTLD_NOW);
  if (!library) return; // Not installed here.
  void *(*list)(int *);
  *(void **)&list = dlsym(library, "ibv_get_device_list");
  CHECK((void *)list == (void *)ibv_get_device_list);
  *(void **)&list = dlvsym(library, "ibv_get_device_list", "IBVERBS_1.1");
  CHECK((void *)list == (void *)ibv_get_device_list);
  CHECK(dlsym(library, "ibv_wc_status_str"));
}

static void *wait_for_event(void *argument) {
  struct ibv_cq *source;
  void *cookie;
  (void)argument;
  ibv_get_cq_event(channel, &source, &cookie);
  return NULL;
}

static void exit_while_waiting(void) {
  connect_self();
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, wait_for_event, NULL));
  exit(0);
}

static void closed_handle(void) {
  connect_self();
  CHECK(!ibv_destroy_qp(qp));
  CHECK(ibv_destroy_qp(qp) == EINVAL);
  struct ibv_qp_attr attr = {.qp_state = INIT};
  CHECK(ibv_modify_qp(qp, &attr, 1) == EINVAL);
  CHECK(!ibv_dereg_mr(mr));
  CHECK(ibv_dereg_mr(mr) == EINVAL);
}

static void wrong_state(void) {
  connect_self();
  struct ibv_qp_attr attr = {.qp_state = 99};
  CHECK(ibv_modify_qp(qp, &attr, 1) == EINVAL);
  attr.qp_state = RTR;
  CHECK(ibv_modify_qp(qp, &attr, 1) == EINVAL);
  CHECK(ibv_modify_qp(qp, &attr, 1 << 30) == EINVAL);
  CHECK(ibv_dealloc_pd(pd) == EBUSY);
  struct ibv_send_wr wr = {.opcode = 77}, *bad = NULL;
  CHECK(qp->context->ops.post_send(qp, &wr, &bad) == EINVAL && bad == &wr);
  write_once();
  struct ibv_qp_init_attr init;
  qp->state = RTR;
  CHECK(!ibv_query_qp(qp, &attr, 1 << 19, &init) && qp->state == RTR);
  CHECK(!ibv_query_qp(qp, &attr, 1, &init) && qp->state == RTS);
}

static void newer_release(void) {
  CHECK(!setenv("QUEUEPAIR_EXPLAIN", "1", 1));
  connect_self();
  CHECK(!ibv_alloc_dmah(context, NULL) && errno == EOPNOTSUPP);
  errno = 0;
  CHECK(ibv_dm_export_dmabuf_fd(NULL) == -1 && errno == EOPNOTSUPP);
}

// Writes 64 bytes to an address by a key, and waits; the status.
static int write_to(uint64_t address, uint32_t key) {
  struct ibv_sge sge = {(uintptr_t)memory, 64, mr->lkey};
  struct ibv_send_wr wr = {.wr_id = 7, .sg_list = &sge, .num_sge = 1, .send_flags = SIGNALED};
  struct ibv_send_wr *bad;
  wr.wr.rdma.remote_addr = address;
  wr.wr.rdma.rkey = key;
  CHECK(!qp->context->ops.post_send(qp, &wr, &bad));
  struct ibv_wc wc;
  while (!cq->context->ops.poll_cq(cq, 1, &wc))
    ;
  return wc.status;
}

// Memory of the device's choice.
static void buffers(void) {
  connect_self();
  struct ibv_buf *buf;
  char *bytes = ibv_alloc_buf(pd, 3 * BYTES, &buf);
  CHECK(bytes && (uintptr_t)bytes % BYTES == 0 && !bytes[0] && !bytes[3 * BYTES - 1]);
  struct ibv_mr *part = ibv_reg_buf_mr(pd, buf, bytes + BYTES, 2 * BYTES, ALL_RIGHTS);
  CHECK(part && part->addr == bytes + BYTES && part->length == 2 * BYTES);
  strcpy(memory, "chosen");
  CHECK(write_to((uintptr_t)bytes + 3 * BYTES - 64, part->rkey) == 0);
  CHECK(!strcmp(bytes + 3 * BYTES - 64, "chosen"));
  struct ibv_pd *other = ibv_alloc_pd(context);
  CHECK(!ibv_reg_buf_mr(other, buf, bytes, BYTES, ALL_RIGHTS) && errno == EINVAL);
  CHECK(!ibv_reg_buf_mr(pd, buf, bytes, 3 * BYTES + 1, ALL_RIGHTS) && errno == EINVAL);
  CHECK(!ibv_reg_buf_mr(pd, buf, bytes - 1, 1, ALL_RIGHTS) && errno == EINVAL);
  struct ibv_mr_init_attr attr = {
      .length = 64, .access = ALL_RIGHTS, .addr = bytes, .iova = 4096, .buf = buf, .comp_mask = MASK_ADDR | MASK_BUF};
  struct ibv_mr *by_buf = ibv_reg_mr_ex(pd, &attr);
  CHECK(by_buf && by_buf->addr == bytes && write_to((uintptr_t)bytes, by_buf->rkey) == 0);
  attr.comp_mask = MASK_ADDR | MASK_IOVA;
  struct ibv_mr *elsewhere = ibv_reg_mr_ex(pd, &attr);
  CHECK(elsewhere && write_to(4096, elsewhere->rkey) == 0 && !strcmp(bytes, "chosen"));
  attr.comp_mask = MASK_BUF;
  CHECK(!ibv_reg_mr_ex(pd, &attr) && errno == EINVAL);
  attr.comp_mask = MASK_ADDR | MASK_DMAH;
  CHECK(!ibv_reg_mr_ex(pd, &attr) && errno == EOPNOTSUPP);
  CHECK(!ibv_dereg_mr(by_buf) && !ibv_dereg_mr(elsewhere));
  CHECK(ibv_export_buf_dmabuf_fd(buf) == -1 && errno == ENODATA);
  CHECK(!ibv_alloc_buf(pd, 0, &buf) && errno == EINVAL);
  CHECK(!ibv_alloc_buf(pd, SIZE_MAX / 2, &buf) && errno == ENOMEM);
  CHECK(!ibv_dereg_mr(part));
  ibv_free_buf(buf);
}

// FLUSH, whose function is behind those that struct ibv_qp_ex had before: visible is what the region
// allows, persistent it is not.
static void flush(void) {
  connect_self();
  CHECK(!ibv_destroy_qp(qp));
  struct ibv_qp_init_attr_ex init = {.send_cq = cq, .recv_cq = cq, .cap = {8, 8, 1, 1, 0},
      .qp_type = QPT_RC, .comp_mask = 1 | 64, .pd = pd, .send_ops_flags = 1 << 11};
  qp = extended_context()->create_qp_ex(context, &init);
  CHECK(qp);
  const int visible = 1 << 8, stored = 1 << 9;
  connect_with_itself(context, qp, ALL_RIGHTS | visible | stored);
  struct ibv_mr *region = ibv_reg_mr(pd, memory, BYTES, ALL_RIGHTS | visible);
  CHECK(region);
  struct ibv_qp_ex *ex = (struct ibv_qp_ex *)qp;
  CHECK(offsetof(struct ibv_qp_ex, wr_flush) == 352);
  ex->wr_id = 7;
  ex->wr_flags = SIGNALED;
  const int global = 1, persistent = 2, range = 0, whole = 1, status_of_access_error = 10;
  ex->wr_start(ex);
  ex->wr_flush(ex, region->rkey, (uintptr_t)memory, 64, global, range);
  CHECK(!ex->wr_complete(ex));
  await_completion();
  ex->wr_start(ex);
  ex->wr_flush(ex, region->rkey, (uintptr_t)memory, 64, 8, range);
  CHECK(ex->wr_complete(ex) == EINVAL);
  for (int level = 2; level <= 128; level *= 2) {
    ex->wr_start(ex);
    ex->wr_flush(ex, region->rkey, (uintptr_t)memory, 64, global, (uint8_t)level);
    CHECK(ex->wr_complete(ex) == EINVAL);
  }
  ex->wr_start(ex);
  ex->wr_flush(ex, region->rkey, 0, 0, global | persistent, whole);
  CHECK(!ex->wr_complete(ex));
  struct ibv_wc wc;
  while (!cq->context->ops.poll_cq(cq, 1, &wc))
    ;
  CHECK(wc.status == status_of_access_error || wc.status == 5);
}

// A batch has as many requests as the queue, also if their data has no room in one call.
static void large_batch(void) {
  enum { REQUESTS = 400, EACH = 512, WRITES = 1 };
  connect_self();
  struct ibv_qp_init_attr_ex init = {.send_cq = cq, .recv_cq = cq, .cap = {REQUESTS, 8, 1, 1, 0},
      .qp_type = QPT_RC, .comp_mask = 1 | 64, .pd = pd, .send_ops_flags = WRITES};
  qp = extended_context()->create_qp_ex(context, &init);
  CHECK(qp);
  connect_with_itself(context, qp, ALL_RIGHTS);
  struct ibv_qp_ex *ex = (struct ibv_qp_ex *)qp;
  memset(memory, 'w', EACH);
  ex->wr_id = 7;
  ex->wr_start(ex);
  for (int i = 1; i <= REQUESTS; i++) {
    ex->wr_flags = i == REQUESTS ? SIGNALED : 0;
    ex->wr_rdma_write(ex, mr->rkey, (uintptr_t)memory + EACH);
    ex->wr_set_sge(ex, mr->lkey, (uintptr_t)memory, EACH);
  }
  CHECK(!ex->wr_complete(ex));
  await_completion();
  CHECK(memory[2 * EACH - 1] == 'w' && !memory[2 * EACH]);
}

static void imports(void) {
  connect_self();
  struct ibv_context *other = ibv_import_device(dup(context->cmd_fd));
  CHECK(other && other != context && other->device == context->device);
  struct ibv_pd *same_pd = ibv_import_pd(other, pd->handle);
  CHECK(same_pd && same_pd != pd && same_pd->context == other);
  struct ibv_mr *same_mr = ibv_import_mr(same_pd, mr->handle);
  CHECK(same_mr && same_mr->lkey == mr->lkey && same_mr->rkey == mr->rkey);
  CHECK(same_mr->length == BYTES && same_mr->pd == same_pd);
  CHECK(!ibv_import_pd(other, mr->handle) && errno == EINVAL);
  CHECK(!ibv_import_mr(same_pd, 0) && errno == EINVAL);
  CHECK(!ibv_import_device(0) && errno == EINVAL);
  ibv_unimport_mr(same_mr);
  ibv_unimport_pd(same_pd);
  write_once(); // The objects themselves stay.
  CHECK(!ibv_destroy_qp(qp) && !ibv_destroy_cq(cq) && !ibv_destroy_comp_channel(channel));
  CHECK(!ibv_dereg_mr(mr) && !ibv_dealloc_pd(pd));
  CHECK(!ibv_close_device(context));
  CHECK(ibv_close_device(context) == EINVAL);
  pd = ibv_alloc_pd(other); // Open until the last that shares it is closed.
  CHECK(pd && !ibv_dealloc_pd(pd) && !ibv_close_device(other));
}

// A frame of raw packets from a queue pair to itself, where a flow leads it.
static void flow(void) {
  connect_self();
  struct ibv_qp_init_attr init = {
      .send_cq = cq, .recv_cq = cq, .cap = {8, 8, 1, 1, 0}, .qp_type = 8};
  struct ibv_qp *raw = ibv_create_qp(pd, &init);
  CHECK(raw);
  struct ibv_qp_attr attr = {.qp_state = INIT, .port_num = 1};
  CHECK(!ibv_modify_qp(raw, &attr, 1 | 32));
  attr.qp_state = RTR;
  CHECK(!ibv_modify_qp(raw, &attr, 1));
  attr.qp_state = RTS;
  CHECK(!ibv_modify_qp(raw, &attr, 1));
  struct {
    struct ibv_flow_attr attr;
    struct ibv_flow_spec_eth {
      int type;
      uint16_t size;
      struct ibv_flow_eth_filter {
        uint8_t dst_mac[6], src_mac[6];
        uint16_t ether_type, vlan_tag;
      } val, mask;
    } eth;
  } wanted = {.attr = {.num_of_specs = 1, .port = 1, .size = sizeof wanted},
      .eth = {.type = 0x20, .size = sizeof wanted.eth, .val = {.dst_mac = {2, 4, 6, 8, 10, 12}},
          .mask = {.dst_mac = {255, 255, 255, 255, 255, 255}}}};
  struct verbs_context *verbs = extended_context();
  struct ibv_flow *created = verbs->ibv_create_flow(raw, &wanted.attr);
  CHECK(created);
  struct ibv_counters_init_attr nothing = {0};
  struct ibv_counters *counters = verbs->create_counters(context, &nothing);
  CHECK(counters && counters->context == context);
  struct ibv_counter_attach_attr packets = {.counter_desc = 0, .index = 3};
  struct ibv_counter_attach_attr bytes = {.counter_desc = 1, .index = 1};
  struct ibv_counter_attach_attr neither = {.counter_desc = 2};
  CHECK(!verbs->attach_counters_point_flow(counters, &packets, created));
  CHECK(!verbs->attach_counters_point_flow(counters, &bytes, created));
  CHECK(verbs->attach_counters_point_flow(counters, &neither, created) == EINVAL);
  CHECK(verbs->attach_counters_point_flow(counters, &bytes, NULL) == EINVAL);
  struct ibv_sge sge = {(uintptr_t)memory + 1024, 1024, mr->lkey};
  struct ibv_recv_wr receive = {.wr_id = 7, .sg_list = &sge, .num_sge = 1}, *bad_receive;
  CHECK(!context->ops.post_recv(raw, &receive, &bad_receive));
  memcpy(memory, "\2\4\6\10\12\14......\x88\xb5text", 18);
  sge = (struct ibv_sge){(uintptr_t)memory, 18, mr->lkey};
  struct ibv_send_wr send = {.sg_list = &sge, .num_sge = 1, .opcode = 2}, *bad;
  CHECK(!context->ops.post_send(raw, &send, &bad));
  await_completion();
  CHECK(!memcmp(memory + 1024, memory, 18));
  uint64_t counts[5] = {9, 9, 9, 9, 9};
  CHECK(!verbs->read_counters(counters, counts, 4, 1));
  CHECK(!counts[0] && counts[1] == 18 && !counts[2] && counts[3] == 1 && counts[4] == 9);
  CHECK(verbs->read_counters(counters, counts, 4, 2) == EINVAL);
  CHECK(verbs->read_counters(counters, counts, 1025, 0) == EINVAL);
  CHECK(verbs->destroy_counters(counters) == EBUSY);
  CHECK(ibv_destroy_qp(raw) == EBUSY);
  CHECK(!verbs->ibv_destroy_flow(created));
  CHECK(!verbs->destroy_counters(counters));
  wanted.eth.size = 3;
  CHECK(!verbs->ibv_create_flow(raw, &wanted.attr) && errno == EINVAL);
  wanted.eth.size = sizeof wanted.eth;
  wanted.eth.type = 0x51;
  CHECK(!verbs->ibv_create_flow(raw, &wanted.attr) && errno == EOPNOTSUPP);
}

// Work queues, and a queue pair that could spread frames over them: each verb, and what it refuses.
static void work_queues(void) {
  connect_self();
  struct verbs_context *verbs = extended_context();
  struct ibv_wq_init_attr init = {.wq_context = memory, .max_wr = 2, .pd = pd, .cq = cq};
  struct ibv_wq *wq = verbs->create_wq(context, &init);
  CHECK(wq && wq->context == context && wq->wq_context == memory && wq->pd == pd && wq->cq == cq);
  CHECK(init.max_wr == 2 && init.max_sge == 1 && wq->wq_num && wq->state == IBV_WQS_RESET);
  init.comp_mask = 2;
  CHECK(!verbs->create_wq(context, &init) && errno == EINVAL);
  init.comp_mask = IBV_WQ_INIT_ATTR_FLAGS;
  init.create_flags = 2;
  CHECK(!verbs->create_wq(context, &init) && errno == EOPNOTSUPP);

  enum { RDY = 1, ERROR = 2, CURRENT = 2 };
  struct ibv_sge sge = {(uintptr_t)memory, 64, mr->lkey};
  struct ibv_recv_wr receive = {.wr_id = 7, .sg_list = &sge, .num_sge = 1}, *bad = NULL;
  CHECK(wq->post_recv(wq, &receive, &bad) == EINVAL && bad == &receive);
  struct ibv_wq_attr attr = {.attr_mask = IBV_WQ_ATTR_STATE | CURRENT, .wq_state = RDY};
  attr.curr_wq_state = ERROR;
  CHECK(verbs->modify_wq(wq, &attr) == EINVAL && wq->state == IBV_WQS_RESET);
  attr.curr_wq_state = IBV_WQS_RESET;
  CHECK(!verbs->modify_wq(wq, &attr) && wq->state == RDY);
  CHECK(!wq->post_recv(wq, &receive, &bad));

  struct ibv_wq *places[] = {wq, wq};
  struct ibv_rwq_ind_table_init_attr wanted = {.log_ind_tbl_size = 1, .ind_tbl = places};
  struct ibv_rwq_ind_table *table = verbs->create_rwq_ind_table(context, &wanted);
  CHECK(table && table->context == context);
  wanted.log_ind_tbl_size = 31;
  CHECK(!verbs->create_rwq_ind_table(context, &wanted) && errno == EINVAL);

  uint8_t key[40] = {1};
  struct ibv_qp_init_attr_ex spread = {.qp_type = 8, .pd = pd, .rwq_ind_tbl = table,
      .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_IND_TABLE | IBV_QP_INIT_ATTR_RX_HASH,
      .rx_hash_conf = {.rx_hash_function = 1, .rx_hash_key_len = 40, .rx_hash_key = key,
          .rx_hash_fields_mask = 3}};
  struct ibv_qp *qp = verbs->create_qp_ex(context, &spread);
  CHECK(qp && qp->qp_num != wq->wq_num);
  spread.rx_hash_conf.rx_hash_key_len = 39;
  CHECK(!verbs->create_qp_ex(context, &spread) && errno == EINVAL);

  CHECK(verbs->destroy_wq(wq) == EBUSY && verbs->destroy_rwq_ind_table(table) == EBUSY);
  CHECK(!ibv_destroy_qp(qp) && !verbs->destroy_rwq_ind_table(table));
  attr = (struct ibv_wq_attr){.attr_mask = IBV_WQ_ATTR_STATE, .wq_state = ERROR};
  CHECK(!verbs->modify_wq(wq, &attr));
  struct ibv_wc flushed;
  CHECK(context->ops.poll_cq(cq, 1, &flushed) == 1);
  CHECK(flushed.wr_id == 7 && flushed.status == 5 && flushed.qp_num == wq->wq_num);
  CHECK(!verbs->destroy_wq(wq));
}

enum { ON_DEMAND = 64 };

static void long_region(void) {
  connect_self();
  const size_t size = (size_t)3 << 30;
  char *region = mmap(NULL, size, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(region != MAP_FAILED);
  struct ibv_mr *whole = ibv_reg_mr(pd, region, size, ALL_RIGHTS);
  CHECK(whole && whole->length == size && whole->addr == region);
  strcpy(memory, "far away");
  CHECK(write_to((uintptr_t)region + size - 64, whole->rkey) == 0);
  CHECK(!strcmp(region + size - 64, "far away"));
  // The queue pair is its own peer: its failure may flush the request before the answer comes.
  CHECK(write_to((uintptr_t)region + size - 63, whole->rkey) != 0);
  CHECK(!ibv_dereg_mr(whole));
  CHECK(!ibv_reg_mr(pd, region, SIZE_MAX, ALL_RIGHTS) && errno == EFAULT);
}

// A region of all addresses, of which only those that are mapped can be accessed.
static void all_addresses(void) {
  connect_self();
  struct ibv_mr *whole = ibv_reg_mr(pd, NULL, SIZE_MAX, ALL_RIGHTS | ON_DEMAND);
  CHECK(whole && whole->length == SIZE_MAX);
  char *page = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  strcpy(memory, "anywhere");
  CHECK(write_to((uintptr_t)page, whole->rkey) == 0);
  CHECK(!strcmp(page, "anywhere"));
  CHECK(!mprotect(page, BYTES, PROT_READ));
  CHECK(write_to((uintptr_t)page, whole->rkey) != 0);
}

static void files(void) {
  struct stat found;
  CHECK(!stat("/dev/infiniband/uverbs0", &found) && S_ISCHR(found.st_mode));
  CHECK(!access("/sys/class/infiniband/qp0/ports/1/state", R_OK));
  int fd = openat(AT_FDCWD, "/sys/class/infiniband/qp0/node_type", O_RDONLY);
  char text[8] = "";
  CHECK(fd >= 0 && read(fd, text, 5) == 5 && !strcmp(text, "1: CA"));
  struct dirent **entries;
  CHECK(scandir("/sys/class/infiniband", &entries, NULL, NULL) == 3);
}

// librdmacm destroys what it has made when a verb fails, and reports the errno of that verb.
static void errno_of_success(void) {
  struct ibv_context *context = open_first();
  struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
  struct ibv_cq *cq = ibv_create_cq(context, 4, NULL, channel, 0);
  struct ibv_pd *pd = ibv_alloc_pd(context);
  CHECK(cq && pd);
  errno = EXDEV;
  CHECK(!ibv_destroy_cq(cq) && !ibv_destroy_comp_channel(channel));
  CHECK(!ibv_dealloc_pd(pd) && !ibv_close_device(context) && errno == EXDEV);
}

static void interface(void) {
  CHECK(!ibv_close_device(open_first()));
  struct ifaddrs *list;
  CHECK(!getifaddrs(&list));
  int own = 0, others = 0;
  for (struct ifaddrs *each = list; each; each = each->ifa_next) {
    if (strcmp(each->ifa_name, "lo:qp0"))
      others++;
    else if (each->ifa_addr->sa_family == AF_INET && !(each->ifa_flags & IFF_LOOPBACK))
      own++;
  }
  CHECK(own == 1 && others > 0);
  freeifaddrs(list);
}

static void *create_cancelled(void *unused) { // Creating an object is no cancellation point.
  CHECK(!pthread_cancel(pthread_self()));
  cq = ibv_create_cq(context, 16, memory, NULL, 0);
  CHECK(cq && !ibv_destroy_cq(cq));
  return unused;
}

static void cancelled(void) {
  context = open_first();
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, create_cancelled, NULL) && !pthread_join(thread, NULL));
  use_device();
}

static void closed_events(void) { // A thread that waits for events when its device is closed gets none.
  context = open_first();
  int fd = context->async_fd; // It stays open, as it does for a thread that reads.
  context->async_fd = dup(fd);
  CHECK(!ibv_close_device(context));
  context->async_fd = fd;
  struct ibv_async_event event;
  CHECK(ibv_get_async_event(context, &event) == -1 && errno == EIO);
}

static const struct test_case cases[] = {
    {"devices", devices},
    {"write", write_and_close},
    {"events", events},
    {"unregistrable", unregistrable},
    {"unacknowledged", unacknowledged},
    {"unacknowledged-cm", unacknowledged_cm},
    {"own-segv-handler", own_segv_handler},
    {"segv-handler-after-start", segv_handler_after_start},
    {"segv", segv},
    {"broken-pipe", broken_pipe},
    {"small-stack", small_stack},
    {"many-threads", many_threads},
    {"exec", exec_child},
    {"dlopen", dlopened},
    {"exit-while-waiting", exit_while_waiting},
    {"closed-handle", closed_handle},
    {"wrong-state", wrong_state},
    {"newer-release", newer_release},
    {"buffers", buffers},
    {"flush", flush},
    {"large-batch", large_batch},
    {"imports", imports},
    {"flow", flow},
    {"work-queues", work_queues},
    {"long-region", long_region},
    {"all-addresses", all_addresses},
    {"files", files},
    {"interface", interface},
    {"errno-of-success", errno_of_success},
    {"cancelled", cancelled},
    {"closed-events", closed_events},
};

int main(int argc, char **argv) {
  return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
