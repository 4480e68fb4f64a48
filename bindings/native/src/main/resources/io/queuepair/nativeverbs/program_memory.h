// SPDX-License-Identifier: Apache-2.0
// Copies between memory of the program and ours: where the program has none, the kernel would say
// EFAULT, and so do these.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Each is false, with errno EFAULT, if the program cannot read or write its end. In a JVM that runs a
// program in Java the faults are the JVM's own: these then copy without a guard.
bool read_program(void *into, const void *from, size_t bytes);
bool write_program(void *into, const void *from, size_t bytes);

// For the handler of a fault, with its third argument: whether the fault is of such a copy, which then
// ends there.
bool program_memory_fault(void *context);
