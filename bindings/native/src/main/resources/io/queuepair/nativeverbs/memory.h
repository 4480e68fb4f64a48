// SPDX-License-Identifier: Apache-2.0
// Memory of the program.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether a range is mapped in this process, with the right to write it if that is wanted.
bool memory_is_accessible(void *address, size_t length, bool is_written);

// Whether a key is known to be of a region whose addresses are those of this process.
bool memory_is_named_by(uint32_t lkey);
