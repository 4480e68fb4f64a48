// SPDX-License-Identifier: Apache-2.0
// Notifications and asynchronous events: each goes through a socket, whose reading end programs poll.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include "objects.h"

// What has not been read about an object that is destroyed vanishes with it.
void events_forget_completions(struct ibv_comp_channel *channel, const void *cq);
void events_forget_async(struct ibv_context *context, const void *element);

// How long a wait for acknowledgements lasts before it is explained.
enum { EXPLAINED_WAIT_SECONDS = 3 };

// Their kinds, each with the function that acknowledges.
#define COMPLETION_EVENTS "completion", "ibv_ack_cq_events"
#define ASYNC_EVENTS "asynchronous", "ibv_ack_async_event"

// Events of a kind that the program has read and acknowledged.
struct events_read {
  const char *kind, *acknowledge;
  pthread_mutex_t *mutex;
  pthread_cond_t *cond;
  const uint32_t *completed, *reported;
};

// Waits in a verb until the program has acknowledged what it has read about an object.
void events_await_acknowledged(const char *verb, struct events_read events);
