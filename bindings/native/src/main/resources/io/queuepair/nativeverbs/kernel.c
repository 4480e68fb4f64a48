// SPDX-License-Identifier: Apache-2.0
// System calls for the service: native methods of the class Kernel. Failures return a negated
// errno.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/netlink.h>
#include <linux/magic.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "attachment.h"
#include "export.h"
#include "jni_abi.h"

#ifndef SYS_epoll_pwait2 // Since Linux 5.11.
#define SYS_epoll_pwait2 441
#endif

#ifndef F_SEAL_FUTURE_WRITE // Since Linux 5.1.
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

// Copies of LARGE_BYTES or more, and writes of more than FEW_PIECES, use process_vm_*: it is faster
// then, in spite of the check before a write.
enum { LARGE_BYTES = 12 << 10, MAX_PIECES = 64, FEW_PIECES = 3, BACKLOG = 128 };

// Layout of a piece in ProcessAccess.
struct piece {
  uint64_t address;
  int32_t offset, length;
};

// Attributes of sched_getattr(2) and sched_setattr(2), which libc does not declare.
struct sched_attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

#define KERNEL(type, name, ...)                                                                 \
  EXPORT type Java_io_queuepair_nativeverbs_Kernel_##name(JNIEnv *, jclass, ##__VA_ARGS__);     \
  EXPORT type Java_io_queuepair_nativeverbs_Kernel_##name(                                      \
      __attribute__((unused)) JNIEnv *env, __attribute__((unused)) jclass class, ##__VA_ARGS__)

static char *at(JNIEnv *env, jobject buffer) { return (*env)->GetDirectBufferAddress(env, buffer); }

static int32_t result_of(long result) { return result < 0 ? -errno : (int32_t)result; }

KERNEL(int32_t, createShared, int64_t bytes) {
  int fd = memfd_create("queuepair", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return -errno;
  if (!ftruncate(fd, bytes) && !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW)) return fd;
  int error = errno;
  syscall(SYS_close, fd);
  return -error;
}

KERNEL(jobject, map, int32_t fd, int64_t bytes) {
  void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return memory == MAP_FAILED ? NULL : (*env)->NewDirectByteBuffer(env, memory, bytes);
}

KERNEL(void, unmap, jobject buffer, int64_t bytes) { munmap(at(env, buffer), (size_t)bytes); }

KERNEL(int32_t, seal, int32_t fd, int32_t is_read_only) {
  int seals = F_SEAL_SEAL | (is_read_only ? F_SEAL_FUTURE_WRITE : 0);
  return result_of(fcntl(fd, F_ADD_SEALS, seals));
}

// Makes a word at the start of a page tell when this thread, and with it the process, is dead.
KERNEL(int32_t, lockForLife, jobject page) {
  pthread_mutex_t *mutex = (pthread_mutex_t *)at(env, page);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  int error = pthread_mutex_init(mutex, &attributes);
  if (!error) error = pthread_mutex_lock(mutex);
  return -error;
}

KERNEL(int32_t, listen, jobject name, int32_t length) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path + 1, at(env, name), (size_t)length);
  int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
  if (fd < 0 || (!bind(fd, (struct sockaddr *)&address, bytes) && !listen(fd, BACKLOG)))
    return result_of(fd);
  int error = errno;
  syscall(SYS_close, fd);
  return -error;
}

KERNEL(int32_t, connect, jobject name, int32_t length) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path + 1, at(env, name), (size_t)length);
  int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
  if (fd < 0 || !connect(fd, (struct sockaddr *)&address, bytes)) return result_of(fd);
  int error = errno;
  syscall(SYS_close, fd);
  return -error;
}

KERNEL(int32_t, accept, int32_t fd) {
  return result_of(accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

// Process id of the peer in the upper 32 bits, its user id in the lower.
KERNEL(int64_t, peer, int32_t fd) {
  struct ucred peer;
  socklen_t bytes = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes)) return -errno;
  return (int64_t)peer.pid << 32 | peer.uid;
}

KERNEL(int32_t, user) { return (int32_t)geteuid(); }

