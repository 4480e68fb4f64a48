// SPDX-License-Identifier: Apache-2.0
// What programs and the service share: the messages of their socket, and the memory that the service
// makes. Protocol.java has the same numbers; a test compares them.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include "abi.h"
#include "call.h"

// Raise PROTOCOL_VERSION with each change of what follows.
#define PROTOCOL(NUMBER)            \
  NUMBER(PROTOCOL_MAGIC, 0x51505356) \
  NUMBER(PROTOCOL_VERSION, 4)       \
  NUMBER(HELLO_VERSION, 4)          \
  NUMBER(HELLO_BUILD, 8)            \
  NUMBER(HELLO_PROOF, 32)           \
  NUMBER(HELLO_SHADOW_SCALE, 40)    \
  NUMBER(HELLO_SHADOW_OFFSET, 48)   \
  NUMBER(HELLO_BYTES, 56)           \
  NUMBER(BUILD_BYTES, 24)           \
  NUMBER(PROOF_BYTES, 8)            \
  NUMBER(ADOPTED_HANDLE, 8)         \
  NUMBER(ADOPTED_BYTES, 16)         \
  NUMBER(STATUS_ALIVE, 0)           \
  NUMBER(STATUS_SLEEPS, 64)         \
  NUMBER(STATUS_ATTRIBUTES, 4096)   \
  NUMBER(STATUS_BYTES, 20480)       \
  NUMBER(ATTRIBUTES_DEVICES, 4)     \
  NUMBER(ATTRIBUTES_BYTES, 4096)    \
  NUMBER(ATTRIBUTES_DEVICE, 8)      \
  NUMBER(ATTRIBUTES_PORT, 408)      \
  NUMBER(ATTRIBUTES_PKEYS, 464)     \
  NUMBER(ATTRIBUTES_MAX_PKEYS, 128) \
  NUMBER(ATTRIBUTES_GIDS, 720)      \
  NUMBER(ATTRIBUTES_MAX_GIDS, 64)   \
  NUMBER(CHUNK_MAILBOXES, 16)       \
  NUMBER(CHUNK_BYTES, 1642496)      \
  NUMBER(CHUNK_CLOSED, 8)           \
  NUMBER(CHUNK_STRAY, 12)           \
  NUMBER(CHUNK_STRAY_ADDRESS, 16)   \
  NUMBER(CHUNK_STRAY_BYTES, 24)     \
  NUMBER(STRAY_READ, 1)             \
  NUMBER(STRAY_WRITE, 2)            \
  NUMBER(MAX_CHUNKS, 256)           \
  NUMBER(FIRST_MAILBOX, 4096)       \
  NUMBER(MAILBOX_BYTES, 102400)     \
  NUMBER(MAILBOX_CALL, 0)           \
  NUMBER(MAILBOX_ANSWERED, 4)       \
  NUMBER(MAILBOX_SLEEPS, 8)         \
  NUMBER(MAILBOX_ENTRY, 12)         \
  NUMBER(MAILBOX_HANDLE, 16)        \
  NUMBER(MAILBOX_RESULT, 24)        \
  NUMBER(MAILBOX_POSTED, 32)        \
  NUMBER(MAILBOX_TAKEN, 36)         \
  NUMBER(MAILBOX_ARGS, 64)          \
  NUMBER(MAILBOX_POSTS, 65600)      \
  NUMBER(MAILBOX_LIMITS, 98368)     \
  NUMBER(MAILBOX_QUEUES, 16)        \
  NUMBER(POSTS_BYTES, 32768)        \
  NUMBER(POST_IS_RECEIVE, 4)        \
  NUMBER(POST_QUEUE, 8)             \
  NUMBER(POST_RECORD, 16)           \
  NUMBER(RING_ADDED, 0)             \
  NUMBER(RING_TAKEN, 64)            \
  NUMBER(RING_SLEEPS, 68)           \
  NUMBER(RING_ENTRIES, 128)         \
  NUMBER(RING_ENTRY_BYTES, 64)      \
  NUMBER(RING_ENTRY_TIMESTAMP, 48)  \
  NUMBER(RING_ENTRY_WALLCLOCK, 56)  \
  NUMBER(RING_REMOVED, 0xffff)      \
  NUMBER(COMPLETION_EVENT_BYTES, 8) \
  NUMBER(ASYNC_EVENT_BYTES, 16)

