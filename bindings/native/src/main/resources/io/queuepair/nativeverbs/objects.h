// SPDX-License-Identifier: Apache-2.0
// The structures of the verbs with what we add to them. The first member is what programs see; the
// handle names the object of the service, and is NO_HANDLE once that is destroyed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"

enum { NO_HANDLE = -1 };

struct device {
  struct ibv_device base;
  // Other libraries look behind ibv_device for the operations of a driver that is theirs.
  void *no_driver[8];
  uint64_t guid;
  int index;
};

struct context {
  struct verbs_context base;
  int64_t handle, events; // The latter of what is read from async_fd.
  bool has_ended;         // The program has heard that the device is gone.
};

#define OBJECT(name)      \
  struct name {           \
    struct ibv_##name base; \
    int64_t handle;       \
  };
OBJECT(pd)
OBJECT(td)
OBJECT(xrcd)
OBJECT(mr)
OBJECT(mw)
OBJECT(dm)
OBJECT(ah)
OBJECT(rwq_ind_table)
OBJECT(flow)
#undef OBJECT

struct channel {
  struct ibv_comp_channel base;
  int64_t handle;
};

struct ring;

struct cq {
  struct ibv_cq_ex base;
  int64_t handle;
  struct ring *ring; // Where the service adds completions.
  uint32_t ring_entries;
  struct ring *resized; // The one before.
  uint32_t resized_entries;
  bool is_locked;
  uint32_t empty_polls, sleep_nanos; // Since one has found something.
  uint64_t idle_since, rested_at;    // When the program began to do nothing but poll; the last poll.
  uint32_t completions_reported, async_reported;
  // The completion that an extended queue shows.
  struct ibv_wc current;
  uint64_t timestamp, wallclock;
};

struct mailbox;

struct srq {
  struct ibv_srq base;
  int64_t handle;
  uint32_t async_reported;
  uint32_t max_sge;
  struct mailbox *receiver; // Of the thread that has posted last: only it may post without an answer.
  int64_t number; // -1 unless it is of XRC.
};

struct wq {
  struct ibv_wq base;
  int64_t handle;
  uint32_t async_reported;
};

struct flow_counters {
  struct ibv_counters base;
  int64_t handle;
};

struct batch;

struct qp {
  struct ibv_qp_ex base;
  int64_t handle;
  uint32_t async_reported;
  struct batch *batch; // Null unless it was created for extended posting.
  uint32_t peer;       // The number of the other one, if it is connected.
  uint32_t max_send_sge, max_recv_sge, max_inline_data;
  struct mailbox *sender, *receiver; // As of a shared receive queue.
  bool signals_all;       // Whether each send completes, also those without a flag.
};

static inline struct context *context_of(struct ibv_context *context) {
  return (struct context *)((char *)context - offsetof(struct context, base.context));
}

static inline struct ibv_cq *plain(struct cq *cq) { return (struct ibv_cq *)&cq->base; }

// The slot that says, where an object is made, to which context its events go.
enum { EVENTS_SLOT = 7 };

#define HANDLE(type, object) (((struct type *)(object))->handle)
#define HANDLE_OR_0(type, object) ((object) ? HANDLE(type, object) : 0)

// A new object full of zeros, or null with ENOMEM.
void *object_new(size_t bytes);

// Device memory of a handle, or null with ENOMEM.
struct ibv_dm *dm_new(struct ibv_context *context, int64_t handle);

// Frees an object that is destroyed, but not at once: a program that uses it by mistake is refused.
void object_free(void *object);

// Destroys the object of the service that a handle names, and then ours; an errno if that is refused.
int object_destroy(const char *verb, void *object, int64_t *handle);

// Ends an object of the service for a verb; a negated errno, or 0.
int64_t object_close(const char *verb, int64_t handle);
