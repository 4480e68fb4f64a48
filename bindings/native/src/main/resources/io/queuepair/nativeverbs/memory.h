// SPDX-License-Identifier: Apache-2.0
// Memory of the program.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Whether a key is known to be of a region whose addresses are those of this process.
bool memory_is_named_by(uint32_t lkey);

// In a forked child: regions are of the memory of the parent.
void memory_forget(void);
