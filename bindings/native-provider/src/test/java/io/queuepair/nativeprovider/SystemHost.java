// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.GidEntry;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The connection manager of the system, with an address of one of its devices to connect to. */
final class SystemHost implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(2);

  private static final Duration AT_LAST = Duration.ofSeconds(20);

  final RdmaCm cm;
  final InetAddress address;
  final RdmaEventChannel active;
  final RdmaEventChannel passive;

  private SystemHost(RdmaCm cm, InetAddress address) {
    this.cm = cm;
    this.address = address;
    active = cm.createEventChannel();
    passive = cm.createEventChannel();
  }

  /** Skips the test where the system has none. */
  static SystemHost open() {
    Optional<RdmaCm> found = new NativeRdmaCmProvider().rdmaCm();
    Assumptions.assumeTrue(found.isPresent(), "the system has no device with librdmacm");
    RdmaCm cm = found.get();
    for (Context context : cm.getDevices()) {
      for (GidEntry entry : context.queryGidTable(256)) {
        if (entry.gid().toAddress() instanceof Inet4Address address) {
          return new SystemHost(cm, address);
        }
      }
    }
    return Assumptions.abort("no device of the system has an address of IPv4");
  }

  InetSocketAddress at(int port) {
    return new InetSocketAddress(address, port);
  }

  static QpInitAttr attr(QpType type) {
    return new QpInitAttr(type, null, null, null, new QpCap(8, 8, 2, 2, 0), true);
  }

  /** An id that listens at a free port. */
  RdmaCmId listener(RdmaPortSpace space) {
    RdmaCmId id = passive.createId(space);
    id.bindAddr(at(0));
    id.listen(16);
    return id;
  }

  /** An id with a route to a port. */
  RdmaCmId routed(RdmaPortSpace space, int port) {
    RdmaCmId id = active.createId(space);
    id.resolveAddr(null, at(port), SOON);
    expect(active, RdmaCmEventType.ADDR_RESOLVED, id);
    id.resolveRoute(SOON);
    expect(active, RdmaCmEventType.ROUTE_RESOLVED, id);
    return id;
  }

  /** The same with a queue pair. */
  RdmaCmId ready(RdmaPortSpace space, int port) {
    RdmaCmId id = routed(space, port);
    id.createQp(null, attr(id.qpType()));
    return id;
  }

  /** Both ends of a connection: the active one first. */
  RdmaCmId[] connected() {
    RdmaCmId listener = listener(RdmaPortSpace.TCP);
    RdmaCmId one = ready(RdmaPortSpace.TCP, listener.srcPort());
    one.connect(RdmaConnParam.of(1, 1));
    RdmaCmId other = take(passive, RdmaCmEventType.CONNECT_REQUEST).id();
    other.createQp(null, attr(QpType.RC));
    other.accept();
    expect(active, RdmaCmEventType.ESTABLISHED, one);
    expect(passive, RdmaCmEventType.ESTABLISHED, other);
    listener.close();
    return new RdmaCmId[] {one, other};
  }

  /** Takes an event of a type, and acknowledges it. */
  static RdmaCmEvent take(RdmaEventChannel channel, RdmaCmEventType type) {
    try (RdmaCmEvent event = channel.getCmEvent(AT_LAST).orElseThrow()) {
      assertThat(event.event()).as(event.toString()).isEqualTo(type);
      return event;
    }
  }

  static void expect(RdmaEventChannel channel, RdmaCmEventType type, RdmaCmId id) {
    assertThat(take(channel, type).id()).isSameAs(id);
  }

  /** That of a refusal, whose text names a function. */
  static Errno errnoOf(Runnable refused) {
    try {
      refused.run();
    } catch (VerbsException e) {
      assertThat(e).hasMessageMatching("(rdma|ibv)_\\w+: .*");
      return e.errno();
    }
    throw new AssertionError("nothing was refused");
  }

  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  static ByteBuffer direct(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  @Override
  public void close() {
    active.close();
    passive.close();
  }
}
