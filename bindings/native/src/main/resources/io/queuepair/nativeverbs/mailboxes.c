// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "call.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attachment.h"
#include "pause.h"
#include "sanitizers.h"

// A caller spins, then yields its processor, which the service may need, and then sleeps; every
// LOOK_NANOS it looks whether the service has ended. The kernel would wake only one of the threads that
// wait for that, which may have its answer already.
enum { SPINS = 20, YIELDS = 1000, LOOK_NANOS = 100000000 };

// Tries, one in a millisecond, to find the mailbox of a thread that has ended.
enum { TURNS = 10000 };

static struct chunk *chunks[MAX_CHUNKS];
static uint16_t used[MAX_CHUNKS]; // One bit for each mailbox.
static int chunk_count;
static pthread_key_t at_exit;
static struct args no_memory; // Arguments of threads that get no mailbox: all calls fail.

static unsigned generation; // Of the mailboxes; former ones are forgotten.

static __thread struct mailbox *own;
static __thread unsigned own_generation;

// Index of a mailbox's chunk; chunk_count if it is from before a fork.
static int chunk_of(const struct mailbox *mailbox, int *place) {
  int i = 0;
  for (; i < chunk_count; i++) {
    ptrdiff_t at = mailbox - chunks[i]->mailboxes;
    *place = (int)at;
    if (at >= 0 && at < CHUNK_MAILBOXES) break;
  }
  return i;
}

static bool is_busy(const struct mailbox *mailbox) {
  return __atomic_load_n(&mailbox->answered, __ATOMIC_RELAXED) != mailbox->call;
}

// Whether this thread has a mailbox that is free for a call.
static bool has_own(void) {
  attachment_notice_clone();
  return own && own_generation == generation && !is_busy(own);
}

static void give_back(void *mailbox) {
  int place;
  attachment_lock();
  int i = chunk_of(mailbox, &place);
  if (i < chunk_count) used[i] &= (uint16_t) ~(1u << place);
  attachment_unlock();
}

// Whether a frame is no longer on the stack.
static bool is_left(const void *frame, const void *present) {
  stack_t stack;
  return frame && frame <= present && !sigaltstack(NULL, &stack) && !(stack.ss_flags & SS_ONSTACK);
}

// Frees mailboxes of calls that this thread has left by a jump; the chunk of one, or chunk_count.
static int reclaim(const void *present) {
  int found = chunk_count;
  for (int i = 0; i < chunk_count * CHUNK_MAILBOXES; i++) {
    int chunk = i / CHUNK_MAILBOXES, place = i % CHUNK_MAILBOXES;
    struct mailbox *mailbox = &chunks[chunk]->mailboxes[place];
    if (!pthread_equal(mailbox->thread, pthread_self()) || is_busy(mailbox) ||
        !is_left(mailbox->frame, present))
      continue;
    mailbox->frame = NULL;
    used[chunk] &= (uint16_t) ~(1u << place);
    found = chunk;
  }
  return found;
}

static void end_thread(void *mailbox) {
  own = NULL;
  give_back(mailbox);
  attachment_lock();
  reclaim((void *)UINTPTR_MAX);
  attachment_unlock();
}

// Takes a mailbox for a call of the present frame; null if there is none.
static struct mailbox *take(const void *present) {
  int i = 0;
  while (i < chunk_count && used[i] == UINT16_MAX) i++;
  if (i == chunk_count) i = reclaim(present);
  if (i == chunk_count) {
    struct chunk *more = i < MAX_CHUNKS ? attachment_next_chunk() : NULL;
    if (!more) return NULL;
    chunks[chunk_count++] = more;
  }
  int place = __builtin_ctz(~(unsigned)used[i]);
  used[i] |= (uint16_t)(1u << place);
  struct mailbox *taken = &chunks[i]->mailboxes[place];
  taken->thread = pthread_self();
  taken->frame = NULL;
  return taken;
}