// Receives a message of at most `room` bytes; two received descriptors, or -1, follow them.
KERNEL(int32_t, receive, int32_t fd, jobject into, int32_t room) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(8 * sizeof(int))];
  } control;
  char *bytes = at(env, into);
  struct iovec vector = {bytes, (size_t)room};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.room,
      .msg_controllen = sizeof control.room};
  ssize_t received = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
  int32_t files[] = {-1, -1};
  size_t kept = 0;
  struct cmsghdr *header = received < 0 ? NULL : CMSG_FIRSTHDR(&message);
  for (; header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
      int each;
      memcpy(&each, CMSG_DATA(header) + i * sizeof each, sizeof each);
      if (kept < sizeof files / sizeof *files) files[kept++] = each;
      else syscall(SYS_close, each);
    }
  }
  memcpy(bytes + room, files, sizeof files);
  return result_of(received);
}

// Sends a message without waiting, with up to three descriptors; 0 ends their list.
KERNEL(int32_t, send, int32_t fd, jobject from, int32_t offset, int32_t bytes, int32_t first,
    int32_t second, int32_t third) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(WELCOME_FILES * sizeof(int))];
  } control = {0};
  int files[] = {first, second, third}, count = 0;
  while (count < WELCOME_FILES && files[count] > 0) count++;
  struct iovec vector = {at(env, from) + offset, (size_t)bytes};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  if (count > 0) {
    message.msg_control = control.room;
    message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
        .cmsg_len = CMSG_LEN((size_t)count * sizeof(int))};
    memcpy(CMSG_DATA(header), files, (size_t)count * sizeof(int));
  }
  return result_of(sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT));
}

KERNEL(int64_t, netlink) {
  const struct timeval limit = {.tv_sec = 1};
  struct sockaddr_nl address = {.nl_family = AF_NETLINK};
  socklen_t bytes = sizeof address;
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_USERSOCK);
  if (fd < 0) return -errno;
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (!bind(fd, (struct sockaddr *)&address, bytes) &&
      !getsockname(fd, (struct sockaddr *)&address, &bytes))
    return (int64_t)((uint64_t)address.nl_pid << 32 | (uint32_t)fd);
  int error = errno;
  syscall(SYS_close, fd);
  return -error;
}

KERNEL(int32_t, receiveNetlink, int32_t fd, jobject into, int32_t room) {
  char *bytes = at(env, into);
  struct sockaddr_nl from = {0};
  socklen_t length = sizeof from;
  ssize_t received =
      recvfrom(fd, bytes, (size_t)room, 0, (struct sockaddr *)&from, &length);
  memcpy(bytes + room, &from.nl_pid, sizeof from.nl_pid);
  return result_of(received);
}

KERNEL(int32_t, sendNetlink, int32_t fd, jobject from, int32_t count, int32_t port) {
  struct sockaddr_nl to = {.nl_family = AF_NETLINK, .nl_pid = (uint32_t)port};
  return result_of(
      sendto(fd, at(env, from), (size_t)count, 0, (struct sockaddr *)&to, sizeof to));
}

// Creates a socket pair, one descriptor in the upper 32 bits, which receives nothing, the other in the lower. A
// program that sent its end to the service in a message would keep both open for ever.
KERNEL(int64_t, socketPair) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return -errno;
  shutdown(ends[1], SHUT_RD);
  return (int64_t)ends[1] << 32 | ends[0];
}

KERNEL(int32_t, descriptorLimit) { return getdtablesize(); }

KERNEL(int64_t, cookieOf, int32_t fd) {
  uint64_t cookie = 0;
  socklen_t bytes = sizeof cookie;
  getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &bytes);
  return (int64_t)cookie;
}

KERNEL(int32_t, isHungUp, int32_t fd) {
  struct pollfd end = {fd, 0, 0};
  return poll(&end, 1, 0) == 1 && end.revents & POLLHUP;
}

