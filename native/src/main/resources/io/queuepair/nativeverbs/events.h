// SPDX-License-Identifier: Apache-2.0
// Notifications and asynchronous events: each goes through a pipe, whose reading end programs poll.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include "objects.h"

// Called by Java, from any thread.
void events_add_completion(struct channel *channel, int64_t cq);
void events_add_async(struct context *context, int type, int64_t element);

// Makes the pipe of a context, and closes it.
int events_open(struct context *context);
void events_close(struct context *context);

// What has not been read about an object that is destroyed vanishes with it.
void events_forget_completions(struct ibv_comp_channel *channel, const void *cq);
void events_forget_async(struct ibv_context *context, const void *element);

// Waits until the program has acknowledged what it has read about an object.
void events_await_acknowledged(
    pthread_mutex_t *mutex, pthread_cond_t *cond, uint32_t *completed, const uint32_t *reported);
