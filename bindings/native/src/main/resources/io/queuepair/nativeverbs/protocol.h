// SPDX-License-Identifier: Apache-2.0
// Protocol between programs and the service: messages on their socket, and shared memory made by
// the service. Protocol.java has the same numbers; a test compares them.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include "abi.h"
#include "call.h"

// Raise PROTOCOL_VERSION with each change of what follows. PLACE is the offset of a member.
#define PROTOCOL(NUMBER, PLACE)                          \
  NUMBER(PROTOCOL_MAGIC, 0x51505356)                     \
  NUMBER(PROTOCOL_VERSION, 6)                            \
  PLACE(HELLO_VERSION, 4, hello, version)                \
  PLACE(HELLO_BUILD, 8, hello, build)                    \
  PLACE(HELLO_PROOF, 32, hello, proof)                   \
  PLACE(HELLO_SHADOW_SCALE, 40, hello, shadow_scale)     \
  PLACE(HELLO_SHADOW_OFFSET, 48, hello, shadow_offset)   \
  NUMBER(HELLO_BYTES, 56)                                \
  NUMBER(BUILD_BYTES, 24)                                \
  NUMBER(PROOF_BYTES, 8)                                 \
  PLACE(ADOPTED_HANDLE, 8, adopted, handle)              \
  NUMBER(ADOPTED_BYTES, 16)                              \
  NUMBER(STATUS_ALIVE, 0)                                \
  PLACE(STATUS_SLEEPS, 64, status, sleeps)               \
  PLACE(STATUS_ATTRIBUTES, 4096, status, attributes)     \
  NUMBER(STATUS_BYTES, 20480)                            \
  NUMBER(ATTRIBUTES_DEVICES, 4)                          \
  NUMBER(ATTRIBUTES_BYTES, 4096)                         \
  PLACE(ATTRIBUTES_DEVICE, 8, attributes, device)        \
  PLACE(ATTRIBUTES_PORT, 408, attributes, port)          \
  PLACE(ATTRIBUTES_PKEYS, 464, attributes, pkeys)        \
  NUMBER(ATTRIBUTES_MAX_PKEYS, 128)                      \
  PLACE(ATTRIBUTES_GIDS, 720, attributes, gids)          \
  NUMBER(ATTRIBUTES_MAX_GIDS, 64)                        \
  NUMBER(CHUNK_MAILBOXES, 16)                            \
  NUMBER(CHUNK_BYTES, 3215360)                           \
  PLACE(CHUNK_STRAY, 8, chunk, stray)                    \
  PLACE(CHUNK_STRAY_ADDRESS, 16, chunk, stray_address)   \
  PLACE(CHUNK_STRAY_BYTES, 24, chunk, stray_bytes)       \
  PLACE(CHUNK_CLOSED, 64, chunk, closed)                 \
  PLACE(CHUNK_REASON, 68, chunk, reason)                 \
  NUMBER(REASON_BYTES, 512)                              \
  NUMBER(STRAY_READ, 1)                                  \
  NUMBER(STRAY_WRITE, 2)                                 \
  NUMBER(MAX_CHUNKS, 256)                                \
  PLACE(FIRST_MAILBOX, 4096, chunk, mailboxes)           \
  NUMBER(MAILBOX_BYTES, 200704)                          \
  NUMBER(MAILBOX_CALL, 0)                                \
  PLACE(MAILBOX_ANSWERED, 4, mailbox, answered)          \
  PLACE(MAILBOX_SLEEPS, 8, mailbox, sleeps)              \
  PLACE(MAILBOX_ENTRY, 12, mailbox, entry)               \
  PLACE(MAILBOX_HANDLE, 16, mailbox, handle)             \
  PLACE(MAILBOX_RESULT, 24, mailbox, result)             \
  PLACE(MAILBOX_POSTED, 32, mailbox, posted)             \
  PLACE(MAILBOX_TAKEN, 36, mailbox, taken)               \
  PLACE(MAILBOX_ARGS, 64, mailbox, args)                 \
  PLACE(MAILBOX_POSTS, 65600, mailbox, ring)             \
  PLACE(MAILBOX_LIMITS, 196672, mailbox, limits)         \
  NUMBER(MAILBOX_QUEUES, 16)                             \
  NUMBER(POSTS_BYTES, 131072)                            \
  PLACE(POST_IS_RECEIVE, 4, post, is_receive)            \
  PLACE(POST_QUEUE, 8, post, queue)                      \
  PLACE(POST_RECORD, 16, post, record)                   \
  NUMBER(RING_ADDED, 0)                                  \
  PLACE(RING_TAKEN, 64, ring, taken)                     \
  PLACE(RING_SLEEPS, 68, ring, sleeps)                   \
  PLACE(RING_ENTRIES, 128, ring, entries)                \
  NUMBER(RING_ENTRY_BYTES, 64)                           \
  PLACE(RING_ENTRY_TIMESTAMP, 48, ring_entry, timestamp) \
  PLACE(RING_ENTRY_WALLCLOCK, 56, ring_entry, wallclock) \
  NUMBER(RING_REMOVED, 0xffff)                           \
  NUMBER(COMPLETION_EVENT_BYTES, 8)                      \
  NUMBER(ASYNC_EVENT_BYTES, 16)

#define NUMBER(name, value) name = value,
#define PLACE(name, value, type, member) NUMBER(name, value)
enum { PROTOCOL(NUMBER, PLACE) };
#undef NUMBER
#undef PLACE

