// SPDX-License-Identifier: Apache-2.0
// Devices, contexts, and queries about them.
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attachment.h"
#include "call.h"
#include "context_ops.h"
#include "events.h"
#include "export.h"
#include "message.h"
#include "objects.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct device *devices;
static int device_count;

void put_wanted_address(void) {
  const char *wanted = getenv("QUEUEPAIR_ADDRESS");
  snprintf(args()->bytes, sizeof args()->bytes, "%s", wanted ? wanted : "");
}

// Asks for one of the devices that this process may see; returns their number, or a negated errno.
static int64_t ask_for(int place) {
  put_wanted_address();
  return call(DEVICE_INFO, place);
}

static void describe(struct device *device) {
  const struct args *about = args();
  int index = device->index = (int)about->slots[3];
  device->guid = (uint64_t)about->slots[0];
  device->base.node_type = (int)about->slots[1];
  device->base.transport_type = (int)about->slots[2];
  memcpy(device->base.name, about->bytes, sizeof device->base.name - 1);
  snprintf(device->base.dev_name, sizeof device->base.dev_name, "uverbs%d", index);
  snprintf(device->base.dev_path, sizeof device->base.dev_path,
      "/sys/class/infiniband_verbs/uverbs%d", index);
  snprintf(device->base.ibdev_path, sizeof device->base.ibdev_path, "/sys/class/infiniband/%s",
      device->base.name);
}

// Finds the devices once, as programs may keep pointers to them; below 0, a negated errno.
static int64_t find_devices(void) {
  attachment_renew();
  pthread_mutex_lock(&lock);
  int64_t count = ask_for(0); // Each time: the service may have ended.
  if (!devices && count > 0) {
    devices = calloc((size_t)count, sizeof *devices);
    device_count = devices ? (int)count : 0;
    for (int i = 0; i < device_count; i++) {
      ask_for(i);
      describe(&devices[i]);
    }
  }
  pthread_mutex_unlock(&lock);
  return count;
}

EXPORT struct ibv_device **ibv_get_device_list(int *count) {
  if (count) *count = 0;
  int64_t result = find_devices();
  if (result == -EINVAL)
    message("QUEUEPAIR_ADDRESS=%s: no device of the service has it", getenv("QUEUEPAIR_ADDRESS"));
  if (result < 0) return refused(result == -ENODEV ? -ENOSYS : result);
  struct ibv_device **list = calloc((size_t)device_count + 1, sizeof *list);
  if (!list) return NULL;
  for (int i = 0; i < device_count; i++) list[i] = &devices[i].base;
  if (count) *count = device_count;
  return list;
}

EXPORT void ibv_free_device_list(struct ibv_device **list) { free(list); }

EXPORT const char *ibv_get_device_name(struct ibv_device *device) { return device->name; }

EXPORT uint64_t ibv_get_device_guid(struct ibv_device *device) {
  return htobe64(((struct device *)device)->guid);
}

EXPORT int ibv_get_device_index(struct ibv_device *device) {
  return ((struct device *)device)->index;
}

// Fork needs no preparation: no registered memory is withheld from children.
EXPORT int ibv_fork_init(void) { return 0; }

EXPORT int ibv_is_fork_initialized(void) { return IBV_FORK_UNNEEDED; }

// Reads a file of sysfs, without its final newline; returns its length, or -1.
EXPORT int ibv_read_sysfs_file(const char *dir, const char *file, char *into, size_t size) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", dir, file);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t length = read(fd, into, size);
  close(fd);
  if (length > 0 && into[length - 1] == '\n') into[--length] = 0;
  if (length >= 0 && length < (ssize_t)size) into[length] = 0;
  return (int)length;
}

// Creates the structure of a context of the service, whose file is cmd_fd; null with errno.
static struct ibv_context *new_context(int64_t handle, int cmd_fd) {
  struct context *context = object_new(sizeof *context);
  if (!context) return NULL;
  struct ibv_context *base = &context->base.context;
  context->handle = handle;
  context->events = call_for_file(ALLOC_ASYNC_EVENTS, handle, &base->async_fd);
  if (context->events < 0) {
    int64_t result = context->events;
    object_free(context);
    return refused(result);
  }
  for (int i = 0; i < device_count; i++)
    if (devices[i].index == args()->slots[0]) base->device = &devices[i].base;
  base->cmd_fd = cmd_fd;
  base->num_comp_vectors = 1;
  pthread_mutex_init(&base->mutex, NULL);
  context_set_operations(context);
  attachment_keep(cmd_fd, true);
  return base;
}

