// SPDX-License-Identifier: Apache-2.0
// Verbs that the device does not offer. libibverbs must not see them: it would take objects of this
// library for those of a driver.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "export.h"
#include "message.h"

static bool is_librdmacm(const void *code) {
  Dl_info library;
  return dladdr(code, &library) && library.dli_fname && strstr(library.dli_fname, "librdmacm.so");
}

// librdmacm tries verbs that no program has asked for, and does without them. A line about that
// would be mistaken for the cause of another problem.
static void refuse(const char *verb, const void *caller) {
  if (!is_librdmacm(caller)) explain("%s: EOPNOTSUPP: the device does not offer it", verb);
  errno = EOPNOTSUPP;
}

#define NULL_VERB(name)                                                 \
  EXPORT void *name(void);                                              \
  EXPORT void *name(void) {                                             \
    refuse(#name, __builtin_return_address(0));                         \
    return NULL;                                                        \
  }

#define ERRNO_VERB(name)                                                \
  EXPORT int name(void);                                                \
  EXPORT int name(void) {                                               \
    refuse(#name, __builtin_return_address(0));                         \
    return EOPNOTSUPP;                                                  \
  }

// Returns a file descriptor, so that -1 is the error.
EXPORT int ibv_dm_export_dmabuf_fd(void);
EXPORT int ibv_dm_export_dmabuf_fd(void) {
  explain("ibv_dm_export_dmabuf_fd: EOPNOTSUPP: the device does not offer it");
  errno = EOPNOTSUPP;
  return -1;
}

NULL_VERB(ibv_reg_dmabuf_mr)
ERRNO_VERB(ibv_set_ece)
ERRNO_VERB(ibv_query_ece)

// Verbs of releases after 44.
NULL_VERB(ibv_alloc_dmah)
ERRNO_VERB(ibv_dealloc_dmah)
ERRNO_VERB(ibv_query_port_speed)
NULL_VERB(ibv_create_comp_cntr)
ERRNO_VERB(ibv_destroy_comp_cntr)
ERRNO_VERB(ibv_qp_attach_comp_cntr)
