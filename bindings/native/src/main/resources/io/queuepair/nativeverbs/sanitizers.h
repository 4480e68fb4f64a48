// SPDX-License-Identifier: Apache-2.0
// What the sanitizers of compilers, and valgrind, cannot see: the service reads and writes memory of
// the program, and orders its threads. Without one of them all this does nothing.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "objects.h"
#include "protocol.h"

// Where the AddressSanitizer keeps what may be accessed, for the service; and where it reports.
void sanitizers_describe(struct hello *hello);
void sanitizers_attach(const struct chunk *reports);

// A region of memory of the program.
void sanitizers_registered(const struct ibv_mr *mr, unsigned access);

// Requests that are posted next. What is done before is done before their completions. Receives name
// their queue, which may be null.
void sanitizers_send(const struct ibv_qp *qp, const struct ibv_send_wr *wr,
    const struct ibv_sge *list, int entries);
void sanitizers_receive(
    const void *queue, const struct ibv_recv_wr *wr, const struct ibv_sge *list, int entries);

const void *sanitizers_receives(const struct ibv_qp *qp);
const void *sanitizers_shared_receives(const struct ibv_srq *srq); // Null for a work queue.

// So many of them, the last ones, are refused.
void sanitizers_refused_sends(const struct ibv_qp *qp, int64_t count);
void sanitizers_refused(const void *queue, int64_t count);

void sanitizers_created(const struct ibv_qp *qp);
void sanitizers_reset(const struct ibv_qp *qp);
void sanitizers_destroyed(const struct ibv_srq *srq);
void sanitizers_completed(const struct ibv_wc *wc);

// Ends the program, with a report, if the service has found something.
void sanitizers_report(void);
