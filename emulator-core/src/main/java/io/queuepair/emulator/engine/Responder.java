package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Position;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.Service;
import io.queuepair.verbs.AccessFlag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The responder half of a reliable connection: takes request packets in PSN order, executes them
 * exactly once, answers with ACK, NAK or READ responses. Whether a packet is executed or NAKed is
 * decided by {@link RequestChecks}.
 */
final class Responder {
  /** Requests kept while a READ response is under way; more are dropped and will come again. */
  private static final int MAX_DEFERRED = 256;

  private final QpContext qp;
  private final MemoryTable memory;
  private final ScatterGather scatterGather;
  private final Completions completions;
  private final InboundMessage message = new InboundMessage();
  private final ReplyQueue replies = new ReplyQueue();
  private final ReadHistory history = new ReadHistory();
  private final RequestChecks checks;

  /**
   * Requests behind a READ whose response is still being sent. They wait, because they may change
   * the memory that the READ was promised.
   */
  private final Deque<Packet> deferred = new ArrayDeque<>();

  private int expectedPsn;

  /** Messages completed, 24-bit. */
  private int msn;

  /** The last PSN acknowledged; a duplicate is acknowledged with it again. */
  private int acknowledgedPsn;

  /** Whether the gap before the expected PSN has been NAKed: once is enough. */
  private boolean gapIsNaked;

  /** Whether the expected PSN was refused for want of a receive; all that follow it are dropped. */
  private boolean receiverNotReady;

  /** Whether a fatal verdict was reached: what is queued still leaves, nothing more is taken. */
  private boolean failed;

  Responder(QpContext qp, MemoryTable memory, Completions completions) {
    this.qp = qp;
    this.memory = memory;
    this.completions = completions;
    scatterGather = new ScatterGather(memory);
    checks = new RequestChecks(qp, message, replies, memory);
  }

  /** Starts afresh, when the queue pair becomes ready to receive. */
  void start() {
    stop();
    expectedPsn = qp.attributes().rqPsn();
    acknowledgedPsn = Psn.add(expectedPsn, -1);
    msn = 0;
    gapIsNaked = false;
    receiverNotReady = false;
  }

  /** Forgets everything that is under way; the receive in use is flushed by the caller first. */
  void stop() {
    message.end();
    replies.clear();
    history.clear();
    deferred.clear();
    failed = false;
  }

  int expectedPsn() {
    return expectedPsn;
  }

  /** Whether the connection has just failed here; its last NAK is still to be sent. */
  boolean hasFailed() {
    return failed;
  }

  /** Gives up the receive of a message that had begun to arrive, or null. */
  RecvWqe takeReceiveInUse() {
    return message.takeReceive();
  }

  /**
   * Takes a request packet.
   *
   * @return null, or why it was dropped
   */
  DropReason receive(Packet packet) {
    boolean isRead = packet.opcode().operation() == Operation.RDMA_READ_REQUEST;
    if (deferred.isEmpty() && (replies.reads() == 0 || isRead)) {
      return process(packet);
    }
    if (deferred.size() == MAX_DEFERRED) {
      return DropReason.OUT_OF_ORDER;
    }
    deferred.addLast(packet.withOwnPayload());
    return null;
  }

  private DropReason process(Packet packet) {
    int ahead = Psn.compare(packet.psn(), expectedPsn);
    if (ahead > 0) {
      return nakGap();
    }
    if (ahead < 0) {
      return repeat(packet);
    }
    gapIsNaked = false;
    receiverNotReady = false;
    Verdict verdict = checks.verdict(packet);
    if (verdict == Verdict.ACCEPT) {
      execute(packet);
    } else if (verdict == Verdict.RECEIVER_NOT_READY) {
      receiverNotReady = true;
      replies.acknowledge(packet.psn(), Aeth.rnrNak(qp.attributes().minRnrTimer(), msn));
    } else {
      fail(verdict, packet.psn());
    }
    return null;
  }

  private DropReason nakGap() {
    if (!gapIsNaked && !receiverNotReady) {
      gapIsNaked = true;
      replies.acknowledge(expectedPsn, Aeth.nak(Verdict.PSN_SEQUENCE_GAP.nak(), msn));
    }
    return DropReason.OUT_OF_ORDER;
  }

  /** A duplicate: acknowledged or answered again, never executed again. */
  private DropReason repeat(Packet packet) {
    if (packet.opcode().operation() != Operation.RDMA_READ_REQUEST) {
      replies.acknowledge(acknowledgedPsn, Aeth.ack(msn));
      return DropReason.DUPLICATE;
    }
    boolean known = history.knows(packet.psn(), packet.reth());
    if (known) {
      replies.removeReadCovering(packet.psn());
    }
    if (!known || replies.repeats() >= qp.attributes().maxDestRdAtomic()) {
      return DropReason.DUPLICATE;
    }
    replies.add(ReadReply.again(packet.psn(), packet.reth(), qp.attributes().mtuBytes()));
    return null;
  }

