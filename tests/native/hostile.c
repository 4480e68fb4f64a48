// SPDX-License-Identifier: Apache-2.0
// Programs that attach to the service as the library does, and then do what it never does: for so many
// seconds, so many at once, from a seed. See tests/native/hostile.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "protocol.h"

enum { MAX_MAPPED = 64, MAX_HANDLES = 256, MEMORY_BYTES = 1 << 20, PROGRAM_MILLIS = 500 };

static int connection = -1, bell = -1;
static struct chunk *chunk;
static int chunk_file = -1;
static char *memory; // That a region may be of.
static int64_t handles[MAX_HANDLES];
static int handle_count;

static struct {
  char *bytes;
  size_t length;
} mapped[MAX_MAPPED];
static int mapped_count;

static uint64_t state; // Of xorshift64.

static uint64_t any(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static uint64_t below(uint64_t limit) { return any() % limit; }

static uint64_t millis(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static ssize_t receive(void *bytes, size_t count, int *files, int expected, int flags) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(WELCOME_FILES * sizeof(int))];
  } control;
  struct iovec into = {bytes, count};
  struct msghdr message = {.msg_iov = &into, .msg_iovlen = 1, .msg_control = control.room,
      .msg_controllen = sizeof control.room};
  ssize_t received = recvmsg(connection, &message, flags);
  for (int i = 0; i < expected; i++) files[i] = -1;
  struct cmsghdr *header = received < 0 ? NULL : CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_len <= CMSG_LEN((size_t)expected * sizeof *files))
    memcpy(files, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
  return received;
}

static ssize_t send_with(const void *bytes, size_t count, const int *files, int file_count) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(16 * sizeof(int))];
  } control = {0};
  struct iovec from = {(void *)(uintptr_t)bytes, count};
  struct msghdr message = {.msg_iov = &from, .msg_iovlen = 1};
  if (file_count) {
    size_t length = (size_t)file_count * sizeof *files;
    message.msg_control = control.room;
    message.msg_controllen = CMSG_SPACE(length);
    control.header = (struct cmsghdr){
        .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(length)};
    memcpy(CMSG_DATA(&control.header), files, length);
  }
  return sendmsg(connection, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Keeps memory of the service to be written, or does what must not be possible with it.
static void *keep(int fd, int prot) {
  struct stat file;
  if (fd < 0 || fstat(fd, &file) || !file.st_size) return NULL;
  size_t length = (size_t)file.st_size;
  char *bytes = mmap(NULL, length, prot, MAP_SHARED, fd, 0);
  if (!ftruncate(fd, 0) || !ftruncate(fd, 1 << 30) || !fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE)) {
    fprintf(stderr, "memory of the service changes its size\n");
    exit(3);
  }
  if (bytes == MAP_FAILED) return NULL;
  if (prot & PROT_WRITE && mapped_count < MAX_MAPPED) {
    mapped[mapped_count].bytes = bytes;
    mapped[mapped_count++].length = length;
  }
  return bytes;
}

// A descriptor of almost any kind.
static int wrong_file(void) {
  static const char *const names[] = {"/proc/self/status", "/proc/self/maps", "/dev/zero",
      "/dev/null", "/proc/self/auxv", "/proc/self/mem", "/tmp", "/proc/self"};
  return below(4) ? open(names[below(sizeof names / sizeof *names)], O_RDONLY | O_CLOEXEC)
                  : eventfd(0, EFD_CLOEXEC);
}

static int connect_to(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(name);
  memcpy(address.sun_path + 1, name, length);
  connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
  return connect(connection, (struct sockaddr *)&address, bytes);
}