// Takes a mailbox for this thread; returns an errno. A verb that a signal handler has interrupted,
// or that siglongjmp has left, may still use the former one.
static int take_mailbox(const void *present) {
  static bool has_key;
  attachment_lock();
  int error = attachment_open();
  if (!error && !has_key) has_key = !pthread_key_create(&at_exit, end_thread);
  struct mailbox *taken = NULL;
  for (int i = 0; !error && i < TURNS && !(taken = take(present)); i++) {
    attachment_unlock();
    poll(NULL, 0, 1);
    attachment_lock();
  }
  if (taken) { // Signals are still blocked.
    own = taken;
    own_generation = generation;
    pthread_setspecific(at_exit, taken);
  }
  attachment_unlock();
  return error || taken ? error : ENOMEM;
}

void mailboxes_forget(void) {
  chunk_count = 0;
  memset(used, 0, sizeof used);
  generation++;
}

void set_verb(const char *verb) { strcpy(args()->bytes, verb); }

void *refused(int64_t result) {
  errno = (int)-result;
  return NULL;
}

int errno_of(int64_t result) {
  if (result >= 0) return 0;
  errno = (int)-result;
  return errno;
}

struct args *args(void) {
  if (__builtin_expect(has_own(), 1)) return &own->args;
  return take_mailbox(__builtin_frame_address(0)) ? &no_memory : &own->args;
}

bool mailboxes_are_answered(void) { return chunk_count > 0 && attachment_is_alive(); }

// Waits for an answer; false if there will be none.
static bool await(struct mailbox *mailbox, uint32_t call) {
  uint64_t now = 0;
  for (int i = 0; i < SPINS + YIELDS; i++) {
    if (__atomic_load_n(&mailbox->answered, __ATOMIC_ACQUIRE) == call) return true;
    if (i < SPINS) {
      PAUSE();
      continue;
    }
    if (i == SPINS) now = nanos_now();
    if (!yield_briefly(&now))
      break;
  }
  __atomic_store_n(&mailbox->sleeps, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&mailbox->answered, __ATOMIC_SEQ_CST) != call) {
    if (own_generation != generation || !attachment_is_alive()) return false;
    sleep_while(&mailbox->answered, call - 1, LOOK_NANOS);
  }
  __atomic_store_n(&mailbox->sleeps, 0, __ATOMIC_RELAXED);
  return true;
}

static int64_t exchange(struct mailbox *mailbox, enum entry entry, int64_t handle) {
  int place = 0;
  struct chunk *chunk = chunks[chunk_of(mailbox, &place)];
  uint32_t call = mailbox->answered + 1;
  mailbox->entry = entry;
  mailbox->handle = handle;
  mailbox->frame = __builtin_frame_address(0);
  mailbox->call = call;
  __atomic_fetch_or(&chunk->pending, 1ull << place, __ATOMIC_SEQ_CST);
  attachment_ring();
  bool is_answered = await(mailbox, call);
  mailbox->frame = NULL;
  if (is_answered) return mailbox->result;
  mailbox->call = mailbox->answered; // Free for the next call: there is no answer to come.
  return -EIO;
}

// Place of a queue in the tables of a mailbox.
static unsigned place_of(enum request kind, int64_t queue) {
  return ((unsigned)queue * 2 + kind) % MAILBOX_QUEUES;
}

// Whether a queue has room for one more post, by the last report of the service.
static bool has_room(const struct mailbox *mailbox, unsigned place) {
  uint32_t limit = __atomic_load_n(&mailbox->limits[place], __ATOMIC_ACQUIRE);
  return (int32_t)(limit - mailbox->posts[place]) > 0;
}

// Whether this thread may post a request to a queue without an answer.
static bool may_post(const struct mailbox *mailbox, enum request kind, int64_t queue) {
  unsigned at = place_of(kind, queue);
  return has_own() && mailbox == own && mailbox->queues[at] == queue && !mailbox->skipped &&
      has_room(mailbox, at) && attachment_is_alive();
}

static struct post *post_at(struct mailbox *mailbox, uint32_t at) {
  return (struct post *)(mailbox->ring + at % POSTS_BYTES);
}

