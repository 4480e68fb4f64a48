// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.engine.LossReport.LossFlow;
import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.Staging;
import io.queuepair.emulator.profile.AckPolicy;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.AtomicAckEth;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Opcode.Position;
import io.queuepair.emulator.wire.Opcode.Service;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a reliable connection: takes request packets in PSN order, executes them
 * exactly once, answers with ACK, NAK or responses. Whether a packet is executed or NAKed is
 * decided by {@link RequestChecks}.
 */
final class RcResponder implements Responder, Staging.Writer {
  /** Requests kept while a READ response is under way; more are dropped and will come again. */
  private static final int MAX_DEFERRED = 256;

  private static final String NOT_MAPPED = ": the memory is not mapped in its process";

  private static final long NONE = -1;
  private static final int PSN_BITS = 24;

  private final QpContext qp;
  private final CompletionWriter completions;
  private final IncomingMessage message = new IncomingMessage();
  private final ResponseQueue responseQueue = new ResponseQueue();
  private final ResponderResourceCache resourceCache = new ResponderResourceCache();
  private final RequestChecks checks;
  private final MemoryTable memory;
  private final Service service;
  private final MutablePacket outgoingPacket;
  private final LossReport losses;
  private final AckPolicy acks;

  /** Where receives come from; null if each packet names its shared queue. */
  private final @Nullable ReceiveQueueRef receiveQueue;

  /** The shared receive queues of the device by number. */
  private final IntFunction<SharedReceiveRing> sharedQueues;

  /** Whether ACKs carry credits; with a shared receive queue they cannot. */
  private final boolean grantsCredits;

  /**
   * Requests behind a READ whose response is still being sent. They wait, because they may change
   * the memory that the READ was promised. Most queue pairs never have any.
   */
  private List<Packet> deferredPackets = List.of();

  private int expectedPsn;

  /** Messages completed, 24-bit. */
  private int msn;

  /**
   * PSN of the last packet of a SEND or WRITE that was executed, which is what an ACK says. What
   * has a response of its own is answered by that alone: Linux Soft-RoCE takes an ACK with the PSN
   * of a READ for all of its data.
   */
  private int executedPsn;

  /** Messages executed, since the last acknowledgement, whose requester did not ask for one. */
  private int unasked;

  /** When they are acknowledged all the same. */
  private long acknowledgeAtNanos;

  /** Whether the gap before the expected PSN has been NAKed: once is enough. */
  private boolean gapIsNaked;

  /** Whether the expected PSN was refused for want of a receive; all that follow it are dropped. */
  private boolean receiverNotReady;

  /** Number of the message whose bytes are written to another process. */
  private long messageNumber;

  /** Number of the first message of which some bytes had no place there, or {@link #NONE}. */
  private long unwritten = NONE;

  /** Why a fatal verdict was reached: what is queued still leaves, nothing more is taken. */
  private @Nullable String failure;

  public RcResponder(
      QpContext qp,
      Service service,
      EngineContext engineContext,
      IntFunction<SharedReceiveRing> sharedQueues,
      CompletionWriter completions) {
    this.qp = qp;
    this.completions = completions;
    this.sharedQueues = sharedQueues;
    receiveQueue = service == Service.XRC ? null : ReceiveQueueRef.of(qp);
    grantsCredits =
        engineContext.sendWindow().usesCredits()
            && service == Service.RC
            && qp.setup().srq() == null;
    checks = new RequestChecks(qp, message, responseQueue, engineContext.memory());
    memory = engineContext.memory();
    this.service = service;
    outgoingPacket = engineContext.outgoingPacket();
    losses = engineContext.losses();
    acks = engineContext.sendWindow().acks();
  }

  @Override
  public void start() {
    stop();
    expectedPsn = qp.attributes().rqPsn();
    executedPsn = Psn.add(expectedPsn, -1);
    msn = 0;
    gapIsNaked = false;
    receiverNotReady = false;
  }

  @Override
  public void stop() {
    completions.abandoned(message.takeReceive());
    responseQueue.clear();
    resourceCache.clear();
    deferredPackets = List.of();
    unwritten = NONE;
    unasked = 0;
    failure = null;
  }

