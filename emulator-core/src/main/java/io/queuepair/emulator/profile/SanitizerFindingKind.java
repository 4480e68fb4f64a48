// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

/** A kind of misuse that a device does not detect. */
public enum SanitizerFindingKind {
  /** The bytes of a send were changed between its post and its completion. */
  SEND_BUFFER_CHANGED(
      "leave the memory of a send alone until it has completed, or post it with INLINE"),

  /** The application wrote where a receive, READ or atomic has yet to put its data. */
  TARGET_BUFFER_CHANGED("write to the memory of a receive or READ after its completion only"),

  /** Memory was deregistered while posted work names it. */
  MEMORY_DEREGISTERED_IN_FLIGHT(
      "deregister memory when all work that names it has completed, or its queue pair is in RESET"),

  /** A whole send queue of requests none of which is signaled. */
  SEND_QUEUE_NEVER_RECLAIMED(
      "signal at least one send in each length of the send queue, and poll its completion:"
          + " devices reuse the entries of unsignaled sends only then"),

  /** More work is posted than its completion queue can hold completions. */
  COMPLETION_QUEUE_TOO_SMALL(
      "create the completion queue with room for all signaled sends and all receives, or poll"
          + " before posting more: an overrun is fatal to every queue pair on it"),

  /** A requester may have more READs and atomics outstanding than its peer has resources for. */
  MAX_RD_ATOMIC_TOO_LARGE(
      "set max_rd_atomic to max_dest_rd_atomic of the peer or less: one READ more at a time ends"
          + " in a NAK for an invalid request"),

  /** An event was taken and not acknowledged. */
  EVENT_NOT_ACKNOWLEDGED(
      "acknowledge each event that was taken: destroying its object waits for that"),

  /** An object was not closed before its context or device. */
  OBJECT_NOT_CLOSED("close each object, the ones made of others first"),

  /** Two threads used the queues of one thread domain at the same time. */
  THREAD_DOMAIN_SHARED(
      "let one thread at a time use the queues of a thread domain, from wr_start to wr_complete");

  private final String remedy;

  SanitizerFindingKind(String remedy) {
    this.remedy = remedy;
  }

  /** {@return how to mend it, as a clause} */
  public String remedy() {
    return remedy;
  }
}
