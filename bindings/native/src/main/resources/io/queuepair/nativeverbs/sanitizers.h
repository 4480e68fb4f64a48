// SPDX-License-Identifier: Apache-2.0
// Tells sanitizers of compilers, and valgrind, what they cannot see: the service reads and writes
// memory of the program, and orders its threads. Without a sanitizer nothing is done.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "objects.h"
#include "protocol.h"

// Whether a sanitizer or valgrind watches what this process accesses.
bool sanitizers_run(void);

// Pass the AddressSanitizer's shadow mapping to the service; set the chunk for its reports.
void sanitizers_describe(struct hello *hello);
void sanitizers_attach(const struct chunk *reports);

// Tells of a new memory region.
void sanitizers_registered(const struct ibv_mr *mr, unsigned access);

// Tell of a request that is posted next. What was done before it happens before its completion.
// Receives name their queue, which may be null.
void sanitizers_send(const struct ibv_qp *qp, const struct ibv_send_wr *wr,
    const struct ibv_sge *list, int entries);
void sanitizers_receive(
    const void *queue, const struct ibv_recv_wr *wr, const struct ibv_sge *list, int entries);

const void *sanitizers_receives(const struct ibv_qp *qp);
const void *sanitizers_shared_receives(const struct ibv_srq *srq); // Null for a work queue.

// Withdraw the last `count` requests, which were refused.
void sanitizers_refused_sends(const struct ibv_qp *qp, int64_t count);
void sanitizers_refused(const void *queue, int64_t count);

void sanitizers_created(const struct ibv_qp *qp);
void sanitizers_reset(const struct ibv_qp *qp);
void sanitizers_destroyed(const struct ibv_srq *srq);
void sanitizers_completed(const struct ibv_wc *wc);

// Ends the program with a report, if the service has found a forbidden access.
void sanitizers_report(void);