  @Override
  public int expectedPsn() {
    return expectedPsn;
  }

  @Override
  public @Nullable String failure() {
    return failure;
  }

  @Override
  public void flush(@Nullable String explanation) {
    RecvWqe recvWqe = message.takeReceive();
    if (recvWqe != null) {
      WorkError flushError = new WorkError(WcStatus.WR_FLUSH_ERR, explanation);
      completions.receiveFailed(message.source(), recvWqe, flushError);
    }
  }

  @Override
  public @Nullable DropReason receiveRequest(Packet packet, long nowNanos) {
    if (unwritten != NONE) {
      failUnwritten();
      return DropReason.WRONG_QP_STATE;
    }
    responseQueue.advance(nowNanos);
    boolean isRead = packet.opcode().operation() == Operation.RDMA_READ_REQUEST;
    // To one that is asked for again, what is still sent of it is of no use.
    boolean isRepeatedRead = isRead && Psn.isBefore(packet.psn(), expectedPsn);
    if (isRepeatedRead || (deferredPackets.isEmpty() && (responseQueue.reads() == 0 || isRead))) {
      return process(packet);
    }
    if (deferredPackets.size() == MAX_DEFERRED) {
      return DropReason.OUT_OF_ORDER;
    }
    if (deferredPackets.isEmpty()) {
      deferredPackets = new ArrayList<>();
    }
    deferredPackets.add(packet.copy());
    return null;
  }

  private @Nullable DropReason process(Packet packet) {
    int ahead = Psn.compare(packet.psn(), expectedPsn);
    if (ahead > 0) {
      return nakGap();
    }
    if (ahead < 0) {
      return repeat(packet);
    }
    gapIsNaked = false;
    receiverNotReady = false;
    ReceiveQueueRef from = sourceOf(packet);
    RequestStatus requestStatus = checks.checkResources(packet, from);
    if (requestStatus == RequestStatus.ACCEPT) {
      message.takeReceiveAndBegin(packet, from);
      requestStatus = checks.checkAccess(packet, from);
    }
    completions.requestChecked(requestStatus, checks.fault());
    if (requestStatus == RequestStatus.ACCEPT) {
      execute(packet, from);
    } else if (requestStatus == RequestStatus.RECEIVER_NOT_READY) {
      receiverNotReady = true;
      completions.count(HwCounter.SEND_RNR_ERR);
      completions.refused(packet.opcode() + " for now: " + checks.reason(requestStatus));
      refuse(packet.psn(), Aeth.rnrNak(qp.attributes().minRnrTimer(), msn), null);
    } else {
      String reason =
          packet.opcode() + ", PSN " + packet.psn() + ": " + checks.reason(requestStatus);
      fail(requestStatus, packet.psn(), reason);
    }
    return null;
  }

  private DropReason nakGap() {
    // Rule responder.psn-gap: PSN_SEQUENCE_GAP: a packet ahead of the expected PSN is NAKed once.
    // Source: rxe_resp.c check_psn
    // Test: ResponderSequenceTest.naksAGapOnce
    if (!gapIsNaked && !receiverNotReady) {
      gapIsNaked = true;
      completions.requestChecked(RequestStatus.PSN_SEQUENCE_GAP, null);
      completions.count(HwCounter.OUT_OF_SEQ_REQUEST);
      refuse(expectedPsn, Aeth.nak(RequestStatus.PSN_SEQUENCE_GAP.nak(), msn), null);
    }
    return DropReason.OUT_OF_ORDER;
  }

  /** A message has arrived whose requester did not ask. */
  private void noteUnasked() {
    // Rule responder.unasked: Messages that were not to be acknowledged are so after 8 of them, or
    // 10 us after the first. With the profile soft-roce they are not.
    // Source: IBTA vol. 1, 9.7.5.1.2
    // Test: AckRequestTest.acknowledgesUnaskedAfterEightMessages
    if (acks.unaskedAfterNanos() == 0) {
      return;
    }
    unasked++;
    if (unasked == acks.everyMessages()) {
      acknowledge();
    } else if (unasked == 1) {
      acknowledgeAtNanos = responseQueue.nowNanos() + acks.unaskedAfterNanos();
    }
  }

