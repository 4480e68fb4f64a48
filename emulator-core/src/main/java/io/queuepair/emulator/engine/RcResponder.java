// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.engine.LossReport.LossFlow;
import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.Staging;
import io.queuepair.emulator.profile.AckPolicy;
import io.queuepair.emulator.queue.Cqe;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Responder of a reliable connection: executes request packets in PSN order, each exactly once, and
 * answers with ACK, NAK or responses. {@link RequestChecks} decides whether a packet is executed or
 * NAKed.
 */
final class RcResponder implements Responder, Staging.Writer {
  /** Maximum number of requests deferred during a READ response; others are dropped. */
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

  /** Receive queue; null for XRC, whose packets name a shared receive queue. */
  private final @Nullable ReceiveQueueRef receiveQueue;

  private final IntFunction<SharedReceiveRing> sharedQueues;

  /** Whether ACKs carry credits; not with a shared receive queue. */
  private final boolean grantsCredits;

  /**
   * Requests after a READ whose response is still being sent. They wait because they may change the
   * memory that the READ returns. A shared empty list until the first one, as most queue pairs
   * never defer any.
   */
  private List<Packet> deferredPackets = List.of();

  private int expectedPsn;

  /** Message sequence number (MSN): completed messages, 24-bit. */
  private int msn;

  /**
   * PSN of the last executed SEND or WRITE packet, which ACKs carry. READs and atomics are answered
   * by their responses alone: Linux Soft-RoCE takes an ACK with the PSN of a READ for all of its
   * data.
   */
  private int executedPsn;

  /** Messages without AckReq executed since the last acknowledgement. */
  private int unasked;

  /** Time at which {@link #unasked} messages are acknowledged. */
  private long acknowledgeAtNanos;

  /** Whether the missing expected PSN was NAKed, which happens once. */
  private boolean gapIsNaked;

  /** Whether the expected PSN got an RNR NAK; later PSNs are dropped without a NAK. */
  private boolean receiverNotReady;

  /** Number for {@link Staging} of the message being written to another process. */
  private long messageNumber;

  /** Number of the first message with bytes for unmapped memory, or {@link #NONE}. */
  private long unwritten = NONE;

  /** Receives of complete messages whose bytes, or those before them, are still to be written. */
  private final Queue<Received> gathered = new ArrayDeque<>();

  /** Receive that a message has filled, with its completion and the message's number. */
  private record Received(
      ReceiveQueueRef receiveQueue, RecvWqe wqe, Cqe cqe, boolean isSolicited, long number) {}

  /** Reason of a fatal refusal, or null: then queued responses leave, no request is accepted. */
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
    assert gathered.isEmpty() : "the step before, or a flush, has completed these receives";
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
    if (!isWritten()) {
      failUnwritten();
    }
    WorkError flushError = new WorkError(WcStatus.WR_FLUSH_ERR, explanation);
    for (Received next = gathered.poll(); next != null; next = gathered.poll()) {
      completions.receiveFailed(next.receiveQueue, next.wqe, flushError);
    }
    RecvWqe recvWqe = message.takeReceive();
    if (recvWqe != null) {
      completions.receiveFailed(message.receiveQueue(), recvWqe, flushError);
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
    // A repeated READ replaces its response that is still being sent.
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
    } else if (isWritten()) {
      String reason =
          packet.opcode() + ", PSN " + packet.psn() + ": " + checks.reason(requestStatus);
      fail(requestStatus, packet.psn(), reason);
    } else {
      failUnwritten();
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

  /** Counts a message without AckReq, and acknowledges it at once if the limit is reached. */
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

  /** Receive queue for a packet; null if it names a shared receive queue that does not exist. */
  private @Nullable ReceiveQueueRef sourceOf(Packet packet) {
    return receiveQueue == null
        ? ReceiveQueueRef.ofXrc(qp, sharedQueues.apply(packet.xrcEth().srqn()))
        : receiveQueue;
  }

  /** Credit code of an ACK: receives available for messages after the acknowledged ones. */
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

  /** Acknowledges or answers a duplicate again, without executing it. */
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
    fail(requestStatus, psn, reason, message.receiveQueue(), message.takeReceive());
  }

