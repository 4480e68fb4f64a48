// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

/**
 * How an {@link InMemoryFabric} behaves.
 *
 * @param time who moves packets, and what a nanosecond is
 * @param latencyNanos how long a packet travels from one station to another
 * @param isWireExact whether packets are encoded, so that every byte of the real format is
 *     exercised
 * @param mtuBytes the largest IP packet that crosses the network, IP header included
 * @param pollRunsEvents whether an empty poll runs one event of virtual time
 * @param burstPackets how many packets that a station sends in one turn to the same destination
 *     arrive as one event, at most, 1 or more. With 1 a program can look in between any two packets
 *     and each is answered by itself; more cost less, and are acknowledged together
 * @param maxEmptyPolls how many polls in a row may find nothing in virtual time, 1 or more, while
 *     nothing is left to happen, or a receiver is only asked again and again: then a poll fails
 *     with EDEADLK, as a wait does at once. {@code Long.MAX_VALUE} lets a loop poll for ever
 */
public record InMemoryOptions(
    Time time,
    long latencyNanos,
    boolean isWireExact,
    int mtuBytes,
    boolean pollRunsEvents,
    int burstPackets,
    long maxEmptyPolls) {
  /**
   * The smallest round number that leaves a path MTU of 4096 its headers: with IPv6 (40), UDP (8),
   * BTH (12), the longest extension headers that go with a payload (32) and the ICRC (4) the
   * largest packet has 4192 bytes.
   */
  public static final int DEFAULT_MTU_BYTES = 4_200;

  /** So many a program polls in less than a second. */
  private static final long DEFAULT_EMPTY_POLLS = 1_000_000;

  /** Enough to share the costs, and so few that no station keeps the others waiting. */
  private static final int REAL_BURST_PACKETS = 256;

  /** IPv6 asks every network for this much; path MTU 1024 fits. */
  private static final int SMALLEST_MTU_BYTES = 1_280;

  /** The largest IPv4 packet. */
  private static final int LARGEST_MTU_BYTES = 65_535;

  /** Kinds of time. */
  public enum Time {
    /** Simulated: jumps from event to event while callers wait. Deterministic. */
    VIRTUAL,
    /** Time of the system; a thread of the network moves packets. */
    REAL
  }

  /**
   * Virtual time, one microsecond from station to station, packets as objects, one by one.
   *
   * @return the defaults of virtual time
   */
  public static InMemoryOptions virtualTime() {
    return new InMemoryOptions(
        Time.VIRTUAL, 1_000, false, DEFAULT_MTU_BYTES, true, 1, DEFAULT_EMPTY_POLLS);
  }

  /**
   * Real time, no latency beyond that of the machine, packets as objects, many at a time.
   *
   * @return the defaults of real time
   */
  public static InMemoryOptions realTime() {
    return new InMemoryOptions(
        Time.REAL, 0, false, DEFAULT_MTU_BYTES, true, REAL_BURST_PACKETS, DEFAULT_EMPTY_POLLS);
  }

  /**
   * These options with another latency.
   *
   * @param nanos from station to station, one way; at least 1 in virtual time, 0 in real time
   * @return a changed copy
   */
  public InMemoryOptions withLatencyNanos(long nanos) {
    return new InMemoryOptions(
        time, nanos, isWireExact, mtuBytes, pollRunsEvents, burstPackets, maxEmptyPolls);
  }

  /**
   * These options with packets as bytes or as objects. As objects, requests of reliable connections
   * are on their way without a copy of the memory that they are made from, which belongs to the
   * device until they complete. If the application gets it back earlier, because the queue pair
   * failed, was reset or was destroyed, or the memory was deregistered, they are copied then.
   *
   * @param exact true for bytes
   * @return a changed copy
   */
  public InMemoryOptions withWireExact(boolean exact) {
    return new InMemoryOptions(
        time, latencyNanos, exact, mtuBytes, pollRunsEvents, burstPackets, maxEmptyPolls);
  }

  /**
   * These options with another MTU.
   *
   * @param bytes the largest IP packet
   * @return a changed copy
   */
  public InMemoryOptions withMtuBytes(int bytes) {
    return new InMemoryOptions(
        time, latencyNanos, isWireExact, bytes, pollRunsEvents, burstPackets, maxEmptyPolls);
  }

  /**
   * These options with polls that do or do not move virtual time.
   *
   * @param runs true if an empty poll runs one event, so that a loop around poll makes progress
   * @return a changed copy
   */
  public InMemoryOptions withPollRunsEvents(boolean runs) {
    return new InMemoryOptions(
        time, latencyNanos, isWireExact, mtuBytes, runs, burstPackets, maxEmptyPolls);
  }

  /**
   * These options with larger or smaller bursts.
   *
   * @param packets that arrive as one event at most, 1 or more
   * @return a changed copy
   */
  public InMemoryOptions withBurstPackets(int packets) {
    return new InMemoryOptions(
        time, latencyNanos, isWireExact, mtuBytes, pollRunsEvents, packets, maxEmptyPolls);
  }

  /**
   * These options with shorter or longer loops of polls that find nothing.
   *
   * @param polls in a row, 1 or more
   * @return a changed copy
   */
  public InMemoryOptions withMaxEmptyPolls(long polls) {
    return new InMemoryOptions(
        time, latencyNanos, isWireExact, mtuBytes, pollRunsEvents, burstPackets, polls);
  }

  /** Refuses numbers that make no network. */
  void check() {
    if (latencyNanos < 0) {
      throw new FabricException("A latency of " + latencyNanos + " ns is negative.", null);
    }
    if (latencyNanos == 0 && time == Time.VIRTUAL) {
      throw new FabricException(
          "A latency of 0 ns in virtual time: no answer would be later than its question; use 1.",
          null);
    }
    if (mtuBytes < SMALLEST_MTU_BYTES || mtuBytes > LARGEST_MTU_BYTES) {
      String range = SMALLEST_MTU_BYTES + " to " + LARGEST_MTU_BYTES;
      throw new FabricException("An MTU of " + mtuBytes + " bytes is not in " + range + ".", null);
    }
    if (burstPackets < 1) {
      throw new FabricException("A burst of " + burstPackets + " packets is none.", null);
    }
    if (maxEmptyPolls < 1) {
      throw new FabricException(
          "A row of " + maxEmptyPolls + " polls that find nothing is none.", null);
    }
  }
}
