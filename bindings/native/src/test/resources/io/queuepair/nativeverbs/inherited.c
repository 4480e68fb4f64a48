// SPDX-License-Identifier: Apache-2.0
// Programs that have the context of another, by fork or by its descriptor.
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/rdma_user_cm.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "netlink.h"
#include "objects.h"

int ibv_resize_cq(struct ibv_cq *, int);
int ibv_dereg_mr(struct ibv_mr *);
int ibv_destroy_qp(struct ibv_qp *);
struct ibv_context *ibv_import_device(int);
struct ibv_pd *ibv_import_pd(struct ibv_context *, uint32_t);
struct ibv_mr *ibv_import_mr(struct ibv_pd *, uint32_t);

static void forked(void) { // Objects are of both processes, regions of the one that has made them.
  connect_pair();
  write_once();
  struct ibv_mr *from = region(new_page()), *to = region(new_page());
  strcpy(from->addr, "of the parent");
  CHECK(!context->ops.req_notify_cq(cq, 0));
  pid_t child = fork();
  if (child == 0) {
    struct ibv_cq *of;
    void *user_context;
    strcpy(from->addr, "of the child");
    post(5, from, to);
    CHECK(!ibv_get_cq_event(channel, &of, &user_context) && of == cq);
    CHECK(completion().wr_id == 5 && !*(char *)to->addr);
    write_once();
    CHECK(!ibv_close_device(context)); // The parent has it still.
    CHECK(!ibv_alloc_pd(context) && errno == EINVAL);
    connect_pair();
    write_once();
    exit(0);
  }
  exits_well(child);
  CHECK(!strcmp(to->addr, "of the parent"));
  write_once();
}

static int post_unsignaled(void) { // An errno.
  struct ibv_send_wr *bad, wr = {.opcode = 0};
  return context->ops.post_send(qp, &wr, &bad);
}

static void await_closed(int fd) {
  char byte;
  CHECK(read(fd, &byte, 1) == 0);
}

// Filled by the child while its parent posts, too: no room is shown to either.
static void full_queue(void) {
  int posted[2], seen[2];
  CHECK(!pipe(posted) && !pipe(seen));
  connect_pair();
  CHECK(!post_unsignaled());
  pid_t child = fork();
  if (child == 0) {
    close(seen[1]);
    int error = post_unsignaled();
    close(posted[0]);
    close(posted[1]);
    await_closed(seen[0]);
    for (int i = 3; i < MAX_WORK; i++) error |= post_unsignaled();
    CHECK(!error && post_unsignaled() == ENOMEM);
    exit(0);
  }
  close(posted[1]);
  await_closed(posted[0]);
  CHECK(!post_unsignaled());
  close(seen[1]);
  exits_well(child);
  CHECK(post_unsignaled() == ENOMEM);
}

static void resized_by_all(void) { // Each has a lock of its own.
  enum { OTHERS = 3 };
  connect_pair();
  pid_t children[OTHERS], child = 1;
  for (int i = 0; child && i < OTHERS; i++) children[i] = child = fork();
  for (int i = 0; i < 1000; i++) CHECK(!ibv_resize_cq(cq, MAX_WORK << i % 4));
  if (!child) exit(0);
  for (int i = 0; i < OTHERS; i++) exits_well(children[i]);
  CHECK(!ibv_resize_cq(cq, MAX_WORK));
  write_once();
}

static void orphaned(void) { // As a daemon: the process that has opened the device is gone.
  int parent[2], done[2];
  CHECK(!pipe(parent) && !pipe(done));
  pid_t opener = fork();
  if (opener == 0) {
    connect_pair();
    struct ibv_mr *from = region(new_page()), *to = region(new_page());
    if (fork()) _exit(0);
    close(parent[1]);
    await_closed(parent[0]);
    post(1, from, to);
    CHECK(completion().status == LOC_PROT_ERR); // Its memory is gone with it.
    connect_new();
    write_once();
    CHECK(write(done[1], "x", 1) == 1);
    exit(0);
  }
  close(parent[1]);
  close(done[1]);
  exits_well(opener);
  char byte;
  CHECK(read(done[0], &byte, 1) == 1);
}

