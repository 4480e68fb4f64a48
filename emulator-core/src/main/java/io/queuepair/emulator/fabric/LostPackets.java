// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import io.queuepair.emulator.engine.LossReport;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Record of lost packets and of reasons for NAKs of one network in this process. A sender whose
 * retries are exhausted, and a requester that receives a NAK, find the cause here. Covers reliable
 * services and datagrams to queue pair 1. Each {@link LossFlow} keeps its latest losses; of the
 * flows the least recently used are forgotten. Thread-safe; calls nothing under its lock.
 */
public final class LostPackets implements LossReport {
  static final int MAX_FLOWS = 512;

  static final int MAX_RUNS = 256;

  private static final int ANY_HOP_LIMIT = 64;

  /** Queue pair of management datagrams, which senders retry as well. */
  private static final int MANAGEMENT_QPN = 1;

  private final PacketCodec codec = new PacketCodec();
  private final Map<LossFlow, Deque<PsnRun>> flows = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<LossFlow, Refusal> refusals = new LinkedHashMap<>();
  private @Nullable LossFlow lastFlow;
  private @Nullable Deque<PsnRun> lastRuns;
  private long known;

  private record Refusal(int psn, String reason, long number) {}

  /** Packets with consecutive PSNs that had the same fate. */
  private static final class PsnRun {
    private final @Nullable String fate;
    private final int firstPsn;
    private int packets = 1;
    private long latest;

    private PsnRun(@Nullable String fate, int firstPsn) {
      this.fate = fate;
      this.firstPsn = firstPsn;
    }

    private boolean isFollowedBy(int psn, @Nullable String nextFate) {
      return Psn.add(firstPsn, packets) == psn && fate.equals(nextFate);
    }

    /** Number of its PSNs within {@code psns} consecutive ones that start at {@code first}. */
    private int within(int first, int psns) {
      int offset = Psn.compare(firstPsn, first);
      return Math.max(0, Math.min(offset + packets, psns) - Math.max(offset, 0));
    }
  }

  /** Creates an empty record. */
  public LostPackets() {}

  /**
   * Records what became of a packet. A packet that is neither of a reliable service nor for queue
   * pair 1 is ignored.
   *
   * @param traffic traffic that contains the packet
   * @param at offset of the packet in the bytes of a burst; 0 for an envelope
   * @param fate what became of the packet, in words that can follow "3 packets"
   */
  public synchronized void add(IpTraffic traffic, int at, @Nullable String fate) {
    Packet packet = packetIn(traffic, at);
    if (packet == null || !isRecorded(packet)) {
      return;
    }
    boolean isResponse = packet.opcode().isResponse();
    Deque<PsnRun> runs = runsOf(traffic, packet.destQpn(), isResponse);
    PsnRun last = runs.peekLast();
    if (last != null && last.isFollowedBy(packet.psn(), fate)) {
      last.packets++;
    } else {
      last = new PsnRun(fate, packet.psn());
      runs.addLast(last);
    }
    known++;
    last.latest = known;
    if (runs.size() > MAX_RUNS) {
      runs.removeFirst();
    }
    if (flows.size() > MAX_FLOWS) {
      flows.remove(flows.keySet().iterator().next());
    }
  }

  @Override
  public synchronized void addRefusal(LossFlow flow, int psn, String reason) {
    known++;
    refusals.remove(flow); // Only the last NAK of a flow counts: it ends the connection.
    refusals.put(flow, new Refusal(psn, reason, known));
    if (refusals.size() > MAX_FLOWS) {
      refusals.remove(refusals.keySet().iterator().next());
    }
  }

  @Override
  public synchronized @Nullable String refusalOf(LossFlow flow, long since, int psn) {
    Refusal last = refusals.get(flow);
    return last != null && last.psn == psn && last.number > since ? last.reason : null;
  }

  /**
   * Runs of the flow of a packet. The latest flow is cached, as consecutive losses are mostly of
   * one flow, and a receiver that drops packets has no time to lose.
   */
  private @Nullable Deque<PsnRun> runsOf(IpTraffic traffic, int destQpn, boolean isResponse) {
    if (lastFlow == null
        || lastFlow.destQpn() != destQpn
        || lastFlow.isResponse() != isResponse
        || !lastFlow.source().equals(traffic.source())
        || !lastFlow.destination().equals(traffic.destination())) {
      lastFlow = new LossFlow(traffic.source(), traffic.destination(), destQpn, isResponse);
      lastRuns = flows.computeIfAbsent(lastFlow, k -> new ArrayDeque<>());
    }
    return lastRuns;
  }

  private static boolean isRecorded(Packet packet) {
    return packet.opcode().service().isReliable() || packet.destQpn() == MANAGEMENT_QPN;
  }

  private @Nullable Packet packetIn(IpTraffic traffic, int at) {
    if (traffic instanceof PacketEnvelope envelope) {
      return envelope.packet();
    }
    DatagramBurst burst = (DatagramBurst) traffic;
    int bytes = Math.min(burst.segmentBytes(), burst.bytes().limit() - at);
    Route route =
        new Route(burst.source(), burst.destination(), burst.sourcePort(), 0, ANY_HOP_LIMIT, 0);
    return codec.decodeUnchecked(route, burst.bytes(), at, bytes) instanceof Packet packet
        ? packet
        : null;
  }

  @Override
  public synchronized long known() {
    return known;
  }

  @Override
  public synchronized Map<String, Integer> of(LossFlow flow, long since, int firstPsn, int psns) {
    Map<String, Integer> fates = new LinkedHashMap<>();
    for (PsnRun run : flows.getOrDefault(flow, new ArrayDeque<>())) {
      int packets = run.latest > since ? run.within(firstPsn, psns) : 0;
      if (packets > 0) {
        fates.merge(run.fate, packets, Integer::sum);
      }
    }
    return fates;
  }

  /**
   * Fates of management datagrams.
   *
   * @param source address of the sender
   * @param destination address of the receiver
   * @param since value of {@link #known} when the first of them was sent
   * @return number of datagrams by fate, in the order of the first occurrence
   */
  public synchronized Map<String, Integer> ofManagement(
      InetAddress source, InetAddress destination, long since) {
    Map<String, Integer> fates = new LinkedHashMap<>();
    LossFlow flow = new LossFlow(source, destination, MANAGEMENT_QPN, false);
    for (PsnRun run : flows.getOrDefault(flow, new ArrayDeque<>())) {
      if (run.latest > since) {
        fates.merge(run.fate, run.packets, Integer::sum);
      }
    }
    return fates;
  }
}
