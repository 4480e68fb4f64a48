// SPDX-License-Identifier: Apache-2.0
// Programs such as libfabric look for the network interface of the device, but skip `lo` and all
// other loopbacks, where a device without a NIC is. So its loopback address gets a label of its
// own, as from `ip address add 127.0.0.2/8 dev lo label lo:qp0`, without IFF_LOOPBACK.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "export.h"
#include "symbols.h"

enum { LOOPBACK = 127 };

static char label[] = "lo:qp0";

struct labelled {
  struct ifaddrs entry; // First member: the program sees a pointer to it.
  struct sockaddr_in address, mask;
};

// Whether an interface other than a loopback has an address.
static bool is_listed(const struct ifaddrs *list, struct in_addr address) {
  for (; list; list = list->ifa_next) {
    const struct sockaddr_in *each = (const void *)list->ifa_addr;
    if (list->ifa_flags & IFF_LOOPBACK) continue;
    if (each && each->sin_family == AF_INET && each->sin_addr.s_addr == address.s_addr) return true;
  }
  return false;
}

static struct ifaddrs *with_label(struct in_addr address, struct ifaddrs *list) {
  struct labelled *added = calloc(1, sizeof *added);
  if (!added) return list;
  added->address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = address};
  added->mask = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xff000000)};
  added->entry = (struct ifaddrs){
      .ifa_next = list,
      .ifa_name = label,
      .ifa_flags = IFF_UP | IFF_RUNNING,
      .ifa_addr = (struct sockaddr *)&added->address,
      .ifa_netmask = (struct sockaddr *)&added->mask,
  };
  return &added->entry;
}

// Addresses of the devices, from the service or, without one, from QUEUEPAIR_ADDRESS.
static char *addresses_of_device(void) {
  if (getenv("QUEUEPAIR_SERVICE") && call(ADDRESSES, 0) == 0) return strdup(args()->bytes);
  const char *wanted = getenv("QUEUEPAIR_ADDRESS");
  return wanted ? strdup(wanted) : NULL;
}

EXPORT int getifaddrs(struct ifaddrs **list) {
  static __typeof__(&getifaddrs) next;
  if (!next) *(void **)&next = next_symbol("getifaddrs");
  int result = next(list);
  char *addresses = result == 0 ? addresses_of_device() : NULL, *rest = addresses, *text;
  while (rest && (text = strsep(&rest, ",;"))) {
    struct in_addr address;
    if (inet_pton(AF_INET, text, &address) == 1 && ntohl(address.s_addr) >> 24 == LOOPBACK &&
        !is_listed(*list, address))
      *list = with_label(address, *list);
  }
  free(addresses);
  return result;
}

EXPORT void freeifaddrs(struct ifaddrs *list) {
  static __typeof__(&freeifaddrs) next;
  if (!next) *(void **)&next = next_symbol("freeifaddrs");
  while (list && list->ifa_name == label) { // Ours come first; those of libc are one block.
    struct ifaddrs *added = list;
    list = list->ifa_next;
    free(added);
  }
  if (list) next(list);
}