KERNEL(int32_t, duplicate, int32_t fd) { return result_of(fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

KERNEL(int32_t, eventFd) { return result_of(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

KERNEL(void, ring, int32_t fd) {
  const uint64_t one = 1;
  syscall(SYS_write, fd, &one, sizeof one);
}

KERNEL(int32_t, pidFd, int32_t pid) { return result_of(syscall(SYS_pidfd_open, pid, 0)); }

KERNEL(int32_t, epoll) { return result_of(epoll_create1(EPOLL_CLOEXEC)); }

KERNEL(int32_t, watch, int32_t epoll, int32_t fd, int32_t events, int64_t id) {
  struct epoll_event event = {.events = (uint32_t)events, .data.u64 = (uint64_t)id};
  return result_of(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
}

KERNEL(int32_t, unwatch, int32_t epoll, int32_t fd) {
  return result_of(epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL));
}

// Id of a descriptor with an event, or -1 after `millis` milliseconds.
KERNEL(int64_t, await, int32_t epoll, int32_t millis) {
  struct epoll_event event;
  return epoll_wait(epoll, &event, 1, millis) == 1 ? (int64_t)event.data.u64 : -1;
}

// Waits for eventfds, which are edge-triggered, and consumes their events; 0 after `nanos`.
KERNEL(int32_t, awaitBells, int32_t epoll, int64_t nanos) {
  struct timespec limit = {nanos / 1000000000, nanos % 1000000000};
  struct epoll_event events[MAX_PIECES];
  long count = syscall(SYS_epoll_pwait2, epoll, events, MAX_PIECES, &limit, NULL, 0);
  if (count < 0 && errno == ENOSYS) {
    struct pollfd readable = {epoll, POLLIN, 0};
    ppoll(&readable, 1, &limit, NULL);
    count = epoll_wait(epoll, events, MAX_PIECES, 0);
  }
  return (int32_t)count;
}

KERNEL(void, close, int32_t fd) { syscall(SYS_close, fd); }

KERNEL(int64_t, fileOf, int32_t fd) {
  struct stat file;
  return fstat(fd, &file) ? fd : (int64_t)((uint64_t)file.st_dev << 32 ^ (uint64_t)file.st_ino);
}

// A pipe that poll finds writable has room for PIPE_BUF bytes.
KERNEL(int32_t, writeIfReady, int32_t fd, jobject from, int32_t bytes) {
  struct pollfd ready = {fd, POLLOUT, 0};
  if (poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT)) return -EAGAIN;
  return result_of(write(fd, at(env, from), (size_t)bytes));
}

KERNEL(void, futexWake, jobject buffer, int32_t offset) {
  syscall(SYS_futex, at(env, buffer) + offset, FUTEX_WAKE, 1, NULL, NULL, 0);
}

KERNEL(void, schedYield) { sched_yield(); }

// Sets the time slice of this thread, 0 for the usual one; Linux before 6.12 has none to set.
KERNEL(void, setSlice, int64_t nanos) {
  struct sched_attributes attributes; // With the nice value that the service was started with.
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0)) return;
  if (attributes.policy != SCHED_OTHER) return; // Others have no slice, or another runtime.
  attributes.runtime = (uint64_t)nanos;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}

KERNEL(int32_t, newSession) {
  umask(022);
  return result_of(setsid()); // Fails if the process already leads a session.
}

// Leaves the directory and standard files of the process that started this one; another file
// becomes standard error.
KERNEL(int32_t, detach, int32_t error) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
      dup2(error, STDERR_FILENO) < 0 || chdir("/"))
    return -errno;
  syscall(SYS_close, null);
  syscall(SYS_close, error);
  return 0;
}

