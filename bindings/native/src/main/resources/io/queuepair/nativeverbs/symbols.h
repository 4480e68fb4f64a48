// SPDX-License-Identifier: Apache-2.0
// Functions that this library replaces.
#pragma once

// The next definition after that of this library; null if there is none.
void *next_symbol(const char *name);
