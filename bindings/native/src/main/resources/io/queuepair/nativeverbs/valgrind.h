// SPDX-License-Identifier: Apache-2.0
// Client requests to valgrind, by instructions that do nothing without it: they mark memory that
// the service has filled as defined. Posted requests are recorded only under valgrind, until they
// complete.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"

bool valgrind_runs(void);
void valgrind_define(const void *memory, size_t bytes);

// Records a request on a queue; one that is not signaled completes with the next one that is.
void valgrind_posted(const void *queue, uint64_t wr_id, bool is_signaled,
    const struct ibv_sge *list, int entries);

// Removes the last `count` requests, which were refused.
void valgrind_withdrawn(const void *queue, int64_t count);

// Completes the oldest signaled request, and all before it.
void valgrind_completed_in_order(const void *queue);

// Completes the oldest request with a wr_id, which has filled `bytes` bytes.
void valgrind_completed(const void *queue, uint64_t wr_id, size_t bytes);

void valgrind_forget(const void *queue);