// Attaches, in one of four cases wrongly; whether it has mailboxes.
static int attach(const char *name) {
  struct hello hello;
  if (connect_to(name) || receive(&hello, sizeof hello, NULL, 0, 0) != sizeof hello) return 0;
  int files[16], count = 1, wrong = !below(4);
  files[0] = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  size_t length = sizeof hello;
  if (wrong) {
    switch (below(5)) {
      case 0: files[0] = wrong_file(); break;
      case 1: length = below(sizeof hello); break;
      case 2: ((char *)&hello)[below(sizeof hello)] ^= 1; break;
      case 3: count = 0; break;
      default:
        for (count = 0; count < 16; count++) files[count] = wrong_file();
    }
  }
  send_with(&hello, length, files, count);
  int32_t answer = -1;
  if (receive(&answer, sizeof answer, files, WELCOME_FILES, 0) != sizeof answer || answer) return 0;
  const struct status *status = mmap(NULL, STATUS_BYTES, PROT_READ, MAP_SHARED, files[0], 0);
  if (status != MAP_FAILED &&
      (!mprotect((void *)(uintptr_t)status, STATUS_BYTES, PROT_READ | PROT_WRITE) ||
          mmap(NULL, STATUS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, files[0], 0) !=
              MAP_FAILED)) {
    fprintf(stderr, "the status can be written\n");
    exit(3);
  }
  bell = files[1];
  chunk_file = files[2];
  chunk = keep(chunk_file, PROT_READ | PROT_WRITE);
  return chunk != NULL;
}

static void ring(void) {
  uint64_t one = 1;
  if (write(bell, &one, sizeof one) < 0) return;
}

// Takes the answers that are there, and keeps or closes the descriptors that come with them.
static void take_file(void) {
  int32_t answer;
  int fd;
  while (receive(&answer, sizeof answer, &fd, 1, MSG_DONTWAIT) > 0)
    if (!keep(fd, PROT_READ | PROT_WRITE) && fd >= 0 && below(2)) close(fd);
}

static int64_t value(void) {
  switch (below(7)) {
    case 0: return (int64_t)any();
    case 1: return handle_count ? handles[below((uint64_t)handle_count)] : 0;
    case 5: // Near its own, where those of others are.
      return handle_count ? (handles[0] >> 24) + (int64_t)below(64) - 32 << 24 | (int64_t)below(64) : 0;
    case 2: return (int64_t)(intptr_t)memory + (int64_t)below(MEMORY_BYTES);
    case 3: return -(int64_t)below(100);
    case 4: return 1ll << below(64);
    default: return (int64_t)below(70);
  }
}

static void call_any(void) {
  static const enum entry makers[] = {OPEN_DEVICE, ALLOC_PD, CREATE_CQ, CREATE_QP, REG_MR,
      CREATE_COMP_CHANNEL, OPEN_RDMA_CM, CREATE_SRQ};
  int place = (int)below(CHUNK_MAILBOXES);
  struct mailbox *mailbox = &chunk->mailboxes[place];
  for (int i = 0; i < ARGS_SLOTS; i++) mailbox->args.slots[i] = value();
  for (int i = 0; i < 32; i++) ((int32_t *)mailbox->args.bytes)[i] = (int32_t)value();
  mailbox->entry = below(3) ? (enum entry)below(ENTRIES)
                            : makers[below(sizeof makers / sizeof *makers)];
  mailbox->handle = handle_count && below(4) ? handles[below((uint64_t)handle_count)] : value();
  if (mailbox->entry == OPEN_DEVICE || mailbox->entry == OPEN_RDMA_CM) mailbox->handle = 0;
  uint32_t call = mailbox->call = mailbox->answered + 1;
  __atomic_fetch_or(&chunk->pending, 1ull << place, __ATOMIC_SEQ_CST);
  ring();
  if (!below(8)) return; // Changes it while it is answered.
  for (int i = 0; i < 100 && __atomic_load_n(&mailbox->answered, __ATOMIC_ACQUIRE) != call; i++)
    poll(NULL, 0, i > 90);
  take_file();
  if (mailbox->result > 0) handles[handle_count++ % MAX_HANDLES] = mailbox->result;
  if (handle_count == MAX_HANDLES) handle_count = 0;
}

static void scribble(void) {
  if (!mapped_count) return;
  int which = (int)below((uint64_t)mapped_count);
  size_t begin = below(2) ? below(256) : below(mapped[which].length);
  for (int i = 0; i < 64 && begin < mapped[which].length; i++)
    mapped[which].bytes[begin++] = (char)any();
  ring();
}

static void say_something(void) {
  char bytes[4096];
  int files[4], count = (int)below(5);
  memset(bytes, (int)any(), sizeof bytes);
  // One of the service among them, perhaps; as many are open as there were answers.
  for (int i = 0; i < count; i++) files[i] = below(2) ? wrong_file() : dup((int)below(64));
  send_with(bytes, below(sizeof bytes), files, count);
  for (int i = 0; i < count; i++) close(files[i]);
}