KERNEL(int32_t, openLog, jobject path) {
  return result_of(open(at(env, path), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
}

// Whether a descriptor is of /proc/PID/mem.
KERNEL(int32_t, isMemory, int32_t fd) {
  char link[64], target[64];
  struct statfs system;
  struct stat file;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, target, sizeof target);
  return !fstatfs(fd, &system) && system.f_type == PROC_SUPER_MAGIC && !fstat(fd, &file) &&
      S_ISREG(file.st_mode) && length > 4 && !memcmp(target + length - 4, "/mem", 4);
}

// Whether process_vm_readv can access the memory of a process.
KERNEL(int32_t, isReachable, int32_t pid) {
  char byte;
  struct iovec own = {&byte, 1}, theirs = {NULL, 1};
  return pid > 0 && process_vm_readv(pid, &own, 1, &theirs, 1, 0) < 0 && errno == EFAULT;
}

static bool read_by_descriptor(int memory, char *to, uint64_t address, size_t length) {
  while (length > 0) {
    ssize_t done = pread(memory, to, length, (off_t)address);
    if (done <= 0) return false;
    to += done;
    address += (uint64_t)done;
    length -= (size_t)done;
  }
  return true;
}

static bool write_by_descriptor(int memory, const char *from, uint64_t address, size_t length) {
  while (length > 0) {
    ssize_t done = pwrite(memory, from, length, (off_t)address);
    if (done <= 0) return false;
    from += done;
    address += (uint64_t)done;
    length -= (size_t)done;
  }
  return true;
}

KERNEL(int32_t, readMemory, int32_t memory, int32_t pid, int32_t is_forced, int64_t address,
    jobject target, int32_t offset, int32_t length) {
  char *to = at(env, target) + offset;
  struct iovec own = {to, (size_t)length}, theirs = {(void *)(uintptr_t)address, (size_t)length};
  bool is_large = length >= LARGE_BYTES || !is_forced;
  if (pid > 0 && is_large && process_vm_readv(pid, &own, 1, &theirs, 1, 0) == length) return true;
  return is_forced && read_by_descriptor(memory, to, (uint64_t)address, (size_t)length);
}

// First byte of a range that the shadow of an AddressSanitizer forbids, as protocol.h describes it,
// or 0. Bytes that a program forbids itself (ASAN_POISON_MEMORY_REGION) do not count: it may well
// hand them out.
KERNEL(int64_t, findPoison, int32_t memory, int64_t scale, int64_t offset, int64_t address,
    int64_t length) {
  enum { BY_USER = -9 };
  int8_t shadow[4096];
  uint64_t granule = (uint64_t)address >> scale, end = (uint64_t)address + (uint64_t)length;
  uint64_t last = (end - 1) >> scale;
  while (granule <= last) {
    size_t count = last - granule < sizeof shadow ? last - granule + 1 : sizeof shadow;
    if (pread(memory, shadow, count, (off_t)(granule + (uint64_t)offset)) != (ssize_t)count) return 0;
    for (size_t i = 0; i < count; i++, granule++) {
      uint64_t bad = (granule << scale) + (shadow[i] > 0 ? (uint64_t)shadow[i] : 0);
      if (shadow[i] && shadow[i] != BY_USER && bad < end)
        return bad > (uint64_t)address ? (int64_t)bad : address;
    }
  }
  return 0;
}

// Writes pieces in their order by process_vm_writev, each as a copy of its own; returns the bytes
// written. After an exec the process id names the new image, while the descriptor still names the
// old one, whose reading then fails.
static ssize_t write_by_number(
    int memory, int pid, char *source, const struct piece *pieces, int count) {
  struct iovec own[MAX_PIECES], theirs[MAX_PIECES];
  for (int i = 0; i < count; i++) {
    own[i] = (struct iovec){source + pieces[i].offset, (size_t)pieces[i].length};
    theirs[i] = (struct iovec){(void *)(uintptr_t)pieces[i].address, (size_t)pieces[i].length};
  }
  char probe;
  if (pread(memory, &probe, 1, (off_t)pieces[0].address) != 1) return 0;
  return process_vm_writev(pid, own, (unsigned long)count, theirs, (unsigned long)count, 0);
}

KERNEL(int32_t, writeMemory, int32_t memory, int32_t pid, int32_t is_forced, jobject buffer,
    jobject list, int32_t first, int32_t count) {
  char *source = at(env, buffer);
  const struct piece *pieces = (struct piece *)at(env, list) + first;
  int32_t done = 0;
  while (done < count) {
    int batch = count - done < MAX_PIECES ? count - done : MAX_PIECES, last = done + batch;
    int64_t bytes = 0;
    for (int i = done; i < last; i++) bytes += pieces[i].length;
    bool is_large = bytes >= LARGE_BYTES || batch > FEW_PIECES || !is_forced;
    ssize_t written =
        pid > 0 && is_large ? write_by_number(memory, pid, source, pieces + done, batch) : 0;
    while (done < last && written >= pieces[done].length) written -= pieces[done++].length;
    // The descriptor may write what process_vm_writev could not, such as protected memory.
    for (; done < last; done++)
      if (!is_forced || !write_by_descriptor(memory, source + pieces[done].offset,
                            pieces[done].address, (size_t)pieces[done].length))
        return done;
  }
  return done;
}