// Message to another process, with the descriptor of a context.
struct names {
  uint32_t pd, mr, rkey;
  char *address;
  int64_t handle;
};

static void tell(int to, const struct names *names, int fd) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof fd)];
  } control = {.header = {CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS}};
  struct iovec vector = {(void *)(uintptr_t)names, sizeof *names};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1,
      .msg_control = fd < 0 ? NULL : &control, .msg_controllen = fd < 0 ? 0 : sizeof control};
  memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
  CHECK(sendmsg(to, &message, 0) == sizeof *names);
}

static struct names hear(int from, int *fd) {
  struct names names;
  char control[CMSG_SPACE(sizeof *fd)];
  struct iovec vector = {&names, sizeof names};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control,
      .msg_controllen = sizeof control};
  CHECK(recvmsg(from, &message, 0) == sizeof names);
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  *fd = -1;
  if (header) memcpy(fd, CMSG_DATA(header), sizeof *fd);
  return names;
}

static struct names names_of(const struct ibv_mr *mr) {
  return (struct names){pd->handle, mr->handle, mr->rkey, mr->addr, HANDLE(pd, pd)};
}

static void import_from(int other) {
  int fd;
  struct names names = hear(other, &fd);
  context = ibv_import_device(fd);
  CHECK(context);
  pd = ibv_import_pd(context, names.pd);
  CHECK(pd);
  struct ibv_mr *theirs = ibv_import_mr(pd, names.mr), *own = region(new_page());
  CHECK(theirs && theirs->rkey == names.rkey);
  create_queues(); // With all of them, also after the other process has closed the device.
  theirs->addr = names.address;
  strcpy(own->addr, "imported");
  CHECK(!context->ops.req_notify_cq(cq, 0));
  post(9, own, theirs);
  struct ibv_cq *of;
  void *user_context;
  CHECK(!ibv_get_cq_event(channel, &of, &user_context) && of == cq);
  CHECK(completion().status == 0);
  tell(other, &names, -1);
  hear(other, &fd);
  write_once();
  struct ibv_qp_attr error = {.qp_state = 6};
  CHECK(!ibv_modify_qp(qp, &error, 1) && !ibv_close_device(context));
}

static void imported(void) {
  int ends[2], none;
  CHECK(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends));
  pid_t child = fork(); // Before there is a device.
  if (child == 0) {
    import_from(ends[1]);
    exit(0);
  }
  connect_pair();
  struct ibv_mr *to = region(new_page());
  struct names names = names_of(to);
  tell(ends[0], &names, context->cmd_fd);
  hear(ends[0], &none);
  CHECK(!strcmp(to->addr, "imported"));
  CHECK(!ibv_close_device(context));
  tell(ends[0], &names, -1);
  exits_well(child);
}

static void foreign(void) { // Of a context that it has no descriptor of, a program has nothing.
  int ends[2], none;
  CHECK(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends));
  pid_t child = fork();
  if (child == 0) {
    struct names names = hear(ends[1], &none);
    connect_pair();
    int64_t own = HANDLE(pd, pd);
    HANDLE(pd, pd) = names.handle;
    CHECK(!ibv_reg_mr(pd, new_page(), PAGE, RIGHTS) && errno == EBADF);
    CHECK(ibv_dealloc_pd(pd) == EBADF);
    HANDLE(pd, pd) = own;
    CHECK(!ibv_import_pd(context, names.pd) && errno == EINVAL);
    CHECK(!ibv_import_device(ends[1]) && errno == EINVAL);
    write_once();
    exit(0);
  }
  connect_pair();
  struct names names = names_of(region(new_page()));
  tell(ends[0], &names, -1);
  exits_well(child);
  write_once();
}

// Calls that this process has begun, as its parent sees them.
static unsigned *begun = &(unsigned){0};

static void begin(void) { __atomic_add_fetch(begun, 1, __ATOMIC_RELEASE); }

// A command of librdmacm, whose first or second number says where its answer goes.
static int command(int fd, uint32_t number, const void *body, size_t in, size_t out) {
  char bytes[512];
  struct rdma_ucm_cmd_hdr header = {number, (uint16_t)in, (uint16_t)out};
  memcpy(bytes, &header, sizeof header);
  memcpy(bytes + sizeof header, body, in);
  begin();
  return write(fd, bytes, sizeof header + in) == (ssize_t)(sizeof header + in) ? 0 : errno;
}

