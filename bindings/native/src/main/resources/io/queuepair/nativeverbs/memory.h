// SPDX-License-Identifier: Apache-2.0
// Keys of memory of the program.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Whether a key is known to be of a region whose addresses are those of this process.
bool memory_is_named_by(uint32_t lkey);

// Forgets the keys, in a forked child: the regions are memory of the parent.
void memory_forget(void);
