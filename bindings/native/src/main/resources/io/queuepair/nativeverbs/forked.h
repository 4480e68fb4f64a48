// SPDX-License-Identifier: Apache-2.0
// A process that was forked after its parent has used the device: a JVM does not survive that, and
// there can be no second, so that it asks its parent.
#pragma once

#include <stdint.h>

#include "jvm.h"

// Around each fork of a process with a JVM: for pthread_atfork.
void forked_prepare(void);
void forked_in_parent(void);
void forked_in_child(void);

// What a call of a forked process returns. Served is what concerns neither memory of the program nor
// events: questions about the device, and domains and device memory of the process itself.
int64_t forked_call(enum entry entry, int64_t handle);