static uint32_t new_id(int fd, uint64_t uid) {
  struct rdma_ucm_create_id_resp created = {0};
  struct rdma_ucm_create_id create = {uid, (uintptr_t)&created, RDMA_PS_TCP, QPT_RC, {0}};
  CHECK(!command(fd, RDMA_USER_CM_CMD_CREATE_ID, &create, sizeof create, sizeof created));
  return created.id;
}

static struct rdma_ucm_event_resp next_event(int fd) {
  struct rdma_ucm_event_resp event = {0};
  struct rdma_ucm_get_event get = {(uintptr_t)&event};
  CHECK(!command(fd, RDMA_USER_CM_CMD_GET_EVENT, &get, sizeof get, sizeof event));
  return event;
}

static int open_cm(void) {
  int fd = open("/dev/infiniband/rdma_cm", O_RDWR | O_CLOEXEC);
  CHECK(fd >= 0);
  return fd;
}

enum {
  ADDR_RESOLVED = 0,
  ROUTE_RESOLVED = 2,
  CONNECT_REQUEST = 4,
  CONNECT_RESPONSE = 5,
  REJECTED = 8,
  DEVICE_REMOVAL = 11
};

static void resolve(int fd, uint32_t id, in_addr_t host, in_port_t port) {
  struct rdma_ucm_resolve_ip resolve = {.id = id, .timeout_ms = 2000};
  struct sockaddr_in to = {
      .sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(host)};
  memcpy(&resolve.dst_addr, &to, sizeof to);
  CHECK(!command(fd, RDMA_USER_CM_CMD_RESOLVE_IP, &resolve, sizeof resolve, 0));
}

static uint32_t request(int fd, in_addr_t host, in_port_t port) { // A connection, with a new id.
  uint32_t id = new_id(fd, 1);
  resolve(fd, id, host, port);
  CHECK(next_event(fd).event == ADDR_RESOLVED);
  struct rdma_ucm_resolve_route route = {.id = id, .timeout_ms = 2000};
  CHECK(!command(fd, RDMA_USER_CM_CMD_RESOLVE_ROUTE, &route, sizeof route, 0));
  CHECK(next_event(fd).event == ROUTE_RESOLVED);
  struct rdma_ucm_connect connect = {.conn_param = {.qp_num = 77, .valid = 1}, .id = id};
  CHECK(!command(fd, RDMA_USER_CM_CMD_CONNECT, &connect, sizeof connect, 0));
  return id;
}

static void be_rejected(in_addr_t host, in_port_t port) {
  int fd = open_cm();
  request(fd, host, port);
  CHECK(next_event(fd).event == REJECTED);
}

static void listen_on(int fd, in_port_t port, uint64_t uid) {
  uint32_t id = new_id(fd, uid);
  struct rdma_ucm_bind_ip bind = {.id = id};
  struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = port};
  memcpy(&bind.addr, &any, sizeof any);
  CHECK(!command(fd, RDMA_USER_CM_CMD_BIND_IP, &bind, sizeof bind, 0));
  struct rdma_ucm_listen listen = {id, 8};
  CHECK(!command(fd, RDMA_USER_CM_CMD_LISTEN, &listen, sizeof listen, 0));
}

static in_port_t own_port(void) { return htons((uint16_t)(20000 + getpid() % 20000)); }

static int open_cm_of(const char *address) {
  CHECK(!setenv("QUEUEPAIR_ADDRESS", address, 1));
  return open_cm();
}

static void two_hosts(void) { // Of a device each: both have the port, and one reaches the other.
  int first = open_cm_of("127.0.47.1"), second = open_cm_of("127.0.47.3");
  in_port_t port = own_port();
  listen_on(first, port, 1);
  listen_on(second, port, 2);
  request(second, 0x7f002f01, port);
  CHECK(next_event(first).event == CONNECT_REQUEST);
}