// First message of each side; the service sends first. A program passes a descriptor of its memory,
// and perhaps one of its standard error. The answer is an int32_t, 0 or an errno, with descriptors
// of the status, the bell (an eventfd), and the first chunk of mailboxes. A later message of a
// program asks for another chunk, or passes a descriptor of an open file of the service, which is
// answered by struct adopted.
struct hello {
  uint32_t magic, version;
  char build[BUILD_BYTES];
  uint8_t proof[PROOF_BYTES]; // The half of the secret that this side sends, or zeros.
  // Shadow of a program with the AddressSanitizer: a byte at (address >> scale) + offset tells how
  // many of 1 << scale bytes may be accessed.
  uint64_t shadow_scale, shadow_offset;
};

enum { WELCOME_FILES = 3 };

struct adopted {
  int32_t error, unused;
  int64_t handle;
};

// Attributes of a device with one port. Table entries that are zero have to be queried by a call.
struct attributes {
  uint32_t version; // Odd while they change; 0 while hidden: programs have to call.
  uint32_t unused;
  struct ibv_device_attr_ex device;
  struct ibv_port_attr port;
  uint16_t pkeys[ATTRIBUTES_MAX_PKEYS] __attribute__((aligned(8)));
  struct ibv_gid_entry gids[ATTRIBUTES_MAX_GIDS];
  char unused2[ATTRIBUTES_BYTES - ATTRIBUTES_GIDS - 32 * ATTRIBUTES_MAX_GIDS];
};

// Memory of the service that programs can only read.
struct status {
  uint32_t alive; // Robust futex: the kernel sets FUTEX_OWNER_DIED when the service dies.
  uint32_t unused[15];
  uint32_t sleeps; // Whether the service sleeps until its bell is rung.
  char unused2[STATUS_ATTRIBUTES - STATUS_SLEEPS - sizeof(uint32_t)];
  struct attributes attributes[ATTRIBUTES_DEVICES]; // Of the first devices.
};

// Request posted without an answer, in a ring of bytes; its record follows.
struct post {
  uint32_t bytes, is_receive; // Size with header and record, a multiple of POST_RECORD.
  int64_t queue; // Handle of the queue; 0 if this only fills the end of the ring.
  char record[];
};

// Mailbox of one thread at a time. A call is answered when `answered` equals `call`.
struct mailbox {
  uint32_t call, answered, sleeps, entry;
  int64_t handle, result;
  uint32_t posted, taken; // Bytes of posts, by the program and by the service, modulo 2^32.
  uint32_t skipped; // Library only: during a post, 1 more than the bytes skipped before it.
  char unused[MAILBOX_ARGS - MAILBOX_POSTED - 3 * sizeof(uint32_t)];
  struct args args;
  char ring[POSTS_BYTES];
  // Number of posts, modulo 2^32, up to which a queue has room. The handle selects the place: sends
  // have even ones, receives odd ones.
  uint32_t limits[MAILBOX_QUEUES];
  // Library only: queue at each place, and number of its posts without an answer.
  int64_t queues[MAILBOX_QUEUES];
  uint32_t posts[MAILBOX_QUEUES];
  // Library only: the thread that has the mailbox, and the frame of its call, or null: a signal
  // handler may leave the frame by siglongjmp.
  pthread_t thread;
  void *frame;
  char unused2[MAILBOX_BYTES - MAILBOX_LIMITS - 16 * MAILBOX_QUEUES - sizeof(pthread_t) -
      sizeof(void *)];
};

struct chunk {
  // One bit for each mailbox with a call that is not taken; CHUNK_MAILBOXES bits higher, one for
  // each with posts; as many bits higher again, one if receives are among them.
  uint64_t pending;
  uint32_t stray, unused; // In the first chunk: STRAY_* if the shadow forbids an access.
  uint64_t stray_address, stray_bytes;
  char unused2[CHUNK_CLOSED - CHUNK_STRAY_BYTES - sizeof(uint64_t)];
  uint32_t closed; // Whether calls are refused, as the service takes the program for ended.
  char reason[REASON_BYTES]; // In the first chunk: why the service has ended the program, or "".
  char unused3[FIRST_MAILBOX - CHUNK_REASON - REASON_BYTES];
  struct mailbox mailboxes[CHUNK_MAILBOXES];
};

// Completion queue: the service counts entries added, the program entries taken.
struct ring {
  uint32_t added, unused[15];
  uint32_t taken, sleeps, unused2[14];
  struct ring_entry {
    struct ibv_wc wc; // Its status is RING_REMOVED if the queue pair was reset since.
    uint64_t timestamp, wallclock;
  } entries[];
};

#define NOTHING(name, value)
#define AT(name, value, type, member) _Static_assert(offsetof(struct type, member) == (value), #name);
PROTOCOL(NOTHING, AT)
#undef NOTHING
#undef AT
_Static_assert(sizeof(struct hello) == HELLO_BYTES, "hello");
_Static_assert(sizeof(struct adopted) == ADOPTED_BYTES, "adopted");
_Static_assert(sizeof(struct attributes) == ATTRIBUTES_BYTES, "attributes");
_Static_assert(sizeof(struct status) == STATUS_BYTES, "status");
_Static_assert(sizeof(struct mailbox) == MAILBOX_BYTES, "mailbox");
_Static_assert(sizeof(struct chunk) == CHUNK_BYTES, "chunk");
_Static_assert(sizeof(struct ring_entry) == RING_ENTRY_BYTES, "ring_entry");