EXPORT struct ibv_context *ibv_open_device(struct ibv_device *device) {
  attachment_renew();
  int fd = -1;
  int64_t handle = call_for_file(OPEN_DEVICE, ((struct device *)device)->index, &fd);
  if (handle < 0) return refused(handle);
  struct ibv_context *context = new_context(handle, fd);
  if (!context) close(fd);
  return context;
}

// Takes ownership of the descriptor, as libibverbs does.
EXPORT struct ibv_context *ibv_import_device(int cmd_fd) {
  int64_t handle = find_devices();
  if (handle < 0) return refused(handle);
  attachment_lock();
  handle = attachment_adopt(cmd_fd);
  attachment_unlock();
  return handle < 0 ? refused(handle) : new_context(handle, cmd_fd);
}

// Objects in the service end with the context's last descriptor, perhaps of another process.
EXPORT int ibv_close_device(struct ibv_context *base) {
  struct context *context = context_of(base);
  if (context->handle == NO_HANDLE) return errno_of(-EINVAL);
  context->has_ended = true; // For a thread that waits for an event.
  close(base->async_fd);
  object_close("ibv_close_device", context->events);
  attachment_keep(base->cmd_fd, false);
  close(base->cmd_fd);
  object_close(DESCRIPTOR_CLOSED, context->handle);
  context->handle = NO_HANDLE;
  object_free(context);
  return 0;
}

// Copies a structure to that of a program, which may be shorter or longer; a longer one gets zeros
// at its end. Returns 0.
static int copy_out(void *to, size_t room, const void *from, size_t size) {
  static const char zeros[sizeof(struct ibv_device_attr_ex)];
  size_t known = room < size ? room : size;
  memcpy(to, from, known);
  for (size_t done = known, part; done < room; done += part) {
    part = room - done < sizeof zeros ? room - done : sizeof zeros;
    memcpy((char *)to + done, zeros, part);
  }
  return 0;
}

// Copies a part of a device's shared attributes; false if a call has to ask for it.
static bool read_shown(struct ibv_context *base, size_t at, void *into, size_t size) {
  const struct context *context = context_of(base);
  const struct attributes *shown =
      attachment_attributes(((struct device *)base->device)->index);
  if (!shown || context->handle == NO_HANDLE || !mailboxes_are_answered()) return false;
  uint32_t version = __atomic_load_n(&shown->version, __ATOMIC_ACQUIRE);
  memcpy(into, (const char *)shown + at, size);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return version && version % 2 == 0 &&
      version == __atomic_load_n(&shown->version, __ATOMIC_RELAXED);
}

#define READ_SHOWN(context, member, into) \
  read_shown(context, offsetof(struct attributes, member), into, sizeof *(into))

static int find_device_attributes(struct ibv_context *context, struct ibv_device_attr_ex *into) {
  if (READ_SHOWN(context, device, into)) return 0;
  int error = errno_of(call(QUERY_DEVICE_EX, context_of(context)->handle));
  if (!error) memcpy(into, args()->bytes, sizeof *into);
  return error;
}

EXPORT int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr) {
  struct ibv_device_attr_ex found;
  int error = find_device_attributes(context, &found);
  return error ? error : copy_out(attr, sizeof *attr, &found.orig_attr, sizeof *attr);
}

int query_device_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
    struct ibv_device_attr_ex *attr, size_t size) {
  uint32_t mask = 0;
  if (input) mask = input->comp_mask;
  if (mask) return EINVAL;
  if (size < offsetof(struct ibv_device_attr_ex, comp_mask) + sizeof attr->comp_mask)
    return EINVAL;
  struct ibv_device_attr_ex found;
  int error = find_device_attributes(context, &found);
  return error ? error : copy_out(attr, size, &found, sizeof found);
}

int query_port(
    struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t size) {
  struct ibv_port_attr found;
  if (port != 1 || !READ_SHOWN(context, port, &found)) {
    args()->slots[0] = port;
    int error = errno_of(call(QUERY_PORT, context_of(context)->handle));
    if (error) return error;
    memcpy(&found, args()->bytes, sizeof found);
  }
  return copy_out(attr, size, &found, sizeof found);
}

// Version of programs that do not know port_cap_flags2.
EXPORT int ibv_query_port(
    struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr) {
  return query_port(context, port, attr, offsetof(struct ibv_port_attr, port_cap_flags2));
}

