// SPDX-License-Identifier: Apache-2.0
// Calls of the service: each thread has a mailbox in memory that it shares with it.
#pragma once

#include "call.h"

struct args *mailbox_args(void);
int64_t mailbox_call(enum entry entry, int64_t handle);
int64_t mailbox_call_for_file(enum entry entry, int64_t handle, int *fd);

// Whether the service answers this process still, as far as that is known without a call.
bool mailboxes_are_answered(void);

// In a forked child: the mailboxes are those of the parent.
void mailboxes_forget(void);
