// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "attachment.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "call.h"
#include "memory.h"
#include "message.h"
#include "sanitizers.h"

// First of the library's own descriptors, as programs rely on low ones; seconds to await a hello.
enum { FIRST_HIDDEN = 900, HELLO_SECONDS = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sigset_t signals_before; // Signal mask of the thread that holds the lock.
static int cancels_before; // Whether that thread can be cancelled.
static bool is_open, has_explained;
static int connection = -1, bell = -1;
static struct stat connection_file;
static struct status *status;
static struct chunk *first_chunk;   // Until it is used.
static const struct chunk *own_chunk; // First chunk; null in a forked child.
static pid_t process;
static bool *is_known; // In memory that is zero in a forked child.

// Whether each descriptor is of an open file of the service, as far as the library knows.
enum { MAX_FD = 1 << 16 };
static bool kept[MAX_FD];

// Blocks signals, too: a handler may call verbs, or leave by siglongjmp; pthread_cancel also leaves.
void attachment_lock(void) {
  sigset_t all, before;
  int cancels;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
  pthread_mutex_lock(&lock);
  signals_before = before;
  cancels_before = cancels;
}

void attachment_unlock(void) {
  sigset_t before = signals_before;
  int cancels = cancels_before;
  pthread_mutex_unlock(&lock);
  pthread_setcancelstate(cancels, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

pid_t attachment_process(void) { return process; }

bool attachment_is_alive(void) {
  attachment_notice_clone();
  if (!status || __atomic_load_n(&status->alive, __ATOMIC_RELAXED) & FUTEX_OWNER_DIED) return false;
  if (!own_chunk || !__atomic_load_n(&own_chunk->closed, __ATOMIC_SEQ_CST)) return true;
  if (*own_chunk->reason) attachment_explain("%.*s", REASON_BYTES, own_chunk->reason);
  return false;
}

const struct attributes *attachment_attributes(int device) {
  return status && device < ATTRIBUTES_DEVICES ? &status->attributes[device] : NULL;
}

void attachment_explain(const char *format, ...) {
  char reason[REASON_BYTES];
  if (has_explained) return;
  has_explained = true;
  va_list values;
  va_start(values, format);
  vsnprintf(reason, sizeof reason, format, values);
  va_end(values);
  const char *log = getenv("QUEUEPAIR_LOG");
  message("no device: %s%s%s", reason, log ? "; log: " : "", log ? log : "");
}

// Whether the connection is still that of the library: a program may have closed all descriptors,
// and have opened files under the same numbers.
static bool is_ours(void) {
  struct stat file;
  return connection >= 0 && !fstat(connection, &file) && file.st_ino == connection_file.st_ino &&
      file.st_dev == connection_file.st_dev;
}

static void forget(void) {
  if (is_ours()) {
    syscall(SYS_close, connection);
    syscall(SYS_close, bell);
  }
  connection = bell = -1;
  is_open = false;
  first_chunk = NULL;
  own_chunk = NULL;
  sanitizers_attach(NULL);
  if (is_known) *is_known = true;
  mailboxes_forget();
  memory_forget();
}

static void in_child(void) { // The thread that held the lock does not exist in the child.
  pthread_mutex_init(&lock, NULL);
  forget();
}

void attachment_renew(void) {
  attachment_lock();
  if (is_open && !is_ours()) forget();
  attachment_unlock();
}

static int hide(int fd) {
  int hidden = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_HIDDEN);
  if (hidden < 0) return fd;
  syscall(SYS_close, fd);
  return hidden;
}

void *attachment_map(int fd, size_t bytes, bool is_written) {
  int rights = is_written ? PROT_READ | PROT_WRITE : PROT_READ;
  void *memory = mmap(NULL, bytes, rights, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (memory == MAP_FAILED) return NULL;
  madvise(memory, bytes, MADV_DONTDUMP);
  return memory;
}

static struct chunk *map_chunk(int fd) {
  struct chunk *chunk = attachment_map(fd, sizeof *chunk, true);
  if (chunk) madvise(chunk, sizeof *chunk, MADV_DONTFORK);
  return chunk;
}

// Receives a message with descriptors; returns its bytes, or -1.
static ssize_t receive(void *bytes, size_t count, int *files, int expected) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(WELCOME_FILES * sizeof(int))];
  } control;
  struct iovec into = {bytes, count};
  struct msghdr message = {.msg_iov = &into, .msg_iovlen = 1, .msg_control = control.room,
      .msg_controllen = sizeof control.room};
  ssize_t received;
  do received = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  struct cmsghdr *header = received < 0 ? NULL : CMSG_FIRSTHDR(&message);
  bool has_files = header && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN((size_t)expected * sizeof *files);
  if (has_files) memcpy(files, CMSG_DATA(header), (size_t)expected * sizeof *files);
  for (int i = 0; !has_files && i < expected; i++) files[i] = -1;
  return received;
}

