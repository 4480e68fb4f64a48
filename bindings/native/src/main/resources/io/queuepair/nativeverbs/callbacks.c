// SPDX-License-Identifier: Apache-2.0
#include "callbacks.h"

#include "events.h"
#include "memory.h"
#include "rdma_cm.h"

static jobject memory_at(JNIEnv *env, jclass class, int64_t address, int64_t bytes) {
  (void)class;
  return (*env)->NewDirectByteBuffer(env, (void *)(intptr_t)address, bytes);
}

static uint8_t is_accessible(
    JNIEnv *env, jclass class, int64_t address, int64_t bytes, int32_t is_written) {
  (void)env;
  (void)class;
  return memory_is_accessible((void *)(intptr_t)address, (size_t)bytes, is_written);
}

static void completion_event(JNIEnv *env, jclass class, int64_t channel, int64_t cq) {
  (void)env;
  (void)class;
  events_add_completion((struct channel *)(intptr_t)channel, cq);
}

static void async_event(
    JNIEnv *env, jclass class, int64_t context, int32_t type, int64_t element) {
  (void)env;
  (void)class;
  events_add_async((struct context *)(intptr_t)context, type, element);
}

static void rdma_cm_events(JNIEnv *env, jclass class, int64_t file, int32_t is_readable) {
  (void)env;
  (void)class;
  rdma_cm_readable((struct rdma_cm_file *)(intptr_t)file, is_readable);
}

const struct native_method callbacks[] = {
    {"memoryAt", "(JJ)Ljava/nio/ByteBuffer;", (void *)memory_at},
    {"isAccessible", "(JJI)Z", (void *)is_accessible},
    {"completionEvent", "(JJ)V", (void *)completion_event},
    {"asyncEvent", "(JIJ)V", (void *)async_event},
    {"rdmaCmReadable", "(JI)V", (void *)rdma_cm_events},
};
const int callbacks_count = sizeof callbacks / sizeof *callbacks;
