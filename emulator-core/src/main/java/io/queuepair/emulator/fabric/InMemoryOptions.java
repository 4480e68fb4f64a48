// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

/**
 * Options of an {@link InMemoryFabric}.
 *
 * @param time kind of time, which decides what threads move packets
 * @param latencyNanos time that a packet travels from one station to another
 * @param isWireExact whether packets are encoded, so that every byte of the real format is
 *     exercised
 * @param mtuBytes size of the largest IP packet that crosses the network, IP header included
 * @param pollRunsEvents whether an empty poll runs one event of virtual time
 * @param burstPackets maximum number of packets that arrive as one event, of those that a station
 *     sends in one turn to the same destination; 1 or more. With 1 a program can look in between
 *     any two packets and each is answered by itself; more cost less, and are acknowledged together
 * @param maxEmptyPolls number of empty polls in a row in virtual time, 1 or more, after which a
 *     poll fails with EDEADLK if no event is left or only RNR retries repeat; a wait fails so at
 *     once. {@code Long.MAX_VALUE} lets a loop poll for ever
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
   * Smallest round number at which packets with a path MTU of 4096 fit: with IPv6 (40), UDP (8),
   * BTH (12), the longest extension headers that go with a payload (32) and the ICRC (4) the
   * largest packet has 4192 bytes.
   */
  public static final int DEFAULT_MTU_BYTES = 4_200;

  /** Number of polls that a program makes in less than a second. */
  private static final long DEFAULT_EMPTY_POLLS = 1_000_000;

  /** Enough to share the costs, and so few that no station keeps the others waiting. */
  private static final int REAL_BURST_PACKETS = 256;

  /** Smallest MTU that IPv6 allows; path MTU 1024 fits. */
  private static final int SMALLEST_MTU_BYTES = 1_280;

  /** Size of the largest IPv4 packet. */
  private static final int LARGEST_MTU_BYTES = 65_535;

  /** Kinds of time. */
  public enum Time {
    /** Simulated: time jumps from event to event while callers wait. Deterministic. */
    VIRTUAL,
    /** Time of the system; a thread of the network moves packets. */
    REAL
  }

  /**
   * Virtual time, a latency of one microsecond, packets as objects, one packet an event.
   *
   * @return the defaults of virtual time
   */
  public static InMemoryOptions virtualTime() {
    return new InMemoryOptions(
        Time.VIRTUAL, 1_000, false, DEFAULT_MTU_BYTES, true, 1, DEFAULT_EMPTY_POLLS);
  }

  /**
   * Real time, no latency beyond that of the machine, packets as objects, many packets an event.
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
   * @param nanos one-way latency in nanoseconds; at least 1 in virtual time, 0 in real time
   * @return a changed copy
   */
  public InMemoryOptions withLatencyNanos(long nanos) {
    return new InMemoryOptions(
        time, nanos, isWireExact, mtuBytes, pollRunsEvents, burstPackets, maxEmptyPolls);
  }

  /**
   * These options with packets as bytes or as objects. As objects, requests of reliable connections
   * travel without a copy of the memory that they are made from, which belongs to the device until
   * they complete. If the application gets that memory back earlier, because the queue pair failed,
   * was reset or was destroyed, or the memory was deregistered, it is copied then.
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
   * @param bytes size of the largest IP packet
   * @return a changed copy
   */
  public InMemoryOptions withMtuBytes(int bytes) {
    return new InMemoryOptions(
        time, latencyNanos, isWireExact, bytes, pollRunsEvents, burstPackets, maxEmptyPolls);
  }

  /**
   * These options with polls that do or do not advance virtual time.
   *
   * @param runs true if an empty poll runs one event, so that a loop around poll makes progress
   * @return a changed copy
   */
  public InMemoryOptions withPollRunsEvents(boolean runs) {
    return new InMemoryOptions(
        time, latencyNanos, isWireExact, mtuBytes, runs, burstPackets, maxEmptyPolls);
  }

  /**
   * These options with another limit of bursts.
   *
   * @param packets maximum number of packets that arrive as one event, 1 or more
   * @return a changed copy
   */
  public InMemoryOptions withBurstPackets(int packets) {
    return new InMemoryOptions(
        time, latencyNanos, isWireExact, mtuBytes, pollRunsEvents, packets, maxEmptyPolls);
  }

  /**
   * These options with another limit of empty polls.
   *
   * @param polls empty polls in a row, 1 or more
   * @return a changed copy
   */
  public InMemoryOptions withMaxEmptyPolls(long polls) {
    return new InMemoryOptions(
        time, latencyNanos, isWireExact, mtuBytes, pollRunsEvents, burstPackets, polls);
  }

  /** Checks the ranges of the numbers. @throws FabricException if a number is out of range */
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
