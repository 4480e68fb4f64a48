package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.Failure;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Grh;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.WcStatus;

/**
 * The receiving half of a datagram queue pair: each packet is a message, put behind forty bytes of
 * GRH. One that finds no receive, or too small a one, is dropped.
 */
final class DatagramReceiver implements ReceiveSide {
  private final QpContext qp;
  private final ScatterGather memory;
  private final Completions completions;
  private final ReceiveSource source;
  private String failure;

  DatagramReceiver(QpContext qp, ScatterGather memory, Completions completions) {
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

  @Override
  public DropReason receive(Packet packet) {
    if (packet.deth().qkey() != qp.attributes().qkey()) {
      return DropReason.BAD_QKEY;
    }
    long room = source.nextLengthBytes();
    int bytes = Grh.BYTES + packet.payload().length();
    if (room < bytes) {
      return room < 0 ? DropReason.NO_RECEIVE : DropReason.RECEIVE_TOO_SMALL;
    }
    RecvWqe receive = source.take();
    MemoryRange range = new MemoryRange(0, bytes);
    MemoryFault fault =
        memory.faultOf(receive.sges(), source.receiveDomain(), range, AccessFlag.LOCAL_WRITE);
    if (fault == null) {
      memory.scatter(receive.sges(), 0, Grh.of(packet));
      memory.scatter(receive.sges(), Grh.BYTES, packet.payload());
      completions.receivedDatagram(receive, packet, bytes);
    } else {
      String reason = "a datagram: " + Verdict.RECEIVE_PROTECTION.text() + ": " + fault.text();
      completions.receiveFailed(
          source,
          receive,
          new Failure(WcStatus.LOC_PROT_ERR, "the queue pair refused this message: " + reason));
      failure = "the queue pair refused a request of its peer: " + reason;
    }
    return null;
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
    // A datagram is complete in one packet: no receive is ever half filled.
  }

  @Override
  public int expectedPsn() {
    return 0;
  }
}
