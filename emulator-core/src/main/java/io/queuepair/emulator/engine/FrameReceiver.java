package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.Failure;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.WcStatus;

/**
 * The receiving half of a queue pair for raw frames: each fills a receive, and is dropped if there
 * is none. A receive that cannot hold the frame fails, and the queue pair with it.
 */
final class FrameReceiver implements ReceiveSide {
  private final QpContext qp;
  private final ScatterGather memory;
  private final Completions completions;
  private final ReceiveSource source;
  private String failure;

  FrameReceiver(QpContext qp, ScatterGather memory, Completions completions) {
    this.qp = qp;
    this.memory = memory;
    this.completions = completions;
    source = ReceiveSource.of(qp);
  }

  @Override
  public void start() {
    stop();
  }

  @Override
  public void stop() {
    failure = null;
  }

  /** RoCE packets are never for this type: they name another service. */
  @Override
  public DropReason receive(Packet packet) {
    return DropReason.WRONG_SERVICE;
  }

  @Override
  public DropReason receive(RawFrame frame) {
    RecvWqe receive = source.take();
    if (receive == null) {
      return DropReason.NO_RECEIVE;
    }
    int bytes = frame.bytes().length();
    if (bytes > receive.lengthBytes()) {
      String room = "; the receive has room for " + receive.lengthBytes();
      fail(receive, WcStatus.LOC_LEN_ERR, "a frame of " + bytes + " bytes" + room);
      return null;
    }
    MemoryRange range = new MemoryRange(0, bytes);
    MemoryFault fault = memory.faultOf(receive.sges(), qp.domain(), range, AccessFlag.LOCAL_WRITE);
    if (fault != null) {
      String rule = Verdict.RECEIVE_PROTECTION.text() + ": " + fault.text();
      fail(receive, WcStatus.LOC_PROT_ERR, "a frame: " + rule);
      return null;
    }
    memory.scatter(receive.sges(), 0, frame.bytes());
    completions.receivedFrame(receive, bytes);
    return null;
  }

  private void fail(RecvWqe receive, WcStatus status, String reason) {
    completions.receiveFailed(
        source, receive, new Failure(status, "the queue pair refused this message: " + reason));
    failure = "the queue pair refused a request of its peer: " + reason;
  }

  @Override
  public Packet poll() {
    return null;
  }

  @Override
  public boolean owesAcknowledgement() {
    return false;
  }

  @Override
  public String failure() {
    return failure;
  }

  @Override
  public void flush(String explanation) {
    // A frame is complete at once: no receive is ever half filled.
  }

  @Override
  public int expectedPsn() {
    return 0;
  }
}
