// SPDX-License-Identifier: Apache-2.0
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void say(const char *format, va_list values) {
  char line[1024];
  int used = snprintf(line, sizeof line, "queuepair: ");
  int more = vsnprintf(line + used, sizeof line - (size_t)used - 1, format, values);
  size_t length = (size_t)used + (more > 0 ? (size_t)more : 0);
  if (length > sizeof line - 2) length = sizeof line - 2;
  line[length++] = '\n';
  if (write(STDERR_FILENO, line, length) < 0) return; // There is no other place to report it.
}

void message(const char *format, ...) {
  va_list values;
  va_start(values, format);
  say(format, values);
  va_end(values);
}

void explain(const char *format, ...) {
  if (!getenv("QUEUEPAIR_EXPLAIN")) return;
  va_list values;
  va_start(values, format);
  say(format, values);
  va_end(values);
}