  @Override
  public void acknowledgeUnasked() {
    if (unasked > 0) {
      acknowledge();
    }
  }

  @Override
  public void expire(long nowNanos) {
    if (unasked > 0 && nowNanos - acknowledgeAtNanos >= 0) {
      acknowledge();
    }
  }

  @Override
  public boolean hasDeadline() {
    return unasked > 0;
  }

  @Override
  public long deadlineNanos() {
    return acknowledgeAtNanos;
  }

  /** Where the receive of a packet comes from, or null if it names a queue that is not there. */
  private @Nullable ReceiveQueueRef sourceOf(Packet packet) {
    return receiveQueue == null
        ? ReceiveQueueRef.ofXrc(qp, sharedQueues.apply(packet.xrcEth().srqn()))
        : receiveQueue;
  }

  /** Credits of an ACK: receives for the messages that it does not acknowledge yet. */
  int creditCode() {
    return grantsCredits
        ? Aeth.creditCodeWithin(qp.receiveQueue().outstanding())
        : Aeth.UNLIMITED_CREDITS;
  }

  private void acknowledge() {
    // Rule responder.acknowledge: A packet that asks for it is acknowledged with its PSN and the
    // MSN.
    // Source: rxe_resp.c acknowledge
    // Test: ResponderSequenceTest.acknowledgesASendWithItsPsnAndTheMessageCount
    unasked = 0;
    responseQueue.acknowledge(executedPsn, creditCode(), msn);
  }

  private void refuse(int psn, Aeth nak, @Nullable String note) {
    unasked = 0;
    responseQueue.refuse(new ResponseQueue.Nak(psn, nak, note));
  }

  private Aeth ack() {
    return Aeth.ack(creditCode(), msn);
  }

  /** A duplicate: acknowledged or answered again, never executed again. */
  private @Nullable DropReason repeat(Packet packet) {
    // Rule responder.duplicate: A duplicate is answered again, or acknowledged with all that was
    // executed since, and never executed again.
    // Source: rxe_resp.c duplicate_request, execute
    // Test: ResponderSequenceTest.acknowledgesADuplicateInTheMiddleOfAMessageWithWhatItHasOfIt
    completions.count(HwCounter.DUPLICATE_REQUEST);
    Operation operation = packet.opcode().operation();
    if (operation.isSegmented()) {
      acknowledge();
      return DropReason.DUPLICATE;
    }
    ResponderResourceCache.SavedResult saved = resourceCache.find(packet);
    boolean isAtomic = saved != null && saved.read() == null;
    ReadResponse repeatedResponse =
        saved == null || isAtomic ? null : repeated(packet, saved.read());
    if (repeatedResponse != null && responseQueue.restart(repeatedResponse)) {
      return null;
    }
    if (saved == null || responseQueue.repeats() >= qp.attributes().maxDestRdAtomic()) {
      return DropReason.DUPLICATE;
    }
    if (isAtomic) {
      responseQueue.add(new ResponseQueue.AtomicResponse(packet.psn(), saved.original(), true));
    } else {
      responseQueue.add(repeatedResponse);
    }
    return null;
  }

  private ReadResponse repeated(Packet packet, ReadResponse oldResponse) {
    boolean isRead = packet.opcode().operation() == Operation.RDMA_READ_REQUEST;
    Reth reth = isRead ? packet.reth() : ReadResponse.NOTHING;
    return ReadResponse.again(
        packet.psn(), reth, qp.attributes().mtuBytes(), oldResponse.accessor());
  }

  private void fail(RequestStatus requestStatus, int psn, String reason) {
    fail(requestStatus, psn, reason, message.takeReceive());
  }

