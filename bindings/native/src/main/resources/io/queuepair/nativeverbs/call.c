// SPDX-License-Identifier: Apache-2.0
#include "call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "jvm.h"
#include "mailboxes.h"

bool has_service(void) {
  static int answer = -1;
  if (__builtin_expect(answer < 0, 0)) answer = getenv("QUEUEPAIR_SERVICE") != NULL;
  return answer;
}

struct args *args(void) { return has_service() ? mailbox_args() : jvm_args(); }

void set_verb(const char *verb) { strcpy(args()->bytes, verb); }

int64_t call(enum entry entry, int64_t handle) {
  return has_service() ? mailbox_call(entry, handle) : jvm_call(entry, handle);
}

int64_t call_fast(enum entry entry, int64_t handle) {
  return has_service() ? mailbox_call(entry, handle) : jvm_call_fast(entry, handle);
}

int64_t call_for_file(enum entry entry, int64_t handle, int *fd) {
  return has_service() ? mailbox_call_for_file(entry, handle, fd) : jvm_call(entry, handle);
}

void stop_at_exit(void) {
  if (!has_service()) jvm_stop_at_exit();
}

bool has_device(void) { return has_service() || jvm_is_running(); }

void *refused(int64_t result) {
  errno = (int)-result;
  return NULL;
}

int errno_of(int64_t result) {
  if (result >= 0) return 0;
  errno = (int)-result;
  return errno;
}
