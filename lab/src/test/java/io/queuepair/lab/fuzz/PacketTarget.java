// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.wire.Icrc;
import io.queuepair.emulator.wire.Route;
import io.queuepair.lab.simulation.Violation;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.Gid;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Packets to live queue pairs: each has a right ICRC and what is expected, unless it is spoilt. */
final class PacketTarget implements AutoCloseable {
  private static final int MTU = QpConfig.MTU_BYTES;
  private static final int BTH_BYTES = 12;
  private static final int ICRC_BYTES = 4;
  private static final int SOURCE_PORT = 0xc123;
  private static final int MAX_REPEATABLE = 16;
  private static final int NUMBER = 0xff_ffff;
  private static final long SECRET_WORD = 0xc7c7_c7c7_c7c7_c7c7L;
  private static final InetAddress PEER = FuzzFabric.PEER;
  private static final InetAddress FIRST = FuzzFabric.address(1);
  private static final Map<String, List<DatagramLayout>> BY_SERVICE = new HashMap<>();
  private static final DatagramLayout[] BY_OPCODE = new DatagramLayout[256];

  static {
    for (DatagramLayout layout : DatagramLayout.all()) {
      String service = layout.name().split("_", 2)[0];
      BY_SERVICE.computeIfAbsent(service, none -> new ArrayList<>()).add(layout);
      BY_OPCODE[layout.opcode()] = layout;
    }
  }

  private final FuzzFabric fabric = new FuzzFabric(this::sent);
  private final Emulator emulator = Emulator.on(fabric);
  private final EmulatedDevice device =
      emulator.addDevice(
          DeviceProfile.standard(), List.of("fd00::1", "fd00::11"), List.of("fd00::12"));
  private final Icrc icrc = new Icrc();
  private final List<DatagramBurst> fired = new ArrayList<>();
  private final FuzzedDevice target;
  private final Bystanders bystanders;

  PacketTarget(GuardedMemory.Registration registration) {
    target = new FuzzedDevice(device.open(), registration);
    bystanders = new Bystanders(device.open(), emulator.addDevice("fd00::3").open());
  }

  /** Carries out all steps, and fails if something happens that must not. */
  void run(FuzzInput in) {
    bystanders.start();
    while (in.next()) {
      step(in);
      fabric.pass(1_000);
      target.poll();
    }
    target.memory.verify();
    fabric.pass(20_000);
    bystanders.finish();
    bystanders.start();
    fabric.pass(20_000);
    bystanders.finish();
    Map<?, ?> impossible = coverage().unexpectedHits();
    Violation.unless(impossible.isEmpty(), "met what cannot be: %s", impossible);
  }

  Coverage coverage() {
    return device.coverage();
  }

  private void step(FuzzInput in) {
    int kind = in.below(16);
    if (kind == 0) {
      fabric.pass(1L << in.below(31));
    } else if (kind == 4 && !fired.isEmpty()) {
      fire(List.of(in.one(fired)));
    } else if (kind == 1) {
      frame(in);
    } else if (kind == 2) {
      fire(PEER, FIRST, bytes(in));
    } else if (kind == 3) {
      disturbed(in);
    } else if (kind < 8) {
      responses(in);
    } else {
      FuzzedQp qp = in.one(target.qps);
      qp.prepare();
      requests(in, qp);
    }
  }

  private void fire(InetAddress source, InetAddress destination, ByteBuffer... packets) {
    List<DatagramBurst> traffic = new ArrayList<>();
    for (ByteBuffer bytes : packets) {
      traffic.add(new DatagramBurst(source, SOURCE_PORT, destination, bytes, bytes.limit()));
    }
    fired.addAll(0, traffic);
    fired.subList(Math.min(fired.size(), MAX_REPEATABLE), fired.size()).clear();
    fire(traffic);
  }

  private void fire(List<DatagramBurst> traffic) {
    InetAddress destination = traffic.get(0).destination();
    fabric.fire(destination.isMulticastAddress() ? FIRST : destination, traffic);
  }

  private static ByteBuffer bytes(FuzzInput in) {
    byte[] bytes = new byte[1 + in.below(1_500)];
    for (int i = 0; i < Math.min(bytes.length, 64); i++) {
      bytes[i] = (byte) in.number(1);
    }
    return ByteBuffer.wrap(bytes);
  }

