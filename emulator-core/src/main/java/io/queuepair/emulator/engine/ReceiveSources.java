package io.queuepair.emulator.engine;

import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.wire.CreditCode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Service;
import java.util.function.IntFunction;

/** Where the receives of a responder come from, packet by packet, and how many there are. */
final class ReceiveSources {
  private final QpContext qp;

  /** The same for all packets; null if each names its shared queue. */
  private final ReceiveSource source;

  /** The shared receive queues of the device by number. */
  private final IntFunction<SharedReceiveRing> sharedQueues;

  /** Whether the peer is told how many receives there are; of a shared queue nobody can tell. */
  private final boolean grantsCredits;

  ReceiveSources(
      QpContext qp,
      Service service,
      IntFunction<SharedReceiveRing> sharedQueues,
      boolean usesCredits) {
    this.qp = qp;
    this.sharedQueues = sharedQueues;
    source = service == Service.XRC ? null : ReceiveSource.of(qp);
    grantsCredits = usesCredits && service == Service.RC && qp.setup().srq() == null;
  }

  /** Where the receive of a packet comes from, or null if it names a queue that is not there. */
  ReceiveSource of(Packet packet) {
    if (source != null) {
      return source;
    }
    SharedReceiveRing named = sharedQueues.apply(packet.xrcEth().srqn());
    boolean isReachable =
        named != null && named.xrc() != null && named.xrc().xrcDomain() == qp.domain();
    return isReachable ? ReceiveSource.ofXrc(qp, named) : null;
  }

  /** What an ACK says of the receives for the messages that it does not acknowledge yet. */
  int creditCode() {
    return grantsCredits
        ? CreditCode.largestWithin(qp.receiveQueue().outstanding())
        : CreditCode.UNLIMITED;
  }
}