  private void fail(
      RequestStatus requestStatus, int psn, String reason, @Nullable RecvWqe recvWqe) {
    // Rule responder.fatal: A fatal refusal is NAKed once, completes the receive in use, and ends
    // the connection.
    // Source: rxe_resp.c do_class_ac_error
    // Test: ResponderRefusalTest.naksAFatalErrorOnceAndDropsWhatFollows
    if (recvWqe != null) {
      WorkError error =
          new WorkError(
              requestStatus.receiveStatus(), "the queue pair refused this message: " + reason);
      completions.receiveFailed(message.source(), recvWqe, error);
    } else {
      qp.raise(requestStatus.event());
    }
    refuse(psn, Aeth.nak(requestStatus.nak(), msn), reason);
    completions.refused(reason);
    Route route = qp.route();
    int requester = qp.attributes().destQpNum();
    LossFlow flow = new LossFlow(route.source(), route.destination(), requester, true);
    losses.addRefusal(flow, psn, reason);
    deferredPackets = List.of();
    failure = "the queue pair refused a request of its peer: " + reason;
  }

  private void execute(Packet packet, ReceiveQueueRef from) {
    switch (packet.opcode().operation()) {
      case SEND, RDMA_WRITE -> executeMessagePacket(packet);
      case RDMA_READ_REQUEST -> answer(packet, packet.reth(), from);
      case COMPARE_SWAP, FETCH_ADD -> executeAtomic(packet);
      case ATOMIC_WRITE -> {
        beginWrite(packet);
        memory.write(packet.reth().rkey(), packet.reth().virtualAddress(), packet.payload());
        answer(packet, ReadResponse.NOTHING, from);
      }
      // Memory here is visible to everybody at once and does not survive anything.
      case FLUSH -> answer(packet, ReadResponse.NOTHING, from);
      case RDMA_READ_RESPONSE, ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, RESYNC, CONGESTION_NOTIFICATION ->
          throw new AssertionError(packet.opcode() + " was accepted");
    }
  }

  /**
   * Computes an atomic. Since a device does one thing at a time, it is atomic against all its queue
   * pairs.
   */
  private void executeAtomic(Packet packet) {
    AtomicEth atomic = packet.atomicEth();
    if (!memory.load(atomic.rkey(), atomic.virtualAddress())) {
      failUnmapped(RequestStatus.REMOTE_ACCESS, packet.psn(), null);
      return;
    }
    beginWrite(packet);
    long found = memory.loaded();
    boolean isAdd = packet.opcode().operation() == Operation.FETCH_ADD;
    if (isAdd) {
      memory.store(atomic.rkey(), atomic.virtualAddress(), found + atomic.swapOrAdd());
    } else if (found == atomic.compare()) {
      memory.store(atomic.rkey(), atomic.virtualAddress(), atomic.swapOrAdd());
    }
    accepted(new ResponderResourceCache.SavedResult(packet, found, null), 1);
    responseQueue.add(new ResponseQueue.AtomicResponse(packet.psn(), found, false));
  }

  /** Names the message that bytes belong to which go to another process. */
  private void beginWrite(Packet packet) {
    if (memory.staging().isOpen()) {
      Opcode opcode = packet.opcode();
      boolean isWrite = opcode.operation() != Operation.SEND;
      if (opcode.position().startsMessage()) {
        messageNumber = ((((long) msn << PSN_BITS) | packet.psn()) << 1) | (isWrite ? 1 : 0);
      }
      memory.staging().begin(this, messageNumber, isWrite && opcode.position().endsMessage());
    }
  }

  @Override
  public boolean unwritten(long number) {
    if (unwritten == NONE) {
      unwritten = number;
    }
    return true;
  }

  /** Whether all bytes are written, to be asked before a completion says so. */
  private boolean isWritten() {
    memory.staging().flush();
    return unwritten == NONE;
  }

  @Override
  public void failUnwritten() {
    if (unwritten == NONE) {
      return;
    }
    boolean isCurrent = message.isInProgress() && unwritten == messageNumber;
    boolean isWrite = (unwritten & 1) != 0;
    int psn = (int) (unwritten >> 1) & Psn.MASK;
    msn = (int) (unwritten >> (PSN_BITS + 1));
    unwritten = NONE;
    responseQueue.removeFrom(psn);
    failUnmapped(
        isWrite ? RequestStatus.REMOTE_ACCESS : RequestStatus.RECEIVE_PROTECTION,
        psn,
        isCurrent ? message.takeReceive() : null);
  }

