// SPDX-License-Identifier: Apache-2.0
// /dev/infiniband/rdma_cm: the kernel's side of librdmacm (linux/drivers/infiniband/core/ucma.c).
// Each command is one write, which the service carries out. A descriptor is a socket that holds one
// byte while there are events, so that programs can poll it.
#define _GNU_SOURCE
#include "rdma_cm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "attachment.h"
#include "call.h"
#include "objects.h"
#include "rdma_cm_waits.h"

struct rdma_cm_cmd_hdr {
  uint32_t cmd;
  uint16_t in, out;
};

enum { DESTROY_ID = 1, GET_EVENT = 12, SET_OPTION = 14, LEAVE_MCAST = 17, MIGRATE_ID = 18 };

// Offsets and sizes of command, option value and answer in the arguments of a call.
enum { COMMAND_ROOM = 1024, OPTION_AT = COMMAND_ROOM, OPTION_ROOM = 1024, RESPONSE_AT = 2048 };

// Offset of the id in these commands, after the address for the answer.
enum { ID_AT = 8 };

// Offsets of value and length in struct rdma_ucm_set_option.
enum { OPTVAL_AT = 0, OPTLEN_AT = 20 };

struct rdma_cm_file {
  struct rdma_cm_file *next;
  int64_t handle;
  int fd;
};

// Beginning of struct rdma_ucm_event_resp.
struct event {
  uint64_t uid;
  uint32_t id, kind;
};

enum { ADDR_RESOLVED = 0, ESTABLISHED = 9, DEVICE_REMOVAL = 11 };

// Id bound to a device, for which a removal event is reported when the service has ended.
struct bound_id {
  struct bound_id *next;
  int64_t file;
  struct event removal;
};

enum { MAX_FD = 1 << 16 };
static _Atomic(bool) is_open[MAX_FD];

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct rdma_cm_file *files;
static struct bound_id *bound;

bool rdma_cm_is_at(const char *path) { return path && !strcmp(path, "/dev/infiniband/rdma_cm"); }

bool rdma_cm_has(int fd) { return fd >= 0 && fd < MAX_FD && is_open[fd]; }

// Handle of a descriptor, or 0.
static int64_t handle_of(int fd) {
  int64_t handle = 0;
  pthread_mutex_lock(&mutex);
  for (struct rdma_cm_file *file = files; file; file = file->next)
    if (file->fd == fd) handle = file->handle;
  pthread_mutex_unlock(&mutex);
  return handle;
}

// Removes the byte from the descriptor of a file whose last event was taken or removed. A thread
// that is cancelled must not end here, with the mutex, as it would in recv.
static void drain(int64_t handle) {
  char byte;
  pthread_mutex_lock(&mutex);
  for (struct rdma_cm_file *file = files; handle && file; file = file->next)
    if (file->handle == handle) syscall(SYS_recvfrom, file->fd, &byte, 1, MSG_DONTWAIT, NULL, NULL);
  pthread_mutex_unlock(&mutex);
}

// Finds a bound id; for id 0, any of a file.
static struct bound_id **find(uint32_t id, int64_t file) {
  struct bound_id **at = &bound;
  while (*at && (id ? (*at)->removal.id != id : (*at)->file != file)) at = &(*at)->next;
  return at;
}

static struct event take(struct bound_id **at) {
  struct bound_id *taken = *at;
  if (!taken) return (struct event){0};
  struct event removal = taken->removal;
  *at = taken->next;
  free(taken);
  return removal;
}

// Records what a command has done to a bound id.
static void note(uint32_t command, const char *request, int64_t file) {
  struct event event = {0};
  if (command == GET_EVENT) memcpy(&event, args()->bytes + RESPONSE_AT, sizeof event);
  else memcpy(&event.id, request + ID_AT, sizeof event.id);
  pthread_mutex_lock(&mutex);
  struct bound_id **at = find(event.id, 0), *more;
  if (command == DESTROY_ID) take(at);
  if (command == MIGRATE_ID && *at) (*at)->file = file;
  bool is_bound = event.kind == ADDR_RESOLVED || event.kind == ESTABLISHED;
  if (command == GET_EVENT && is_bound && !*at && (more = malloc(sizeof *more))) {
    *more = (struct bound_id){bound, file, {event.uid, event.id, DEVICE_REMOVAL}};
    bound = more;
  }
  pthread_mutex_unlock(&mutex);
}

// Answers without a service: each bound id gets one removal event, and can be destroyed.
static int64_t answer_alone(
    const struct rdma_cm_cmd_hdr *header, const char *request, int64_t file) {
  struct args *with = args();
  memcpy(&with->slots[0], request, sizeof with->slots[0]);
  memset(with->bytes + RESPONSE_AT, 0, ARGS_ROOM - RESPONSE_AT);
  if (header->cmd == DESTROY_ID) return sizeof(uint32_t);
  if (header->cmd != GET_EVENT) return -EIO;
  pthread_mutex_lock(&mutex);
  struct event removal = take(find(0, file));
  pthread_mutex_unlock(&mutex);
  memcpy(with->bytes + RESPONSE_AT, &removal, sizeof removal);
  return removal.id ? header->out : -EIO;
}