  private void frame(FuzzInput in) {
    ByteBuffer bytes = bytes(in);
    if (in.below(2) == 0 && bytes.limit() > 14) {
      bytes.putLong(0, -1).putShort(12, (short) (in.below(2) == 0 ? 0x0800 : 0x86dd));
    }
    fabric.fire(FIRST, List.of(new Frame(PEER, bytes.asReadOnlyBuffer())));
  }

  /** A request while the device lacks something, or from or to somewhere else. */
  private void disturbed(FuzzInput in) {
    int kind = in.below(7);
    FuzzedQp qp = kind == 1 ? target.moving : kind == 6 ? target.member : in.one(target.qps);
    qp.prepare();
    switch (kind) {
      case 0 -> {
        device.setPortUp(1, false);
        requests(in, qp);
        device.setPortUp(1, true);
      }
      case 1 -> {
        device.removeAddress(1, "fd00::11");
        requests(in, qp);
        device.addAddress(1, "fd00::11");
      }
      case 2 -> {
        target.sniffer.prepare();
        Flow flow = target.sniffer.qp.createFlow(FlowAttr.of(FlowAttrType.SNIFFER));
        requests(in, qp);
        flow.close();
      }
      case 3 -> misdirected(in, qp, qp.qp.qpNum(), FuzzFabric.address(4), qp.address());
      case 4 -> misdirected(in, qp, qp.qp.qpNum(), PEER, FuzzFabric.address(0x12));
      case 5 -> misdirected(in, qp, (int) in.number(3), PEER, qp.address());
      default -> {
        Gid group = in.below(2) == 0 ? FuzzedDevice.GROUP : FuzzedDevice.OTHER_GROUP;
        misdirected(in, qp, NUMBER, PEER, group.toAddress());
      }
    }
  }

  private void misdirected(FuzzInput in, FuzzedQp qp, int qpn, InetAddress from, InetAddress to) {
    fire(from, to, spoilt(in, request(in, qp, qp.expectedPsn).putInt(4, qpn), from, to));
  }

  /** Up to five requests, which arrive together. */
  private void requests(FuzzInput in, FuzzedQp qp) {
    ByteBuffer[] packets = new ByteBuffer[Math.max(1, in.below(8) - 2)];
    for (int i = 0; i < packets.length; i++) {
      packets[i] = spoilt(in, request(in, qp, qp.expectedPsn + i), PEER, qp.address());
    }
    fire(PEER, qp.address(), packets);
  }

  private ByteBuffer request(FuzzInput in, FuzzedQp qp, int psn) {
    DatagramLayout layout = in.one(BY_SERVICE.get(qp.service()));
    String name = layout.name();
    int drawn = in.below(1_024);
    int payload = 0;
    if (name.contains("_FIRST") || name.contains("_MIDDLE")) {
      payload = MTU;
      qp.missingBytes = (name.contains("_FIRST") ? drawn : qp.missingBytes) - MTU;
    } else if (name.contains("WRITE_LAST") && qp.missingBytes > 0) {
      payload = Math.min(MTU, qp.missingBytes);
    } else if (name.contains("_LAST") || name.contains("_ONLY")) {
      payload = drawn % (MTU + 1);
    } else if (name.endsWith("ATOMIC_WRITE")) {
      payload = 8;
    }
    boolean isWhole = name.contains("_ONLY") || payload == 8;
    return packet(in, layout, qp, psn, payload, isWhole ? payload : drawn);
  }

  private ByteBuffer packet(
      FuzzInput in, DatagramLayout layout, FuzzedQp qp, int psn, int payload, int length) {
    int pad = -payload & 3;
    int bits = in.below(64);
    ByteBuffer bytes = ByteBuffer.allocate(layout.headerBytes() + payload + pad + ICRC_BYTES);
    bytes.put(0, (byte) layout.opcode()).put(1, (byte) (pad << 4 | (bits & 8) << 4));
    bytes.putShort(2, (short) -1).putInt(4, qp.qp.qpNum() | Math.max(0, bits / 16 - 1) << 30);
    bytes.putInt(8, (psn & NUMBER) | bits << 31);
    layout.headers().forEach((header, at) -> fill(in, header, bytes, at, length));
    return bytes;
  }

