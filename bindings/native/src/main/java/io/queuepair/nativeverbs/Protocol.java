// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

/** Numbers of the protocol between programs and the service, as in {@code protocol.h}. */
final class Protocol {
  static final int PROTOCOL_MAGIC = 0x51505356;
  static final int PROTOCOL_VERSION = 6;
  static final int HELLO_VERSION = 4;
  static final int HELLO_BUILD = 8;
  static final int HELLO_PROOF = 32;
  static final int HELLO_SHADOW_SCALE = 40;
  static final int HELLO_SHADOW_OFFSET = 48;
  static final int HELLO_BYTES = 56;
  static final int BUILD_BYTES = 24;
  static final int PROOF_BYTES = 8;
  static final int ADOPTED_HANDLE = 8;
  static final int ADOPTED_BYTES = 16;
  static final int STATUS_ALIVE = 0;
  static final int STATUS_SLEEPS = 64;
  static final int STATUS_ATTRIBUTES = 4096;
  static final int STATUS_BYTES = 20480;
  static final int ATTRIBUTES_DEVICES = 4;
  static final int ATTRIBUTES_BYTES = 4096;
  static final int ATTRIBUTES_DEVICE = 8;
  static final int ATTRIBUTES_PORT = 408;
  static final int ATTRIBUTES_PKEYS = 464;
  static final int ATTRIBUTES_MAX_PKEYS = 128;
  static final int ATTRIBUTES_GIDS = 720;
  static final int ATTRIBUTES_MAX_GIDS = 64;
  static final int CHUNK_MAILBOXES = 16;
  static final int CHUNK_BYTES = 3215360;
  static final int CHUNK_STRAY = 8;
  static final int CHUNK_STRAY_ADDRESS = 16;
  static final int CHUNK_STRAY_BYTES = 24;
  static final int CHUNK_CLOSED = 64;
  static final int CHUNK_REASON = 68;
  static final int REASON_BYTES = 512;
  static final int STRAY_READ = 1;
  static final int STRAY_WRITE = 2;
  static final int MAX_CHUNKS = 256;
  static final int FIRST_MAILBOX = 4096;
  static final int MAILBOX_BYTES = 200704;
  static final int MAILBOX_CALL = 0;
  static final int MAILBOX_ANSWERED = 4;
  static final int MAILBOX_SLEEPS = 8;
  static final int MAILBOX_ENTRY = 12;
  static final int MAILBOX_HANDLE = 16;
  static final int MAILBOX_RESULT = 24;
  static final int MAILBOX_POSTED = 32;
  static final int MAILBOX_TAKEN = 36;
  static final int MAILBOX_ARGS = 64;
  static final int MAILBOX_POSTS = 65600;
  static final int MAILBOX_LIMITS = 196672;
  static final int MAILBOX_QUEUES = 16;
  static final int POSTS_BYTES = 131072;
  static final int POST_IS_RECEIVE = 4;
  static final int POST_QUEUE = 8;
  static final int POST_RECORD = 16;
  static final int RING_ADDED = 0;
  static final int RING_TAKEN = 64;
  static final int RING_SLEEPS = 68;
  static final int RING_ENTRIES = 128;
  static final int RING_ENTRY_BYTES = 64;
  static final int RING_ENTRY_TIMESTAMP = 48;
  static final int RING_ENTRY_WALLCLOCK = 56;
  static final int RING_REMOVED = 0xffff;
  static final int COMPLETION_EVENT_BYTES = 8;
  static final int ASYNC_EVENT_BYTES = 16;

  private Protocol() {}
}