static void orphaned_listener(void) { // It listens as long as some process has the event channel.
  int parent[2];
  in_port_t port = own_port();
  CHECK(!pipe(parent));
  pid_t opener = fork();
  if (opener == 0) {
    int fd = open_cm();
    listen_on(fd, port, 42);
    for (int i = 0; i < 2; i++) { // Two that wait for one request each.
      if (fork()) continue;
      close(parent[1]);
      await_closed(parent[0]);
      struct rdma_ucm_event_resp event = next_event(fd);
      CHECK(event.event == CONNECT_REQUEST && event.uid == 42);
      struct rdma_ucm_reject reject = {.id = event.id, .reason = 28};
      CHECK(!command(fd, RDMA_USER_CM_CMD_REJECT, &reject, sizeof reject, 0));
      exit(0);
    }
    _exit(0);
  }
  exits_well(opener);
  close(parent[1]);
  be_rejected(INADDR_LOOPBACK, port);
  be_rejected(INADDR_LOOPBACK, port);
}

static void removed_device(void) { // By the death of the service, which it kills.
  int fd = open_cm(), other = open_cm();
  uint32_t idle = new_id(fd, 1), moved = new_id(fd, 2), gone = new_id(fd, 3);
  const uint32_t resolved[] = {moved, gone};
  for (int i = 0; i < 2; i++) {
    resolve(fd, resolved[i], INADDR_LOOPBACK, 1);
    CHECK(next_event(fd).event == ADDR_RESOLVED);
  }
  uint32_t reported;
  struct rdma_ucm_destroy_id destroy = {(uintptr_t)&reported, gone, 0};
  CHECK(!command(fd, RDMA_USER_CM_CMD_DESTROY_ID, &destroy, sizeof destroy, sizeof reported));
  struct rdma_ucm_migrate_id migrate = {(uintptr_t)&reported, moved, (uint32_t)fd};
  CHECK(!command(other, RDMA_USER_CM_CMD_MIGRATE_ID, &migrate, sizeof migrate, sizeof reported));
  CHECK(!kill(atoi(getenv("SERVICE_PROCESS")), SIGKILL));
  struct rdma_ucm_event_resp event = next_event(other);
  CHECK(event.event == DEVICE_REMOVAL && event.id == moved && event.uid == 2);
  struct rdma_ucm_get_event get = {(uintptr_t)&event};
  CHECK(command(other, RDMA_USER_CM_CMD_GET_EVENT, &get, sizeof get, sizeof event) == EIO);
  CHECK(command(fd, RDMA_USER_CM_CMD_GET_EVENT, &get, sizeof get, sizeof event) == EIO);
  destroy.id = idle;
  CHECK(!command(fd, RDMA_USER_CM_CMD_DESTROY_ID, &destroy, sizeof destroy, sizeof reported));
  CHECK(reported == 0 && !close(fd) && !close(other));
}

static void *get_cancelled(void *fd) { // A command is a cancellation point, as write is.
  CHECK(!pthread_cancel(pthread_self()));
  for (;;) next_event(*(int *)fd);
}

static void cancelled(void) { // As the thread for events of a program that ends.
  int fd = open_cm();
  resolve(fd, new_id(fd, 1), INADDR_LOOPBACK, 1);
  struct pollfd readable = {fd, POLLIN, 0};
  CHECK(poll(&readable, 1, -1) == 1);
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, get_cancelled, &fd) && !pthread_join(thread, NULL));
  new_id(fd, 2);
}

static bool is_asking;

static void *get_until_interrupted(void *fd) {
  struct rdma_ucm_event_resp event;
  struct rdma_ucm_get_event get = {(uintptr_t)&event};
  __atomic_store_n(&is_asking, true, __ATOMIC_RELEASE);
  int error = command(*(int *)fd, RDMA_USER_CM_CMD_GET_EVENT, &get, sizeof get, sizeof event);
  CHECK(error == EINTR || error == EBADF);
  return NULL;
}

static void interrupt(int unused) { (void)unused; }

