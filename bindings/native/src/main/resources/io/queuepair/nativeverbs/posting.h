// SPDX-License-Identifier: Apache-2.0
// Work requests on their way to the service. Each is a record: the structure of C, in which `next` is the
// bytes of the whole record, `sg_list` the bytes of inline data or NOT_COPIED, and pointers to
// objects are their handles; after it the entries, and then the inline data. What the entries of a
// small request name follows, too, if it is there: then `sg_list` are its bytes above IS_COPY.
#pragma once

#include "abi.h"
#include "call.h"

// Where the next record goes.
struct records {
  char *end;
  const char *limit;
  int count;
};

// Where the records of an awaited call go.
struct records records_in_args(void);

// Adds a record; ENOSPC if there is no room.
// `inline_data` replaces that of the entries, if any.
int records_add_send(struct records *records, const struct ibv_qp *qp,
    const struct ibv_send_wr *wr, const void *inline_data, size_t inline_bytes);