  private void fail(
      RequestStatus requestStatus,
      int psn,
      String reason,
      @Nullable ReceiveQueueRef receiveQueue,
      @Nullable RecvWqe recvWqe) {
    // Rule responder.fatal: A fatal refusal is NAKed once, completes the receive in use, and ends
    // the connection.
    // Source: rxe_resp.c do_class_ac_error
    // Test: ResponderRefusalTest.naksAFatalErrorOnceAndDropsWhatFollows
    if (recvWqe != null) {
      WorkError error =
          new WorkError(
              requestStatus.receiveStatus(), "the queue pair refused this message: " + reason);
      completions.receiveFailed(receiveQueue, recvWqe, error);
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
      // A FLUSH has nothing to do: memory here is visible at once, and none is persistent.
      case FLUSH -> answer(packet, ReadResponse.NOTHING, from);
      case RDMA_READ_RESPONSE, ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, RESYNC, CONGESTION_NOTIFICATION ->
          throw new AssertionError(packet.opcode() + " was accepted");
    }
  }

  /** Executes an atomic: across all queue pairs, as the device handles one packet at a time. */
  private void executeAtomic(Packet packet) {
    AtomicEth atomic = packet.atomicEth();
    if (!isWritten()) {
      failUnwritten();
      return;
    }
    if (!memory.load(atomic.rkey(), atomic.virtualAddress())) {
      failUnmapped(RequestStatus.REMOTE_ACCESS, packet.psn(), message.receiveQueue(), null);
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

  /** Tells {@link Staging} which message the next bytes for another process belong to. */
  private void beginWrite(Packet packet) {
    if (memory.staging().isOpen()) {
      Opcode opcode = packet.opcode();
      boolean isWrite = opcode.operation() != Operation.SEND;
      if (opcode.position().startsMessage()) {
        messageNumber = numberFrom(packet.psn(), isWrite);
      }
      memory.staging().begin(this, messageNumber, isWrite && opcode.position().endsMessage());
    }
  }

  private long numberFrom(int psn, boolean isWrite) {
    return ((((long) msn << PSN_BITS) | psn) << 1) | (isWrite ? 1 : 0);
  }

  @Override
  public boolean unwritten(long number) {
    if (unwritten == NONE) {
      unwritten = number;
    }
    return true;
  }

  /** Writes gathered bytes, and completes their receives; false if not all were written. */
  private boolean isWritten() {
    memory.staging().flush();
    return unwritten == NONE;
  }

  @Override
  public void failUnwritten() {
    if (unwritten == NONE) {
      return;
    }
    boolean isWrite = (unwritten & 1) != 0;
    int psn = psnOf(unwritten);
    msn = (int) (unwritten >> (PSN_BITS + 1));
    ReceiveQueueRef receiveQueue = message.receiveQueue();
    RecvWqe recvWqe = null;
    if (!gathered.isEmpty() && gathered.peek().number == unwritten) {
      Received failed = gathered.remove();
      receiveQueue = failed.receiveQueue;
      recvWqe = failed.wqe;
    } else if (message.isInProgress() && unwritten == messageNumber) {
      recvWqe = message.takeReceive();
    }
    unwritten = NONE;
    responseQueue.removeFrom(psn);
    failUnmapped(
        isWrite ? RequestStatus.REMOTE_ACCESS : RequestStatus.RECEIVE_PROTECTION,
        psn,
        receiveQueue,
        recvWqe);
  }

  private static int psnOf(long number) {
    return (int) (number >> 1) & Psn.MASK;
  }

  /** Completes the next gathered receive, unless its message or one before it is unwritten. */
  @Override
  public void completeNext() {
    Received next = gathered.peek();
    if (unwritten == NONE || Psn.isBefore(psnOf(next.number), psnOf(unwritten))) {
      gathered.remove();
      completions.received(next.receiveQueue, next.wqe, next.cqe, next.isSolicited);
    }
  }

  /** Completes a receive, once its bytes and those before them are written. */
  private void complete(Packet last) {
    if (!memory.staging().isGathering()) {
      completions.received(message, last);
      return;
    }
    Cqe cqe = completions.completionOf(message, last, new Cqe());
    RecvWqe recvWqe = message.takeReceive();
    gathered.add(
        new Received(message.receiveQueue(), recvWqe, cqe, last.isSolicited(), messageNumber));
    memory.staging().completeAfterWrite(this);
  }

  private void failUnmapped(
      RequestStatus requestStatus,
      int psn,
      @Nullable ReceiveQueueRef receiveQueue,
      @Nullable RecvWqe recvWqe) {
    // Rule responder.unmapped: Memory of a process that is not mapped fails the message that needs
    // it, as memory that may not be accessed does.
    // Source: IBTA vol. 1, 9.9.3 (local and remote access errors of a responder)
    // Test: ProcessMemoryTest.aWriteToUnmappedMemoryFailsAsARemoteAccessError
    completions.requestChecked(requestStatus, MemoryFault.OUT_OF_RANGE);
    String reason = "PSN " + psn + ": " + requestStatus.text() + NOT_MAPPED;
    fail(requestStatus, psn, reason, receiveQueue, recvWqe);
  }

  private void executeMessagePacket(Packet packet) {
    beginWrite(packet);
    message.place(packet.payload(), memory);
    boolean completesReceive =
        packet.opcode().position().endsMessage() && message.receive() != null;
    boolean invalidates = packet.opcode().hasInvalidate();
    if (unwritten != NONE || (invalidates && !isWritten())) {
      failUnwritten();
      return;
    }
    if (invalidates) {
      memory.invalidate(packet.ieth().rkey());
    }
    executedPsn = packet.psn();
    expectedPsn = Psn.add(executedPsn, 1);
    if (packet.opcode().position().endsMessage()) {
      msn = Psn.add(msn, 1);
      if (completesReceive) {
        complete(packet);
      }
      message.end();
    }
    if (packet.asksForAck()) {
      acknowledge();
    } else if (packet.opcode().position().endsMessage()) {
      noteUnasked();
    }
  }

  /** Queues READ responses to a request; an empty one for ATOMIC_WRITE and FLUSH. */
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
    unasked = 0; // The response acknowledges all requests before it.
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
    // Resumes only now: the last response, which may be a view of memory, has left since.
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
    if (message.isInProgress()) { // A NAK of a PSN that is acknowledged would be ignored.
      messageNumber = numberFrom(expectedPsn, message.isWrite());
    }
    return ack.in(start(Operation.ACKNOWLEDGE, Position.ONLY, ack.psn()));
  }

  private Packet atomicAnswer(ResponseQueue.AtomicResponse response, Aeth ack) {
    return start(Operation.ATOMIC_ACKNOWLEDGE, Position.ONLY, response.psn())
        .add(ack)
        .add(new AtomicAckEth(response.original()));
  }

  private @Nullable MemoryFault faultOf(ReadResponse read) {
    int bytes = read.nextBytes();
    MemoryRange range = new MemoryRange(read.nextAddr(), bytes);
    return bytes == 0
        ? null
        : memory.faultOf(read.request().rkey(), read.accessor(), range, AccessFlag.REMOTE_READ);
  }

  /** Whether the bytes of the next packet are available; stages those of another process. */
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

  /** Memory rule that a READ response breaks, with range and key. */
  private String reasonOf(MemoryFault fault, ReadResponse read) {
    MemoryRange range = new MemoryRange(read.nextAddr(), read.nextBytes());
    return memory.reasonOf(fault, read.request().rkey(), range, AccessFlag.REMOTE_READ);
  }

  /** Next packet of a READ response whose memory was checked. */
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

  /** Executes the deferred requests, as long as no READ response is being sent. */
  private void resume() {
    while (failure == null && !deferredPackets.isEmpty() && responseQueue.reads() == 0) {
      process(deferredPackets.remove(0));
      if (!isWritten()) { // Before the ACK leaves.
        failUnwritten();
      }
    }
  }
}
