// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "call.h"
#include "export.h"
#include "message.h"

struct completion_message {
  int64_t cq;
};

struct async_message {
  int64_t type, element;
};

enum { MAX_PENDING = 4096, MAX_ASYNC = 256 };

// Reads an event without waiting, as another thread may have taken it. To find none is no error.
// This is no cancellation point, as recv is.
static bool take(int fd, void *event, size_t bytes) {
  int before = errno;
  ssize_t taken = syscall(SYS_recvfrom, fd, event, bytes, MSG_DONTWAIT, NULL, NULL);
  bool is_taken = taken == (ssize_t)bytes;
  errno = before;
  return is_taken;
}

// Asks the service to send events again.
static void put_back(int64_t handle, const void *events, size_t bytes) {
  struct args *with = args();
  if (!bytes) return;
  with->slots[0] = (int64_t)bytes;
  memcpy(with->bytes, events, bytes);
  call(PUT_BACK_EVENTS, handle);
}

void events_forget_completions(struct ibv_comp_channel *channel, const void *cq) {
  struct completion_message *kept = calloc(MAX_PENDING, sizeof *kept);
  int count = 0;
  struct completion_message event;
  while (kept && count < MAX_PENDING && take(channel->fd, &event, sizeof event))
    if (event.cq != (int64_t)(intptr_t)cq) kept[count++] = event;
  put_back(HANDLE(channel, channel), kept, (size_t)count * sizeof *kept);
  free(kept);
}

void events_forget_async(struct ibv_context *context, const void *element) {
  struct async_message kept[MAX_ASYNC], event;
  int count = 0;
  while (count < MAX_ASYNC && take(context->async_fd, &event, sizeof event))
    if (event.element != (int64_t)(intptr_t)element) kept[count++] = event;
  put_back(context_of(context)->events, kept, (size_t)count * sizeof *kept);
}

void events_await_acknowledged(const char *verb, struct events_read events) {
  struct timespec late;
  clock_gettime(CLOCK_REALTIME, &late);
  late.tv_sec += EXPLAINED_WAIT_SECONDS;
  bool is_late = false;
  pthread_mutex_lock(events.mutex);
  while (*events.completed != *events.reported) {
    if (is_late) {
      pthread_cond_wait(events.cond, events.mutex);
    } else if (pthread_cond_timedwait(events.cond, events.mutex, &late) == ETIMEDOUT) {
      is_late = true;
      explain("%s waits: %u %s event%s taken, %u acknowledged (%s)", verb, *events.reported,
          events.kind, *events.reported == 1 ? "" : "s", *events.completed, events.acknowledge);
    }
  }
  pthread_mutex_unlock(events.mutex);
}

EXPORT struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context) {
  struct channel *channel = object_new(sizeof *channel);
  if (!channel) return NULL;
  channel->base.context = context;
  args()->slots[0] = (intptr_t)channel;
  channel->handle =
      call_for_file(CREATE_COMP_CHANNEL, context_of(context)->handle, &channel->base.fd);
  if (channel->handle >= 0) return &channel->base;
  int64_t result = channel->handle;
  object_free(channel);
  return refused(result);
}

EXPORT int ibv_destroy_comp_channel(struct ibv_comp_channel *base) {
  struct channel *channel = (struct channel *)base;
  if (channel->handle == NO_HANDLE) return errno_of(-EINVAL);
  if (__atomic_load_n(&base->refcnt, __ATOMIC_RELAXED)) return errno_of(-EBUSY);
  close(base->fd);
  return object_destroy("ibv_destroy_comp_channel", channel, &channel->handle);
}

// Reads an event; 0, or -1 with errno, which is EIO at the end of the service.
static int read_event(int fd, void *event, size_t bytes) {
  ssize_t done = read(fd, event, bytes);
  if (done == 0) errno = EIO;
  return done == (ssize_t)bytes ? 0 : -1;
}

EXPORT int ibv_get_cq_event(
    struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context) {
  struct completion_message event;
  if (read_event(channel->fd, &event, sizeof event)) return -1;
  struct cq *source = (struct cq *)(intptr_t)event.cq;
  struct ibv_cq *found = plain(source);
  memcpy(cq, &found, sizeof found);
  memcpy(cq_context, &source->base.cq_context, sizeof *cq_context);
  pthread_mutex_lock(&source->base.mutex);
  source->completions_reported++;
  pthread_mutex_unlock(&source->base.mutex);
  return 0;
}

EXPORT void ibv_ack_cq_events(struct ibv_cq *cq, unsigned count) {
  pthread_mutex_lock(&cq->mutex);
  cq->comp_events_completed += count;
  pthread_cond_signal(&cq->cond);
  pthread_mutex_unlock(&cq->mutex);
}

// Counters of the object that an event is about; all null for an event of a port or device.
struct counters {
  pthread_mutex_t *mutex;
  pthread_cond_t *cond;
  uint32_t *completed, *reported;
};

static struct counters counters_of(const struct ibv_async_event *event) {
  switch (event->event_type) {
    case IBV_EVENT_CQ_ERR: {
      struct cq *cq = (struct cq *)event->element.cq;
      return (struct counters){&cq->base.mutex, &cq->base.cond,
          &cq->base.async_events_completed, &cq->async_reported};
    }
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED: {
      struct srq *srq = (struct srq *)event->element.srq;
      return (struct counters){&srq->base.mutex, &srq->base.cond, &srq->base.events_completed,
          &srq->async_reported};
    }
    case IBV_EVENT_WQ_FATAL: {
      struct wq *wq = (struct wq *)event->element.wq;
      return (struct counters){&wq->base.mutex, &wq->base.cond, &wq->base.events_completed,
          &wq->async_reported};
    }
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED: {
      struct qp *qp = (struct qp *)event->element.qp;
      return (struct counters){&qp->base.qp_base.mutex, &qp->base.qp_base.cond,
          &qp->base.qp_base.events_completed, &qp->async_reported};
    }
    default:
      return (struct counters){0};
  }
}

EXPORT int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event) {
  struct async_message read_message;
  if (read_event(context->async_fd, &read_message, sizeof read_message)) {
    if (errno != EIO || context_of(context)->has_ended) return -1;
    context_of(context)->has_ended = true;
    read_message = (struct async_message){.type = IBV_EVENT_DEVICE_FATAL};
  }
  struct ibv_async_event found = {.event_type = (int)read_message.type};
  found.element.cq = (struct ibv_cq *)(intptr_t)read_message.element;
  struct counters counters = counters_of(&found);
  if (!counters.mutex) found.element.port_num = (int)read_message.element;
  memcpy(event, &found, sizeof found);
  if (!counters.mutex) return 0;
  pthread_mutex_lock(counters.mutex);
  ++*counters.reported;
  pthread_mutex_unlock(counters.mutex);
  return 0;
}

EXPORT void ibv_ack_async_event(struct ibv_async_event *event) {
  struct counters counters = counters_of(event);
  if (!counters.mutex) return;
  pthread_mutex_lock(counters.mutex);
  ++*counters.completed;
  pthread_cond_broadcast(counters.cond);
  pthread_mutex_unlock(counters.mutex);
}
