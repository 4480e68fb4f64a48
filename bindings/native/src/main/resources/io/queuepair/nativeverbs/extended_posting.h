// SPDX-License-Identifier: Apache-2.0
// Builders of work requests of an extended queue pair: ibv_wr_*.
#pragma once

#include <stdbool.h>

#include "objects.h"

// Sets the functions of a new queue pair; false with ENOMEM.
bool extended_posting_begin(struct qp *qp);

// Frees the batch of a queue pair, if it has one.
void extended_posting_end(struct qp *qp);
