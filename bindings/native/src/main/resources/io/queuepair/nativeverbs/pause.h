// SPDX-License-Identifier: Apache-2.0
// Pauses of a loop that waits for another process.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __x86_64__
#define PAUSE() __builtin_ia32_pause()
#else
#define PAUSE() __asm__ volatile("yield")
#endif

// Yields the processor, which the other process may need; returns whether it was back soon. If not,
// another program uses the processor for whole time slices: then, and for some calls more, sleeping
// is better. `now` is the time before; if the processor was yielded, it becomes the time after.
bool yield_briefly(uint64_t *now);

// Nanoseconds of the monotonic clock.
uint64_t nanos_now(void);

// Sleeps while a word has a value, until another process wakes it, or for `nanos`.
void sleep_while(uint32_t *word, uint32_t value, uint64_t nanos);
