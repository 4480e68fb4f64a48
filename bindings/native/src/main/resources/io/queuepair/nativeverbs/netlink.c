// SPDX-License-Identifier: Apache-2.0
// NETLINK_RDMA, by which rdma(8) and others ask for devices and objects. Their socket becomes one
// of NETLINK_USERSOCK that is connected to the service: it stays a netlink socket, so that bind,
// names of peers and all options work.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "export.h"
#include "symbols.h"

// Whether an address means the kernel, on a socket that is connected to the service.
static bool is_kernel(int fd, const struct sockaddr *address, socklen_t length) {
  const struct sockaddr_nl *netlink = (const void *)address;
  int protocol;
  socklen_t bytes = sizeof protocol;
  return address && length >= sizeof *netlink && address->sa_family == AF_NETLINK &&
      !netlink->nl_pid && getenv("QUEUEPAIR_NETLINK") &&
      !getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &bytes) && protocol == NETLINK_USERSOCK;
}

EXPORT int socket(int domain, int type, int protocol) {
  static __typeof__(&socket) next;
  if (!next) *(void **)&next = next_symbol("socket");
  bool is_rdma = domain == AF_NETLINK && protocol == NETLINK_RDMA;
  const char *port = is_rdma ? getenv("QUEUEPAIR_NETLINK") : NULL;
  if (!port || !*port) return next(domain, type, protocol);
  int fd = next(domain, type, NETLINK_USERSOCK);
  struct sockaddr_nl service = {
      .nl_family = AF_NETLINK, .nl_pid = (uint32_t)strtoul(port, NULL, 10)};
  if (fd < 0 || !connect(fd, (struct sockaddr *)&service, sizeof service)) return fd;
  close(fd);
  errno = EPROTONOSUPPORT; // As without the kernel module.
  return -1;
}

EXPORT int bind(int fd, const struct sockaddr *address, socklen_t length) {
  static __typeof__(&bind) next;
  if (!next) *(void **)&next = next_symbol("bind");
  return is_kernel(fd, address, length) ? 0 : next(fd, address, length); // connect has bound it.
}

EXPORT ssize_t sendto(int fd, const void *bytes, size_t count, int flags,
    const struct sockaddr *address, socklen_t length) {
  static __typeof__(&sendto) next;
  if (!next) *(void **)&next = next_symbol("sendto");
  if (is_kernel(fd, address, length)) return next(fd, bytes, count, flags, NULL, 0);
  return next(fd, bytes, count, flags, address, length);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  static __typeof__(&sendmsg) next;
  if (!next) *(void **)&next = next_symbol("sendmsg");
  if (!message || !is_kernel(fd, message->msg_name, message->msg_namelen))
    return next(fd, message, flags);
  struct msghdr connected = *message;
  connected.msg_name = NULL;
  connected.msg_namelen = 0;
  return next(fd, &connected, flags);
}
