// SPDX-License-Identifier: Apache-2.0
// The connection of this process to the service that QUEUEPAIR_SERVICE names: made by the first call
// that needs a device, and again by a forked child, with the descriptors that it has from its parent.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "protocol.h"

// Attaches, unless it is attached; an errno, and once a line that says why not. To be called under
// the lock, as are the next three.
int attachment_open(void);

// Another chunk of mailboxes, the first at first; null if there are no more.
struct chunk *attachment_next_chunk(void);

// The descriptor that the service has sent before it answered a call; below 0, a negated errno.
int attachment_receive_file(void);

// The handle of what a descriptor is of, which another process may have opened; a negated errno.
int64_t attachment_adopt(int fd);

// Remembers for forked children whether a descriptor is of an open file of the service.
void attachment_keep(int fd, bool is_file);

// Keeps the /proc of the root, which the program is about to leave.
void attachment_keep_proc(void);

// Serializes what is sent and received beside mailboxes.
void attachment_lock(void);
void attachment_unlock(void);

// Maps memory that the service shares, and closes its descriptor; null with errno. Core files do not
// have it.
void *attachment_map(int fd, size_t bytes, bool is_written);

// Wakes the service if it sleeps. What it is to see must be stored before.
void attachment_ring(void);

// What the service shows of a device; null if it is not attached, or the device is none of the first.
const struct attributes *attachment_attributes(int device);

// Whether the service lives; null before there was an attachment: then there is no word to wait on.
bool attachment_is_alive(void);
uint32_t *attachment_life(void);

// In a child of a raw clone, which has not run the handlers of fork: does what they do.
void attachment_notice_clone(void);

// The number of this process, which it had when it was attached.
pid_t attachment_process(void);

// Says, once, that there is no device, and where the service has written why.
void attachment_explain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Asks the service something, as the command does: the length of the answer, or below 0.
ssize_t attachment_ask(const char *request, char *answer, size_t room);
