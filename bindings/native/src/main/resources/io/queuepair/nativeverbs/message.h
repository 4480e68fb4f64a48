// SPDX-License-Identifier: Apache-2.0
// Lines on standard error.
#pragma once

void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Says it only if refusals are to be explained.
void explain(const char *format, ...) __attribute__((format(printf, 1, 2)));