// Posts as the library never does: records that are none, more than there is room for, at odd places,
// and a bit that is set again at once.
static void post(void) {
  struct mailbox *mailbox = &chunk->mailboxes[below(CHUNK_MAILBOXES)];
  uint64_t bit = 1ull << (CHUNK_MAILBOXES + (mailbox - chunk->mailboxes));
  if (below(2)) bit |= bit << CHUNK_MAILBOXES;
  int kind = (int)below(4);
  for (size_t at = 0; at < POSTS_BYTES; at += POST_RECORD) {
    struct post record = {.bytes = POST_RECORD, .is_receive = (uint32_t)below(2),
        .queue = kind == 1 ? (int64_t)any() : 0};
    if (kind == 2) record.bytes = (uint32_t)any();
    memcpy(mailbox->ring + at, &record, sizeof record);
  }
  uint32_t posted = mailbox->taken + (kind ? (uint32_t)below(2 * POSTS_BYTES) : 0xfffffff0);
  __atomic_store_n(&mailbox->posted, posted, __ATOMIC_RELEASE);
  for (uint64_t end = millis() + below(20); millis() < end;)
    for (int i = 0; i < 1000; i++) __atomic_fetch_or(&chunk->pending, bit, __ATOMIC_RELAXED);
}

static void flood(void) {
  for (int i = 0; i < 1000; i++) {
    for (int j = 0; j < CHUNK_MAILBOXES; j++) {
      chunk->mailboxes[j].entry = QUERY_DEVICE_EX;
      chunk->mailboxes[j].call++;
    }
    __atomic_store_n(&chunk->pending, ~0ull, __ATOMIC_SEQ_CST);
    ring();
  }
}

static void behave(const char *name) {
  memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!attach(name)) _exit(0);
  uint64_t end = millis() + below(PROGRAM_MILLIS);
  while (millis() < end) {
    switch (below(16)) {
      case 0: below(3) ? scribble() : post(); break;
      case 1: say_something(); break;
      case 2: if (!below(50)) flood(); break;
      case 3: if (!below(100)) madvise(memory, MEMORY_BYTES, MADV_DONTNEED); break;
      case 4: if (!below(500)) munmap(memory + below(256) * 4096, 4096); break;
      case 5: if (!below(2000)) close(connection); break;
      case 6: if (!below(2000)) raise(SIGSTOP); break; // The parent kills it later.
      default: call_any();
    }
  }
  if (below(2)) raise(SIGKILL);
  _exit(0);
}

int main(int argc, char **argv) {
  const char *name = getenv("QUEUEPAIR_SERVICE");
  if (argc != 4 || !name) {
    fprintf(stderr, "hostile SECONDS AT-ONCE SEED, with QUEUEPAIR_SERVICE\n");
    return 2;
  }
  uint64_t end = millis() + strtoull(argv[1], NULL, 10) * 1000, begun = 0;
  uint64_t at_once = strtoull(argv[2], NULL, 10), seed = strtoull(argv[3], NULL, 10);
  struct {
    pid_t pid;
    uint64_t end;
  } programs[16] = {0};
  while (millis() < end) {
    for (uint64_t i = 0; i < at_once && i < 16; i++) {
      int status = 0;
      if (programs[i].pid && millis() > programs[i].end) kill(programs[i].pid, SIGKILL);
      if (programs[i].pid && waitpid(programs[i].pid, &status, WNOHANG) == 0) continue;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 3) return 1;
      programs[i].end = millis() + 2 * PROGRAM_MILLIS;
      programs[i].pid = fork();
      if (programs[i].pid == 0) {
        state = (seed << 32) + ++begun * 0x9e3779b97f4a7c15ull + 1;
        behave(name);
      }
      begun++;
    }
    poll(NULL, 0, 5);
  }
  for (int i = 0; i < 16; i++)
    if (programs[i].pid) kill(programs[i].pid, SIGKILL);
  while (wait(NULL) > 0) continue;
  printf("%llu programs\n", (unsigned long long)begun);
  return 0;
}
