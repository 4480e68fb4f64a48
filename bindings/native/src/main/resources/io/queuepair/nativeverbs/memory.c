// SPDX-License-Identifier: Apache-2.0
// Memory regions, memory windows and the memory of the device.
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "call.h"
#include "context_ops.h"
#include "export.h"
#include "message.h"
#include "objects.h"
#include "posting.h"
#include "sanitizers.h"
#include "valgrind.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

// Memory to be written is touched up to this length; for longer ranges /proc/self/maps is read.
enum { MAX_TOUCHED_BYTES = 64 << 20 };

// Bytes touched at once: Linux locks the memory meanwhile, for which the service may have to wait.
static const size_t PIECE_BYTES = 2 << 20;

// Whether /proc/self/maps gives a right to a whole range; true if it cannot be read.
static bool is_mapped(uintptr_t start, size_t length, char right) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps) return true;
  uintptr_t next = start, from, to; // All before `next` has the right.
  char line[512], rights[5];
  while (next < start + length && fgets(line, sizeof line, maps)) {
    if (sscanf(line, "%zx-%zx %4s", &from, &to, rights) != 3 || to <= next) continue;
    if (from > next || !strchr(rights, right)) break;
    next = to;
  }
  fclose(maps);
  return next >= start + length;
}

// Whether a range is mapped in this process, and can be written or, if `is_written` is false, read.
static bool is_accessible(void *address, size_t length, bool is_written) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = (uintptr_t)address & ~(page - 1), end = (uintptr_t)address + length;
  if (end < (uintptr_t)address) return false;
  if (length == 0) return true;
  int before = errno;
  int advice = is_written ? MADV_POPULATE_WRITE : MADV_POPULATE_READ;
  while (start < end) {
    size_t piece = end - start < PIECE_BYTES ? end - start : PIECE_BYTES;
    if (madvise((void *)start, piece, advice)) break;
    start += piece;
  }
  bool is = start == end;
  // EINVAL: a right is missing, Linux is older than 5.14, or the memory is of another device.
  if (!is && errno == EINVAL) is = is_mapped(start, end - start, is_written ? 'w' : 'r');
  errno = before;
  return is;
}

// Whether a range has the rights that its registration needs; the kernel, too, refuses others with
// EFAULT. On-demand memory need not be mapped yet.
static bool is_registrable(void *address, size_t length, int access) {
  if (access & IBV_ACCESS_ON_DEMAND) return true;
  bool is_written = access & IBV_ACCESS_LOCAL_WRITE, is_long = length > MAX_TOUCHED_BYTES;
  return is_accessible(address, length, is_written && !is_long) &&
      (!is_written || !is_long || is_mapped((uintptr_t)address, length, 'w'));
}

// Hash table of the keys of regions whose addresses are those of this process. A key that finds its
// place taken replaces the other one, which is then unknown.
enum { KEY_BITS = 10 };
static uint32_t known_keys[1 << KEY_BITS];

static uint32_t *place_of(uint32_t lkey) {
  return &known_keys[lkey * 2654435769u >> (32 - KEY_BITS)];
}

bool memory_is_named_by(uint32_t lkey) {
  return lkey && __atomic_load_n(place_of(lkey), __ATOMIC_RELAXED) == lkey;
}

void memory_forget(void) { memset(known_keys, 0, sizeof known_keys); }

static void forget_key(uint32_t lkey) {
  if (memory_is_named_by(lkey)) __atomic_store_n(place_of(lkey), 0, __ATOMIC_RELAXED);
}

// Explains which page of a range lacks the rights that its registration needs.
static void explain_unregistrable(
    const char *verb, const void *address, size_t length, int access) {
  if (!getenv("QUEUEPAIR_EXPLAIN")) return;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t at = (uintptr_t)address & ~(page - 1), end = (uintptr_t)address + length;
  bool is_written = access & IBV_ACCESS_LOCAL_WRITE;
  if (end < (uintptr_t)address) {
    explain("%s: EFAULT: %zu bytes from %p are more than there can be", verb, length, address);
    return;
  }
  while (at < end && is_accessible((void *)at, 1, is_written)) at += page;
  explain("%s: EFAULT: page %#zx of the range is not %s", verb, (size_t)at,
      is_accessible((void *)at, 1, false) ? "writable; LOCAL_WRITE asks for that"
                                                 : "mapped, or not readable");
}