// Finds an entry of a GID table, even an empty one; below 0, a negated errno.
static int64_t find_gid(const char *verb, struct ibv_context *context, uint32_t port,
    uint32_t index, struct ibv_gid_entry *into) {
  if (port == 1 && index < ATTRIBUTES_MAX_GIDS &&
      read_shown(context, ATTRIBUTES_GIDS + index * sizeof *into, into, sizeof *into) &&
      into->port_num)
    return 0;
  set_verb(verb);
  args()->slots[0] = port;
  args()->slots[1] = index;
  int64_t result = call(QUERY_GID, context_of(context)->handle);
  memcpy(into, args()->bytes, sizeof *into);
  return result;
}

static int is_zero(const union ibv_gid *gid) {
  static const union ibv_gid zero;
  return !memcmp(gid, &zero, sizeof zero);
}

EXPORT int ibv_query_gid(
    struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid) {
  struct ibv_gid_entry found;
  if (errno_of(find_gid("ibv_query_gid", context, port, (uint32_t)index, &found))) return -1;
  memcpy(gid, &found.gid, sizeof *gid);
  return 0;
}

// Type as sysfs has it: 0 for InfiniBand and RoCE v1, 1 for RoCE v2.
EXPORT int ibv_query_gid_type(
    struct ibv_context *context, uint8_t port, unsigned index, unsigned *type) {
  struct ibv_gid_entry found;
  if (errno_of(find_gid("ibv_query_gid_type", context, port, index, &found))) return -1;
  unsigned is_routable = found.gid_type == 2;
  memcpy(type, &is_routable, sizeof is_routable);
  return 0;
}

EXPORT int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index,
    struct ibv_gid_entry *entry, uint32_t flags, size_t size) {
  if (flags) return EOPNOTSUPP;
  struct ibv_gid_entry found;
  int error = errno_of(find_gid("ibv_query_gid_ex", context, port, index, &found));
  if (error) return error;
  if (is_zero(&found.gid)) return ENODATA;
  return copy_out(entry, size, &found, sizeof found);
}

EXPORT ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries,
    size_t room, uint32_t flags, size_t size) {
  if (flags) return -EOPNOTSUPP;
  struct ibv_device_attr device;
  int error = ibv_query_device(context, &device);
  size_t count = 0;
  for (uint32_t port = 1; !error && port <= device.phys_port_cnt; port++) {
    struct ibv_port_attr attr;
    error = query_port(context, (uint8_t)port, &attr, sizeof attr);
    for (uint32_t i = 0; !error && i < (uint32_t)attr.gid_tbl_len; i++) {
      struct ibv_gid_entry entry;
      int missing = _ibv_query_gid_ex(context, port, i, &entry, 0, sizeof entry);
      if (missing == ENODATA) continue;
      if (missing || count == room) return -(missing ? missing : EINVAL);
      copy_out((char *)entries + count++ * size, size, &entry, sizeof entry);
    }
  }
  return error ? -error : (ssize_t)count;
}

EXPORT int ibv_query_pkey(
    struct ibv_context *context, uint8_t port, int index, uint16_t *pkey) {
  uint16_t found;
  // A P_Key of 0 may be beyond the end of the table.
  if (port != 1 || index < 0 || index >= ATTRIBUTES_MAX_PKEYS ||
      !READ_SHOWN(context, pkeys[index], &found) || !found) {
    args()->slots[0] = port;
    args()->slots[1] = index;
    int64_t result = call(QUERY_PKEY, context_of(context)->handle);
    if (errno_of(result)) return -1;
    found = (uint16_t)result;
  }
  found = htobe16(found);
  memcpy(pkey, &found, sizeof found);
  return 0;
}

EXPORT int ibv_get_pkey_index(struct ibv_context *context, uint8_t port, uint16_t pkey) {
  uint16_t found;
  for (int i = 0; !ibv_query_pkey(context, port, i, &found); i++)
    if (found == pkey) return i;
  return -1;
}

int query_rt_values(struct ibv_context *context, struct ibv_values_ex *values) {
  struct ibv_values_ex found;
  memcpy(&found, values, sizeof found);
  if (found.comp_mask & ~(uint32_t)IBV_VALUES_MASK_RAW_CLOCK) return EOPNOTSUPP;
  int64_t nanos = call(RAW_CLOCK, context_of(context)->handle);
  if (nanos < 0) return errno_of(nanos);
  found.raw_clock = (struct timespec){nanos / 1000000000, nanos % 1000000000};
  found.comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
  memcpy(values, &found, sizeof found);
  return 0;
}