  private void failUnmapped(RequestStatus requestStatus, int psn, @Nullable RecvWqe recvWqe) {
    // Rule responder.unmapped: Memory of a process that is not mapped fails the message that needs
    // it, as memory that may not be accessed does.
    // Source: IBTA vol. 1, 9.9.3 (local and remote access errors of a responder)
    // Test: ProcessMemoryTest.aWriteToUnmappedMemoryFailsAsARemoteAccessError
    completions.requestChecked(requestStatus, MemoryFault.OUT_OF_RANGE);
    fail(requestStatus, psn, "PSN " + psn + ": " + requestStatus.text() + NOT_MAPPED, recvWqe);
  }

  private void executeMessagePacket(Packet packet) {
    beginWrite(packet);
    message.place(packet.payload(), memory);
    boolean completesReceive =
        packet.opcode().position().endsMessage() && message.receive() != null;
    if (completesReceive && !isWritten()) {
      failUnwritten();
      return;
    }
    if (packet.opcode().hasInvalidate()) {
      memory.invalidate(packet.ieth().rkey());
    }
    executedPsn = packet.psn();
    expectedPsn = Psn.add(executedPsn, 1);
    if (packet.opcode().position().endsMessage()) {
      msn = Psn.add(msn, 1);
      if (completesReceive) {
        completions.received(message, packet);
      }
      message.end();
    }
    if (packet.asksForAck()) {
      acknowledge();
    } else if (packet.opcode().position().endsMessage()) {
      noteUnasked();
    }
  }

  /** Answers with READ responses: an empty one if nothing is asked for. */
  private void answer(Packet packet, Reth reth, ReceiveQueueRef from) {
    int mtu = qp.attributes().mtuBytes();
    ReadResponse response = ReadResponse.to(packet.psn(), reth, mtu, from.accessor());
    accepted(new ResponderResourceCache.SavedResult(packet, 0, response), response.packets());
    responseQueue.add(response);
  }

  private void accepted(ResponderResourceCache.SavedResult saved, int psns) {
    resourceCache.remember(saved.retained(), qp.attributes().maxDestRdAtomic());
    expectedPsn = Psn.add(expectedPsn, psns);
    msn = Psn.add(msn, 1);
    unasked = 0; // The response acknowledges all before it.
  }

  @Override
  public boolean hasAnswers() {
    return !responseQueue.isEmpty() || !deferredPackets.isEmpty();
  }

  @Override
  public boolean hasPendingAck() {
    return responseQueue.peek() instanceof ResponseQueue.Acknowledgement;
  }

  @Override
  public @Nullable Packet pollResponse(long nowNanos) {
    responseQueue.advance(nowNanos);
    // Only now: the last answer, which may be a view of memory, has left since.
    resume();
    ResponseQueue.Response next = responseQueue.peek();
    if (next == null) {
      return null;
    }
    return switch (next.kind()) {
      case READ -> readResponse((ReadResponse) next, nowNanos);
      case ATOMIC -> {
        responseQueue.removeNext();
        yield atomicAnswer((ResponseQueue.AtomicResponse) next, ack());
      }
      case ACKNOWLEDGEMENT -> {
        responseQueue.removeNext();
        yield acknowledgement((ResponseQueue.Acknowledgement) next);
      }
    };
  }