#define NUMBER(name, value) name = value,
enum { PROTOCOL(NUMBER) };
#undef NUMBER

// The first message of each side, the service's first. With that of a program goes a descriptor of
// its memory. The answer is an int32_t, 0 or an errno, with the descriptors of the status, the bell,
// and the first chunk of mailboxes. Any later message of a program asks for another chunk, or passes a
// descriptor of an open file of the service: that is answered with the handle of what it is of.
struct hello {
  uint32_t magic, version;
  char build[BUILD_BYTES];
  uint8_t proof[PROOF_BYTES]; // The half of the secret that this side knows, or zeros.
  // Of a program with the AddressSanitizer: each 1 << scale bytes have one at address >> scale + offset,
  // which tells how many of them may be accessed.
  uint64_t shadow_scale, shadow_offset;
};

enum { WELCOME_FILES = 3 };

struct adopted {
  int32_t error, unused;
  int64_t handle;
};

// What a device with one port has. Entries of its tables that are zero here are asked for by a call.
struct attributes {
  uint32_t version; // Odd while they change; 0 if there are none here, and programs have to call.
  uint32_t unused;
  struct ibv_device_attr_ex device;
  struct ibv_port_attr port;
  uint16_t pkeys[ATTRIBUTES_MAX_PKEYS] __attribute__((aligned(8)));
  struct ibv_gid_entry gids[ATTRIBUTES_MAX_GIDS];
  char unused2[ATTRIBUTES_BYTES - ATTRIBUTES_GIDS - 32 * ATTRIBUTES_MAX_GIDS];
};

// Of the service; programs can only read it.
struct status {
  uint32_t alive; // A robust futex: FUTEX_OWNER_DIED is set by the kernel when the service dies.
  uint32_t unused[15];
  uint32_t sleeps; // Whether the bell must be rung.
  char unused2[STATUS_ATTRIBUTES - STATUS_SLEEPS - sizeof(uint32_t)];
  struct attributes attributes[ATTRIBUTES_DEVICES]; // Of the first devices.
};

// A request whose answer is not awaited, in a ring of bytes; its record follows.
struct post {
  uint32_t bytes, is_receive; // The former a multiple of POST_RECORD, with this and the record.
  int64_t queue; // The handle of what it is posted to; 0 if this only fills the end of the ring.
  char record[];
};

// Of one thread of a program at a time. A call is answered when `answered` is its number.
struct mailbox {
  uint32_t call, answered, sleeps, entry;
  int64_t handle, result;
  uint32_t posted, taken; // Bytes of posts, by the program and by the service, modulo 2^32.
  uint32_t skipped; // While one is written, 1 more than the bytes before it; of the library.
  char unused[MAILBOX_ARGS - MAILBOX_POSTED - 3 * sizeof(uint32_t)];
  struct args args;
  char ring[POSTS_BYTES];
  // Up to which number of posts to a queue there is room for them, modulo 2^32: queues of sends at even
  // places, of receives at odd ones, each by its handle.
  uint32_t limits[MAILBOX_QUEUES];
  // Of the library: which queues these are, those to which a post was awaited, and how many were not.
  int64_t queues[MAILBOX_QUEUES];
  uint32_t posts[MAILBOX_QUEUES];
  // Of the library: who has it, and the frame of its call, null when that is over: a signal handler may
  // leave it by siglongjmp.
  pthread_t thread;
  void *frame;
  char unused2[MAILBOX_BYTES - MAILBOX_LIMITS - 16 * MAILBOX_QUEUES - sizeof(pthread_t) -
      sizeof(void *)];
};

