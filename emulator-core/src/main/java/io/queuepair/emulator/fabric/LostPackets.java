package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What became of packets that were not taken, as far as one network of this process knows: a sender
 * whose retries are exhausted asks for its own. Only reliable services are recorded; of each {@link
 * Flow} the latest losses, of the flows those that lost packets last. Thread-safe; nothing is
 * called while it holds its lock.
 */
public final class LostPackets {
  /** Flows that are remembered at most. */
  static final int MAX_FLOWS = 512;

  /** Runs of one flow that are remembered at most. */
  static final int MAX_RUNS = 256;

  private static final int ANY_HOP_LIMIT = 64;

  private final PacketCodec codec = new PacketCodec();
  private final Map<Flow, Deque<Run>> flows = new LinkedHashMap<>(16, 0.75f, true);
  private final int maxFlows;
  private long known;

  /**
   * Packets of one direction.
   *
   * @param source address of the sender
   * @param destination address of the receiver
   * @param destQpn number of the queue pair at the receiver
   * @param isResponse whether they are responses, and not requests
   */
  public record Flow(
      InetAddress source, InetAddress destination, int destQpn, boolean isResponse) {}

  /** Packets with consecutive PSNs that had the same fate. */
  private static final class Run {
    private final String fate;
    private final int firstPsn;
    private int packets = 1;
    private long latest;

    private Run(String fate, int firstPsn) {
      this.fate = fate;
      this.firstPsn = firstPsn;
    }

    private boolean isFollowedBy(int psn, String nextFate) {
      return Psn.add(firstPsn, packets) == psn && fate.equals(nextFate);
    }

    /** How many of its PSNs are among some that follow each other. */
    private int within(int first, int psns) {
      int offset = Psn.compare(firstPsn, first);
      return Math.max(0, Math.min(offset + packets, psns) - Math.max(offset, 0));
    }
  }

  /** Nothing is known yet. */
  public LostPackets() {
    this(MAX_FLOWS);
  }

  private LostPackets(int maxFlows) {
    this.maxFlows = maxFlows;
  }

  /** {@return a record that stays empty, for networks that keep none} */
  public static LostPackets none() {
    return new LostPackets(0);
  }

  /**
   * Notes what became of a packet. What is no packet of a reliable service is ignored.
   *
   * @param traffic what it is in
   * @param at where it begins in the bytes of a burst; 0 for a delivery
   * @param fate what became of it, as words that "3 packets" can stand before
   */
  public synchronized void add(RoutedTraffic traffic, int at, String fate) {
    Packet packet = maxFlows == 0 ? null : packetIn(traffic, at);
    if (packet == null || !packet.opcode().service().isReliable()) {
      return;
    }
    boolean isResponse = packet.opcode().isResponse();
    Flow flow = new Flow(traffic.source(), traffic.destination(), packet.destQpn(), isResponse);
    Deque<Run> runs = flows.computeIfAbsent(flow, absent -> new ArrayDeque<>());
    Run last = runs.peekLast();
    if (last != null && last.isFollowedBy(packet.psn(), fate)) {
      last.packets++;
    } else {
      last = new Run(fate, packet.psn());
      runs.addLast(last);
    }
    known++;
    last.latest = known;
    if (runs.size() > MAX_RUNS) {
      runs.removeFirst();
    }
    if (flows.size() > maxFlows) {
      flows.remove(flows.keySet().iterator().next());
    }
  }

  private Packet packetIn(RoutedTraffic traffic, int at) {
    if (traffic instanceof Delivery delivery) {
      return delivery.packet() instanceof Packet packet ? packet : null;
    }
    Burst burst = (Burst) traffic;
    int bytes = Math.min(burst.segmentBytes(), burst.bytes().limit() - at);
    Route route =
        new Route(burst.source(), burst.destination(), burst.sourcePort(), 0, ANY_HOP_LIMIT, 0);
    return codec.decodeUnchecked(route, burst.bytes(), at, bytes) instanceof Packet packet
        ? packet
        : null;
  }

  /**
   * How much is known, as a place to ask from later.
   *
   * @return a number that only grows
   */
  public synchronized long known() {
    return known;
  }

  /**
   * What became of packets with some PSNs.
   *
   * @param flow which packets
   * @param since what {@link #known} was when the first of them was sent
   * @param firstPsn the first PSN
   * @param psns how many follow each other from that on
   * @return how many packets had which fate, in the order of its first occurrence
   */
  public synchronized Map<String, Integer> of(Flow flow, long since, int firstPsn, int psns) {
    Map<String, Integer> fates = new LinkedHashMap<>();
    for (Run run : flows.getOrDefault(flow, new ArrayDeque<>())) {
      int packets = run.latest > since ? run.within(firstPsn, psns) : 0;
      if (packets > 0) {
        fates.merge(run.fate, packets, Integer::sum);
      }
    }
    return fates;
  }
}
