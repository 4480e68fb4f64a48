// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.RoceV2;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The packets of a {@link PacketTrace}. */
final class PacketList implements PacketObserver {
  private final Scheduler scheduler;
  private final PacketCodec codec = new PacketCodec();
  private final ByteBuffer encoded = ByteBuffer.allocate(Link.BURST_BYTES);
  private final List<TracedPacket> packets = new ArrayList<>();
  private final List<PacketArrival> arrivals = new ArrayList<>();
  private final Map<PacketKey, List<UnderWay>> underWay = new LinkedHashMap<>();

  PacketList(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * A packet that has not arrived everywhere.
   *
   * @param hosts where it has arrived: several if it goes to a multicast group
   */
  private record UnderWay(int packet, Set<InetAddress> hosts) {}

  synchronized List<TracedPacket> packetsFrom(int first) {
    return from(packets, first);
  }

  synchronized List<PacketArrival> arrivalsFrom(int first) {
    return from(arrivals, first);
  }

  private static <T> List<T> from(List<T> all, int first) {
    return List.copyOf(all.subList(Math.min(first, all.size()), all.size()));
  }

  /** Encodes with IPv4 identification 0, as the first datagram of a burst has on a real link. */
  @Override
  public synchronized void packet(ObservedPacket observed, Packet packet, @Nullable String fault) {
    Payload payload = new Payload(encoded, 0, codec.encode(packet, 0, encoded, 0));
    expect(observed, PacketKey.of(packet));
    addDatagram(observed, payload, packet.note());
  }

  @Override
  public synchronized void datagram(
      ObservedPacket observed,
      Route route,
      int identification,
      Payload payload,
      PacketComment comment) {
    expect(observed, PacketKey.of(route, payload));
    addDatagram(observed, payload, comment.note());
  }

  private void addDatagram(ObservedPacket observed, Payload payload, @Nullable String note) {
    int length = payload.length();
    int end = Math.max(0, length - RoceV2.ICRC_BYTES);
    add(observed, false, payload, note, hex(payload, end, length));
  }

  @Override
  public synchronized void frame(ObservedPacket observed, RawFrame frame, @Nullable String fault) {
    add(observed, true, frame.bytes(), null, "");
  }

  private void add(
      ObservedPacket observed,
      boolean isFrame,
      Payload payload,
      @Nullable String note,
      String icrcHex) {
    int kept = Math.min(payload.length(), TracedPacket.MOST_BYTES);
    packets.add(
        new TracedPacket(
            observed.nowNanos(),
            note == null ? "" : note,
            isFrame,
            payload.length(),
            hex(payload, 0, kept),
            icrcHex));
  }

  private static String hex(Payload payload, int from, int to) {
    byte[] copy = new byte[to - from];
    payload.buffer().get(payload.offset() + from, copy);
    return HexFormat.of().formatHex(copy);
  }

  private void expect(ObservedPacket observed, PacketKey key) {
    if (observed.hasFateToCome()) {
      underWay
          .computeIfAbsent(key, k -> new ArrayList<>(1))
          .add(new UnderWay(packets.size(), new LinkedHashSet<>()));
    }
  }

  @Override
  public synchronized void arrived(InetAddress host, PacketKey key, @Nullable String dropped) {
    List<UnderWay> equal = underWay.getOrDefault(key, List.of());
    Optional<UnderWay> first = equal.stream().filter(p -> p.hosts().add(host)).findFirst();
    first.ifPresent(
        p -> {
          String why = dropped == null ? "" : dropped;
          arrivals.add(new PacketArrival(p.packet(), scheduler.nowNanos(), host, why));
          if (!key.destination().isMulticastAddress()) {
            equal.remove(p);
          }
        });
  }
}