  private void fill(FuzzInput in, String header, ByteBuffer bytes, int at, int length) {
    switch (header) {
      case "RETH" -> {
        aim(in, bytes, at, length, "open");
        bytes.putInt(at + 12, in.below(64) == 63 ? (int) in.number(4) : length);
      }
      case "ATOMIC_ETH" -> {
        aim(in, bytes, at, 8, "counters");
        bytes.putLong(at + 12, in.below(256)).putLong(at + 20, in.below(256));
      }
      case "DETH" -> bytes.putInt(at, FuzzedDevice.QKEY).putInt(at + 4, 0x11);
      case "XRCETH" -> bytes.putInt(at, in.below(32) == 31 ? (int) in.number(3) : target.srqNum);
      case "IETH" -> bytes.putInt(at, in.one(target.windowKeys()));
      case "FETH" -> bytes.putInt(at, 1 + in.below(3) | in.below(2) << 4);
      case "AETH" -> bytes.putInt(at, syndrome(in) << 24 | in.below(64));
      default -> bytes.putInt(at, in.below(256));
    }
  }

  private static int syndrome(FuzzInput in) {
    int choice = in.below(16);
    return switch (choice) {
      case 0, 1 -> 0x21 | choice;
      case 2, 3, 4, 5, 6, 7 -> 0x60 | choice - 2;
      case 8 -> in.below(256);
      default -> 0x1f;
    };
  }

  /** Names remote memory: what is allowed, or other areas, keys, and places over an edge. */
  private void aim(FuzzInput in, ByteBuffer bytes, int at, int length, String usual) {
    boolean isUsual = in.below(2) == 0;
    GuardedMemory.Area area = isUsual ? target.memory.area(usual) : in.one(target.memory.areas());
    int offset =
        switch (in.below(16)) {
          case 0 -> area.length() - length;
          case 1 -> area.length() - length + 1;
          case 2 -> -1;
          case 3 -> -8;
          case 4 -> in.below(area.length());
          case 5 -> (int) in.number(4);
          default -> in.below(8) * 8;
        };
    int key = isUsual ? 3 : in.below(8);
    bytes.putLong(at, area.region().addr() + offset);
    bytes.putInt(at + 8, key < 3 ? target.windowKeys().get(key) : area.region().rkey());
  }

  /** Writes the ICRC; a few packets have something wrong. */
  private ByteBuffer spoilt(FuzzInput in, ByteBuffer packet, InetAddress from, InetAddress to) {
    int kind = Math.max(0, in.below(64) - 55);
    ByteBuffer bytes = packet;
    switch (kind) {
      case 1 -> flip(in, bytes);
      case 2 -> bytes = resized(bytes, 16 + in.below(bytes.limit()));
      case 3 -> bytes = resized(bytes, bytes.limit() + in.below(128));
      case 4 ->
          bytes.putInt(
              8, (bytes.getInt(8) & ~NUMBER) | (bytes.getInt(8) + 8 - in.below(16) & NUMBER));
      case 5 -> bytes.putShort(2, (short) in.number(2));
      case 6 -> bytes.put(1, (byte) in.number(1));
      case 7 -> bytes.put(0, (byte) in.number(1));
      default -> {}
    }
    DatagramLayout layout = BY_OPCODE[Byte.toUnsignedInt(bytes.get(0))];
    for (int i = layout == null ? BTH_BYTES : layout.headerBytes(); i < bytes.limit(); i++) {
      // Otherwise what peers may write would look like what they must not read.
      bytes.put(i, bytes.get(i) == GuardedMemory.SECRET ? 0 : bytes.get(i));
    }
    icrc.seal(
        new Route(from, to, SOURCE_PORT, 0, 64, 0), bytes, bytes.position(), bytes.remaining());
    if (kind == 8) {
      flip(in, bytes);
    }
    return bytes;
  }

  private static void flip(FuzzInput in, ByteBuffer bytes) {
    for (int left = 1 + in.below(3); left > 0; left--) {
      int at = in.below(bytes.limit());
      bytes.put(at, (byte) (bytes.get(at) ^ in.number(1)));
    }
  }