// At any moment of a call. It lasts until a signal, if it has begun, as one of the kernel has the file itself.
static void closed_in_calls(void) {
  struct sigaction action = {.sa_handler = interrupt};
  CHECK(!sigaction(SIGUSR1, &action, NULL));
  for (int round = 0; round < 300; round++) {
    int fd = open_cm();
    pthread_t thread;
    is_asking = false;
    CHECK(!pthread_create(&thread, NULL, get_until_interrupted, &fd));
    while (!__atomic_load_n(&is_asking, __ATOMIC_ACQUIRE)) continue;
    for (volatile int spins = 0; spins < 100 * round; spins++) continue;
    CHECK(!close(fd));
    while (pthread_tryjoin_np(thread, NULL) == EBUSY) CHECK(!pthread_kill(thread, SIGUSR1));
  }
}

static void refused_channel(void) { // By Linux, and --profile soft-roce.
  int fd = open_cm();
  pid_t child = fork();
  if (child == 0) {
    struct rdma_ucm_event_resp event;
    struct rdma_ucm_get_event get = {(uintptr_t)&event};
    CHECK(command(fd, RDMA_USER_CM_CMD_GET_EVENT, &get, sizeof get, sizeof event) == EACCES);
    exit(0);
  }
  exits_well(child);
  new_id(fd, 1);
}

static void own_descriptor(void) { // A message to the service could hold the descriptor itself, and keep it open.
  connect_pair();
  CHECK(send(context->cmd_fd, "", 1, MSG_NOSIGNAL) < 0 && errno == EPIPE);
  CHECK(send(channel->fd, "", 1, MSG_NOSIGNAL) < 0 && errno == EPIPE);
}

// A child opens devices until it gets none; others get theirs all the same.
static void all_descriptors(void) {
  int ends[2];
  char octet = 0;
  CHECK(!pipe(ends));
  pid_t child = fork();
  if (child == 0) {
    struct rlimit most;
    CHECK(!prctl(PR_SET_PDEATHSIG, SIGKILL) && !getrlimit(RLIMIT_NOFILE, &most));
    most.rlim_cur = most.rlim_max;
    CHECK(!setrlimit(RLIMIT_NOFILE, &most));
    struct ibv_device **list = ibv_get_device_list(NULL);
    CHECK(list && list[0]);
    while (ibv_open_device(list[0])) continue;
    CHECK(write(ends[1], &octet, 1) == 1);
    pause();
  }
  close(ends[1]);
  CHECK(read(ends[0], &octet, 1) == 1);
  connect_pair();
  write_once();
  CHECK(!kill(child, SIGKILL) && waitpid(child, NULL, 0) == child);
}

