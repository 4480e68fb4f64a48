// SPDX-License-Identifier: Apache-2.0
// Compares the table of the ABI with the declarations: ours, or with SYSTEM_VERBS the system's.
#ifdef SYSTEM_VERBS
#include <infiniband/verbs.h>
#else
#include "abi.h"
#endif

#include <pthread.h>

// Bytes of a mutex beyond those of x86-64: 8 on aarch64.
#define MORE (sizeof(pthread_mutex_t) - 40)

#define SIZE(type, bytes) _Static_assert(sizeof(struct type) == bytes, "size of " #type);
#define FIELD(type, field, bytes) \
  _Static_assert(offsetof(struct type, field) == bytes, "offset of " #type "." #field);
#define SIZE_WITH_MUTEX(type, bytes) SIZE(type, (bytes) + MORE)
#define FIELD_BEHIND_MUTEX(type, field, bytes) FIELD(type, field, (bytes) + MORE)
#define VALUE(name, value) _Static_assert((int)name == value, #name);
#ifdef SYSTEM_VERBS
#define SIZE_OF_NEWER(type, bytes)
#define FIELD_OF_NEWER(type, field, bytes)
#define VALUE_OF_NEWER(name, value)
#else
#define SIZE_OF_NEWER(type, bytes) SIZE_WITH_MUTEX(type, bytes)
#define FIELD_OF_NEWER(type, field, bytes) FIELD_BEHIND_MUTEX(type, field, bytes)
#define VALUE_OF_NEWER(name, value) VALUE(name, value)
#endif

#include "abi_layout.h"
