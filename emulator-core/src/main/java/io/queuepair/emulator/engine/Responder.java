package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.Accessor;
import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.Failure;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.Service;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.WcStatus;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The receiving half of a reliable connection: takes request packets in PSN order, executes them
 * exactly once, answers with ACK, NAK or responses. Whether a packet is executed or NAKed is
 * decided by {@link RequestChecks}.
 */
final class Responder implements ReceiveSide {
  /** Requests kept while a READ response is under way; more are dropped and will come again. */
  private static final int MAX_DEFERRED = 256;

  private final QpContext qp;
  private final Completions completions;
  private final InboundMessage message = new InboundMessage();
  private final ReplyQueue replies = new ReplyQueue();
  private final ReplayCache history = new ReplayCache();
  private final RequestChecks checks;
  private final Executor executor;
  private final ReplyPackets packets;

  private final ReceiveSources sources;

  /**
   * Requests behind a READ whose response is still being sent. They wait, because they may change
   * the memory that the READ was promised. Small while idle.
   */
  private final Deque<Packet> deferred = new ArrayDeque<>(1);

  private int expectedPsn;

  /** Messages completed, 24-bit. */
  private int msn;

  /** The last PSN acknowledged; a duplicate is acknowledged with it again. */
  private int acknowledgedPsn;

  /** Whether the gap before the expected PSN has been NAKed: once is enough. */
  private boolean gapIsNaked;

  /** Whether the expected PSN was refused for want of a receive; all that follow it are dropped. */
  private boolean receiverNotReady;

  /** Why a fatal verdict was reached: what is queued still leaves, nothing more is taken. */
  private String failure;

  Responder(
      QpContext qp,
      Service service,
      SharedParts parts,
      ReceiveSources sources,
      Completions completions) {
    this.qp = qp;
    this.completions = completions;
    this.sources = sources;
    checks = new RequestChecks(qp, message, replies, parts.memory());
    executor = new Executor(parts.memory());
    packets = new ReplyPackets(qp, service, parts);
  }

  @Override
  public void start() {
    stop();
    expectedPsn = qp.attributes().rqPsn();
    acknowledgedPsn = Psn.add(expectedPsn, -1);
    msn = 0;
    gapIsNaked = false;
    receiverNotReady = false;
  }

  @Override
  public void stop() {
    completions.abandoned(message.takeReceive());
    replies.clear();
    history.clear();
    deferred.clear();
    failure = null;
  }

  @Override
  public int expectedPsn() {
    return expectedPsn;
  }

  @Override
  public String failure() {
    return failure;
  }

  @Override
  public void flush(String explanation) {
    RecvWqe inUse = message.takeReceive();
    if (inUse != null) {
      Failure flushed = new Failure(WcStatus.WR_FLUSH_ERR, explanation);
      completions.receiveFailed(message.source(), inUse, flushed);
    }
  }

  @Override
  public DropReason receive(Packet packet, long nowNanos) {
    replies.advance(nowNanos);
    boolean isRead = packet.opcode().operation() == Operation.RDMA_READ_REQUEST;
    if (deferred.isEmpty() && (replies.reads() == 0 || isRead)) {
      return process(packet);
    }
    if (deferred.size() == MAX_DEFERRED) {
      return DropReason.OUT_OF_ORDER;
    }
    deferred.addLast(packet.copy());
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
    ReceiveSource from = sources.of(packet);
    Verdict verdict = checks.verdict(packet, from);
    completions.judged(verdict, checks.fault());
    if (verdict == Verdict.ACCEPT) {
      execute(packet, from);
    } else if (verdict == Verdict.RECEIVER_NOT_READY) {
      receiverNotReady = true;
      completions.count(HwCounter.SEND_RNR_ERR);
      refuse(packet.psn(), Aeth.rnrNak(qp.attributes().minRnrTimer(), msn), null);
    } else {
      String reason = packet.opcode() + ", PSN " + packet.psn() + ": " + checks.reason(verdict);
      fail(verdict, packet.psn(), reason);
    }
    return null;
  }

  private DropReason nakGap() {
    if (!gapIsNaked && !receiverNotReady) {
      gapIsNaked = true;
      completions.judged(Verdict.PSN_SEQUENCE_GAP, null);
      completions.count(HwCounter.OUT_OF_SEQ_REQUEST);
      refuse(expectedPsn, Aeth.nak(Verdict.PSN_SEQUENCE_GAP.nak(), msn), null);
    }
    return DropReason.OUT_OF_ORDER;
  }

  private void acknowledge() {
    replies.acknowledge(acknowledgedPsn, sources.creditCode(), msn);
  }

  private void refuse(int psn, Aeth nak, String note) {
    replies.refuse(new ReplyQueue.Nak(psn, nak, note));
  }

  private Aeth ack() {
    return Aeth.ack(sources.creditCode(), msn);
  }

  /** A duplicate: acknowledged or answered again, never executed again. */
  private DropReason repeat(Packet packet) {
    completions.count(HwCounter.DUPLICATE_REQUEST);
    Operation operation = packet.opcode().operation();
    if (operation == Operation.SEND || operation == Operation.RDMA_WRITE) {
      acknowledge();
      return DropReason.DUPLICATE;
    }
    ReplayCache.Saved saved = history.find(packet);
    if (saved != null && saved.read() != null) {
      replies.removeReadCovering(packet.psn());
    }
    if (saved == null || replies.repeats() >= qp.attributes().maxDestRdAtomic()) {
      return DropReason.DUPLICATE;
    }
    if (saved.read() == null) {
      replies.add(new ReplyQueue.AtomicAnswer(packet.psn(), saved.original(), true));
    } else {
      int mtu = qp.attributes().mtuBytes();
      Accessor accessor = saved.read().accessor();
      Reth asked = operation == Operation.RDMA_READ_REQUEST ? packet.reth() : ReadReply.NOTHING;
      replies.add(ReadReply.again(packet.psn(), asked, mtu, accessor));
    }
    return null;
  }

