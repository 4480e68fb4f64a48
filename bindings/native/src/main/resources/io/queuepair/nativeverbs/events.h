// SPDX-License-Identifier: Apache-2.0
// Completion and asynchronous events: each goes through a socket, whose reading end programs poll.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include "objects.h"

// Remove unread events about an object that is destroyed.
void events_forget_completions(struct ibv_comp_channel *channel, const void *cq);
void events_forget_async(struct ibv_context *context, const void *element);

// Seconds after which a wait for acknowledgements is explained.
enum { EXPLAINED_WAIT_SECONDS = 3 };

// Kinds of events, each with the function that acknowledges them.
#define COMPLETION_EVENTS "completion", "ibv_ack_cq_events"
#define ASYNC_EVENTS "asynchronous", "ibv_ack_async_event"

// Events of one kind about an object: acknowledged and read ones.
struct events_read {
  const char *kind, *acknowledge;
  pthread_mutex_t *mutex;
  pthread_cond_t *cond;
  const uint32_t *completed, *reported;
};

// Waits in a verb until the program has acknowledged all events that it has read about an object.
void events_await_acknowledged(const char *verb, struct events_read events);
