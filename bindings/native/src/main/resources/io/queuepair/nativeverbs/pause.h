// SPDX-License-Identifier: Apache-2.0
// What a loop does that waits for another process.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __x86_64__
#define PAUSE() __builtin_ia32_pause()
#else
#define PAUSE() __asm__ volatile("yield")
#endif

// Gives the processor away, which the other process may need; whether it came back soon. Otherwise
// another program uses it, and would have it for whole slices of time: then, and for some calls more,
// the answer is that it is better to sleep. `now` is the time before, and becomes that after it.
bool yield_briefly(uint64_t *now);

// The monotonic clock.
uint64_t nanos_now(void);

// Sleeps while a word that another process wakes has a value, and so long at most.
void sleep_while(uint32_t *word, uint32_t value, uint64_t nanos);
