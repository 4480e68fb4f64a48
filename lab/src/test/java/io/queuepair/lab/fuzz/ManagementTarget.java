// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.wire.Icrc;
import io.queuepair.emulator.wire.Route;
import io.queuepair.lab.cmsimulation.CmCounts;
import io.queuepair.lab.simulation.Violation;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Management datagrams to a host with a program that listens and connects, late and seldom, while a
 * connection of two others must not notice anything.
 */
final class ManagementTarget implements AutoCloseable {
  private static final InetAddress HOST = FuzzFabric.address(1);
  private static final InetAddress MOVING = FuzzFabric.address(0x11);
  private static final InetAddress OTHER = FuzzFabric.address(3);
  private static final InetAddress STRANGER = FuzzFabric.address(4);
  private static final int PORT = 2;
  private static final int BYSTANDERS_PORT = 7_471;
  private static final int BACKLOG = 4;
  private static final int QPN = 0xab_0006;
  private static final int IDS = 8;
  private static final int GSI_QKEY = 0x8001_0000;
  private static final int SOURCE_PORT = 0xc123;
  private static final int DATAGRAM_HEADERS = 20;
  private static final int REP = 0x13;
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Longer than a message takes from one host to another. */
  private static final long MESSAGE_NANOS = 20_000;

  /** Longer than all retries and time-waits that the fields of a REQ can ask for. */
  private static final long LONGEST_WAIT_NANOS = TimeUnit.DAYS.toNanos(3);

  private final FuzzFabric fabric = new FuzzFabric(this::sent);
  private final Emulator emulator = Emulator.on(fabric);
  private final EmulatedDevice device =
      emulator.addDevice(HOST.getHostAddress(), MOVING.getHostAddress());
  private final RdmaCm cm = emulator.rdmaCm(device);
  private final RdmaCm otherCm = emulator.rdmaCm(emulator.addDevice(OTHER.getHostAddress()));
  private final RdmaEventChannel channel = cm.createEventChannel();
  private final Deque<RdmaCmId> open = new ArrayDeque<>();
  private final Icrc icrc = new Icrc();

  /** Requests that the program took or sent: their ends may wait for the time-wait. */
  private int taken;

  /** Of the last message of the host, of its last REP, and of the bystanders' connection. */
  private Ends heard = new Ends(0, 0, 0);

  private Ends accepted = heard;
  private Ends bystanders = heard;

  /** Names of a connection in its messages. */
  private record Ends(int localId, int remoteId, int remoteQpn) {}

  /** Carries out all steps, and fails if something happens that must not. */
  void run(FuzzInput in) {
    bystanders = new Ends(0, 0, 0);
    Bystander bystander = new Bystander();
    final CmCounts before = CmCounts.of(cm);
    List<RdmaCmId> listeners = new ArrayList<>();
    for (RdmaPortSpace space : List.of(RdmaPortSpace.TCP, RdmaPortSpace.UDP)) {
      RdmaCmId listener = channel.createId(space);
      listener.bindAddr(new InetSocketAddress(HOST, PORT));
      listener.listen(BACKLOG);
      listeners.add(listener);
    }
    while (in.next()) {
      step(in);
      fabric.pass(1_000);
      verifyBounded(before);
    }
    bystander.finish();
    while (serveOne(in)) {}
    open.forEach(RdmaCmId::close);
    open.clear();
    taken = 0;
    listeners.forEach(RdmaCmId::close);
    new Bystander().finish();
    fabric.pass(LONGEST_WAIT_NANOS);
    Violation.unless(CmCounts.of(cm).equals(new CmCounts(0, 0)), "%s are left", CmCounts.of(cm));
  }

