// SPDX-License-Identifier: Apache-2.0
// A program that shares the device of a service with others: forked, killed, with memory of all kinds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <glob.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "netlink.h"
#include "protocol.h"

int ibv_query_device(struct ibv_context *, struct ibv_device_attr *);
struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *, void *, size_t, uint64_t, unsigned);
int ibv_dereg_mr(struct ibv_mr *);
int ibv_query_qp(struct ibv_qp *, struct ibv_qp_attr *, int, struct ibv_qp_init_attr *);
int ibv_rereg_mr(struct ibv_mr *, int, struct ibv_pd *, void *, size_t, int);
int ibv_query_port(struct ibv_context *, uint8_t, struct ibv_port_attr *);
int ibv_query_gid(struct ibv_context *, uint8_t, int, union ibv_gid *);
int ibv_query_pkey(struct ibv_context *, uint8_t, int, uint16_t *);
int ibv_get_async_event(struct ibv_context *, struct ibv_async_event *);
int ibv_resize_cq(struct ibv_cq *, int);
struct ibv_srq *ibv_create_srq(struct ibv_pd *, struct ibv_srq_init_attr *);
int ibv_modify_srq(struct ibv_srq *, struct ibv_srq_attr *, int);
int ibv_query_srq(struct ibv_srq *, struct ibv_srq_attr *);
void ibv_ack_async_event(struct ibv_async_event *);
void ibv_ack_cq_events(struct ibv_cq *, unsigned);

enum { SEND = 2, LAST = 1 << 20, ON_DEMAND = 1 << 6, CHANGE_TRANSLATION = 1, LINE = 100 };

static int fails(const struct ibv_mr *from, const struct ibv_mr *to) {
  post(1, from, to);
  int status = completion().status;
  connect_pair(); // The queue pair is in the error state.
  write_once();
  return status;
}

enum { THREADS = 2000 };
enum { MORE_THREADS = 4200 }; // Than there can be mailboxes.
static pthread_barrier_t all;

static void *allocate(void *unused) {
  struct ibv_pd *own = ibv_alloc_pd(context);
  CHECK(own);
  pthread_barrier_wait(&all); // Each has its mailbox now.
  CHECK(!ibv_dealloc_pd(own));
  return unused;
}

static void *allocate_in_turns(void *unused) {
  pthread_barrier_wait(&all);
  CHECK(ibv_alloc_pd(context));
  return unused;
}

static void run(int count, void *(*function)(void *)) {
  pthread_t *started = calloc((size_t)count, sizeof *started);
  pthread_attr_t small;
  CHECK(started && !pthread_attr_init(&small) && !pthread_attr_setstacksize(&small, 64 << 10));
  CHECK(!pthread_barrier_init(&all, NULL, (unsigned)count));
  for (int i = 0; i < count; i++) CHECK(!pthread_create(&started[i], &small, function, NULL));
  for (int i = 0; i < count; i++) CHECK(!pthread_join(started[i], NULL));
  free(started);
}

static void threads(void) {
  connect_pair();
  for (int round = 0; round < 3; round++) run(THREADS, allocate);
  write_once();
}

static void more_threads(void) {
  connect_pair();
  run(MORE_THREADS, allocate_in_turns);
  write_once();
}

static void killed_peer(void) {
  connect_pair();
  for (int i = 0; i < 10; i++) {
    pid_t child = fork();
    if (child == 0) {
      connect_pair();
      struct ibv_mr *from = region(new_page()), *to = region(new_page());
      for (int j = 0; j < MAX_WORK; j++) post((uint64_t)j, from, to);
      raise(SIGKILL);
    }
    write_once();
    CHECK(waitpid(child, NULL, 0) == child);
  }
  write_once();
}

static void unmapped(void) {
  connect_pair();
  struct ibv_mr *here = region(new_page()), *gone = region(new_page());
  munmap(gone->addr, PAGE);
  CHECK(fails(gone, here) == LOC_PROT_ERR);
  here = region(new_page());
  gone = region(new_page());
  munmap(gone->addr, PAGE);
  CHECK(fails(here, gone) == REM_ACCESS_ERR);
}

static void protected_later(void) { // As pages that an adapter has pinned.
  connect_pair();
  struct ibv_mr *from = region(new_page()), *to = region(new_page());
  strcpy(from->addr, "pinned");
  CHECK(!mprotect(from->addr, PAGE, PROT_NONE) && !mprotect(to->addr, PAGE, PROT_READ));
  post(3, from, to);
  CHECK(completion().status == 0 && !strcmp(to->addr, "pinned"));
}

