// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.fabric.MadLayout;
import io.queuepair.lab.simulation.Violation;
import io.queuepair.verbs.Gid;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes management datagrams: messages of the connection manager with anything in their fields, in
 * headers that are right or wrong, of the right length or another; requests that a listener takes,
 * and what may follow them; messages of strangers about a connection of others; and random bytes.
 */
final class ManagementForge {
  private static final int CM_CLASS = 7;

  /** Communication IDs are few, so that messages of one connection follow each other. */
  private static final int IDS = 8;

  /** The service IDs of TCP ports begin with the first, those of UDP ports with the second. */
  private static final long TCP_SERVICES = 0x0106_0000L;

  private static final long UDP_SERVICES = 0x0111_0000L;

  private static final int PORTS = 4;
  private static final int MOST_FIELDS = 100;
  private static final int ATTRIBUTE_AT = 16;
  private static final int REP = 0x13;
  private static final int GID_BYTES = 16;

  /** The header of rdma_cm in private data: version of IP, port, and both addresses. */
  private static final int IP_VERSION_AT = 1;

  private static final int IP_VERSION_6 = 6 << 4;
  private static final int IP_SOURCE_AT = 4;
  private static final int IP_DESTINATION_AT = 20;

  /** The code of a path MTU of 1024 bytes, where a REQ has it. */
  private static final int MTU_1024 = 3 << 4;

  /** What begins and ends an accepted connection. */
  private static final List<MadLayout> ENDINGS =
      List.of(layoutOf("RTU"), layoutOf("DREQ"), layoutOf("REJ"));

  /** What a message names of a connection. */
  private record Ends(int localId, int remoteId, int remoteQpn) {}

  private final FuzzRandom random;
  private final FuzzAddresses addresses;

  /** What the last message of the device under fire to the simulated peer was about. */
  private Ends heard = new Ends(0, 0, 0);

  /** The same of the last REP: a connection that waits for an RTU, or is there. */
  private Ends accepted = new Ends(0, 0, 0);

  /** The same of its connection with a neighbour. */
  private Ends neighbours = new Ends(0, 0, 0);

  ManagementForge(FuzzRandom random, FuzzAddresses addresses) {
    this.random = random;
    this.addresses = addresses;
  }

  /** The device under fire sent a management datagram to the simulated peer. */
  void heard(ByteBuffer payload) {
    heard = endsIn(payload, heard);
    accepted = heard.remoteQpn == 0 ? accepted : heard;
  }

  /** The device under fire sent a management datagram to a neighbour. */
  void overheard(ByteBuffer payload) {
    if (neighbours.remoteQpn == 0) {
      neighbours = endsIn(payload, neighbours); // Later ones answer what was forged.
    }
  }

  /** What an answer has to name, as far as the message tells. */
  private static Ends endsIn(ByteBuffer payload, Ends before) {
    if (payload.remaining() != MadLayout.BYTES || payload.get(1) != CM_CLASS) {
      return before;
    }
    boolean isReply = payload.getShort(ATTRIBUTE_AT) == REP;
    int qpn = isReply ? payload.getInt(MadLayout.HEADER_BYTES + 12) >>> 8 : 0;
    return new Ends(
        payload.getInt(MadLayout.HEADER_BYTES + 4), payload.getInt(MadLayout.HEADER_BYTES), qpn);
  }

  /** Datagrams for queue pair 1, so many at most. */
  List<ForgedMad> next(int most) {
    List<ForgedMad> mads = new ArrayList<>();
    boolean isFlood = random.of(20);
    int count = 1 + random.below(most);
    for (int i = 0; i < count; i++) {
      mads.add(isFlood ? fromPeer(request()) : next());
    }
    return mads;
  }

  private ForgedMad next() {
    int choice = random.below(10);
    return switch (choice) {
      case 0, 1 -> fromPeer(random.bytes(MadLayout.BYTES));
      case 2, 3 -> fromPeer(request());
      case 4, 5 -> fromPeer(changed(followUp(random.of(70) ? accepted : heard)));
      case 6, 7 -> ofStranger();
      default -> fromPeer(message());
    };
  }

  private ForgedMad fromPeer(byte[] mad) {
    verify(mad);
    byte[] bytes = random.of(85) ? mad : Arrays.copyOf(mad, random.below(2 * MadLayout.BYTES));
    verify(bytes);
    return new ForgedMad(addresses.simulatedPeer(), ByteBuffer.wrap(bytes));
  }

  private byte[] message() {
    MadLayout layout = random.one(MadLayout.all());
    byte[] bytes = random.of(50) ? random.bytes(MadLayout.BYTES) : new byte[MadLayout.BYTES];
    ByteBuffer mad = ByteBuffer.wrap(bytes);
    layout.writeHeader(mad, random.below(IDS));
    putInt(mad, layout, "local_comm_id", random.below(IDS));
    putInt(mad, layout, "request_id", random.below(IDS));
    putInt(mad, layout, "remote_comm_id", random.of(50) ? heard.remoteId : random.below(IDS));
    Integer service = layout.fields().get("service_id");
    if (service != null && random.of(80)) {
      mad.putLong(service, TCP_SERVICES | random.below(PORTS));
    }
    return changed(bytes);
  }

