// SPDX-License-Identifier: Apache-2.0
// The Java virtual machine inside this process: started by the first call that needs a device. What
// its functions do is said in call.h.
#pragma once

#include "call.h"

struct args *jvm_args(void);
int64_t jvm_call(enum entry entry, int64_t handle);
int64_t jvm_call_fast(enum entry entry, int64_t handle);
void jvm_stop_at_exit(void);

// Whether there is a JVM in this process, which a forked child has not.
bool jvm_is_running(void);

// Whether the calling thread runs code of Java now, or is one of the JVM's own.
bool jvm_owns_thread(void);