struct chunk {
  // A bit for each mailbox with a call that the service has not taken, CHUNK_MAILBOXES above it one for
  // a mailbox with posts, and again so far one if receives are among them.
  uint64_t pending;
  uint32_t closed;  // Whether calls are answered no more: for the service, the program has ended.
  uint32_t stray;   // Of the first: STRAY_*, if the service has accessed what its shadow forbids.
  uint64_t stray_address, stray_bytes;
  char unused[FIRST_MAILBOX - CHUNK_STRAY_BYTES - sizeof(uint64_t)];
  struct mailbox mailboxes[CHUNK_MAILBOXES];
};

// A completion queue. The service has added so many entries, and the program has taken so many.
struct ring {
  uint32_t added, unused[15];
  uint32_t taken, sleeps, unused2[14];
  struct ring_entry {
    struct ibv_wc wc; // Of status RING_REMOVED if its queue pair was reset since.
    uint64_t timestamp, wallclock;
  } entries[];
};

#define AT(type, member, place) \
  _Static_assert(offsetof(struct type, member) == (place), #type "." #member);
AT(hello, version, HELLO_VERSION)
AT(hello, build, HELLO_BUILD)
AT(hello, proof, HELLO_PROOF)
AT(hello, shadow_scale, HELLO_SHADOW_SCALE)
AT(hello, shadow_offset, HELLO_SHADOW_OFFSET)
AT(adopted, handle, ADOPTED_HANDLE)
AT(status, sleeps, STATUS_SLEEPS)
AT(status, attributes, STATUS_ATTRIBUTES)
AT(attributes, device, ATTRIBUTES_DEVICE)
AT(attributes, port, ATTRIBUTES_PORT)
AT(attributes, pkeys, ATTRIBUTES_PKEYS)
AT(attributes, gids, ATTRIBUTES_GIDS)
AT(mailbox, answered, MAILBOX_ANSWERED)
AT(mailbox, sleeps, MAILBOX_SLEEPS)
AT(mailbox, entry, MAILBOX_ENTRY)
AT(mailbox, handle, MAILBOX_HANDLE)
AT(mailbox, result, MAILBOX_RESULT)
AT(mailbox, posted, MAILBOX_POSTED)
AT(mailbox, taken, MAILBOX_TAKEN)
AT(mailbox, args, MAILBOX_ARGS)
AT(mailbox, ring, MAILBOX_POSTS)
AT(mailbox, limits, MAILBOX_LIMITS)
AT(post, is_receive, POST_IS_RECEIVE)
AT(post, queue, POST_QUEUE)
AT(post, record, POST_RECORD)
AT(chunk, closed, CHUNK_CLOSED)
AT(chunk, stray, CHUNK_STRAY)
AT(chunk, stray_address, CHUNK_STRAY_ADDRESS)
AT(chunk, stray_bytes, CHUNK_STRAY_BYTES)
AT(chunk, mailboxes, FIRST_MAILBOX)
AT(ring, taken, RING_TAKEN)
AT(ring, sleeps, RING_SLEEPS)
AT(ring, entries, RING_ENTRIES)
AT(ring_entry, timestamp, RING_ENTRY_TIMESTAMP)
AT(ring_entry, wallclock, RING_ENTRY_WALLCLOCK)
#undef AT
_Static_assert(sizeof(struct hello) == HELLO_BYTES, "hello");
_Static_assert(sizeof(struct adopted) == ADOPTED_BYTES, "adopted");
_Static_assert(sizeof(struct attributes) == ATTRIBUTES_BYTES, "attributes");
_Static_assert(sizeof(struct status) == STATUS_BYTES, "status");
_Static_assert(sizeof(struct mailbox) == MAILBOX_BYTES, "mailbox");
_Static_assert(sizeof(struct chunk) == CHUNK_BYTES, "chunk");
_Static_assert(sizeof(struct ring_entry) == RING_ENTRY_BYTES, "ring_entry");