static struct ibv_mr *add_mr(struct ibv_pd *pd, int64_t handle, void *address, size_t length) {
  const struct args *found = args();
  return OBJECT_OF(mr, handle,
      .base = {.context = pd->context, .pd = pd, .addr = address, .length = length,
          .handle = (uint32_t)handle, .lkey = (uint32_t)found->slots[0],
          .rkey = (uint32_t)found->slots[1]});
}

static struct ibv_mr *reg(const char *verb, struct ibv_pd *pd, void *address, size_t length,
    uint64_t iova, unsigned access) {
  if (!is_registrable(address, length, (int)access)) {
    explain_unregistrable(verb, address, length, (int)access);
    return refused(-EFAULT);
  }
  struct args *with = args();
  with->slots[0] = (intptr_t)address;
  with->slots[1] = (int64_t)length;
  with->slots[2] = (int64_t)iova;
  with->slots[3] = access;
  set_verb(verb);
  struct ibv_mr *mr = add_mr(pd, call(REG_MR, HANDLE(pd, pd)), address, length);
  if (mr && iova == (uintptr_t)address)
    __atomic_store_n(place_of(mr->lkey), mr->lkey, __ATOMIC_RELAXED);
  if (mr) sanitizers_registered(mr, access);
  return mr;
}

EXPORT struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access) {
  uint64_t iova = access & IBV_ACCESS_ZERO_BASED ? 0 : (uintptr_t)address;
  return reg("ibv_reg_mr", pd, address, length, iova, (unsigned)access);
}

EXPORT struct ibv_mr *ibv_reg_mr_iova(
    struct ibv_pd *pd, void *address, size_t length, uint64_t iova, int access) {
  return reg("ibv_reg_mr_iova", pd, address, length, iova, (unsigned)access);
}

EXPORT struct ibv_mr *ibv_reg_mr_iova2(
    struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned access) {
  // The macro ibv_reg_mr of verbs.h calls this function, too.
  const char *verb = iova == (uintptr_t)address ? "ibv_reg_mr" : "ibv_reg_mr_iova2";
  return reg(verb, pd, address, length, iova, access);
}

EXPORT int ibv_dereg_mr(struct ibv_mr *base) {
  forget_key(base->lkey);
  return object_destroy("ibv_dereg_mr", base, &HANDLE(mr, base));
}

EXPORT int ibv_rereg_mr(
    struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *address, size_t length, int access) {
  bool moves = flags & IBV_REREG_MR_CHANGE_TRANSLATION;
  int present = flags & IBV_REREG_MR_CHANGE_ACCESS ? access : 0;
  if (moves && (!address || !length)) {
    errno = EINVAL;
    return IBV_REREG_MR_ERR_INPUT;
  }
  if (moves && !is_registrable(address, length, present)) {
    explain_unregistrable("ibv_rereg_mr", address, length, present);
    errno = EFAULT;
    return IBV_REREG_MR_ERR_CMD;
  }
  struct args *with = args();
  with->slots[0] = flags;
  // Arguments whose flag is not set may be uninitialized.
  with->slots[1] = flags & IBV_REREG_MR_CHANGE_PD ? HANDLE_OR_0(pd, pd) : 0;
  with->slots[2] = (intptr_t)address;
  with->slots[3] = (int64_t)length;
  with->slots[4] = access;
  if (moves) forget_key(mr->lkey);
  int64_t result = call(REREG_MR, HANDLE(mr, mr));
  if (errno_of(result))
    return args()->slots[2] ? IBV_REREG_MR_ERR_INPUT : IBV_REREG_MR_ERR_CMD;
  mr->lkey = (uint32_t)args()->slots[0];
  mr->rkey = (uint32_t)args()->slots[1];
  if (flags & IBV_REREG_MR_CHANGE_PD) mr->pd = pd;
  if (moves) {
    mr->addr = address;
    mr->length = length;
    sanitizers_registered(mr, (unsigned)present);
  }
  return 0;
}