  private void fail(Verdict verdict, int psn, String reason) {
    RecvWqe receive = message.takeReceive();
    if (receive != null) {
      Failure refused =
          new Failure(verdict.receiveStatus(), "the queue pair refused this message: " + reason);
      completions.receiveFailed(message.source(), receive, refused);
    } else {
      qp.raise(verdict.event());
    }
    refuse(psn, Aeth.nak(verdict.nak(), msn), reason);
    deferred.clear();
    failure = "the queue pair refused a request of its peer: " + reason;
  }

  private void execute(Packet packet, ReceiveSource from) {
    switch (packet.opcode().operation()) {
      case SEND, RDMA_WRITE -> executeMessagePacket(packet);
      case RDMA_READ_REQUEST -> answer(packet, packet.reth(), from);
      case COMPARE_SWAP, FETCH_ADD -> {
        long found = executor.atomic(packet.opcode(), packet.atomicEth());
        accepted(new ReplayCache.Saved(packet, found, null), 1);
        replies.add(new ReplyQueue.AtomicAnswer(packet.psn(), found, false));
        acknowledgedPsn = packet.psn();
      }
      case ATOMIC_WRITE -> {
        executor.atomicWrite(packet);
        answer(packet, ReadReply.NOTHING, from);
      }
      // Memory here is visible to everybody at once and does not survive anything.
      case FLUSH -> answer(packet, ReadReply.NOTHING, from);
      case RDMA_READ_RESPONSE, ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, RESYNC, CONGESTION_NOTIFICATION ->
          throw new AssertionError(packet.opcode() + " was accepted");
    }
  }

  private void executeMessagePacket(Packet packet) {
    executor.place(message, packet.payload());
    if (packet.opcode().hasInvalidate()) {
      executor.invalidate(packet);
    }
    expectedPsn = Psn.add(expectedPsn, 1);
    if (packet.opcode().position().endsMessage()) {
      msn = Psn.add(msn, 1);
      if (message.receive() != null) {
        completions.received(message, packet);
      }
      message.end();
    }
    if (packet.asksForAck()) {
      acknowledgedPsn = packet.psn();
      acknowledge();
    }
  }

  /** Answers with READ responses; FLUSH and ATOMIC_WRITE with an empty one. */
  private void answer(Packet packet, Reth asked, ReceiveSource from) {
    int mtu = qp.attributes().mtuBytes();
    ReadReply reply = ReadReply.to(packet.psn(), asked, mtu, from.accessor());
    accepted(new ReplayCache.Saved(packet, 0, reply), reply.packets());
    replies.add(reply);
  }

  private void accepted(ReplayCache.Saved saved, int psns) {
    history.remember(saved.kept(), qp.attributes().maxDestRdAtomic());
    expectedPsn = Psn.add(expectedPsn, psns);
    msn = Psn.add(msn, 1);
  }

  @Override
  public boolean hasAnswers() {
    return !replies.isEmpty() || !deferred.isEmpty();
  }

  @Override
  public boolean owesAcknowledgement() {
    return replies.peek() instanceof ReplyQueue.Acknowledgement;
  }

  @Override
  public Packet poll(long nowNanos) {
    replies.advance(nowNanos);
    // Only now: the last answer, which may be a view of memory, has left since.
    resume();
    ReplyQueue.Reply next = replies.peek();
    if (next == null) {
      return null;
    }
    if (next instanceof ReadReply read) {
      return readResponse(read, nowNanos);
    }
    replies.removeNext();
    return next instanceof ReplyQueue.Acknowledgement ack
        ? packets.acknowledgement(ack)
        : packets.atomicAnswer((ReplyQueue.AtomicAnswer) next, ack());
  }

  private Packet readResponse(ReadReply read, long nowNanos) {
    // The key may have become invalid since the request was accepted.
    MemoryFault fault = packets.faultOf(read);
    if (fault != null) {
      int psn = read.nextPsn();
      replies.clear();
      Verdict verdict = Verdict.REMOTE_ACCESS;
      completions.judged(verdict, fault);
      fail(verdict, psn, "READ response, PSN " + psn + ": " + verdict.text() + ": " + fault.text());
      return poll(nowNanos);
    }
    Packet response = packets.readResponse(read, ack());
    read.sent();
    if (read.nextPsn() == Psn.add(read.lastPsn(), 1)) {
      replies.removeNext();
      acknowledgedPsn = later(acknowledgedPsn, read.lastPsn());
    }
    return response;
  }

  /** The later of two PSNs before the expected one; they may be 2^23 apart, by one long READ. */
  private int later(int one, int other) {
    boolean isOther = Psn.distance(other, expectedPsn) < Psn.distance(one, expectedPsn);
    return isOther ? other : one;
  }

  /** Takes up the requests that waited for READ responses, as far as these have been sent. */
  private void resume() {
    while (failure == null && !deferred.isEmpty() && replies.reads() == 0) {
      process(deferred.removeFirst());
    }
  }
}
