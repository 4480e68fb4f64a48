// SPDX-License-Identifier: Apache-2.0
// Structures of the verbs with members of this library. Programs see the first member. The handle
// names the object of the service; it is NO_HANDLE once the object is destroyed.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"

enum { NO_HANDLE = -1 };

struct device {
  struct ibv_device base;
  // Other libraries look here, after ibv_device, for the operations of their own drivers.
  void *no_driver[8];
  uint64_t guid;
  int index;
};

// Writes for a call the address whose device the program has chosen, or nothing.
void put_wanted_address(void);

struct context {
  struct verbs_context base;
  int64_t handle, events; // Handles of the context and of its asynchronous events.
  bool has_ended;         // Whether the program closes it, or knows that the service has ended it.
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
  bool is_locked;
  uint32_t empty_polls, sleep_nanos; // Since the last completion.
  uint64_t idle_since, rested_at;    // Begin of polling without other work; time of the last poll.
  uint32_t completions_reported, async_reported;
  // Current completion of an extended queue.
  struct ibv_wc current;
  uint64_t timestamp, wallclock;
};

struct mailbox;

// Of a queue, the mailbox of its last poster, which alone may post without an answer; and the
// thread that posts now, or 0.
struct poster {
  struct mailbox *mailbox;
  pthread_t thread;
};

struct srq {
  struct ibv_srq base;
  int64_t handle;
  uint32_t async_reported;
  uint32_t max_sge;
  struct poster receiver;
  int64_t number; // XRC SRQ number; -1 if not of XRC.
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
  struct batch *batch; // Null unless created for extended posting.
  uint32_t peer;       // QP number of the peer, if connected.
  uint32_t max_send_sge, max_recv_sge, max_inline_data;
  struct poster sender, receiver;
  bool signals_all;       // Whether all sends are signaled (sq_sig_all).
};

static inline struct context *context_of(struct ibv_context *context) {
  return (struct context *)((char *)context - offsetof(struct context, base.context));
}

static inline struct ibv_cq *plain(struct cq *cq) { return (struct ibv_cq *)&cq->base; }

// Slot of a creating call with the handle for events of its context.
enum { EVENTS_SLOT = 7 };

#define HANDLE(type, object) (((struct type *)(object))->handle)
#define HANDLE_OR_0(type, object) ((object) ? HANDLE(type, object) : 0)

// New object full of zeros; null with ENOMEM.
void *object_new(size_t bytes);

// New object of a handle, with members; null with errno, also if the handle is a negated errno.
void *object_of(int64_t handle, const void *members, size_t bytes);
#define OBJECT_OF(type, of, ...) \
  object_of(of, &(struct type){__VA_ARGS__, .handle = (of)}, sizeof(struct type))

// Structure for device memory with a handle; null with ENOMEM.
struct ibv_dm *dm_new(struct ibv_context *context, int64_t handle);

// Frees a destroyed object, but not at once: a program that still uses it by mistake is refused.
void object_free(void *object);

// Destroys an object of the service, and then its structure; an errno if the service refuses.
int object_destroy(const char *verb, void *object, int64_t *handle);

// No verb: closes what a closed descriptor was of, if the service has not seen its end already.
#define DESCRIPTOR_CLOSED ""

// Closes an object of the service for a verb; 0 or a negated errno.
int64_t object_close(const char *verb, int64_t handle);