  private byte[] changed(byte[] bytes) {
    ByteBuffer mad = ByteBuffer.wrap(bytes);
    if (random.of(40)) {
      int changes = 1 + random.below(4);
      List<Integer> places = List.copyOf(random.one(MadLayout.all()).fields().values());
      for (int i = 0; i < changes; i++) {
        mad.put(random.one(places), (byte) random.any());
      }
    }
    if (random.of(20)) {
      mad.put(random.below(MadLayout.HEADER_BYTES), (byte) random.any());
    }
    return bytes;
  }

  /** A request that the listener takes: everything is right that it looks at. */
  private byte[] request() {
    boolean isConnection = random.of(70);
    MadLayout layout = layoutOf(isConnection ? "REQ" : "SIDR_REQ");
    byte[] bytes = random.bytes(MadLayout.BYTES);
    ByteBuffer mad = ByteBuffer.wrap(bytes);
    layout.writeHeader(mad, random.any());
    int id = random.of(50) ? random.below(IDS) : random.any();
    putInt(mad, layout, isConnection ? "local_comm_id" : "request_id", id);
    long services = isConnection ? TCP_SERVICES : UDP_SERVICES;
    mad.putLong(layout.fields().get("service_id"), services | CmProgram.PORT);
    if (isConnection) {
      Integer service = layout.fields().get("transport_service_type");
      mad.put(service, (byte) (random.any() & ~6)); // Reliable connected.
      mad.put(layout.fields().get("path_mtu"), (byte) (MTU_1024 | random.below(8)));
      putAddress(mad, layout.fields().get("primary_remote_gid"), addresses.target());
      mad.putShort(layout.fields().get("alternate_local_lid"), (short) 0);
    }
    int header = layout.fields().get("private_data");
    mad.put(header, (byte) 0).put(header + IP_VERSION_AT, (byte) IP_VERSION_6);
    putAddress(mad, header + IP_SOURCE_AT, addresses.simulatedPeer());
    putAddress(mad, header + IP_DESTINATION_AT, addresses.target());
    return bytes;
  }

  private static MadLayout layoutOf(String name) {
    return MadLayout.all().stream().filter(each -> each.name().equals(name)).findFirst().get();
  }

  private static void putAddress(ByteBuffer mad, int at, InetAddress address) {
    Gid gid = Gid.of(address);
    mad.putLong(at, gid.subnetPrefix()).putLong(at + GID_BYTES / 2, gid.interfaceId());
  }

  /** A message of a connection: with both IDs, and the queue pair where there is one. */
  private byte[] followUp(Ends ends) {
    MadLayout layout = random.one(random.of(50) ? MadLayout.all() : ENDINGS);
    byte[] bytes = random.bytes(MadLayout.BYTES);
    ByteBuffer mad = ByteBuffer.wrap(bytes);
    layout.writeHeader(mad, random.any());
    putInt(mad, layout, "local_comm_id", ends.localId);
    putInt(mad, layout, "remote_comm_id", ends.remoteId);
    putInt(mad, layout, "request_id", ends.remoteId);
    putInt(mad, layout, "remote_qpn", ends.remoteQpn << 8);
    return bytes;
  }

  /**
   * A message about the connection of a neighbour, right in all but one point: where it comes from,
   * the ID of the peer, or, in a DREQ, the queue pair.
   */
  private ForgedMad ofStranger() {
    Ends right = neighbours;
    if (random.of(50)) {
      InetAddress other = random.of(50) ? addresses.simulatedPeer() : addresses.stranger();
      return new ForgedMad(other, ByteBuffer.wrap(followUp(right)));
    }
    if (random.of(50)) {
      Ends wrongId = new Ends(random.below(IDS), right.remoteId, right.remoteQpn);
      return new ForgedMad(addresses.neighbour(), ByteBuffer.wrap(followUp(wrongId)));
    }
    ByteBuffer mad = ByteBuffer.allocate(MadLayout.BYTES);
    MadLayout layout = layoutOf("DREQ");
    layout.writeHeader(mad, random.any());
    putInt(mad, layout, "local_comm_id", right.localId);
    putInt(mad, layout, "remote_comm_id", right.remoteId);
    putInt(mad, layout, "remote_qpn", (right.remoteQpn ^ 1 + random.below(IDS)) << 8);
    return new ForgedMad(addresses.neighbour(), mad);
  }

  private static void putInt(ByteBuffer mad, MadLayout layout, String field, int value) {
    Integer at = layout.fields().get(field);
    if (at != null) {
      mad.putInt(at, value);
    }
  }

  /** Whatever arrives is shown, and what is understood of it is understood again. */
  private static void verify(byte[] mad) {
    int fields = MadLayout.fieldsOf(mad).size();
    Violation.unless(fields <= MOST_FIELDS, "a management datagram has " + fields + " fields");
    MadLayout.reencoded(mad)
        .ifPresent(
            once -> {
              byte[] twice = MadLayout.reencoded(once).orElse(new byte[0]);
              Violation.unless(
                  Arrays.equals(once, twice),
                  "a message of the connection manager does not survive being written again");
            });
  }
}