  private void fail(Verdict verdict, int psn) {
    RecvWqe receive = message.takeReceive();
    if (receive != null) {
      completions.receiveFailed(receive, verdict.receiveStatus());
    } else {
      qp.raise(verdict.event());
    }
    replies.acknowledge(psn, Aeth.nak(verdict.nak(), msn));
    deferred.clear();
    failed = true;
  }

  private void execute(Packet packet) {
    if (packet.opcode().operation() == Operation.RDMA_READ_REQUEST) {
      acceptRead(packet);
      return;
    }
    place(packet.payload());
    expectedPsn = Psn.add(expectedPsn, 1);
    if (packet.opcode().position().endsMessage()) {
      msn = Psn.add(msn, 1);
      completeMessage(packet);
    }
    if (packet.bth().ackRequest()) {
      acknowledgedPsn = packet.psn();
      replies.acknowledge(acknowledgedPsn, Aeth.ack(msn));
    }
  }

  private void place(Payload payload) {
    if (payload.length() == 0) {
      return;
    }
    if (message.isWrite()) {
      MemoryRange target = message.remainingTarget();
      Payload view = memory.view(message.rkey(), target.addr(), payload.length());
      payload.copyTo(view.buffer(), view.offset());
    } else {
      scatterGather.scatter(message.receive().sges(), message.placedBytes(), payload);
    }
    message.placed(payload.length());
  }

  private void completeMessage(Packet packet) {
    if (message.receive() != null) {
      Integer immediate = packet.opcode().hasImmediate() ? packet.immDt().immediate() : null;
      completions.received(message, immediate, packet.bth().solicited());
    }
    message.end();
  }

  private void acceptRead(Packet packet) {
    ReadReply reply = ReadReply.to(packet.psn(), packet.reth(), qp.attributes().mtuBytes());
    history.remember(reply, qp.attributes().maxDestRdAtomic());
    expectedPsn = Psn.add(expectedPsn, reply.packets());
    msn = Psn.add(msn, 1);
    replies.add(reply);
  }

  /** Whether an acknowledgement is what is to be sent next. */
  boolean owesAcknowledgement() {
    return !replies.isEmpty() && replies.nextRead() == null;
  }

  /** The next packet to send, or null. */
  Packet poll() {
    if (replies.isEmpty()) {
      return null;
    }
    ReadReply read = replies.nextRead();
    if (read == null) {
      ReplyQueue.Acknowledgement ack = replies.takeAcknowledgement();
      return packet(Opcode.RC_ACKNOWLEDGE, ack.psn(), List.of(ack.aeth()), Payload.EMPTY);
    }
    return readResponse(read);
  }

  private Packet readResponse(ReadReply read) {
    int bytes = read.nextBytes();
    MemoryRange range = new MemoryRange(read.nextAddr(), bytes);
    int rkey = read.request().rkey();
    // The key may have become invalid since the request was accepted.
    if (bytes > 0 && memory.faultOf(rkey, qp.domain(), range, AccessFlag.REMOTE_READ) != null) {
      int psn = read.nextPsn();
      replies.clear();
      fail(Verdict.REMOTE_ACCESS, psn);
      return poll();
    }
    Payload payload = bytes == 0 ? Payload.EMPTY : memory.view(rkey, range.addr(), bytes);
    Position position = Position.of(read.isFirst(), read.isLast());
    Opcode opcode = Opcode.select(Service.RC, Operation.RDMA_READ_RESPONSE, position, false, false);
    List<ExtensionHeader> headers =
        position == Position.MIDDLE ? List.of() : List.of(Aeth.ack(msn));
    Packet response = packet(opcode, read.nextPsn(), headers, payload);
    read.sent();
    if (read.nextPsn() == Psn.add(read.lastPsn(), 1)) {
      finish(read);
    }
    return response;
  }

  private void finish(ReadReply read) {
    replies.removeNextRead();
    if (Psn.compare(read.lastPsn(), acknowledgedPsn) > 0) {
      acknowledgedPsn = read.lastPsn();
    }
  }

  /** Takes up the requests that waited for READ responses, as far as these have been sent. */
  void resume() {
    while (!failed && !deferred.isEmpty() && replies.reads() == 0) {
      process(deferred.removeFirst());
    }
  }

  private Packet packet(Opcode opcode, int psn, List<ExtensionHeader> headers, Payload payload) {
    Bth bth =
        new Bth(
            opcode, false, false, qp.pkey(), false, false, qp.attributes().destQpNum(), false, psn);
    return new Packet(qp.route(), bth, headers, payload);
  }
}
