// SPDX-License-Identifier: Apache-2.0
// Calls of the service that QUEUEPAIR_SERVICE names: each thread has a mailbox in memory that it shares
// with it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENTRY(name) name,
enum entry {
#include "entries.h"
  ENTRIES
};
#undef ENTRY

enum { ARGS_BYTES = 64 << 10, ARGS_SLOTS = 8, ARGS_ROOM = ARGS_BYTES - ARGS_SLOTS * 8 };

// What goes with a call besides a handle, of each thread its own. Overwritten by the next call.
struct args {
  int64_t slots[ARGS_SLOTS];
  char bytes[ARGS_ROOM];
};

// Those of the calling thread; never null.
struct args *args(void);

// Says for which verb an entry is called that serves several: its refusals name it.
void set_verb(const char *verb);

struct mailbox;

// Calls an entry about an object: its result, or a negated errno. What this process has posted
// without an answer come first.
int64_t call(enum entry entry, int64_t handle);

// The same for what makes a descriptor, which the program owns then.
int64_t call_for_file(enum entry entry, int64_t handle, int *fd);

enum request { SEND_REQUEST, RECEIVE_REQUEST };

// Calls an entry that posts to a queue; the poster is the mailbox of this thread then, by which more
// may be posted without an answer.
int64_t call_to_post(
    enum entry entry, enum request kind, int64_t queue, struct mailbox **poster);

// Where a request goes whose answer is not awaited, with so many bytes at most; null if it has to be:
// if the mailbox is not that of this thread, no post to the queue was awaited lately, or there may be
// no room. It is posted by mailbox_end_post.
char *mailbox_begin_post(
    struct mailbox *mailbox, enum request kind, int64_t queue, size_t bytes);
void mailbox_end_post(struct mailbox *mailbox, enum request kind, int64_t queue, size_t bytes);

// In a forked child: the mailboxes are those of the parent.
void mailboxes_forget(void);

// Whether the service answers this process still, as far as that is known without a call.
bool mailboxes_are_answered(void);

// What a call says with errno: sets it, and returns null, or the errno itself.
void *refused(int64_t result);
int errno_of(int64_t result);