static int send_with(const void *bytes_of, size_t count, const int *files, size_t file_count) {
  size_t bytes = file_count * sizeof *files;
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(WELCOME_FILES * sizeof *files)];
  } control = {0};
  struct iovec from = {(void *)(uintptr_t)bytes_of, count};
  struct msghdr message = {.msg_iov = &from, .msg_iovlen = 1, .msg_control = control.room,
      .msg_controllen = CMSG_SPACE(bytes)};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
      .cmsg_len = CMSG_LEN(bytes)};
  memcpy(CMSG_DATA(header), files, bytes);
  return sendmsg(connection, &message, MSG_NOSIGNAL) == (ssize_t)count ? 0 : errno;
}

// Passes the memory of this process, and its standard error if that gets explanations or a trace.
static int send_hello(const struct hello *hello, int memory) {
  const int files[] = {memory, STDERR_FILENO};
  bool is_explained = (getenv("QUEUEPAIR_EXPLAIN") || getenv("QUEUEPAIR_TRACE")) &&
      fcntl(STDERR_FILENO, F_GETFD) >= 0;
  return send_with(hello, sizeof *hello, files, is_explained ? 2 : 1);
}

static int proc = -1; // /proc of the root before a chroot.

void attachment_keep_proc(void) {
  int fd = proc < 0 ? open("/proc", O_PATH | O_CLOEXEC) : -1;
  if (fd >= 0) proc = hide(fd);
}

// Opens the memory of this process, which the service reads and writes. After a change of user the
// kernel allows that only to a dumpable process: for that moment this process is one.
static int open_memory(void) {
  const char *memory = proc < 0 ? "/proc/self/mem" : "self/mem";
  int fd = openat(proc, memory, O_RDWR | O_CLOEXEC);
  if (fd >= 0 || errno != EACCES || prctl(PR_GET_DUMPABLE) == 1) return fd;
  prctl(PR_SET_DUMPABLE, 1);
  fd = openat(proc, memory, O_RDWR | O_CLOEXEC);
  int error = errno;
  prctl(PR_SET_DUMPABLE, 0);
  errno = error;
  return fd;
}

// Reads a half of the secret; false if the environment has none.
static bool half_of_secret(int half, uint8_t *into) {
  const char *digits = getenv("QUEUEPAIR_SECRET");
  if (!digits || strlen(digits) != 4 * PROOF_BYTES) return false;
  for (int i = 0; i < PROOF_BYTES; i++)
    if (sscanf(digits + 2 * (half * PROOF_BYTES + i), "%2hhx", &into[i]) != 1) return false;
  return true;
}

static bool is_trusted(int socket, const struct hello *greeting) {
  struct ucred peer;
  socklen_t bytes = sizeof peer;
  uint8_t half[PROOF_BYTES];
  bool is_own = !getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) &&
      peer.uid == geteuid();
  return is_own || (half_of_secret(0, half) && !memcmp(half, greeting->proof, sizeof half));
}

// Sets how long receiving waits; 0 for ever.
static void limit_receives(int fd, time_t seconds) {
  const struct timeval limit = {.tv_sec = seconds};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

static int connect_to(const char *name, int *to) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(name);
  if (length >= sizeof address.sun_path) return EINVAL;
  memcpy(address.sun_path + 1, name, length);
  int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return errno;
  *to = fd = hide(fd);
  socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
  if (connect(fd, (struct sockaddr *)&address, bytes)) return errno;
  limit_receives(fd, HELLO_SECONDS);
  return 0;
}

// Exchanges hellos, and maps the memory in the answer; returns an errno, after a line with the
// reason.
static int introduce(const char *name) {
  struct hello own = {.magic = PROTOCOL_MAGIC, .version = PROTOCOL_VERSION}, greeting = {0};
  memcpy(own.build, QUEUEPAIR_BUILD, BUILD_BYTES);
  if (receive(&greeting, sizeof greeting, NULL, 0) <= 0) {
    attachment_explain("the service %s does not answer, as at its end", name);
    return ENODEV;
  }
  if (greeting.magic != own.magic || greeting.version != own.version ||
      memcmp(greeting.build, own.build, BUILD_BYTES)) {
    attachment_explain("the service %s has protocol %u of build %.*s, this library %u of %.*s", name,
        greeting.version, BUILD_BYTES, greeting.build, own.version, BUILD_BYTES, own.build);
    return ENODEV;
  }
  if (!is_trusted(connection, &greeting)) {
    attachment_explain("the service %s is of another user, and QUEUEPAIR_SECRET is not its", name);
    return ENODEV;
  }
  half_of_secret(1, own.proof);
  sanitizers_describe(&own);
  int memory = open_memory();
  if (memory < 0) {
    attachment_explain("/proc/self/mem: %s", strerror(errno));
    return ENODEV;
  }
  int32_t answer = ENODEV;
  int files[WELCOME_FILES], error = send_hello(&own, memory);
  syscall(SYS_close, memory);
  if (!error && receive(&answer, sizeof answer, files, WELCOME_FILES) != sizeof answer)
    error = ENODEV;
  if (error || answer || files[0] < 0) {
    attachment_explain("the service %s refuses this process: %s", name,
        strerror(error ? error : answer ? answer : ENODEV));
    return ENODEV;
  }
  status = attachment_map(files[0], STATUS_BYTES, false);
  bell = hide(files[1]);
  own_chunk = first_chunk = map_chunk(files[2]);
  sanitizers_attach(first_chunk);
  limit_receives(connection, 0); // As calls: an answer that comes late would be taken for the next.
  if (status && first_chunk) return 0;
  attachment_explain("memory of the service %s: %s", name, strerror(errno));
  return ENOMEM;
}