  private @Nullable Packet readResponse(ReadResponse read, long nowNanos) {
    // Rule responder.read-response: Each packet of a READ response checks the key again.
    // Source: rxe_resp.c read_reply
    // Test: ResponderReadTest.stopsInTheMiddleIfTheKeyIsGone

    // The key may have become invalid since the request was accepted.
    MemoryFault fault = faultOf(read);
    if (fault != null || !isThere(read)) {
      int psn = read.nextPsn();
      responseQueue.clear();
      RequestStatus requestStatus = RequestStatus.REMOTE_ACCESS;
      completions.requestChecked(requestStatus, fault == null ? MemoryFault.OUT_OF_RANGE : fault);
      fail(
          requestStatus,
          psn,
          ("READ response, PSN " + psn + ": " + requestStatus.text())
              + (fault == null ? NOT_MAPPED : ": " + reasonOf(fault, read)));
      return pollResponse(nowNanos);
    }
    Packet responsePacket = nextPacketOf(read, ack());
    read.sent();
    if (read.nextPsn() == Psn.add(read.lastPsn(), 1)) {
      responseQueue.removeNext();
    }
    return responsePacket;
  }

  private Packet acknowledgement(ResponseQueue.Acknowledgement ack) {
    return ack.in(start(Operation.ACKNOWLEDGE, Position.ONLY, ack.psn()));
  }

  private Packet atomicAnswer(ResponseQueue.AtomicResponse response, Aeth ack) {
    return start(Operation.ATOMIC_ACKNOWLEDGE, Position.ONLY, response.psn())
        .add(ack)
        .add(new AtomicAckEth(response.original()));
  }

  /** Fault that keeps the next packet of a response from being made, or null. */
  private @Nullable MemoryFault faultOf(ReadResponse read) {
    int bytes = read.nextBytes();
    MemoryRange range = new MemoryRange(read.nextAddr(), bytes);
    return bytes == 0
        ? null
        : memory.faultOf(read.request().rkey(), read.accessor(), range, AccessFlag.REMOTE_READ);
  }

  /** Whether the bytes of the next packet are there: those of another process are read. */
  private boolean isThere(ReadResponse read) {
    int bytes = read.nextBytes();
    int rkey = read.request().rkey();
    if (bytes == 0 || !memory.isOfProcess(rkey)) {
      return true;
    }
    long offset = read.offset();
    if (memory.staging().holds(read.staged(), offset, bytes)) {
      return true;
    }
    long rest = read.request().dmaLength() - offset;
    int ahead = (int) Math.min(Staging.READ_AHEAD_BYTES, rest);
    return memory.stage(read.staged(), rkey, read.nextAddr(), offset, ahead)
        || (ahead > bytes && memory.stage(read.staged(), rkey, read.nextAddr(), offset, bytes));
  }

  private Payload payloadOf(ReadResponse read) {
    int bytes = read.nextBytes();
    int rkey = read.request().rkey();
    if (bytes == 0) {
      return Payload.EMPTY;
    }
    return memory.isOfProcess(rkey)
        ? memory.staging().payload(read.staged(), read.offset(), bytes)
        : memory.view(rkey, read.nextAddr(), bytes);
  }

  /** Names the rule that a READ breaks, with its range and key. */
  private String reasonOf(MemoryFault fault, ReadResponse read) {
    MemoryRange range = new MemoryRange(read.nextAddr(), read.nextBytes());
    return memory.reasonOf(fault, read.request().rkey(), range, AccessFlag.REMOTE_READ);
  }

  /** The next packet of a response that nothing is wrong with. */
  private Packet nextPacketOf(ReadResponse read, Aeth ack) {
    Payload payload = payloadOf(read);
    Position position = Position.of(read.isFirst(), read.isLast());
    start(Operation.RDMA_READ_RESPONSE, position, read.nextPsn()).setPayload(payload);
    return position == Position.MIDDLE ? outgoingPacket : outgoingPacket.add(ack);
  }

  private MutablePacket start(Operation operation, Position position, int psn) {
    Opcode opcode = Opcode.select(service, operation, position, false, false);
    int peer = qp.attributes().destQpNum();
    return outgoingPacket.reset(qp.route(), opcode, qp.pkey(), peer, psn).migrated(qp.isMigrated());
  }

  /** Takes up the requests that waited for READ responses, as far as these have been sent. */
  private void resume() {
    while (failure == null && !deferredPackets.isEmpty() && responseQueue.reads() == 0) {
      process(deferredPackets.remove(0));
      if (!isWritten()) { // Before its answer leaves.
        failUnwritten();
      }
    }
  }
}
