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

// Calls an entry about an object: its result, or a negated errno.
int64_t call(enum entry entry, int64_t handle);

// The same for what makes a descriptor, which the program owns then.
int64_t call_for_file(enum entry entry, int64_t handle, int *fd);

// In a forked child: the mailboxes are those of the parent.
void mailboxes_forget(void);

// Whether the service answers this process still, as far as that is known without a call.
bool mailboxes_are_answered(void);

// What a call says with errno: sets it, and returns null, or the errno itself.
void *refused(int64_t result);
int errno_of(int64_t result);
