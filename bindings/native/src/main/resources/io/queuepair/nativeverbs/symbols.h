// SPDX-License-Identifier: Apache-2.0
// What other libraries call a name that this one has, too.
#pragma once

// The definition behind ours; null if there is none.
void *next_symbol(const char *name);