static int threads_of_service(void) {
  char line[256];
  int count = 0;
  snprintf(line, sizeof line, "/proc/%s/status", getenv("SERVICE_PROCESS"));
  FILE *status = fopen(line, "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "Threads: %d", &count);
  CHECK(count > 0 && !fclose(status));
  return count;
}

static void many_channels(void) { // They take no thread of the service each.
  be_rejected(INADDR_LOOPBACK, 1);
  int before = threads_of_service();
  for (int i = 0; i < 200; i++) open_cm();
  be_rejected(INADDR_LOOPBACK, 1);
  CHECK(threads_of_service() < before + 100);
}

static void names_of_host(void) { // All of 127.0.0.0/8 are.
  be_rejected(INADDR_LOOPBACK + 76, 1);
}

static void create_and_destroy(void) {
  begin();
  struct ibv_qp *made = new_qp();
  begin();
  CHECK(!ibv_destroy_qp(made));
}

static void modify(void) {
  struct ibv_qp_attr reset = {0};
  begin();
  CHECK(!ibv_modify_qp(qp, &reset, 1));
  connect_with(context, qp, peer->qp_num, RIGHTS);
}

static void destroy_while_busy(void) {
  struct ibv_mr *from = region(new_page()), *to = region(new_page());
  for (uint64_t i = 0; i < MAX_WORK; i++) post(i, from, to);
  begin();
  CHECK(!ibv_destroy_qp(qp) && !ibv_destroy_qp(peer));
  struct ibv_wc none;
  CHECK(context->ops.poll_cq(cq, 1, &none) == 0); // Completions of removed queue pairs make room now.
  connect_new();
}

static void register_memory(void) {
  begin();
  struct ibv_mr *mr = region(new_page());
  begin();
  CHECK(!ibv_dereg_mr(mr));
}

static void post_batch(void) {
  static struct ibv_mr *from, *to;
  if (!from) from = region(new_page()), to = region(new_page());
  struct ibv_sge sge = {(uintptr_t)from->addr, PAGE, from->lkey};
  struct ibv_send_wr batch[MAX_WORK], *bad;
  for (int i = 0; i < MAX_WORK; i++) {
    batch[i] = (struct ibv_send_wr){.next = i + 1 < MAX_WORK ? &batch[i + 1] : NULL,
        .sg_list = &sge, .num_sge = 1, .send_flags = SIGNALED};
    batch[i].wr.rdma.remote_addr = (uintptr_t)to->addr;
    batch[i].wr.rdma.rkey = to->rkey;
  }
  begin();
  CHECK(!context->ops.post_send(qp, batch, &bad));
  for (int i = 0; i < MAX_WORK; i++) CHECK(completion().status == 0);
}

static void connect_ids(void) { // To itself, over and over.
  static int client, server;
  if (!client) {
    client = open_cm();
    server = open_cm();
    listen_on(server, own_port(), 1);
  }
  uint32_t reported, id = request(client, INADDR_LOOPBACK, own_port());
  struct rdma_ucm_event_resp event = next_event(server);
  CHECK(event.event == CONNECT_REQUEST);
  struct rdma_ucm_accept accept = {.conn_param = {.qp_num = 78, .valid = 1}, .id = event.id};
  CHECK(!command(server, RDMA_USER_CM_CMD_ACCEPT, &accept, sizeof accept, 0));
  CHECK(next_event(client).event == CONNECT_RESPONSE);
  struct rdma_ucm_destroy_id destroy = {(uintptr_t)&reported, id, 0};
  CHECK(!command(client, RDMA_USER_CM_CMD_DESTROY_ID, &destroy, sizeof destroy, sizeof reported));
}

static bool has_resources(pid_t of) {
  static const int kinds[] = {RDMA_NLDEV_CMD_RES_CTX_GET, RDMA_NLDEV_CMD_RES_QP_GET,
      RDMA_NLDEV_CMD_RES_CQ_GET, RDMA_NLDEV_CMD_RES_MR_GET, RDMA_NLDEV_CMD_RES_CM_ID_GET};
  static char answer[8 * LINES];
  bool has_some = false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    int bytes = ask(kinds[i], NLM_F_DUMP, answer);
    has_some |= has_number(answer, bytes, RDMA_NLDEV_ATTR_RES_PID, (uint32_t)of);
  }
  return has_some;
}

// Children are killed in the midst of calls of each kind: what they have goes, others keep theirs.
static void killed_in_calls(void) {
  static void (*const calls[])(void) = {create_and_destroy, modify, destroy_while_busy,
      register_memory, post_batch, connect_ids};
  enum { KINDS = sizeof calls / sizeof *calls, ROUNDS = 8 };
  connect_pair();
  begun = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(begun != MAP_FAILED);
  for (unsigned i = 0; i < KINDS * ROUNDS; i++) {
    *begun = 0;
    pid_t child = fork();
    if (child == 0) {
      CHECK(!prctl(PR_SET_PDEATHSIG, SIGKILL));
      connect_pair();
      for (;;) calls[i % KINDS]();
    }
    while (__atomic_load_n(begun, __ATOMIC_ACQUIRE) <= i) CHECK(waitpid(child, NULL, WNOHANG) == 0);
    CHECK(!kill(child, SIGKILL) && waitpid(child, NULL, 0) == child);
    write_once();
    while (has_resources(child)) continue;
  }
}

static const struct test_case cases[] = {
    {"killed-in-calls", killed_in_calls},
    {"all-descriptors", all_descriptors},
    {"fork", forked},
    {"own-descriptor", own_descriptor},
    {"full-queue", full_queue},
    {"resized-by-all", resized_by_all},
    {"orphan", orphaned},
    {"import", imported},
    {"foreign", foreign},
    {"orphaned-listener", orphaned_listener},
    {"two-hosts", two_hosts},
    {"refused-channel", refused_channel},
    {"removed-device", removed_device},
    {"cancelled", cancelled},
    {"closed-in-calls", closed_in_calls},
    {"many-channels", many_channels},
    {"names-of-host", names_of_host},
};

int main(int argc, char **argv) {
  return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