int rdma_cm_open(int flags) {
  struct rdma_cm_file *file = calloc(1, sizeof *file);
  if (!file) return -1;
  attachment_renew();
  put_wanted_address();
  file->handle = call_for_file(OPEN_RDMA_CM, 0, &file->fd);
  if (file->handle < 0) {
    int error = (int)-file->handle;
    free(file);
    errno = error;
    return -1;
  }
  if (flags & O_NONBLOCK) fcntl(file->fd, F_SETFL, O_NONBLOCK);
  attachment_keep(file->fd, true);
  pthread_mutex_lock(&mutex);
  file->next = files;
  files = file;
  pthread_mutex_unlock(&mutex);
  if (file->fd < MAX_FD) {
    is_open[file->fd] = true;
    return file->fd;
  }
  rdma_cm_close(file->fd);
  errno = EMFILE;
  return -1;
}

void rdma_cm_close(int fd) {
  if (rdma_cm_has(fd)) is_open[fd] = false;
  pthread_mutex_lock(&mutex);
  struct rdma_cm_file **at = &files;
  while (*at && (*at)->fd != fd) at = &(*at)->next;
  struct rdma_cm_file *file = *at;
  if (file) *at = file->next;
  while (file && take(find(0, file->handle)).id) continue;
  pthread_mutex_unlock(&mutex);
  attachment_keep(fd, false);
  syscall(SYS_close, fd);
  if (file) object_close(DESCRIPTOR_CLOSED, file->handle); // Other processes may have it, too.
  free(file);
}

// Copies by process_vm_readv, which fails with EFAULT where the program has no memory; or by
// memcpy, where a filter of system calls refuses that.
static int copy(void *into, const void *from, size_t bytes) {
  struct iovec to = {into, bytes}, source = {(void *)(uintptr_t)from, bytes};
  if (process_vm_readv(getpid(), &to, 1, &source, 1, 0) == (ssize_t)bytes) return 0;
  if (errno != EPERM && errno != ENOSYS) return EFAULT;
  memcpy(into, from, bytes);
  return 0;
}

static int copy_from_program(void *into, uint64_t from, size_t bytes) {
  return copy(into, (const void *)(uintptr_t)from, bytes);
}

static int copy_to_program(uint64_t into, const void *from, size_t bytes) {
  return copy((void *)(uintptr_t)into, from, bytes);
}

// Waits until the descriptor is readable, or returns EAGAIN if it is nonblocking; an errno. If
// another thread closes it meanwhile, the wait lasts until a signal, as in the kernel: programs end
// with such a thread.
static int await_readable(int fd, int64_t file) {
  int flags = fcntl(fd, F_GETFL); // -1 if closed already.
  if (handle_of(fd) == file) {
    if (flags & O_NONBLOCK) return EAGAIN;
    struct pollfd readable = {fd, POLLIN, 0};
    if (poll(&readable, 1, -1) < 0) return errno;
  }
  if (handle_of(fd) == file) return 0;
  pause();
  return EINTR;
}

// Carries out the command in the arguments of this thread; returns an errno.
static int command(int fd, int64_t file, const struct rdma_cm_cmd_hdr *header) {
  char saved[COMMAND_ROOM];
  memcpy(saved, args()->bytes, sizeof saved);
  for (;;) {
    args()->slots[0] = header->cmd;
    args()->slots[1] = header->in;
    int64_t length = call(RDMA_CM_COMMAND, file);
    if (length == -EIO && !mailboxes_are_answered()) length = answer_alone(header, saved, file);
    else drain(args()->slots[1]);
    bool is_closed = length < 0 && handle_of(fd) != file;
    if ((length == -EAGAIN || is_closed) && header->cmd == GET_EVENT) {
      int error = await_readable(fd, file);
      if (error) return error;
      memcpy(args()->bytes, saved, sizeof saved);
      continue;
    }
    if (length < 0) return (int)-length;
    if (header->cmd == GET_EVENT || header->cmd == DESTROY_ID || header->cmd == MIGRATE_ID)
      note(header->cmd, saved, file);
    if (length > header->out) length = header->out;
    bool is_waiting =
        header->cmd == DESTROY_ID || header->cmd == LEAVE_MCAST || header->cmd == MIGRATE_ID;
    if (is_waiting && length >= (int64_t)sizeof(uint32_t)) { // The answer begins with a count.
      uint32_t reported;
      memcpy(&reported, args()->bytes + RESPONSE_AT, sizeof reported);
      rdma_cm_waits_for(reported);
    }
    uint64_t response = (uint64_t)args()->slots[0];
    return length ? copy_to_program(response, args()->bytes + RESPONSE_AT, (size_t)length) : 0;
  }
}

ssize_t rdma_cm_write(int fd, const void *bytes, size_t count) {
  struct rdma_cm_cmd_hdr header;
  struct args *arguments = args();
  int64_t file = handle_of(fd);
  int error = file ? EINVAL : EBADF;
  if (file && count >= sizeof header)
    error = copy_from_program(&header, (uintptr_t)bytes, sizeof header);
  if (!error && (header.in > COMMAND_ROOM || header.in + sizeof header > count)) error = EINVAL;
  if (!error) {
    memset(arguments->bytes, 0, RESPONSE_AT);
    error =
        copy_from_program(arguments->bytes, (uintptr_t)bytes + sizeof header, header.in);
  }
  if (!error && header.cmd == SET_OPTION) {
    uint64_t value;
    uint32_t length;
    memcpy(&value, arguments->bytes + OPTVAL_AT, sizeof value);
    memcpy(&length, arguments->bytes + OPTLEN_AT, sizeof length);
    error = length > OPTION_ROOM ? EINVAL
                                 : copy_from_program(arguments->bytes + OPTION_AT, value, length);
  }
  if (!error) error = command(fd, file, &header);
  if (!error) return (ssize_t)count;
  errno = error;
  return -1;
}
