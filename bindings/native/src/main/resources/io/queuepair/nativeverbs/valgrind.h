// SPDX-License-Identifier: Apache-2.0
// Requests to valgrind, by instructions that do nothing without it: memory that the service fills is
// defined. What is posted is noted only there, until it completes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"

bool valgrind_runs(void);
void valgrind_define(const void *memory, size_t bytes);

// A request on a queue; of those that are not signaled the next one that is completes them, too.
void valgrind_posted(const void *queue, uint64_t wr_id, bool is_signaled,
    const struct ibv_sge *list, int entries);

// So many of the last ones were refused.
void valgrind_withdrawn(const void *queue, int64_t count);

// The one that was signaled first has completed, with all before it.
void valgrind_completed_in_order(const void *queue);

// One has completed, and has filled so many bytes.
void valgrind_completed(const void *queue, uint64_t wr_id, size_t bytes);

void valgrind_forget(const void *queue);
