// SPDX-License-Identifier: Apache-2.0
// Questions about the first device by NETLINK_RDMA.
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pair.h"

enum { LINES = 1 << 13 };

// Sends a question of NETLINK_RDMA about the first device; all of the answer, or its error.
static inline int ask(int command, int flags, char *answer) {
  struct {
    struct nlmsghdr header;
    struct nlattr attribute;
    uint32_t device;
  } question = {{sizeof question, (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command),
                    (uint16_t)(NLM_F_REQUEST | flags), 7, 0},
      {8, RDMA_NLDEV_ATTR_DEV_INDEX}, 0};
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK}, from;
  socklen_t bytes = sizeof from;
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
  CHECK(fd >= 0 && !bind(fd, (struct sockaddr *)&kernel, sizeof kernel));
  CHECK(sendto(fd, &question, sizeof question, 0, (struct sockaddr *)&kernel, sizeof kernel) ==
      sizeof question);
  for (char *to = answer;;) {
    ssize_t got = recvfrom(fd, to, 4096, 0, (struct sockaddr *)&from, &bytes);
    struct nlmsghdr header;
    int error;
    CHECK(got >= (ssize_t)sizeof header && bytes == sizeof from);
    memcpy(&header, to, sizeof header);
    memcpy(&error, to + sizeof header, sizeof error);
    CHECK(header.nlmsg_len == got && header.nlmsg_seq == 7);
    to += got;
    if (header.nlmsg_type != NLMSG_DONE && header.nlmsg_type != NLMSG_ERROR) continue;
    CHECK(!close(fd));
    return header.nlmsg_type == NLMSG_ERROR ? -error : (int)(to - answer);
  }
}

static inline bool has_number(const char *answer, int bytes, uint16_t type, uint32_t number) {
  const struct nlattr header = {8, type};
  char wanted[8];
  memcpy(wanted, &header, 4);
  memcpy(wanted + 4, &number, 4);
  return memmem(answer, (size_t)bytes, wanted, sizeof wanted);
}
