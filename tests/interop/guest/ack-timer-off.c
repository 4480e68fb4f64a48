// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program, it creates queue pairs without the timer that waits for acknowledgements (timeout 0 in ibv_modify_qp).
//
// The kernel's rdma_rxe starts that timer with a request and lets it run on when the request has been acknowledged, so it goes off
// every 67 ms (the time-out of ibv_rc_pingpong) and repeats whatever request is under way just then. On a slow guest that happens
// to most programs, and it counts as a retry. Without the timer every retry counted has a cause on the wire; and if anything is lost, the program does not end.

void *dlsym(void *handle, const char *symbol);

#define RTLD_NEXT ((void *)-1L)
#define IBV_QP_TIMEOUT (1 << 9)
#define OFFSET_OF_TIMEOUT 130 // in struct ibv_qp_attr, fixed by the ABI of libibverbs.so.1

int ibv_modify_qp(void *qp, unsigned char *attr, int mask) {
  int (*original)(void *, unsigned char *, int) = dlsym(RTLD_NEXT, "ibv_modify_qp");
  if (mask & IBV_QP_TIMEOUT) attr[OFFSET_OF_TIMEOUT] = 0;
  return original(qp, attr, mask);
}
