// SPDX-License-Identifier: Apache-2.0
// Work requests on their way to the service. Each is a record: the structure of C, in which `next`
// is the size of the record in bytes, `sg_list` the size of inline data or NOT_COPIED, and pointers
// to objects are their handles. The entries follow, and then the inline data. For a small request
// it may be a copy of the data that its entries name: then `sg_list` is IS_COPY plus its size.
#pragma once

#include "abi.h"
#include "call.h"

// Place for the next record.
struct records {
  char *end;
  const char *limit;
  int count;
  bool is_without_data; // Whether the data that entries name is left to the service.
};

// Let one thread at a time post to a queue: what it may post without an answer is not for others. A
// signal handler of that thread may post, too, and may leave a post by siglongjmp.
struct poster;
void poster_lock(struct poster *poster);
void poster_unlock(struct poster *poster);

// Records in the arguments of a call.
struct records records_in_args(void);

// Adds a record; ENOSPC if there is no room. `inline_data`, unless null, replaces the data of the
// entries.
int records_add_send(struct records *records, const struct ibv_qp *qp,
    const struct ibv_send_wr *wr, const void *inline_data, size_t inline_bytes);