  private void step(FuzzInput in) {
    int kind = in.below(12);
    switch (kind) {
      case 0 -> pass(in);
      case 1 -> serve(in);
      case 2 -> connect();
      case 3 -> fire(in, FuzzFabric.PEER, filled(in));
      case 4, 5 -> fire(in, FuzzFabric.PEER, request(in, layoutOf("REQ"), 0x0106_0000L));
      case 6 -> fire(in, FuzzFabric.PEER, request(in, layoutOf("SIDR_REQ"), 0x0111_0000L));
      case 7, 8 -> fire(in, FuzzFabric.PEER, followUp(in, accepted));
      case 9 -> fire(in, FuzzFabric.PEER, followUp(in, heard));
      case 10 -> fire(in, in.below(2) == 0 ? STRANGER : FuzzFabric.PEER, followUp(in, bystanders));
      default -> fire(in, OTHER, ofWrongEnd(in));
    }
  }

  private void pass(FuzzInput in) {
    if (in.below(8) == 7) {
      device.removeAddress(1, MOVING.getHostAddress());
      device.setPortUp(1, false);
      device.setPortUp(1, true);
      device.addAddress(1, MOVING.getHostAddress());
    }
    fabric.pass(1L << in.below(42));
  }

  private static MadLayout layoutOf(String name) {
    return MadLayout.all().stream().filter(each -> each.name().equals(name)).findFirst().get();
  }

  private static ByteBuffer filled(FuzzInput in) {
    byte[] bytes = new byte[MadLayout.BYTES];
    Arrays.fill(bytes, (byte) in.number(1));
    return ByteBuffer.wrap(bytes);
  }

  private static ByteBuffer message(FuzzInput in, MadLayout layout, Ends ends) {
    ByteBuffer mad = filled(in);
    layout.writeHeader(mad, in.below(IDS));
    put(mad, layout, "local_comm_id", ends.localId);
    put(mad, layout, "remote_comm_id", ends.remoteId);
    put(mad, layout, "request_id", ends.remoteId);
    put(mad, layout, "remote_qpn", ends.remoteQpn << 8);
    return mad;
  }

  private static void put(ByteBuffer mad, MadLayout layout, String field, int value) {
    Integer at = layout.fields().get(field);
    if (at != null) {
      mad.putInt(at, value);
    }
  }

  /** A message of a connection. */
  private static ByteBuffer followUp(FuzzInput in, Ends ends) {
    return message(in, in.one(MadLayout.all()), ends);
  }

  /** A message about the bystanders' connection with a wrong ID, or a DREQ with a wrong QPN. */
  private ByteBuffer ofWrongEnd(FuzzInput in) {
    Ends right = bystanders;
    if (in.below(2) == 0) {
      return followUp(in, new Ends(in.below(IDS), right.remoteId, right.remoteQpn));
    }
    int wrongQpn = right.remoteQpn ^ 1 + in.below(IDS);
    return message(in, layoutOf("DREQ"), new Ends(right.localId, right.remoteId, wrongQpn));
  }

  /** A request that the listener takes: everything is right that it looks at. */
  private static ByteBuffer request(FuzzInput in, MadLayout layout, long services) {
    ByteBuffer mad = message(in, layout, new Ends(in.below(IDS), in.below(IDS), 0));
    mad.putLong(layout.fields().get("service_id"), services | PORT);
    if (layout.name().equals("REQ")) {
      mad.put(layout.fields().get("transport_service_type"), (byte) (in.number(1) & ~6));
      mad.put(layout.fields().get("path_mtu"), (byte) (0x30 | in.below(8)));
      put(mad, layout.fields().get("primary_remote_gid"), HOST);
      mad.putShort(layout.fields().get("alternate_local_lid"), (short) 0);
    }
    int data = layout.fields().get("private_data");
    mad.put(data, (byte) 0).put(data + 1, (byte) (in.below(16) == 15 ? 0x40 : 0x60));
    put(mad, data + 4, FuzzFabric.PEER);
    put(mad, data + 20, HOST);
    return mad;
  }

  private static void put(ByteBuffer mad, int at, InetAddress address) {
    Gid gid = Gid.of(address);
    mad.putLong(at, gid.subnetPrefix()).putLong(at + Long.BYTES, gid.interfaceId());
  }

