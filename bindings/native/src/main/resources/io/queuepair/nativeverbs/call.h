// SPDX-License-Identifier: Apache-2.0
// Calls of the service that QUEUEPAIR_SERVICE names. Each thread has a mailbox in memory that it
// shares with the service.
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

// Arguments of a call besides the handle, separate for each thread. The next call overwrites them.
struct args {
  int64_t slots[ARGS_SLOTS];
  char bytes[ARGS_ROOM];
};

// Arguments of the calling thread; never null.
struct args *args(void);

// Names the verb of the next call of an entry that serves several verbs, for its refusals.
void set_verb(const char *verb);

struct mailbox;

// Calls an entry about an object; returns its result, or a negated errno. Posts of this process
// that wait for no answer are taken before.
int64_t call(enum entry entry, int64_t handle);

// Calls an entry that makes a descriptor, which the program then owns.
int64_t call_for_file(enum entry entry, int64_t handle, int *fd);

enum request { SEND_REQUEST, RECEIVE_REQUEST };

// Calls an entry that posts to a queue; sets *poster to the mailbox of this thread, by which it may
// post more without an answer.
int64_t call_to_post(
    enum entry entry, enum request kind, int64_t queue, struct mailbox **poster);

// Reserves room for a request of at most so many bytes, without an answer; mailbox_end_post posts
// it. Null if a call has to post it: the mailbox is not that of this thread, no call has posted to
// the queue lately, or there may be no room.
char *mailbox_begin_post(
    struct mailbox *mailbox, enum request kind, int64_t queue, size_t bytes);
void mailbox_end_post(struct mailbox *mailbox, enum request kind, int64_t queue, size_t bytes);

// Forgets the mailboxes of all threads: they are those of a former attachment, or of the parent.
void mailboxes_forget(void);

// Whether the service still answers this process, as far as that is known without a call.
bool mailboxes_are_answered(void);

// Set errno from a negative result, and return null, or the errno (0 if the result is none).
void *refused(int64_t result);
int errno_of(int64_t result);
