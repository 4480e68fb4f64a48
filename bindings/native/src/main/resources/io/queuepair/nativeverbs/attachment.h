// SPDX-License-Identifier: Apache-2.0
// Connection of this process to the service that QUEUEPAIR_SERVICE names. The first call that needs
// a device makes it; a forked child makes its own, and passes the descriptors that it has from its
// parent.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "protocol.h"

// Attaches, unless attached; returns an errno, after one line with the reason. Called under the
// lock, as are the next three.
int attachment_open(void);

// Forgets the attachment if the program has closed its descriptors: the next call attaches again.
// Objects of before end with the descriptors of their contexts.
void attachment_renew(void);

// Next chunk of mailboxes, at first the one received by attaching; null if there are no more.
struct chunk *attachment_next_chunk(void);

// Receives the descriptor that the service has sent before its answer; below 0, a negated errno.
int attachment_receive_file(void);

// Handle of a descriptor's object, perhaps opened by another process; or a negated errno.
int64_t attachment_adopt(int fd);

// Records for forked children whether a descriptor is of an open file of the service.
void attachment_keep(int fd, bool is_file);

// Keeps /proc open before the program changes its root.
void attachment_keep_proc(void);

// Guards messages to the service, and which thread has which mailbox. Blocks signals and cancels.
void attachment_lock(void);
void attachment_unlock(void);

// Maps memory that the service shares, and closes its descriptor; null with errno. Excludes it from
// core files.
void *attachment_map(int fd, size_t bytes, bool is_written);

// Wakes the service if it sleeps. Whatever the service must see is stored before.
void attachment_ring(void);

// Attributes of a device that the service shares; null if not attached, or for later devices.
const struct attributes *attachment_attributes(int device);

// Whether the service lives and has not ended this program, of which this says once why. False
// before the attachment.
bool attachment_is_alive(void);

// Does what the handlers of fork do, in a child of a raw clone, which has not run them.
void attachment_notice_clone(void);

// Process id at the time of the attachment.
pid_t attachment_process(void);

// Prints, once, why there is no device, and the name of the service's log.
void attachment_explain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Sends a request as the command queuepair service does; the length of the answer, or below 0.
ssize_t attachment_ask(const char *request, char *answer, size_t room);