  /** Sends a management datagram with some bytes changed, rarely of another length. */
  private void fire(FuzzInput in, InetAddress source, ByteBuffer mad) {
    byte[] bytes = new byte[MadLayout.BYTES];
    mad.get(0, bytes);
    int changes = source.equals(OTHER) ? 0 : Math.max(0, in.below(8) - 4);
    for (int i = 0; i < changes; i++) {
      bytes[in.below(MadLayout.BYTES)] = (byte) in.number(1);
    }
    verifyDecoded(bytes);
    if (in.below(16) == 15) {
      bytes = Arrays.copyOf(bytes, in.below(2 * MadLayout.BYTES));
      verifyDecoded(bytes);
    }
    int pad = -bytes.length & 3;
    ByteBuffer datagram = ByteBuffer.allocate(DATAGRAM_HEADERS + bytes.length + pad + 4);
    datagram.put(0, (byte) 0x64).put(1, (byte) (pad << 4)).putShort(2, (short) -1).putInt(4, 1);
    datagram.putInt(12, GSI_QKEY ^ in.below(16) / 15).putInt(16, 1);
    datagram.put(DATAGRAM_HEADERS, bytes);
    icrc.seal(new Route(source, HOST, SOURCE_PORT, 0, 64, 0), datagram, 0, datagram.limit());
    fabric.fire(
        HOST, List.of(new DatagramBurst(source, SOURCE_PORT, HOST, datagram, datagram.limit())));
  }

  /** Whatever arrives is shown, and what is understood of it is understood again. */
  private static void verifyDecoded(byte[] mad) {
    Violation.unless(MadLayout.fieldsOf(mad).size() <= 100, "a datagram has too many fields");
    Optional<byte[]> once = MadLayout.reencoded(mad);
    Violation.unless(
        once.isEmpty() || Arrays.equals(once.get(), MadLayout.reencoded(once.get()).orElse(null)),
        "a message does not survive being written again");
  }

  Coverage coverage() {
    return device.coverage();
  }

  /** A device sent something. */
  private void sent(DatagramBurst burst) {
    ByteBuffer mad = burst.bytes().slice();
    mad.position(DATAGRAM_HEADERS);
    mad = mad.slice();
    if (!burst.source().equals(HOST) || mad.get(1) != 7) {
      return;
    }
    boolean isReply = mad.getShort(16) == REP;
    int at = MadLayout.HEADER_BYTES;
    int qpn = isReply ? mad.getInt(at + 12) >>> 8 : 0;
    Ends ends = new Ends(mad.getInt(at + 4), mad.getInt(at), qpn);
    if (burst.destination().equals(FuzzFabric.PEER)) {
      heard = ends;
      accepted = isReply ? ends : accepted;
    } else if (bystanders.remoteQpn == 0) {
      bystanders = ends;
    }
  }

  /** Resolves the address of the peer; {@link #serveOne} continues. */
  private void connect() {
    RdmaCmId id = channel.createId(RdmaPortSpace.TCP);
    id.resolveAddr(null, new InetSocketAddress(FuzzFabric.PEER, PORT), TIMEOUT);
    open.addLast(id);
    taken++;
  }

  private void serve(FuzzInput in) {
    while (serveOne(in)) {}
    if (open.size() > IDS) {
      RdmaCmId id = open.removeFirst();
      if (in.below(2) == 0) {
        attempt(id::disconnect);
      }
      id.close();
    }
  }

  private boolean serveOne(FuzzInput in) {
    Optional<RdmaCmEvent> next = channel.getCmEvent(Duration.ZERO);
    if (next.isPresent()) {
      RdmaCmId id = next.get().id();
      RdmaCmEventType type = next.get().event();
      next.get().ack();
      switch (type) {
        case CONNECT_REQUEST -> answer(in, id);
        case ADDR_RESOLVED -> attempt(() -> id.resolveRoute(TIMEOUT));
        case ROUTE_RESOLVED -> attempt(() -> id.connect(RdmaConnParam.of(1, 1).withQp(QPN, false)));
        case CONNECT_RESPONSE -> attempt(id::establish);
        case ESTABLISHED -> {}
        default -> {
          attempt(id::disconnect);
          close(id);
        }
      }
    }
    return next.isPresent();
  }