static void read_only_part(void) { // Of a region that is too long to be touched.
  connect_pair();
  enum { LONG = 128 << 20 };
  char *memory = mmap(NULL, LONG, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(memory != MAP_FAILED);
  struct ibv_mr *mr = ibv_reg_mr(pd, memory, LONG, RIGHTS);
  CHECK(mr && !ibv_dereg_mr(mr));
  CHECK(!mprotect(memory + LONG / 2, PAGE, PROT_READ));
  CHECK(!ibv_reg_mr(pd, memory, LONG, RIGHTS) && errno == EFAULT);
  CHECK(ibv_reg_mr(pd, memory, LONG, 0));
  enum { TOUCHED = 5 << 20 }; // In pieces, of which the last one is shorter.
  char *end = memory + LONG / 2 - TOUCHED;
  mr = ibv_reg_mr(pd, end, TOUCHED, RIGHTS);
  CHECK(mr && !ibv_dereg_mr(mr));
  CHECK(!ibv_reg_mr(pd, end, TOUCHED + 1, RIGHTS) && errno == EFAULT);
  CHECK(!munmap(memory + LONG / 2, PAGE));
  CHECK(!ibv_reg_mr(pd, end, TOUCHED + 1, 0) && errno == EFAULT);
}

static void limited(void) { // To 128 KiB. Two regions of the same pages count twice, as in the kernel.
  connect_pair();
  char *memory = mmap(NULL, 256 << 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  struct ibv_mr *first = ibv_reg_mr(pd, memory, 64 << 10, RIGHTS);
  struct ibv_mr *second = ibv_reg_mr(pd, memory, 60 << 10, RIGHTS);
  CHECK(first && second);
  CHECK(!ibv_reg_mr(pd, memory + PAGE - 1, 2, RIGHTS) && errno == ENOMEM); // Two pages.
  CHECK(ibv_reg_mr(pd, memory + PAGE - 1, 1, RIGHTS));
  CHECK(ibv_reg_mr(pd, memory, 256 << 10, RIGHTS | ON_DEMAND));
  CHECK(ibv_rereg_mr(first, CHANGE_TRANSLATION, NULL, memory, PAGE, 0) && errno == ENOMEM);
  CHECK(!ibv_dereg_mr(second));
  CHECK(!ibv_rereg_mr(first, CHANGE_TRANSLATION, NULL, memory, PAGE, 0));
  CHECK(ibv_reg_mr(pd, memory, 120 << 10, RIGHTS));
  CHECK(!ibv_reg_mr(pd, memory, 1, RIGHTS) && errno == ENOMEM);
}

static bool log_says(const char *text) {
  char log[4096] = "";
  int file = open(getenv("QUEUEPAIR_LOG"), O_RDONLY);
  CHECK(file >= 0 && read(file, log, sizeof log - 1) >= 0 && !close(file));
  return strstr(log, text);
}

static int faults; // A descriptor of userfaultfd.

static void *fill_when_named(void *held) { // When the service has named the memory.
  struct uffdio_register *of = held;
  char line[LINE];
  snprintf(line, sizeof line, "waits for memory of process %d at 0x%llx", getpid(), of->range.start);
  while (!log_says(line)) sched_yield();
  struct uffdio_zeropage now = {.range = of->range};
  CHECK(!ioctl(faults, UFFDIO_ZEROPAGE, &now));
  return NULL;
}

static void stalled(void) { // Exits with 77 where that is not allowed.
  faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
  if (faults < 0) exit(77);
  connect_pair();
  size_t bytes = 64 << 10;
  char *memory = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  struct ibv_mr *from = ibv_reg_mr(pd, memory, bytes, RIGHTS);
  struct ibv_mr *to = ibv_reg_mr(pd, memory + bytes, bytes, RIGHTS);
  CHECK(from && to);
  struct uffdio_api api = {.api = UFFD_API};
  struct uffdio_register held = {
      .range = {(uintptr_t)from->addr, bytes}, .mode = UFFDIO_REGISTER_MODE_MISSING};
  CHECK(!ioctl(faults, UFFDIO_API, &api) && !ioctl(faults, UFFDIO_REGISTER, &held));
  CHECK(!madvise(from->addr, bytes, MADV_DONTNEED));
  memset(to->addr, 'w', bytes);
  pthread_t filler;
  CHECK(!pthread_create(&filler, NULL, fill_when_named, &held));
  struct ibv_sge sge = {(uintptr_t)from->addr, (uint32_t)bytes, from->lkey};
  struct ibv_send_wr *bad, wr = {.sg_list = &sge, .num_sge = 1, .opcode = 0, .send_flags = SIGNALED,
      .wr.rdma = {(uintptr_t)to->addr, to->rkey}};
  CHECK(!context->ops.post_send(qp, &wr, &bad));
  CHECK(completion().status == 0 && ((char *)to->addr)[bytes - 1] == 0);
  CHECK(!pthread_join(filler, NULL));
}

static void reconnect(void) { // After a failure.
  struct ibv_qp_attr reset = {.qp_state = 0};
  CHECK(!ibv_modify_qp(qp, &reset, 1) && !ibv_modify_qp(peer, &reset, 1));
  connect_with(context, qp, peer->qp_num, RIGHTS);
  connect_with(context, peer, qp->qp_num, RIGHTS);
}

static bool polled(void) { // One completion, which is printed; false after the last.
  struct ibv_wc wc;
  int found = context->ops.poll_cq(cq, 1, &wc);
  CHECK(found >= 0);
  if (found) printf("request %d completes: %d\n", (int)wc.wr_id, (int)wc.status);
  return found == 0 || wc.wr_id != LAST;
}

static bool is_posted(struct ibv_send_wr *wr) {
  struct ibv_send_wr *bad = NULL;
  int error = context->ops.post_send(qp, wr, &bad);
  CHECK(!error || bad == wr);
  if (error && wr->wr_id != LAST) printf("request %d: %s\n", (int)wr->wr_id, strerror(error));
  return !error;
}

// Posts what numbers choose, fitting or not, and prints what becomes of it.
static void any_posts(void) {
  static const int operations[] = {0, 4, 5, 6, 7, 8, 10, 11, -1};
  connect_pair();
  char *page = new_page();
  struct ibv_mr *mr = region(page);
  uint32_t number = 1;
  for (int i = 0; i < 3000; i++) {
    number = number * 1664525 + 1013904223;
    uint32_t bits = number >> 8, length = bits >> 4 & 0xff;
    uint32_t lkey = bits % 61 ? mr->lkey : 1;
    struct ibv_sge list[] = {{(uintptr_t)page, length, lkey}, {(uintptr_t)page, 8, lkey}, {0, 0, 0}};
    struct ibv_send_wr wr = {.wr_id = (uint64_t)i, .sg_list = list, .num_sge = (int)(bits % 13 & 3),
        .opcode = operations[bits % 29 ? 0 : (bits >> 12) % 9],
        .send_flags = bits >> 14 & (bits % 31 ? 0x7 : 0x3f),
        .wr.rdma = {(uintptr_t)page, bits % 59 ? mr->rkey : 0}};
    is_posted(&wr);
    if (bits % 19 > 0) continue;
    struct ibv_send_wr last = {.wr_id = LAST, .send_flags = SIGNALED};
    while (!is_posted(&last)) polled();
    while (polled()) continue;
    struct ibv_qp_attr attr;
    struct ibv_qp_init_attr init;
    CHECK(!ibv_query_qp(qp, &attr, 1, &init));
    if (attr.qp_state != RTS) reconnect();
  }
}

// Posts receives that numbers choose, fitting or not, to a queue pair or the queue that it shares, sends
// to them one after the other, and prints what becomes of it.
static void receive_any(struct ibv_srq *srq) {
  struct ibv_mr *mr = region(new_page());
  uint32_t number = 1;
  int there = 0;
  for (int i = 0; i < 3000; i++) {
    number = number * 1664525 + 1013904223;
    uint32_t bits = number >> 8;
    struct ibv_sge list[] = {{(uintptr_t)mr->addr, bits % 61 ? 64 : 1u << 31, mr->lkey},
        {(uintptr_t)mr->addr, 8, mr->lkey}};
    struct ibv_recv_wr wr = {.wr_id = (uint64_t)i, .sg_list = list, .num_sge = bits % 31 ? 1 : bits % 4};
    struct ibv_recv_wr *bad = NULL;
    int error = srq ? context->ops.post_srq_recv(srq, &wr, &bad)
                    : context->ops.post_recv(peer, &wr, &bad);
    CHECK(!error || bad == &wr);
    if (error) printf("receive %d: %s\n", i, strerror(error));
    there += !error;
    struct ibv_srq_attr limit = {.srq_limit = bits % MAX_WORK};
    if (srq && bits % 37 == 0) CHECK(!ibv_modify_srq(srq, &limit, 2));
    if (bits % 3 == 0 || there == 0) continue;
    struct ibv_send_wr *bad_send, send = {.wr_id = LAST, .sg_list = list, .num_sge = bits % 41 > 0,
        .opcode = SEND, .send_flags = SIGNALED};
    list[0].length = 8;
    CHECK(!context->ops.post_send(qp, &send, &bad_send));
    while (polled()) continue;
    there--;
    struct ibv_qp_attr attr;
    struct ibv_qp_init_attr init;
    CHECK(!ibv_query_qp(peer, &attr, 1, &init));
    struct pollfd event = {context->async_fd, POLLIN, 0};
    while (poll(&event, 1, 0) == 1) {
      struct ibv_async_event found;
      CHECK(!ibv_get_async_event(context, &found));
      printf("event %d\n", found.event_type);
      ibv_ack_async_event(&found);
    }
    if (attr.qp_state == RTS) continue;
    reconnect();
    if (!srq) there = 0;
  }
}

static void any_receives(void) {
  connect_pair();
  receive_any(NULL);
  connect_new();
  struct ibv_srq_init_attr init = {.attr = {MAX_WORK, 1, 0}};
  struct ibv_srq *srq = ibv_create_srq(pd, &init);
  CHECK(srq);
  struct ibv_qp_init_attr shared = {
      .send_cq = cq, .recv_cq = cq, .srq = srq, .cap = {MAX_WORK, 0, 1, 0, 0}, .qp_type = QPT_RC};
  peer = ibv_create_qp(pd, &shared);
  CHECK(peer);
  reconnect();
  receive_any(srq);
}

static int rounds = 500;
static int round_posted; // Up to which receives are posted.

static void *send_to_each(void *mr) {
  for (int i = 1; i <= rounds; i++) {
    while (__atomic_load_n(&round_posted, __ATOMIC_ACQUIRE) < i) sched_yield();
    struct ibv_sge sge = {(uintptr_t)((struct ibv_mr *)mr)->addr, 8, ((struct ibv_mr *)mr)->lkey};
    struct ibv_send_wr *bad, wr = {
        .wr_id = LAST, .sg_list = &sge, .num_sge = 1, .opcode = SEND, .send_flags = SIGNALED};
    CHECK(!context->ops.post_send(qp, &wr, &bad));
  }
  return NULL;
}

// A receive posted without an answer is there for a message that another thread sends after it.
static void posted_before(void) {
  rnr_retry = 0;
  connect_pair();
  struct ibv_mr *mr = region(new_page());
  pthread_t sender;
  CHECK(!pthread_create(&sender, NULL, send_to_each, mr));
  for (int i = 1; i <= rounds; i++) {
    struct ibv_sge sge = {(uintptr_t)mr->addr, 8, mr->lkey};
    struct ibv_recv_wr *bad, wr = {.wr_id = (uint64_t)i, .sg_list = &sge, .num_sge = 1};
    CHECK(!context->ops.post_recv(peer, &wr, &bad));
    __atomic_store_n(&round_posted, i, __ATOMIC_RELEASE);
    struct ibv_wc received = completion(), sent = completion();
    CHECK(received.wr_id == (uint64_t)i && received.status == 0 && sent.status == 0);
  }
  CHECK(!pthread_join(sender, NULL));
}

enum { MANY_RECEIVES = 650 };

static void receive(struct ibv_qp *at, struct ibv_mr *mr) { // Without memory if that is null.
  struct ibv_sge sge = {mr ? (uintptr_t)mr->addr : 0, 8, mr ? mr->lkey : 0};
  struct ibv_recv_wr *bad, wr = {.sg_list = &sge, .num_sge = mr ? 1 : 0};
  CHECK(!context->ops.post_recv(at, &wr, &bad));
}

// A sleeping service finds a message, and as many receives before that for it as a mailbox holds.
static void posted_while_asleep(void) {
  rnr_retry = 0;
  rounds = 2;
  connect_pair();
  struct ibv_mr *mr = region(new_page());
  struct ibv_qp_init_attr init = {
      .send_cq = cq, .recv_cq = cq, .cap = {1, 2 * MANY_RECEIVES, 1, 1, 0}, .qp_type = QPT_RC};
  struct ibv_qp *other = ibv_create_qp(pd, &init);
  CHECK(other);
  connect_with_itself(context, other, RIGHTS);
  pthread_t sender;
  CHECK(!pthread_create(&sender, NULL, send_to_each, mr));
  receive(peer, mr);
  __atomic_store_n(&round_posted, 1, __ATOMIC_RELEASE);
  CHECK(completion().status == 0 && completion().status == 0);
  receive(other, NULL);
  receive(other, NULL); // Without an answer: the service looks at the other thread next.
  CHECK(!ibv_query_device(context, &(struct ibv_device_attr){0}));
  pid_t service = atoi(getenv("SERVICE_PROCESS"));
  poll(NULL, 0, 100); // The service sleeps then.
  CHECK(!kill(service, SIGSTOP));
  poll(NULL, 0, 100);
  for (int i = 0; i < MANY_RECEIVES; i++) receive(other, NULL);
  receive(peer, mr);
  __atomic_store_n(&round_posted, 2, __ATOMIC_RELEASE);
  CHECK(!pthread_join(sender, NULL) && !kill(service, SIGCONT));
  CHECK(completion().status == 0 && completion().status == 0);
}

static void device_names(void) {
  struct ibv_device **list = ibv_get_device_list(NULL);
  for (; list && *list; list++) puts((*list)->name);
}

static void dropped_rights(void) {
  if (getuid() != 0) return;
  CHECK(!chdir("/etc") && !chroot(".")); // There is no /proc.
  CHECK(!setgid(65534) && !setuid(65534));
  connect_pair();
  write_once();
}

static void *write_in_turns(void *device) {
  CHECK(ibv_open_device(device)); // By a mailbox that is closed before the first turn.
  pthread_barrier_wait(&all);
  for (int round = 0; round < 3; round++) {
    pthread_barrier_wait(&all);
    write_once();
    pthread_barrier_wait(&all);
  }
  return NULL;
}

static void closed_descriptors(void) { // Also of the library: the device is gone then.
  connect_pair();
  write_once();
  CHECK(!close_range(3, ~0u, 0));
  int ends[2];
  CHECK(!pipe(ends));
  for (int i = 0; i < 1000 && !ibv_query_device(context, &(struct ibv_device_attr){0}); i++)
    poll(NULL, 0, 1);
  CHECK(ibv_query_device(context, &(struct ibv_device_attr){0}) == EIO);
  CHECK(write(ends[1], "x", 1) == 1);
}

// A device opened after that is there, for all threads, though the service may not have seen it yet.
static void closed_before_open(void) {
  pthread_t other;
  struct ibv_device **list = ibv_get_device_list(NULL);
  CHECK(list && ibv_open_device(list[0]));
  CHECK(!pthread_barrier_init(&all, NULL, 2));
  CHECK(!pthread_create(&other, NULL, write_in_turns, list[0]));
  pthread_barrier_wait(&all);
  for (int round = 0; round < 3; round++) {
    CHECK(!close_range(3, ~0u, 0));
    connect_pair();
    pthread_barrier_wait(&all);
    pthread_barrier_wait(&all);
    CHECK(!close_range(3, ~0u, 0));
    CHECK((context = ibv_open_device(list[0])) && (pd = ibv_alloc_pd(context)));
    create_queues();
    write_once();
  }
  CHECK(!pthread_join(other, NULL));
}

static sigjmp_buf left;

static void leave(int number) {
  (void)number;
  siglongjmp(left, 1);
}

static int chunks_mapped(void) {
  char line[1 << 10];
  int count = 0, kib;
  FILE *maps = fopen("/proc/self/smaps", "r");
  CHECK(maps);
  while (fgets(line, sizeof line, maps))
    count += sscanf(line, "Size: %d kB", &kib) == 1 && kib == CHUNK_BYTES >> 10;
  CHECK(!fclose(maps) && count > 0);
  return count;
}

static void left_by_longjmp(void) {
  connect_pair();
  signal(SIGALRM, leave);
  const struct itimerval soon = {.it_value = {.tv_usec = 50}}, never = {0};
  int chunks = chunks_mapped();
  for (volatile int i = 0; i < 300; i++) {
    if (sigsetjmp(left, 1)) { // The call that was left is answered before this.
      CHECK(!context->ops.req_notify_cq(cq, 0));
      continue;
    }
    setitimer(ITIMER_REAL, &soon, NULL);
    for (;;) context->ops.req_notify_cq(cq, 0);
  }
  setitimer(ITIMER_REAL, &never, NULL);
  write_once();
  CHECK(chunks_mapped() <= chunks + 1); // Of 16 mailboxes.
}

// A queue is neither made nor resized for a program that can open no more descriptors.
static void no_descriptors(void) {
  int taken[1024], count = 0;
  const struct rlimit few = {100, 1024};
  CHECK(!setrlimit(RLIMIT_NOFILE, &few));
  while ((taken[count] = dup(1)) >= 0) count++;
  CHECK(ibv_resize_cq(cq, 200 * MAX_WORK) == EMFILE && cq->cqe < 200 * MAX_WORK);
  errno = 0;
  CHECK(!ibv_create_cq(context, 1, NULL, NULL, 0) && errno == EMFILE);
  CHECK(!ibv_create_comp_channel(context) && errno == EMFILE);
  while (count > 0) CHECK(!close(taken[--count]));
  write_once();
}

static void resized(void) {
  connect_pair();
  struct ibv_mr *from = region(new_page()), *to = region(new_page());
  for (uint64_t id = 0; id < MAX_WORK; id++) post(id, from, to);
  struct ibv_wc first = completion();
  CHECK(first.wr_id == 0 && !ibv_resize_cq(cq, 100 * MAX_WORK) && cq->cqe >= 100 * MAX_WORK);
  for (uint64_t id = 1; id < MAX_WORK; id++) CHECK(completion().wr_id == id);
  for (int i = 0; i < 100 * MAX_WORK; i++) write_once();
  no_descriptors();
}

static bool is_resized;

static void *poll_until_resized(void *unused) {
  struct ibv_wc wc;
  while (!__atomic_load_n(&is_resized, __ATOMIC_ACQUIRE)) CHECK(!context->ops.poll_cq(cq, 1, &wc));
  return unused;
}

static void resized_while_polled(void) {
  connect_pair();
  pthread_t poller;
  CHECK(!pthread_create(&poller, NULL, poll_until_resized, NULL));
  for (int i = 0; i < 10000; i++) CHECK(!ibv_resize_cq(cq, MAX_WORK << i % 4));
  __atomic_store_n(&is_resized, true, __ATOMIC_RELEASE);
  CHECK(!pthread_join(poller, NULL));
  write_once();
}

static void attributes(void) { // They are asked for without a call, and refused as by one.
  connect_pair();
  struct ibv_device_attr device;
  struct ibv_port_attr port;
  union ibv_gid gid, zero = {0};
  uint16_t pkey;
  for (int i = 0; i < 100000; i++) {
    CHECK(!ibv_query_device(context, &device) && device.phys_port_cnt == 1);
    CHECK(!ibv_query_port(context, 1, &port) && port.state == 4 && port.link_layer == 2);
    CHECK(!ibv_query_gid(context, 1, 0, &gid) && memcmp(&gid, &zero, sizeof gid));
    CHECK(!ibv_query_pkey(context, 1, 0, &pkey) && pkey == 0xffff);
  }
  CHECK(!ibv_query_gid(context, 1, port.gid_tbl_len - 1, &gid) && !memcmp(&gid, &zero, sizeof gid));
  CHECK(ibv_query_gid(context, 1, port.gid_tbl_len, &gid) == -1);
  CHECK(ibv_query_pkey(context, 1, port.pkey_tbl_len, &pkey) == -1);
  CHECK(ibv_query_port(context, 2, &port) == EINVAL);
}

// Posts a WRITE of several entries, and the status of its completion.
static int write_entries(struct ibv_sge *list, int count, const struct ibv_mr *to) {
  struct ibv_send_wr wr = {.sg_list = list, .num_sge = count, .send_flags = SIGNALED}, *bad;
  wr.wr.rdma.remote_addr = (uintptr_t)to->addr;
  wr.wr.rdma.rkey = to->rkey;
  CHECK(!context->ops.post_send(qp, &wr, &bad));
  return completion().status;
}

// Small requests are copied when they are posted, but only from where their keys say.
static void copied(void) {
  connect_pair();
  char *page = new_page();
  const uint64_t elsewhere = (uintptr_t)new_page();
  struct ibv_mr *here = region(page), *to = region(new_page());
  struct ibv_mr *shifted = ibv_reg_mr_iova2(pd, page, PAGE, elsewhere, RIGHTS);
  CHECK(shifted);
  strcpy(page, "posted");
  struct ibv_sge one = {(uintptr_t)page, 7, here->lkey}, other = {elsewhere, 7, shifted->lkey};
  CHECK(!write_entries(&one, 1, to) && !strcmp(to->addr, "posted"));
  struct ibv_sge halves[] = {{(uintptr_t)page + 3, 4, here->lkey}, {(uintptr_t)page, 4, here->lkey}};
  CHECK(!write_entries(halves, 2, to) && !memcmp(to->addr, "ted\0post", 8));
  strcpy(page, "shifts");
  CHECK(!write_entries(&other, 1, to) && !strcmp(to->addr, "shifts"));
  struct ibv_sge outside = {(uintptr_t)page - 1, 7, here->lkey};
  CHECK(write_entries(&outside, 1, to) == LOC_PROT_ERR);
  connect_pair();
  to = region(new_page());
  here = region(page);
  one.lkey = here->lkey;
  CHECK(!ibv_dereg_mr(here) && write_entries(&one, 1, to) == LOC_PROT_ERR);
}

static uint64_t nanos(clockid_t of) {
  struct timespec time;
  CHECK(!clock_gettime(of, &time));
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void idle_poll(void) { // It leaves the processor to others, and finds what comes.
  connect_pair();
  struct ibv_wc wc;
  const uint64_t limit = 200000000;
  uint64_t start = nanos(CLOCK_MONOTONIC), used = nanos(CLOCK_THREAD_CPUTIME_ID);
  while (nanos(CLOCK_MONOTONIC) - start < limit)
    for (int i = 0; i < 100; i++) CHECK(!context->ops.poll_cq(cq, 1, &wc));
  CHECK(nanos(CLOCK_THREAD_CPUTIME_ID) - used < limit / 2);
  write_once();
}

static ssize_t line_at(int dir, const char *path, char *line) {
  int fd = openat(dir, path, O_RDONLY);
  CHECK(fd >= 0);
  ssize_t length = read(fd, line, LINE);
  CHECK(!close(fd));
  return length;
}

static void sysfs(void) { // By all ways to name a file, as Linux shows one.
  static const char port[] = "/sys/class/infiniband/qp0/ports/1", state[] = "4: ACTIVE\n";
  char line[LINE];
  struct stat found;
  CHECK(line_at(AT_FDCWD, "/sys/class/infiniband/qp0/ports/1/state", line) == sizeof state - 1);
  CHECK(!memcmp(line, state, sizeof state - 1));
  int dir = open(port, O_RDONLY | O_DIRECTORY);
  CHECK(dir >= 0 && line_at(dir, "state", line) == sizeof state - 1);
  CHECK(!fstatat(dir, "gids/0", &found, 0) && S_ISREG(found.st_mode));
  CHECK(line_at(dir, "gid_attrs/types/0", line) == 8 && !memcmp(line, "RoCE v2\n", 8));
  CHECK(line_at(dir, "gids/5", line) == 40 && !memcmp(line, "0000:0000:", 10));
  CHECK(line_at(dir, "gid_attrs/types/5", line) == -1 && errno == EINVAL);
  CHECK(!chdir(port) && line_at(AT_FDCWD, "state", line) == sizeof state - 1);
  CHECK(!fopen("/sys/class/infiniband/qp0/ports/1/state", "r+") && errno == EACCES);
  CHECK(open("/sys/class/infiniband/qp0/node_guid", O_WRONLY) == -1 && errno == EACCES);
  CHECK(!chdir("/sys/class/infiniband") && !access("qp0/node_guid", R_OK));
  CHECK(readlink("/sys/class/infiniband/qp0/device", line, sizeof line) > 0);
  char *device = realpath("/sys/class/infiniband/qp0/device", NULL);
  CHECK(device && !strcmp(device, "/sys/devices/pciffff:00/ffff:00:00.0"));
  CHECK(!stat(device, &found) && S_ISDIR(found.st_mode));
  glob_t paths;
  CHECK(!glob("/sys/class/infiniband/*/ports/*", 0, NULL, &paths) && paths.gl_pathc == 1);
  CHECK(!strcmp(paths.gl_pathv[0], port));
  connect_pair();
  write_once();
  for (long packets = 0; packets < 2;) { // One message and its acknowledgement.
    FILE *file = fopen("/sys/class/infiniband/qp0/ports/1/counters/port_xmit_packets", "r");
    CHECK(file && fscanf(file, "%ld", &packets) == 1 && !fclose(file));
    poll(NULL, 0, 1);
  }
}

static void netlink(void) { // As rdma(8) asks.
  static char answer[LINES];
  connect_pair();
  int bytes = ask(RDMA_NLDEV_CMD_GET, NLM_F_DUMP, answer);
  CHECK(memmem(answer, (size_t)bytes, "qp0", 4));
  bytes = ask(RDMA_NLDEV_CMD_RES_QP_GET, NLM_F_DUMP, answer);
  CHECK(has_number(answer, bytes, RDMA_NLDEV_ATTR_RES_LQPN, qp->qp_num));
  CHECK(has_number(answer, bytes, RDMA_NLDEV_ATTR_RES_PID, (uint32_t)getpid()));
  struct verbs_context *verbs =
      (struct verbs_context *)((char *)context - offsetof(struct verbs_context, context));
  struct ibv_xrcd_init_attr unnamed = {.comp_mask = 3, .fd = -1, .oflags = O_CREAT};
  struct ibv_qp_init_attr_ex init = {.qp_type = IBV_QPT_XRC_RECV, .comp_mask = IBV_QP_INIT_ATTR_XRCD,
      .xrcd = verbs->open_xrcd(context, &unnamed)};
  struct ibv_qp *target = verbs->create_qp_ex(context, &init); // Without a protection domain.
  CHECK(target);
  bytes = ask(RDMA_NLDEV_CMD_RES_QP_GET, NLM_F_DUMP, answer);
  CHECK(has_number(answer, bytes, RDMA_NLDEV_ATTR_RES_LQPN, target->qp_num));
  struct ibv_mr *mr = region(new_page());
  bytes = ask(RDMA_NLDEV_CMD_RES_MR_GET, NLM_F_DUMP, answer);
  CHECK(has_number(answer, bytes, RDMA_NLDEV_ATTR_RES_RKEY, mr->rkey));
  CHECK(has_number(answer, bytes, RDMA_NLDEV_ATTR_RES_LKEY, mr->lkey));
  bytes = ask(RDMA_NLDEV_CMD_RES_CQ_GET, NLM_F_DUMP, answer);
  CHECK(has_number(answer, bytes, RDMA_NLDEV_ATTR_RES_CQE, (uint32_t)cq->cqe));
  bytes = ask(RDMA_NLDEV_CMD_RES_CTX_GET, NLM_F_DUMP, answer);
  CHECK(has_number(answer, bytes, RDMA_NLDEV_ATTR_RES_PID, (uint32_t)getpid()));
  CHECK(ask(RDMA_NLDEV_CMD_PORT_GET, NLM_F_ACK, answer) == EINVAL); // Of which port?
  CHECK(ask(RDMA_NLDEV_CMD_NEWLINK, NLM_F_ACK, answer) == EOPNOTSUPP);
}

static void raw_clone(void) { // A child without handlers of fork, which has our descriptors for ever.
  connect_pair();
  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  CHECK(child >= 0);
  if (child) printf("%ld", child);
  else pause();
}

static void cloned(void) { // As a forked child.
  connect_pair();
  write_once();
  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) {
    write_once();
    connect_pair();
    write_once();
    _exit(0);
  }
  exits_well((pid_t)child);
  write_once();
}

static void many_events(void) { // More than a socket holds.
  connect_pair();
  struct ibv_cq *of;
  void *user_context;
  for (int i = 0; i < 1000; i++) {
    CHECK(!context->ops.req_notify_cq(cq, 0));
    write_once();
  }
  for (int i = 0; i < 1000; i++) {
    CHECK(!ibv_get_cq_event(channel, &of, &user_context) && of == cq);
    ibv_ack_cq_events(cq, 1);
  }
  struct pollfd readable = {channel->fd, POLLIN, 0};
  CHECK(poll(&readable, 1, 0) == 0);
}

static void dead_service(void) { // Which it kills.
  connect_pair();
  write_once();
  CHECK(!kill(atoi(getenv("SERVICE_PROCESS")), SIGKILL));
  struct ibv_async_event event;
  CHECK(!ibv_get_async_event(context, &event) && event.event_type == IBV_EVENT_DEVICE_FATAL);
  CHECK(ibv_get_async_event(context, &event) == -1 && errno == EIO);
  struct ibv_cq *of;
  void *user_context;
  CHECK(ibv_get_cq_event(channel, &of, &user_context) == -1 && errno == EIO);
  struct ibv_wc wc;
  CHECK(context->ops.poll_cq(cq, 1, &wc) == -EIO);
  CHECK(ibv_query_device(context, &(struct ibv_device_attr){0}) == EIO);
  CHECK(!ibv_open_device(context->device) && errno == ENODEV);
  CHECK(!ibv_get_device_list(NULL) && errno == ENOSYS);
}

static void *arm_until_the_end(void *unused) {
  int error;
  CHECK(!context->ops.req_notify_cq(cq, 0));
  pthread_barrier_wait(&all);
  while (!(error = context->ops.req_notify_cq(cq, 0))) continue;
  CHECK(error == EIO && context->ops.req_notify_cq(cq, 0) == EIO);
  return unused;
}

// Its threads wait for answers, and have all mailboxes that there are.
static void outlive(bool is_stopped_first) {
  enum { OTHERS = 8 * CHUNK_MAILBOXES - 1 };
  connect_pair();
  pthread_t started[OTHERS];
  CHECK(!pthread_barrier_init(&all, NULL, OTHERS + 1));
  for (int i = 0; i < OTHERS; i++)
    CHECK(!pthread_create(&started[i], NULL, arm_until_the_end, NULL));
  pthread_barrier_wait(&all);
  pid_t service = atoi(getenv("SERVICE_PROCESS"));
  CHECK(!is_stopped_first || !kill(service, SIGSTOP));
  poll(NULL, 0, 100); // Most wait for an answer then.
  time_t before = time(NULL);
  CHECK(!kill(service, SIGKILL));
  for (int i = 0; i < OTHERS; i++) CHECK(!pthread_join(started[i], NULL));
  CHECK(time(NULL) - before < 5); // None waits for another mailbox, which takes 10 seconds.
}

static void dead_service_of_threads(void) { outlive(true); }

// Some of the threads that wait have just been answered, and have not run since.
static void killed_service_of_threads(void) { outlive(false); }

// Posts receives until there is no more memory, or no device any more.
static void fill_memory(void) {
  enum { MOST = 1 << 20 };
  connect_pair();
  struct ibv_mr *mr = region(new_page());
  struct ibv_sge sge = {(uintptr_t)mr->addr, 64, mr->lkey};
  struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;
  struct ibv_qp_init_attr init = {
      .send_cq = cq, .recv_cq = cq, .cap = {1, MOST, 1, 1, 0}, .qp_type = QPT_RC};
  struct ibv_qp *full;
  while ((full = ibv_create_qp(pd, &init))) {
    struct ibv_qp_attr attr = {.qp_state = INIT, .port_num = 1};
    if (ibv_modify_qp(full, &attr, 1 | 8 | 16 | 32)) break;
    for (int i = 0; i < MOST; i++)
      if (context->ops.post_recv(full, &wr, &bad)) break;
  }
}

// A child fills the memory of the service; its parent has its data, and so has the next program.
static void hog(void) {
  connect_pair();
  struct ibv_mr *from = region(new_page()), *to = region(new_page());
  pid_t child = fork();
  if (child == 0) {
    CHECK(!prctl(PR_SET_PDEATHSIG, SIGKILL));
    fill_memory();
    CHECK(errno == EIO && ibv_query_device(context, &(struct ibv_device_attr){0}) == EIO);
    struct ibv_wc wc;
    CHECK(context->ops.poll_cq(cq, 1, &wc) == -EIO);
    struct ibv_async_event event;
    CHECK(!ibv_get_async_event(context, &event) && event.event_type == IBV_EVENT_DEVICE_FATAL);
    CHECK(!ibv_open_device(context->device) && errno == ENODEV);
    exit(0);
  }
  int status;
  for (unsigned i = 0; !waitpid(child, &status, WNOHANG); i++) {
    memset(from->addr, (int)(i % 100 + 1), PAGE);
    post(i, from, to);
    struct ibv_wc wc = completion();
    CHECK(wc.status == 0 && wc.wr_id == i && !memcmp(from->addr, to->addr, 64));
  }
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  connect_pair();
  write_once();
}

static const struct test_case cases[] = {
    {"threads", threads},
    {"more-threads", more_threads},
    {"killed-peer", killed_peer},
    {"unmapped", unmapped},
    {"protected", protected_later},
    {"read-only-part", read_only_part},
    {"limited", limited},
    {"stalled", stalled},
    {"any-posts", any_posts},
    {"any-receives", any_receives},
    {"posted-before", posted_before},
    {"posted-while-asleep", posted_while_asleep},
    {"device-names", device_names},
    {"dropped-rights", dropped_rights},
    {"closed-descriptors", closed_descriptors},
    {"closed-before-open", closed_before_open},
    {"left-by-longjmp", left_by_longjmp},
    {"resized", resized},
    {"resized-while-polled", resized_while_polled},
    {"many-events", many_events},
    {"sysfs", sysfs},
    {"netlink", netlink},
    {"raw-clone", raw_clone},
    {"cloned", cloned},
    {"attributes", attributes},
    {"copied", copied},
    {"idle-poll", idle_poll},
    {"hog", hog},
    {"dead-service", dead_service},
    {"dead-service-of-threads", dead_service_of_threads},
    {"killed-service-of-threads", killed_service_of_threads},
};

int main(int argc, char **argv) {
  return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