int64_t attachment_adopt(int fd) {
  struct adopted adopted = {0};
  if (!is_ours() || send_with(&adopted, sizeof adopted, &fd, 1) ||
      receive(&adopted, sizeof adopted, NULL, 0) != sizeof adopted)
    return -EIO;
  return adopted.error ? -adopted.error : adopted.handle;
}

static bool *new_mark(void) {
  bool *mark = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mark == MAP_FAILED || madvise(mark, 1, MADV_WIPEONFORK)) return NULL; // Since Linux 4.14.
  *mark = true;
  return mark;
}

void attachment_notice_clone(void) {
  if (__builtin_expect(is_known && !*is_known, 0)) in_child();
}

int attachment_open(void) {
  static bool is_registered;
  const char *name = getenv("QUEUEPAIR_SERVICE");
  if (is_open) return 0;
  if (!name) {
    attachment_explain("QUEUEPAIR_SERVICE is not set (start the program with: queuepair run -- ...)");
    return ENODEV;
  }
  if (!is_registered) is_registered = !pthread_atfork(NULL, NULL, in_child);
  if (!is_known) is_known = new_mark();
  int error = connect_to(name, &connection);
  if (!error) fstat(connection, &connection_file);
  if (error) attachment_explain("the service %s does not answer: %s", name, strerror(error));
  if (!error) error = introduce(name);
  process = getpid();
  is_open = !error;
  for (int fd = 0; is_open && fd < MAX_FD; fd++)
    if (kept[fd]) attachment_adopt(fd); // Opened by the parent.
  if (is_open) return 0;
  if (connection >= 0) syscall(SYS_close, connection);
  if (bell >= 0) syscall(SYS_close, bell);
  if (status) munmap(status, STATUS_BYTES);
  connection = bell = -1;
  status = NULL;
  return ENODEV;
}

ssize_t attachment_ask(const char *request, char *answer, size_t room) {
  struct hello own = {.magic = PROTOCOL_MAGIC, .version = PROTOCOL_VERSION}, greeting = {0};
  memcpy(own.build, QUEUEPAIR_BUILD, BUILD_BYTES);
  half_of_secret(1, own.proof);
  const char *name = getenv("QUEUEPAIR_SERVICE");
  int fd = -1;
  bool is_heard = name && !connect_to(name, &fd) &&
      recv(fd, &greeting, sizeof greeting, 0) == sizeof greeting && is_trusted(fd, &greeting) &&
      send(fd, &own, sizeof own, MSG_NOSIGNAL) == sizeof own &&
      send(fd, request, strlen(request), MSG_NOSIGNAL) == (ssize_t)strlen(request);
  ssize_t length = is_heard ? recv(fd, answer, room, 0) : -1;
  if (fd >= 0) syscall(SYS_close, fd);
  return length;
}

// Waits at the end of a program for what the service, on a thread of its own, still writes about it.
__attribute__((destructor)) static void await_lines(void) {
  char answer[1];
  bool has_lines = getenv("QUEUEPAIR_EXPLAIN") || getenv("QUEUEPAIR_TRACE");
  if (has_lines && is_open && process == getpid() && attachment_is_alive())
    attachment_ask("lines", answer, sizeof answer);
}

struct chunk *attachment_next_chunk(void) {
  struct chunk *chunk = first_chunk;
  first_chunk = NULL;
  int32_t answer = ENOMEM;
  int fd;
  if (chunk) return chunk;
  if (!is_ours() || send(connection, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer ||
      receive(&answer, sizeof answer, &fd, 1) != sizeof answer || answer || fd < 0)
    return NULL;
  return map_chunk(fd);
}

void attachment_keep(int fd, bool is_file) {
  if (fd >= 0 && fd < MAX_FD) kept[fd] = is_file;
}

int attachment_receive_file(void) {
  int32_t answer;
  int fd;
  if (!is_ours() || receive(&answer, sizeof answer, &fd, 1) != sizeof answer) return -EIO;
  return fd < 0 ? -EMFILE : fd;
}

void attachment_ring(void) {
  const uint64_t one = 1;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (__atomic_load_n(&status->sleeps, __ATOMIC_RELAXED) && is_ours())
    syscall(SYS_write, bell, &one, sizeof one);
}