  private void answer(FuzzInput in, RdmaCmId id) {
    taken++;
    open.addLast(id);
    int kind = in.below(4);
    if (kind == 0) {
      attempt(() -> id.accept(RdmaConnParam.of(1, 1).withQp(QPN, false)));
    } else if (kind == 1) {
      attempt(
          () -> {
            id.createQp(null, new QpInitAttr(id.qpType(), null, null, null, QpCap.of(4), true));
            id.accept();
          });
    } else if (kind == 2) {
      attempt(id::reject);
      close(id);
    }
  }

  private void close(RdmaCmId id) {
    if (open.remove(id)) {
      id.close();
    }
  }

  /** Refusals say that it is too late: the peer may have ended the connection. */
  private static void attempt(Runnable call) {
    try {
      call.run();
    } catch (VerbsException refused) {
      Violation.unless(refused.errno() == Errno.EINVAL, "a call of rdma_cm fails: %s", refused);
    }
  }

  /** Half-open connections are limited by the backlog, the others by what the program takes. */
  private void verifyBounded(CmCounts before) {
    int pending = 2 * BACKLOG;
    CmCounts now = CmCounts.of(cm);
    int ids = now.ids() - before.ids() - 2 - open.size();
    Violation.unless(ids <= pending, "%d requests wait with a backlog of %d", ids, BACKLOG);
    int ends = now.ends() - before.ends() - taken;
    Violation.unless(ends <= pending, "%d connections wait with a backlog of %d", ends, BACKLOG);
  }

  @Override
  public void close() {
    emulator.close();
  }

  /** A connection of the host with another one. */
  private final class Bystander {
    private final RdmaEventChannel here = cm.createEventChannel();
    private final RdmaEventChannel there = otherCm.createEventChannel();
    private final RdmaCmId passive;
    private final RdmaCmId active = there.createId(RdmaPortSpace.TCP);

    Bystander() {
      RdmaCmId listener = here.createId(RdmaPortSpace.TCP);
      listener.bindAddr(new InetSocketAddress(HOST, BYSTANDERS_PORT));
      listener.listen(1);
      active.resolveAddr(null, new InetSocketAddress(HOST, BYSTANDERS_PORT), TIMEOUT);
      next(there, RdmaCmEventType.ADDR_RESOLVED);
      active.resolveRoute(TIMEOUT);
      next(there, RdmaCmEventType.ROUTE_RESOLVED);
      active.connect(RdmaConnParam.of(0, 0).withQp(QPN + 1, false));
      passive = next(here, RdmaCmEventType.CONNECT_REQUEST);
      passive.accept(RdmaConnParam.of(0, 0).withQp(QPN + 2, false));
      next(there, RdmaCmEventType.CONNECT_RESPONSE);
      active.establish();
      next(here, RdmaCmEventType.ESTABLISHED);
      listener.close();
    }

    private RdmaCmId next(RdmaEventChannel events, RdmaCmEventType type) {
      fabric.pass(MESSAGE_NANOS);
      RdmaCmEvent event = events.getCmEvent(Duration.ZERO).orElse(null);
      Violation.unless(event != null && event.event() == type, "%s instead of %s", event, type);
      event.ack();
      return event.id();
    }

    /** Fails if something has happened to the connection, and ends it. */
    void finish() {
      for (RdmaEventChannel events : List.of(here, there)) {
        Optional<RdmaCmEvent> next = events.getCmEvent(Duration.ZERO);
        Violation.unless(next.isEmpty(), "the connection of a bystander gets %s", next);
      }
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
}