char *mailbox_begin_post(
    struct mailbox *mailbox, enum request kind, int64_t queue, size_t bytes) {
  if (!may_post(mailbox, kind, queue)) return NULL;
  bytes += 2 * POST_RECORD; // Header, and room to round up.
  uint32_t taken = __atomic_load_n(&mailbox->taken, __ATOMIC_ACQUIRE);
  uint32_t left = POSTS_BYTES - (mailbox->posted - taken);
  uint32_t to_end = POSTS_BYTES - mailbox->posted % POSTS_BYTES;
  uint32_t skipped = bytes > to_end ? to_end : 0;
  if (bytes + skipped > left) return NULL;
  mailbox->skipped = 1 + skipped; // A signal handler that posts now needs a call.
  if (skipped) *post_at(mailbox, mailbox->posted) = (struct post){.bytes = skipped};
  return post_at(mailbox, mailbox->posted + skipped)->record;
}

void mailbox_end_post(struct mailbox *mailbox, enum request kind, int64_t queue, size_t bytes) {
  int place = 0;
  struct chunk *chunk = chunks[chunk_of(mailbox, &place)];
  uint32_t all = (uint32_t)(bytes + 2 * POST_RECORD - 1) / POST_RECORD * POST_RECORD;
  uint32_t at = mailbox->posted + mailbox->skipped - 1;
  *post_at(mailbox, at) = (struct post){.bytes = all, .is_receive = kind, .queue = queue};
  mailbox->posts[place_of(kind, queue)]++;
  __atomic_store_n(&mailbox->posted, at + all, __ATOMIC_RELEASE);
  mailbox->skipped = 0;
  uint64_t bit = 1ull << (CHUNK_MAILBOXES + place);
  if (kind == RECEIVE_REQUEST) bit |= bit << CHUNK_MAILBOXES;
  __atomic_fetch_or(&chunk->pending, bit, __ATOMIC_SEQ_CST);
  attachment_ring();
  sanitizers_report();
}

static bool has_posts(const struct chunk *chunk) {
  for (int i = 0; i < CHUNK_MAILBOXES; i++) {
    const struct mailbox *mailbox = &chunk->mailboxes[i];
    if (__atomic_load_n(&mailbox->taken, __ATOMIC_RELAXED) != mailbox->posted) return true;
  }
  return false;
}

// Waits at exit until the service has taken all posts. A child of a raw clone has none.
__attribute__((destructor)) static void await_posts(void) {
  if (getpid() != attachment_process()) return;
  for (int i = 0; i < chunk_count; i++)
    if (has_posts(chunks[i])) call(ADDRESSES, 0); // The answer comes after all posts.
}

// Result of a call that is not answered any more: ENODEV if it needs no object, otherwise EIO.
static int64_t refuse(enum entry entry) {
  if (entry != DEVICE_INFO && entry != OPEN_DEVICE && entry != OPEN_RDMA_CM) return -EIO;
  attachment_explain("the service has ended");
  return -ENODEV;
}

int64_t call(enum entry entry, int64_t handle) {
  int before = errno, error = has_own() ? 0 : take_mailbox(__builtin_frame_address(0));
  if (error) return -error;
  struct mailbox *mailbox = own;
  int64_t result = attachment_is_alive() ? exchange(mailbox, entry, handle) : refuse(entry);
  if (result == -EIO) attachment_is_alive(); // Says why, if the service has ended this program.
  if (own != mailbox) { // A signal handler has taken another one.
    give_back(own);
    own = mailbox;
    pthread_setspecific(at_exit, own);
  }
  errno = before;
  sanitizers_report();
  return result;
}

int64_t call_to_post(
    enum entry entry, enum request kind, int64_t queue, struct mailbox **poster) {
  int64_t result = call(entry, queue);
  if (result >= 0) own->queues[place_of(kind, queue)] = queue;
  *poster = own;
  return result;
}

int64_t call_for_file(enum entry entry, int64_t handle, int *fd) {
  int error = has_own() ? 0 : take_mailbox(__builtin_frame_address(0));
  if (error) return -error;
  attachment_lock();
  int room = eventfd(0, EFD_CLOEXEC); // As the kernel: no descriptor, no object.
  int64_t result = room < 0 ? -errno : call(entry, handle);
  if (room >= 0) syscall(SYS_close, room);
  int received = result < 0 ? 0 : attachment_receive_file();
  attachment_unlock();
  if (received < 0) return received;
  *fd = received;
  return result;
}
