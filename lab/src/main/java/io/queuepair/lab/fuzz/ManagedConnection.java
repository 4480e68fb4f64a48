// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.lab.simulation.Violation;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A connection of {@code rdma_cm} from a neighbour to the device under fire, which no datagram may
 * end.
 */
final class ManagedConnection {
  private static final int PORT = 7_471;
  private static final int QPN_HERE = 0x00ab_0002;
  private static final int QPN_THERE = 0x00ab_0004;
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Longer than a message takes from one host to the other. */
  private static final long MESSAGE_NANOS = 20_000;

  private final RdmaEventChannel here;
  private final RdmaEventChannel there;
  private final LongConsumer pass;
  private final RdmaCmId passive;
  private final RdmaCmId active;

  /**
   * Connects.
   *
   * @param pass lets so many nanoseconds go by
   */
  ManagedConnection(RdmaCm underFire, InetAddress address, RdmaCm other, LongConsumer pass) {
    this.pass = pass;
    here = underFire.createEventChannel();
    there = other.createEventChannel();
    RdmaCmId listener = here.createId(RdmaPortSpace.TCP);
    listener.bindAddr(new InetSocketAddress(address, PORT));
    listener.listen(1);
    active = there.createId(RdmaPortSpace.TCP);
    active.resolveAddr(null, new InetSocketAddress(address, PORT), TIMEOUT);
    next(there, RdmaCmEventType.ADDR_RESOLVED);
    active.resolveRoute(TIMEOUT);
    next(there, RdmaCmEventType.ROUTE_RESOLVED);
    active.connect(RdmaConnParam.of(0, 0).withQp(QPN_THERE, false));
    passive = next(here, RdmaCmEventType.CONNECT_REQUEST);
    passive.accept(RdmaConnParam.of(0, 0).withQp(QPN_HERE, false));
    next(there, RdmaCmEventType.CONNECT_RESPONSE);
    active.establish();
    next(here, RdmaCmEventType.ESTABLISHED);
    listener.close();
  }

  private RdmaCmId next(RdmaEventChannel channel, RdmaCmEventType type) {
    pass.accept(MESSAGE_NANOS);
    Optional<RdmaCmEvent> next = channel.getCmEvent(Duration.ZERO);
    Violation.unless(next.isPresent(), "a neighbour does not get %s", type);
    try (RdmaCmEvent event = next.get()) {
      Violation.unless(event.event() == type, "a neighbour gets %s, not %s", event, type);
      return event.id();
    }
  }

  /** Nothing has happened to the connection. */
  void verify() {
    verifySilent(here);
    verifySilent(there);
  }

  private static void verifySilent(RdmaEventChannel channel) {
    Optional<RdmaCmEvent> next = channel.getCmEvent(Duration.ZERO);
    Violation.unless(next.isEmpty(), "the connection of a neighbour ends: %s", next);
  }

  /** Ends the connection in order, so that both sides hear of it. */
  void finish() {
    verify();
    active.disconnect();
    next(here, RdmaCmEventType.DISCONNECTED);
    passive.disconnect();
    next(there, RdmaCmEventType.DISCONNECTED);
    active.close();
    passive.close();
    here.close();
    there.close();
  }
}
