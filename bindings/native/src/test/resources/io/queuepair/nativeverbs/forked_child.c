// SPDX-License-Identifier: Apache-2.0
// A program of root whose forked child asks the parent when that has ended, and a process of
// another user that listens in its place: the child must get ENODEV, and send nothing.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi.h"

struct ibv_device **ibv_get_device_list(int *);
struct ibv_context *ibv_open_device(struct ibv_device *);
int ibv_query_gid(struct ibv_context *, uint8_t, int, union ibv_gid *);

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

enum { OTHER_USER = 65534, MOST_FILES = 1024, REQUEST_BYTES = 1 << 20 };

struct place {
  struct sockaddr_un name;
  socklen_t bytes;
};

static int from_parent[2], from_impostor[2], go[2];

// Where the parent listens, by an abstract name that any user can read in /proc/net/unix.
static struct place listener(void) {
  struct place place;
  for (int file = 0; file < MOST_FILES; file++) {
    int listens = 0;
    socklen_t bytes = sizeof listens;
    getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &listens, &bytes);
    place.bytes = sizeof place.name;
    if (listens && !getsockname(file, (struct sockaddr *)&place.name, &place.bytes) &&
        place.name.sun_family == AF_UNIX)
      return place;
  }
  CHECK(!"the parent listens");
  return place;
}

static void ask_when_told(struct ibv_context *context) {
  char c;
  CHECK(read(go[0], &c, 1) == 1);
  union ibv_gid gid;
  CHECK(ibv_query_gid(context, 1, 0, &gid) && errno == ENODEV);
  exit(0);
}

static void be_parent(void) {
  int count;
  struct ibv_device **list = ibv_get_device_list(&count);
  struct ibv_context *context = ibv_open_device(list[0]);
  CHECK(context);
  if (!fork()) ask_when_told(context);
  struct place place = listener();
  CHECK(write(from_parent[1], &place, sizeof place) == sizeof place);
  _exit(0);
}

static void be_impostor(struct place place) {
  static char request[REQUEST_BYTES];
  CHECK(!setuid(OTHER_USER));
  int server = socket(AF_UNIX, SOCK_SEQPACKET, 0);
  CHECK(!bind(server, (struct sockaddr *)&place.name, place.bytes) && !listen(server, 1));
  CHECK(write(from_impostor[1], "x", 1) == 1);
  int connection = accept(server, NULL, NULL);
  ssize_t bytes = recv(connection, request, sizeof request, 0);
  if (bytes > 0) {
    memset(request + 8, 0, bytes - 8); // The result, and then the arguments.
    send(connection, request, bytes, 0);
  }
  CHECK(bytes <= 0);
  exit(0);
}

static int await(void) {
  int status;
  CHECK(wait(&status) > 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}

int main(void) {
  if (geteuid() != 0) {
    puts("skipped: only root can become another user");
    return 0;
  }
  // The child is adopted, so that its end can be awaited.
  CHECK(!pipe(from_parent) && !pipe(from_impostor) && !pipe(go));
  CHECK(!prctl(PR_SET_CHILD_SUBREAPER, 1));
  if (!fork()) be_parent();
  struct place place;
  CHECK(read(from_parent[0], &place, sizeof place) == sizeof place);
  CHECK(!await());
  pid_t impostor = fork();
  if (!impostor) be_impostor(place);
  char c;
  CHECK(read(from_impostor[0], &c, 1) == 1);
  CHECK(write(go[1], "x", 1) == 1);
  int failures = await();
  return failures + await();
}