struct ibv_mr *alloc_null_mr(struct ibv_pd *pd) {
  return add_mr(pd, call(ALLOC_NULL_MR, HANDLE(pd, pd)), NULL, 0);
}

int advise_mr(
    struct ibv_pd *pd, int advice, uint32_t flags, struct ibv_sge *list, uint32_t count) {
  if (count > ARGS_ROOM / sizeof *list) return EINVAL;
  struct args *with = args();
  with->slots[0] = advice;
  with->slots[1] = flags;
  with->slots[2] = count;
  memcpy(with->bytes, list, count * sizeof *list);
  return errno_of(call(ADVISE_MR, HANDLE(pd, pd)));
}

struct ibv_mw *alloc_mw(struct ibv_pd *pd, int type) {
  args()->slots[0] = type;
  int64_t handle = call(ALLOC_MW, HANDLE(pd, pd));
  return OBJECT_OF(mw, handle,
      .base = {.context = pd->context, .pd = pd, .handle = (uint32_t)handle,
          .rkey = (uint32_t)args()->slots[0], .type = type});
}

int dealloc_mw(struct ibv_mw *base) {
  return object_destroy("ibv_dealloc_mw", base, &HANDLE(mw, base));
}

int bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind) {
  struct args *with = args();
  struct ibv_mw_bind wanted;
  memcpy(&wanted, bind, sizeof wanted);
  with->slots[0] = HANDLE(mw, mw);
  with->slots[1] = HANDLE_OR_0(mr, wanted.bind_info.mr);
  memcpy(with->bytes, &wanted, sizeof wanted);
  struct poster *sender = &((struct qp *)qp)->sender;
  poster_lock(sender);
  sender->mailbox = NULL;
  int error = errno_of(call(BIND_MW, HANDLE(qp, qp)));
  poster_unlock(sender);
  if (!error) mw->rkey = (uint32_t)args()->slots[0];
  return error;
}

static int copy_dm(struct ibv_dm *dm, bool is_to, uint64_t offset, const void *memory,
    size_t length) {
  struct args *with = args();
  with->slots[0] = is_to;
  with->slots[1] = (int64_t)offset;
  with->slots[2] = (intptr_t)memory;
  with->slots[3] = (int64_t)length;
  return errno_of(call(COPY_DM, HANDLE(dm, dm)));
}

static int copy_to_dm(struct ibv_dm *dm, uint64_t offset, const void *from, size_t length) {
  return copy_dm(dm, true, offset, from, length);
}

static int copy_from_dm(void *to, struct ibv_dm *dm, uint64_t offset, size_t length) {
  int error = copy_dm(dm, false, offset, to, length);
  if (!error) valgrind_define(to, length);
  return error;
}

struct ibv_dm *dm_new(struct ibv_context *context, int64_t handle) {
  return OBJECT_OF(dm, handle,
      .base = {.context = context, .memcpy_to_dm = copy_to_dm, .memcpy_from_dm = copy_from_dm,
          .handle = (uint32_t)handle});
}

struct ibv_dm *alloc_dm(struct ibv_context *context, struct ibv_alloc_dm_attr *from) {
  struct ibv_alloc_dm_attr copy, *attr = &copy;
  memcpy(attr, from, sizeof *attr);
  if (attr->comp_mask) return refused(-EOPNOTSUPP);
  args()->slots[0] = (int64_t)attr->length;
  args()->slots[1] = attr->log_align_req;
  return dm_new(context, call(ALLOC_DM, context_of(context)->handle));
}

int free_dm(struct ibv_dm *base) {
  return object_destroy("ibv_free_dm", base, &HANDLE(dm, base));
}

struct ibv_mr *reg_dm_mr(
    struct ibv_pd *pd, struct ibv_dm *dm, uint64_t offset, size_t length, unsigned access) {
  struct args *with = args();
  with->slots[0] = HANDLE(dm, dm);
  with->slots[1] = (int64_t)offset;
  with->slots[2] = (int64_t)length;
  with->slots[3] = access;
  return add_mr(pd, call(REG_DM_MR, HANDLE(pd, pd)), NULL, length);
}
