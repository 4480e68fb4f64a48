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
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.GidEntry;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The connection manager of the system, with an address of one of its devices to connect to. Skips
 * tests where the system has none; what was made through it is closed after each.
 */
final class SystemHost implements BeforeEachCallback, AfterEachCallback {
  static final Duration SOON = Duration.ofSeconds(2);

  private static final Duration AT_LAST = Duration.ofSeconds(20);

  RdmaCm cm;
  Context context;
  InetAddress address;
  RdmaEventChannel active;
  RdmaEventChannel passive;
  private final Deque<AutoCloseable> made = new ArrayDeque<>();

  @Override
  public void beforeEach(ExtensionContext test) {
    Optional<RdmaCm> found = new NativeRdmaCmProvider().rdmaCm();
    Assumptions.assumeTrue(found.isPresent(), "the system has no device with librdmacm");
    cm = found.get();
    address = firstAddress();
    active = closedLater(cm.createEventChannel());
    passive = closedLater(cm.createEventChannel());
  }

  private InetAddress firstAddress() {
    for (Context device : cm.getDevices()) {
      context = device;
      for (GidEntry entry : device.queryGidTable(256)) {
        if (entry.gid().toAddress() instanceof Inet4Address found) {
          return found;
        }
      }
    }
    return Assumptions.abort("no device of the system has an address of IPv4");
  }

  /** Closes what was made last first. */
  @Override
  public void afterEach(ExtensionContext test) throws Exception {
    while (!made.isEmpty()) {
      made.pop().close();
    }
  }

  /** Has it closed when the test has ended. */
  <T extends AutoCloseable> T closedLater(T object) {
    made.push(object);
    return object;
  }

  InetSocketAddress at(int port) {
    return new InetSocketAddress(address, port);
  }

  static QpInitAttr attr(QpType type) {
    return new QpInitAttr(type, null, null, null, new QpCap(8, 8, 2, 2, 0), true);
  }

  /** An id that listens at a free port. */
  RdmaCmId listener(RdmaPortSpace space) {
    RdmaCmId id = closedLater(passive.createId(space));
    id.bindAddr(at(0));
    id.listen(16);
    return id;
  }

  RdmaCmId id(RdmaPortSpace space) {
    return closedLater(active.createId(space));
  }

  /** An id with a route to a port. */
  RdmaCmId routed(RdmaPortSpace space, int port) {
    RdmaCmId id = id(space);
    id.resolveAddr(null, at(port), SOON);
    expect(active, RdmaCmEventType.ADDR_RESOLVED, id);
    id.resolveRoute(SOON);
    expect(active, RdmaCmEventType.ROUTE_RESOLVED, id);
    return id;
  }

  /** Creates an id with a queue pair. */
  RdmaCmId ready(RdmaPortSpace space, int port) {
    RdmaCmId id = routed(space, port);
    id.createQp(null, attr(id.qpType()));
    return id;
  }

  /** The id of the next request. */
  RdmaCmId request() {
    return closedLater(take(passive, RdmaCmEventType.CONNECT_REQUEST).id());
  }

  /** Both ends of a connection: the active one first. */
  RdmaCmId[] connected() {
    RdmaCmId listener = listener(RdmaPortSpace.TCP);
    RdmaCmId one = ready(RdmaPortSpace.TCP, listener.srcPort());
    RdmaCmId other = connect(one, attr(QpType.RC));
    listener.close();
    return new RdmaCmId[] {one, other};
  }

  /** Connects an id that has a queue pair: the other end, with a queue pair of these attributes. */
  RdmaCmId connect(RdmaCmId one, QpInitAttr attr) {
    one.connect(RdmaConnParam.of(1, 1));
    RdmaCmId other = request();
    other.createQp(null, attr);
    other.accept();
    expect(active, RdmaCmEventType.ESTABLISHED, one);
    expect(passive, RdmaCmEventType.ESTABLISHED, other);
    return other;
  }

  /** An extended queue, which is destroyed after the ids that are made later. */
  ExtendedCompletionQueue extendedCq() {
    return closedLater(context.createCqEx(CqInitAttrEx.of(16)));
  }

  static QpInitAttr withQueue(ExtendedCompletionQueue cq) {
    return new QpInitAttr(QpType.RC, cq, cq, null, attr(QpType.RC).cap(), true);
  }

  /** An id with a route to a listener, and an extended queue pair for some operations. */
  RdmaCmId extended(QpInitAttr attr, SendOpsFlag... operations) {
    RdmaCmId id = routed(RdmaPortSpace.TCP, listener(RdmaPortSpace.TCP).srcPort());
    Set<SendOpsFlag> flags = EnumSet.copyOf(List.of(operations));
    id.createQpEx(id.pd(), QpInitAttrEx.of(attr).withSendOps(flags));
    return id;
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

  /** Errno of a refusal, whose text names a function. */
  static Errno errnoOf(Runnable refused) {
    try {
      refused.run();
    } catch (VerbsException e) {
      assertThat(e).hasMessageMatching("(rdma|ibv)_\\w+: .*");
      return e.errno();
    }
    throw new AssertionError("nothing was refused");
  }

  /** Writes to memory that no peer may use: an event of the queue pair of the other end. */
  void writeToHidden(RdmaCmId one, RdmaCmId other) {
    Set<AccessFlag> rights = EnumSet.of(AccessFlag.LOCAL_WRITE);
    MemoryRegion hidden = closedLater(other.pd().regMr(ByteBuffer.allocateDirect(64), rights));
    MemoryRegion from = message(one, "hello");
    one.qp().postSend(SendWr.rdmaWrite(1, hidden.addr(), hidden.rkey(), from.sge()));
    assertThat(one.getSendComp().status()).isNotEqualTo(WcStatus.SUCCESS);
  }

  /** Registers memory of an id for messages. */
  MemoryRegion room(RdmaCmId id) {
    return closedLater(id.regMsgs(ByteBuffer.allocateDirect(64)));
  }

  MemoryRegion message(RdmaCmId id, String text) {
    return closedLater(id.regMsgs(direct(text)));
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
}
