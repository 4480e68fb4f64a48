// SPDX-License-Identifier: Apache-2.0
// The signals of the program stay its own, with a JVM in its process.
#pragma once

#include <signal.h>

// Blocks all asynchronous signals in the calling thread.
void signals_block(sigset_t *before);

// Notes the actions of all signals, before the JVM sets some.
void signals_save(struct sigaction *before);

// Restores them. Faults go to the JVM where they are its own, and to the program otherwise.
void signals_take_over(const struct sigaction *before);
