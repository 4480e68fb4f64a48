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
 * Responses still to be sent, in PSN order: acknowledgements, and the answers to requests that want
 * more. An acknowledgement that would directly follow another replaces it, because it covers it.
 */
final class ResponseQueue {
  /** Kinds of responses. */
  enum ResponseKind {
    ACKNOWLEDGEMENT,
    ATOMIC,
    READ;

    /** Whether its request takes a resource of the responder (max_dest_rd_atomic). */
    boolean takesResource() {
      return switch (this) {
        case ACKNOWLEDGEMENT -> false;
        case ATOMIC, READ -> true;
      };
    }
  }

  /** Answer to one request, or to several. */
  sealed interface Response permits Acknowledgement, AtomicResponse, ReadResponse {
    ResponseKind kind();

    /** PSN of the request, or of the last one that it answers. */
    int psn();

    /** Whether it answers a request that was answered before. */
    default boolean isRepeat() {
      return false;
    }
  }

  /** An ACK or NAK of one PSN. */
  sealed interface Acknowledgement extends Response {
    /** Completes the packet that it is sent in. */
    Packet in(MutablePacket packet);

    @Override
    default ResponseKind kind() {
      return ResponseKind.ACKNOWLEDGEMENT;
    }
  }

  /**
   * A NAK.
   *
   * @param note why it is sent, in words, or null
   */
  record Nak(int psn, Aeth aeth, @Nullable String note) implements Acknowledgement {
    @Override
    public Packet in(MutablePacket packet) {
      return packet.add(aeth).annotate(note);
    }
  }

  /** Most answers are one, and while it waits the next takes its place: so it changes instead. */
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
   * The answer to an atomic.
   *
   * @param original the value that it found
   */
  record AtomicResponse(int psn, long original, boolean isRepeat) implements Response {
    @Override
    public ResponseKind kind() {
      return ResponseKind.ATOMIC;
    }
  }

  /** Small while idle. */
  private final Deque<Response> responses = new ArrayDeque<>(1);

  /** An ACK that has left, for the next one; or null. */
  private @Nullable Ack spareAck;

  private int reads;

  /** Of those that take a resource, also {@link #reads}. */
  private int answers;

  /** How many of {@link #answers} answer a request again. */
  private int repeats;

  /** The present moment. */
  private long nowNanos;

  /** Answers to new requests whose last packet has left at this moment. */
  private int justSent;

  /** Tells the time, before anything is asked or taken. */
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

  /** READ responses not yet sent to the end. */
  int reads() {
    return reads;
  }

  /**
   * Answers to new requests that are not sent to the end, or only at this moment: the peer cannot
   * have got those, so it has not waited for them before its next request.
   */
  int outstanding() {
    return answers - repeats + justSent;
  }

  /** Answers to requests that were answered before. */
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

  /** The acknowledgement that the next one takes the place of, or null. */
  private @Nullable Ack lastAck() {
    return responses.peekLast() instanceof Ack last ? last : null;
  }

  /** Adds an answer; acknowledgements and NAKs have methods of their own. */
  void add(Response response) {
    responses.addLast(response);
    count(response, 1);
  }

  /** Next response, or null. */
  @Nullable Response peek() {
    return responses.peekFirst();
  }

  /** Removes what is next; it is valid until something is added. */
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
   * Answers a READ that is asked for again in the place of the answer that is not sent to the end.
   *
   * @return false if there is no such answer; then nothing has changed
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

  /** Removes the answers to requests from one on that turns out to have failed. */
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