  private static ByteBuffer resized(ByteBuffer bytes, int length) {
    return ByteBuffer.allocate(length).put(0, bytes, 0, Math.min(length, bytes.limit()));
  }

  /** Packet that answers a request of the device, or nearly so. */
  private void responses(FuzzInput in) {
    FuzzedQp qp = in.one(target.senders);
    qp.prepare();
    FuzzedQp.Request request = new FuzzedQp.Request("", qp.expectedPsn, 0);
    if (!qp.requests.isEmpty()) {
      request = in.one(List.copyOf(qp.requests.values()));
    }
    int kind = in.below(8);
    if (kind == 0) {
      DatagramLayout layout = in.one(BY_SERVICE.get(qp.service()));
      respond(in, qp, layout, request.psn(), in.below(MTU));
    } else if (kind == 1) {
      respond(in, qp, "ACKNOWLEDGE", request.psn() + in.below(8) - 4, 0);
    } else {
      qp.requests.remove(request.psn());
      right(in, qp, request, kind == 2);
    }
  }

  private void right(FuzzInput in, FuzzedQp qp, FuzzedQp.Request request, boolean isShort) {
    String asked = request.opcode();
    if (asked.endsWith("COMPARE_SWAP") || asked.endsWith("FETCH_ADD")) {
      respond(in, qp, "ATOMIC_ACKNOWLEDGE", request.psn(), 0);
    } else if (asked.endsWith("READ_REQUEST")
        || asked.endsWith("FLUSH")
        || asked.endsWith("ATOMIC_WRITE")) {
      int length = asked.endsWith("READ_REQUEST") ? request.length() : 0;
      int packets = Math.max(1, (length + MTU - 1) / MTU);
      for (int i = 0; i < packets; i++) {
        boolean isLast = i == packets - 1;
        String position = packets == 1 ? "ONLY" : i == 0 ? "FIRST" : isLast ? "LAST" : "MIDDLE";
        int bytes = isLast ? length - i * MTU : MTU;
        respond(
            in,
            qp,
            "RDMA_READ_RESPONSE_" + position,
            request.psn() + i,
            isShort ? bytes / 2 : bytes);
      }
    } else {
      respond(in, qp, "ACKNOWLEDGE", request.psn(), 0);
    }
  }

  private void respond(FuzzInput in, FuzzedQp qp, String opcode, int psn, int payload) {
    String name = qp.service() + "_" + opcode;
    for (DatagramLayout layout : BY_SERVICE.get(qp.service())) {
      if (layout.name().equals(name)) {
        respond(in, qp, layout, psn, payload);
      }
    }
  }

  private void respond(FuzzInput in, FuzzedQp qp, DatagramLayout layout, int psn, int payload) {
    ByteBuffer packet = packet(in, layout, qp, psn, payload, payload);
    fire(PEER, qp.address(), spoilt(in, packet, PEER, qp.address()));
  }

  /** A device sent something. */
  private void sent(DatagramBurst burst) {
    ByteBuffer bytes = burst.bytes().slice();
    FuzzedQp sender = target == null ? null : target.sender(bytes.getInt(4) & NUMBER);
    if (!burst.destination().equals(PEER) || sender == null) {
      return;
    }
    DatagramLayout layout = BY_OPCODE[Byte.toUnsignedInt(bytes.get(0))];
    String opcode = layout.name();
    int at = layout.headerBytes();
    if (opcode.contains("_RDMA_READ_RESPONSE_")) {
      GuardedMemory.verifyHarmless(bytes, at, bytes.limit() - ICRC_BYTES);
    } else if (opcode.endsWith("_ATOMIC_ACKNOWLEDGE")) {
      boolean isSecret = bytes.getLong(at - Long.BYTES) == SECRET_WORD;
      Violation.unless(!isSecret, "an atomic found memory that it may not use");
    } else if (!opcode.endsWith("_ACKNOWLEDGE")) {
      Integer reth = layout.headers().get("RETH");
      int length = reth == null ? 0 : bytes.getInt(reth + 12);
      sender.asked(new FuzzedQp.Request(opcode, bytes.getInt(8) & NUMBER, length));
    }
  }

  @Override
  public void close() {
    emulator.close();
  }
}
