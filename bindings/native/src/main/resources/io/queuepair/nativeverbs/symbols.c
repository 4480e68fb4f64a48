// SPDX-License-Identifier: Apache-2.0
// Programs that look up verbs in libibverbs.so.1 (NCCL, MPI, DPDK) get those of this library.
#define _GNU_SOURCE
#include "symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export.h"

typedef void *dlsym_function(void *, const char *);
typedef void *dlvsym_function(void *, const char *, const char *);

// Replace those of libc: sanitizers intercept these, and call dlsym before their own work.
static bool equals(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static bool begins_with(const char *text, const char *prefix) {
  while (*prefix && *prefix == *text) prefix++, text++;
  return !*prefix;
}

static const char *last_name(const char *path) {
  const char *name = path;
  for (const char *c = path; *c; c++)
    if (*c == '/') name = c + 1;
  return name;
}

static uint32_t hash_of(const char *name) {
  uint32_t hash = 5381;
  for (; *name; name++) hash = hash * 33 + (unsigned char)*name;
  return hash;
}

// Finds a symbol in the table of a loaded library: dlsym itself cannot be asked for dlsym.
static void *find_in(const struct link_map *library, const char *name) {
  const ElfW(Sym) *symbols = NULL;
  const char *strings = NULL;
  const uint32_t *table = NULL;
  for (const ElfW(Dyn) *d = library->l_ld; d->d_tag != DT_NULL; d++) {
    if (d->d_tag == DT_SYMTAB) symbols = (const void *)d->d_un.d_ptr;
    if (d->d_tag == DT_STRTAB) strings = (const void *)d->d_un.d_ptr;
    if (d->d_tag == DT_GNU_HASH) table = (const void *)d->d_un.d_ptr;
  }
  if (!symbols || !strings || !table || !table[0]) return NULL;
  uint32_t count = table[0], first = table[1], bloom_words = table[2], hash = hash_of(name);
  const uint32_t *buckets = table + 4 + bloom_words * (sizeof(ElfW(Addr)) / sizeof *table);
  const uint32_t *chain = buckets + count;
  for (uint32_t i = buckets[hash % count]; i >= first && i; i++) {
    if ((chain[i - first] | 1) == (hash | 1) && equals(strings + symbols[i].st_name, name))
      return (void *)(library->l_addr + symbols[i].st_value);
    if (chain[i - first] & 1) break;
  }
  return NULL;
}

// Finds a function of glibc: since 2.34 in libc itself, before that in libdl.
static void *find_in_libc(const char *name) {
  for (const struct link_map *m = _r_debug.r_map; m; m = m->l_next) {
    const char *file = m->l_name ? last_name(m->l_name) : "";
    if (!begins_with(file, "libc.so.") && !begins_with(file, "libdl.so.")) continue;
    void *found = find_in(m, name);
    if (found) return found;
  }
  return NULL;
}

static dlsym_function *real_dlsym(void) {
  static dlsym_function *real;
  if (!real) *(void **)&real = find_in_libc("dlsym");
  return real;
}

void *next_symbol(const char *name) { return real_dlsym()(RTLD_NEXT, name); }

// Our definition of a verb, or null. RTLD_DEFAULT finds it anyway, and RTLD_NEXT must not.
static void *own(void *handle, const char *name) {
  if (handle == RTLD_NEXT || !name) return NULL;
  if (!begins_with(name, "ibv_") && !begins_with(name, "_ibv_")) return NULL;
  static void *self;
  Dl_info here, found;
  if (!dladdr((void *)(uintptr_t)&next_symbol, &here)) return NULL;
  if (!self) self = dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  void *symbol = self ? real_dlsym()(self, name) : NULL;
  // A handle also finds symbols of the libraries that this one needs.
  bool is_ours = symbol && dladdr(symbol, &found) && found.dli_fbase == here.dli_fbase;
  return is_ours ? symbol : NULL;
}

// The real functions look at their return address: a tail call must jump to them.
EXPORT void *dlsym(void *handle, const char *name) {
  void *symbol = own(handle, name);
  if (symbol) return symbol;
  return real_dlsym()(handle, name);
}

EXPORT void *dlvsym(void *handle, const char *name, const char *version) {
  static dlvsym_function *real;
  void *symbol = own(handle, name);
  if (symbol) return symbol;
  if (!real) *(void **)&real = find_in_libc("dlvsym");
  return real(handle, name, version);
}
