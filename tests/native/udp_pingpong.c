// SPDX-License-Identifier: Apache-2.0
// The least that a SEND of 64 bytes costs over UDP, one way: two threads of a C program that spin on recvmsg exchange
// the datagrams of a ping-pong of RC SENDs, from sockets that are not connected, as a device has peers.
//   udp_pingpong ROUNDS ITERATIONS    prints "PLAIN BURST EPOLL" for each round, in microseconds: the SEND alone; the SEND
//   with the acknowledgement of the one before, cut by the kernel; the same, with epoll_wait before each recvmsg
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum mode { PLAIN, BURST, EPOLL, MODES };
enum { SEND_BYTES = 12 + 64 + 4, ACK_BYTES = 12 + 4 + 4, LARGEST = 1 << 16 };
enum { SEGMENT = 103, GRO = 104 }; // UDP_SEGMENT and UDP_GRO, which old headers lack.

static enum mode mode;
static int iterations, sockets[2], epolls[2];
static struct sockaddr_in addresses[2];

static void check(int result, const char *what) {
  if (result < 0) {
    perror(what);
    exit(1);
  }
}

static void open_side(int side) {
  int on = 1, pmtudisc_do = 2;
  struct sockaddr_in *address = &addresses[side];
  address->sin_family = AF_INET;
  address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof *address;
  check(sockets[side] = socket(AF_INET, SOCK_DGRAM, 0), "socket");
  check(bind(sockets[side], (void *)address, length), "bind");
  check(getsockname(sockets[side], (void *)address, &length), "getsockname");
  check(setsockopt(sockets[side], IPPROTO_IP, IP_MTU_DISCOVER, &pmtudisc_do, sizeof on), "IP_MTU_DISCOVER");
  if (mode != PLAIN) {
    check(setsockopt(sockets[side], IPPROTO_UDP, GRO, &on, sizeof on), "UDP_GRO");
  }
  if (mode == EPOLL) { // In a set, each arrival costs more.
    struct epoll_event readable = {.events = EPOLLIN | EPOLLET};
    check(epolls[side] = epoll_create1(0), "epoll_create1");
    check(epoll_ctl(epolls[side], EPOLL_CTL_ADD, sockets[side], &readable), "epoll_ctl");
  }
}

static int expected(void) {
  return mode == PLAIN ? SEND_BYTES : SEND_BYTES + ACK_BYTES;
}

static void send_from(int side) {
  static char bytes[SEND_BYTES + ACK_BYTES];
  struct iovec vector = {bytes, expected()};
  union {
    char bytes[CMSG_SPACE(sizeof(unsigned short))];
    struct cmsghdr header;
  } control = {.header = {CMSG_LEN(sizeof(unsigned short)), IPPROTO_UDP, SEGMENT}};
  *(unsigned short *)CMSG_DATA(&control.header) = SEND_BYTES;
  struct msghdr message = {.msg_name = &addresses[1 - side], .msg_namelen = sizeof addresses[0], .msg_iov = &vector, .msg_iovlen = 1};
  if (mode != PLAIN) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
  }
  check(sendmsg(sockets[side], &message, 0), "sendmsg");
}

static void receive_at(int side) {
  static char bytes[2][LARGEST];
  struct epoll_event event;
  struct sockaddr_in sender;
  char control[64];
  for (;;) {
    struct iovec vector = {bytes[side], LARGEST};
    struct msghdr message = {.msg_name = &sender, .msg_namelen = sizeof sender, .msg_iov = &vector, .msg_iovlen = 1,
                             .msg_control = control, .msg_controllen = sizeof control};
    if (mode == EPOLL && epoll_wait(epolls[side], &event, 1, 0) == 0) {
      continue;
    }
    ssize_t received = recvmsg(sockets[side], &message, MSG_DONTWAIT);
    if (received == expected()) {
      return;
    }
    if (received >= 0) {
      fprintf(stderr, "%zd bytes arrived instead of %d: the kernel has not kept them together\n", received, expected());
      exit(1);
    }
    if (errno != EAGAIN) {
      check(-1, "recvmsg");
    }
  }
}

static void *answer(void *unused) {
  for (int i = 0; i < iterations; i++) {
    receive_at(1);
    send_from(1);
  }
  return unused;
}

static double one_way_micros(void) {
  struct timespec start, end;
  pthread_t peer;
  open_side(0);
  open_side(1);
  errno = pthread_create(&peer, NULL, answer, NULL);
  check(-errno, "pthread_create");
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < iterations; i++) {
    send_from(0);
    receive_at(0);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  pthread_join(peer, NULL);
  for (int side = 0; side < 2; side++) {
    close(sockets[side]);
    if (mode == EPOLL) {
      close(epolls[side]);
    }
    addresses[side].sin_port = 0;
  }
  return ((end.tv_sec - start.tv_sec) * 1e6 + (end.tv_nsec - start.tv_nsec) / 1e3) / (2.0 * iterations);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s ROUNDS ITERATIONS\n", argv[0]);
    return 2;
  }
  iterations = atoi(argv[2]);
  alarm(300); // A datagram that is lost would be waited for without end.
  for (int round = atoi(argv[1]); round > 0; round--) {
    for (mode = PLAIN; mode < MODES; mode++) {
      printf("%.2f%s", one_way_micros(), mode + 1 < MODES ? " " : "\n");
    }
    fflush(stdout);
  }
}
