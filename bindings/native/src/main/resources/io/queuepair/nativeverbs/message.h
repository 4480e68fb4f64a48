// SPDX-License-Identifier: Apache-2.0
// Lines printed on standard error.
#pragma once

void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Prints only if QUEUEPAIR_EXPLAIN is set.
void explain(const char *format, ...) __attribute__((format(printf, 1, 2)));
