// SPDX-License-Identifier: Apache-2.0
// Calls of Java: by the service that QUEUEPAIR_SERVICE names, or by the JVM inside this process.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENTRY(name, class, method) name,
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

// Calls a method of Java about an object: its result, or a negated errno. While it runs the thread
// takes no asynchronous signal, since threads that a JVM in this process starts inherit what it
// blocks.
int64_t call(enum entry entry, int64_t handle);

// The same for what starts no thread and is called again and again.
int64_t call_fast(enum entry entry, int64_t handle);

// The same for what makes a descriptor, if there is a service: the program owns it then.
int64_t call_for_file(enum entry entry, int64_t handle, int *fd);

// Whether a service answers, which has the other ends of events, and completions in shared memory.
bool has_service(void);

// There may be peers from now on, which hear of the end of the process.
void stop_at_exit(void);

// Whether a device has been used in this process.
bool has_device(void);

// What a call says with errno: sets it, and returns null, or the errno itself.
void *refused(int64_t result);
int errno_of(int64_t result);
