// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Psn;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Responses to be sent, in PSN order: acknowledgements, READ responses and atomic responses. An
 * acknowledgement that directly follows an ACK replaces it, because it covers both.
 */
final class ResponseQueue {
  enum ResponseKind {
    ACKNOWLEDGEMENT,
    ATOMIC,
    READ;

    /** Whether the request counts against max_dest_rd_atomic. */
    boolean takesResource() {
      return switch (this) {
        case ACKNOWLEDGEMENT -> false;
        case ATOMIC, READ -> true;
      };
    }
  }

  /** Response to one request, or to several. */
  sealed interface Response permits Acknowledgement, AtomicResponse, ReadResponse {
    ResponseKind kind();

    /** PSN of the request, or of the last one acknowledged. */
    int psn();

    /** Whether the request was answered before. */
    default boolean isRepeat() {
      return false;
    }
  }

  /** An ACK or NAK of one PSN. */
  sealed interface Acknowledgement extends Response {
    /** Adds the AETH to a packet and returns it. */
    Packet in(MutablePacket packet);

    @Override
    default ResponseKind kind() {
      return ResponseKind.ACKNOWLEDGEMENT;
    }
  }

  /**
   * Negative acknowledgement.
   *
   * @param note reason in words, or null
   */
  record Nak(int psn, Aeth aeth, @Nullable String note) implements Acknowledgement {
    @Override
    public Packet in(MutablePacket packet) {
      return packet.add(aeth).annotate(note);
    }
  }

  /** Mutable ACK: a new one overwrites that at the end of the queue, which saves an object. */
  private static final class Ack implements Acknowledgement {
    private int psn;
    private int creditCode;
    private int msn;

    void become(int newPsn, int newCreditCode, int newMsn) {
      psn = newPsn;
      creditCode = newCreditCode;
      msn = newMsn;
    }

    @Override
    public int psn() {
      return psn;
    }

    @Override
    public Packet in(MutablePacket packet) {
      return packet.add(Aeth.ack(creditCode, msn));
    }
  }

  /**
   * Response to an atomic.
   *
   * @param original value in memory before it
   */
  record AtomicResponse(int psn, long original, boolean isRepeat) implements Response {
    @Override
    public ResponseKind kind() {
      return ResponseKind.ATOMIC;
    }
  }

  /** Capacity of one at first, as most queue pairs are idle. */
  private final Deque<Response> responses = new ArrayDeque<>(1);

  /** Sent ACK for reuse, or null. */
  private @Nullable Ack spareAck;

  private int reads;

  /** Queued READ and atomic responses. */
  private int answers;

  /** Number of {@link #answers} that repeat one for a duplicate request. */
  private int repeats;

  private long nowNanos;

  /** Responses to new requests that were completely sent at the current time. */
  private int justSent;

  /** Sets the current time, before queries and removals. */
  void advance(long newNowNanos) {
    if (nowNanos != newNowNanos) {
      nowNanos = newNowNanos;
      justSent = 0;
    }
  }

  long nowNanos() {
    return nowNanos;
  }

  boolean isEmpty() {
    return responses.isEmpty();
  }

  /** Number of READ responses not completely sent. */
  int reads() {
    return reads;
  }

  /**
   * Number of responses to new requests that are not completely sent, or were only at the current
   * time: the peer cannot have received the latter before it sent its next request.
   */
  int outstanding() {
    return answers - repeats + justSent;
  }

  /** Number of queued responses to duplicate requests. */
  int repeats() {
    return repeats;
  }

  void acknowledge(int psn, int creditCode, int msn) {
    Ack ack = lastAck();
    if (ack == null) {
      ack = spareAck == null ? new Ack() : spareAck;
      spareAck = null;
      responses.addLast(ack);
    }
    ack.become(psn, creditCode, msn);
  }

  void refuse(Nak nak) {
    if (lastAck() != null) {
      responses.removeLast();
    }
    responses.addLast(nak);
  }

  /** Last response if it is an ACK, which the next acknowledgement replaces; otherwise null. */
  private @Nullable Ack lastAck() {
    return responses.peekLast() instanceof Ack last ? last : null;
  }

  void add(Response response) {
    responses.addLast(response);
    count(response, 1);
  }

  @Nullable Response peek() {
    return responses.peekFirst();
  }

  /** Removes the next response, which stays valid until another is added. */
  void removeNext() {
    Response next = responses.removeFirst();
    if (next instanceof Ack ack) {
      spareAck = ack;
    }
    int before = outstanding();
    count(next, -1);
    justSent += before - outstanding();
  }

  private void count(Response response, int change) {
    ResponseKind kind = response.kind();
    reads += kind == ResponseKind.READ ? change : 0;
    answers += kind.takesResource() ? change : 0;
    repeats += response.isRepeat() ? change : 0;
  }

  /**
   * Replaces a READ response that is not completely sent by that to its repeated request.
   *
   * @return false if there is no such response; then nothing has changed
   */
  boolean restart(ReadResponse response) {
    boolean hasRestarted = false;
    for (int left = responses.size(); left > 0; left--) {
      Response next = responses.removeFirst();
      if (next instanceof ReadResponse read && read.contains(response.firstPsn())) {
        count(read, -1);
        if (!hasRestarted) {
          add(response);
        }
        hasRestarted = true;
      } else {
        responses.addLast(next);
      }
    }
    return hasRestarted;
  }

  /** Removes the responses from a PSN on, whose request turned out to have failed. */
  void removeFrom(int psn) {
    for (int left = responses.size(); left > 0; left--) {
      Response next = responses.removeFirst();
      if (Psn.isBefore(next.psn(), psn)) {
        responses.addLast(next);
      } else {
        count(next, -1);
      }
    }
  }

  void clear() {
    responses.clear();
    reads = 0;
    answers = 0;
    repeats = 0;
    justSent = 0;
  }
}
