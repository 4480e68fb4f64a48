// SPDX-License-Identifier: Apache-2.0
// Preloaded into a client of perftest with -R, it asks for each connection a tenth of a second later.
//
// After the two sides have shaken hands, the server begins to listen and the client to connect, in no order. The client of
// perftest 4.5 crashes if it is first and is rejected, and on a machine that runs the guest as well it was, in one run of eight.

void *dlsym(void *handle, const char *symbol);
int usleep(unsigned microseconds);

#define RTLD_NEXT ((void *)-1L)

int rdma_connect(void *id, void *param) {
  int (*original)(void *, void *) = dlsym(RTLD_NEXT, "rdma_connect");
  usleep(100000);
  return original(id, param);
}
