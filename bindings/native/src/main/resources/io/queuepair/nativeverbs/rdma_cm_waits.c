// SPDX-License-Identifier: Apache-2.0
// Functions of librdmacm that wait until the events of an id or of a group are acknowledged.
// librdmacm alone counts acknowledgements; the kernel's side answers how many events were reported.
// With QUEUEPAIR_EXPLAIN a thread prints a line if such a function does not return.
#define _GNU_SOURCE
#include "rdma_cm_waits.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "events.h"
#include "export.h"
#include "message.h"
#include "symbols.h"

struct watch {
  const char *function;
  uint32_t reported;
  bool is_started, is_over;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

// Watch of the function that this thread is in, or null.
static __thread struct watch *current;

static void *explain_late(void *argument) {
  struct watch *watch = argument;
  struct timespec late;
  clock_gettime(CLOCK_REALTIME, &late);
  late.tv_sec += EXPLAINED_WAIT_SECONDS;
  pthread_mutex_lock(&watch->mutex);
  int error = 0;
  while (!watch->is_over && !error)
    error = pthread_cond_timedwait(&watch->changed, &watch->mutex, &late);
  if (!watch->is_over)
    explain("%s waits: %u event%s taken, and not all acknowledged (rdma_ack_cm_event)",
        watch->function, watch->reported, watch->reported == 1 ? "" : "s");
  pthread_mutex_unlock(&watch->mutex);
  return NULL;
}

void rdma_cm_waits_for(uint32_t reported) {
  if (!current || !reported || current->is_started) return;
  current->reported = reported;
  sigset_t all, before; // Signals of the program are for its own threads.
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  current->is_started = !pthread_create(&current->thread, NULL, explain_late, current);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void end(struct watch *watch) {
  if (!watch->is_started) return;
  pthread_mutex_lock(&watch->mutex);
  watch->is_over = true;
  pthread_cond_signal(&watch->changed);
  pthread_mutex_unlock(&watch->mutex);
  pthread_join(watch->thread, NULL);
}

// Finds a function of librdmacm, which may have been loaded only for another library.
static void *function_of_librdmacm(const char *name) {
  void *found = next_symbol(name);
  if (found) return found;
  void *library = dlopen("librdmacm.so.1", RTLD_LAZY | RTLD_NOLOAD);
  return library ? dlsym(library, name) : NULL;
}

#define WAITING(name, parameters, arguments)                            \
  EXPORT int name parameters;                                           \
  EXPORT int name parameters {                                          \
    static int(*real) parameters;                                       \
    if (!real) *(void **)&real = function_of_librdmacm(#name);          \
    if (!real) {                                                        \
      errno = ENOSYS;                                                   \
      return -1;                                                        \
    }                                                                   \
    if (!getenv("QUEUEPAIR_EXPLAIN") || current) return real arguments; \
    struct watch watch = {.function = #name,                            \
        .mutex = PTHREAD_MUTEX_INITIALIZER,                             \
        .changed = PTHREAD_COND_INITIALIZER};                           \
    current = &watch;                                                   \
    int result = real arguments;                                        \
    int error = errno;                                                  \
    current = NULL;                                                     \
    end(&watch);                                                        \
    errno = error;                                                      \
    return result;                                                      \
  }

WAITING(rdma_destroy_id, (void *id), (id))
WAITING(rdma_migrate_id, (void *id, void *channel), (id, channel))
WAITING(rdma_leave_multicast, (void *id, void *address), (id, address))
