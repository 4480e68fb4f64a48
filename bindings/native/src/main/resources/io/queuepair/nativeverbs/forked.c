// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "forked.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "signals.h"

enum { BACKLOG = 64, MAX_OWN = 1024 };

// A call, and its answer. Each has a connection of its own.
struct request {
  int64_t entry, handle;
  struct args args;
};

static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER;
static int listener = -1;
static ino_t listener_inode;
static bool is_serving;

// Where the process with the JVM listens: a name that the kernel chose.
static struct sockaddr_un name;
static socklen_t name_bytes;
static uid_t listener_uid; // When it began to listen: programs may change theirs later.

// What this process has got from its parent, which is what it may destroy.
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
static int64_t own[MAX_OWN];
static int own_count;
static struct request request;

static bool is_served(enum entry entry) {
  switch (entry) {
    case QUERY_DEVICE_EX:
    case QUERY_PORT:
    case QUERY_GID:
    case QUERY_PKEY:
    case RAW_CLOCK:
    case ALLOC_PD:
    case ALLOC_DM:
    case CLOSE:
      return true;
    default:
      return false;
  }
}

// A program that closes files it did not open may have another one of that number.
static bool has_listener(void) {
  struct stat file;
  return listener >= 0 && fstat(listener, &file) == 0 && S_ISSOCK(file.st_mode) &&
      file.st_ino == listener_inode;
}

static bool is_of_user(int connection, uid_t uid) {
  struct ucred peer;
  socklen_t bytes = sizeof peer;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == uid;
}

static void serve(int connection) {
  static struct request asked; // Of the one thread that serves.
  const struct timeval limit = {.tv_sec = 1};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (recv(connection, &asked, sizeof asked, 0) != sizeof asked) return;
  if (asked.entry < 0 || asked.entry >= ENTRIES || !is_served((enum entry)asked.entry)) return;
  *jvm_args() = asked.args;
  asked.handle = jvm_call((enum entry)asked.entry, asked.handle);
  asked.args = *jvm_args();
  send(connection, &asked, sizeof asked, MSG_NOSIGNAL);
}

static void *run_service(void *unused) {
  const struct timespec pause = {.tv_nsec = 10000000};
  while (has_listener()) {
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0) {
      nanosleep(&pause, NULL); // The process may have no more files at the moment.
      continue;
    }
    if (is_of_user(connection, geteuid())) serve(connection);
    close(connection);
  }
  return unused;
}

static void listen_to_children(void) {
  listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  name = (struct sockaddr_un){.sun_family = AF_UNIX};
  name_bytes = sizeof name;
  if (listener < 0) return;
  struct stat file;
  // Without a path the kernel chooses an abstract name, which ends with the socket.
  if (bind(listener, (struct sockaddr *)&name, sizeof name.sun_family) ||
      listen(listener, BACKLOG) || fstat(listener, &file) ||
      getsockname(listener, (struct sockaddr *)&name, &name_bytes)) {
    close(listener);
    listener = -1;
    return;
  }
  listener_inode = file.st_ino;
  listener_uid = geteuid();
}

void forked_prepare(void) {
  pthread_mutex_lock(&forking);
  if (listener < 0 && jvm_is_running()) listen_to_children();
}

void forked_in_parent(void) {
  if (listener >= 0 && !is_serving) {
    sigset_t before;
    signals_block(&before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t service;
    is_serving = pthread_create(&service, &attributes, run_service, NULL) == 0;
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  pthread_mutex_unlock(&forking);
}

void forked_in_child(void) {
  if (has_listener()) close(listener); // It would keep the name when the parent has ended.
  listener = -1;
  own_count = 0;
  // Another thread of the parent may have held it.
  asking = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_unlock(&forking);
}

// Sends the request and takes the answer; false if the parent has ended. Then its name is free for
// any user, who gets nothing.
static bool ask(void) {
  int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  bool is_answered = connection >= 0 &&
      connect(connection, (struct sockaddr *)&name, name_bytes) == 0 &&
      is_of_user(connection, listener_uid) &&
      send(connection, &request, sizeof request, MSG_NOSIGNAL) == sizeof request &&
      recv(connection, &request, sizeof request, 0) == sizeof request;
  if (connection >= 0) close(connection);
  return is_answered;
}

static int place_of(int64_t handle) {
  for (int i = 0; i < own_count; i++)
    if (own[i] == handle) return i;
  return -1;
}

// Under the lock: a result as that of a call of Java.
static int64_t asked(enum entry entry, int64_t handle) {
  bool creates = entry == ALLOC_PD || entry == ALLOC_DM;
  if (creates && own_count == MAX_OWN) return -ENOMEM;
  int place = place_of(handle);
  if (entry == CLOSE && place < 0) return -ENODEV;
  request.entry = entry;
  request.handle = handle;
  request.args = *jvm_args();
  if (!ask()) return -ENODEV;
  *jvm_args() = request.args;
  int64_t result = request.handle;
  if (creates && result >= 0) own[own_count++] = result;
  if (entry == CLOSE && result >= 0) own[place] = own[--own_count];
  return result;
}

int64_t forked_call(enum entry entry, int64_t handle) {
  int64_t result = -ENODEV;
  if (is_served(entry)) {
    pthread_mutex_lock(&asking);
    result = asked(entry, handle);
    pthread_mutex_unlock(&asking);
  }
  static bool said;
  if (result == -ENODEV && !said) {
    said = true;
    message("a process forked after its parent has used the device cannot use it (ENODEV)");
  }
  return result;
}
