// SPDX-License-Identifier: Apache-2.0
#include "objects.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"

enum { KEPT = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *kept[KEPT];
static unsigned next;

void *object_new(size_t bytes) {
  void *object = calloc(1, bytes);
  if (!object) errno = ENOMEM;
  return object;
}

void *object_of(int64_t handle, const void *members, size_t bytes) {
  if (handle < 0) return refused(handle);
  void *object = object_new(bytes);
  if (object) memcpy(object, members, bytes);
  return object;
}

void object_free(void *object) {
  pthread_mutex_lock(&lock);
  void *oldest = kept[next % KEPT];
  kept[next++ % KEPT] = object;
  pthread_mutex_unlock(&lock);
  free(oldest);
}

int64_t object_close(const char *verb, int64_t handle) {
  set_verb(verb);
  return call(CLOSE, handle);
}

int object_destroy(const char *verb, void *object, int64_t *handle) {
  int error = errno_of(object_close(verb, *handle));
  if (error) return error;
  *handle = NO_HANDLE;
  object_free(object);
  return 0;
}
