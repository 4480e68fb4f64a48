// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The faults to inject into a network, and when, in a small language:
 *
 * <pre>
 * drop 1%                                   # of all packets
 * drop 3rd RDMA_WRITE_MIDDLE to 10.0.0.2 qp 17
 * delay up to 20us 10% of ACK
 * forge nak remote_access_error 1st RDMA_READ_REQUEST
 * </pre>
 *
 * Immutable. {@link #toString} gives a text that parses to an equal plan.
 */
public final class FaultPlan {
  private static final FaultPlan NONE = new FaultPlan(List.of(), 0);

  private final List<FaultStatement> statements;
  private final long seed;

  FaultPlan(List<FaultStatement> statements, long seed) {
    this.statements = List.copyOf(statements);
    this.seed = seed;
  }

  /** {@return a plan without faults} */
  public static FaultPlan none() {
    return NONE;
  }

  /**
   * Reads a plan.
   *
   * @param text statements, separated by semicolons or line breaks; a # begins a comment
   * @return the plan
   * @throws FaultSyntaxException if the text is no plan
   */
  public static FaultPlan parse(String text) {
    return new PlanParser(text).parse();
  }

  /**
   * This plan with another seed of its probabilities.
   *
   * @param newSeed any number
   * @return a changed copy
   */
  public FaultPlan withSeed(long newSeed) {
    return new FaultPlan(statements, newSeed);
  }

  /**
   * This plan and another one.
   *
   * @param other whose statements follow; its seed counts only if this plan is empty
   * @return a plan of both
   */
  public FaultPlan plus(FaultPlan other) {
    List<FaultStatement> allStatements = new ArrayList<>(statements);
    allStatements.addAll(other.statements);
    return new FaultPlan(allStatements, isEmpty() ? other.seed : seed);
  }

  /**
   * The part of this plan that a network carries out by itself.
   *
   * @return only the statements about packets
   */
  public FaultPlan ofPackets() {
    return new FaultPlan(
        statements.stream().filter(PacketStatement.class::isInstance).toList(), seed);
  }

  /**
   * The part of this plan that needs devices: ports, resources and verbs.
   *
   * @return all other statements
   */
  public FaultPlan ofDevices() {
    return new FaultPlan(
        statements.stream().filter(DeviceStatement.class::isInstance).toList(), seed);
  }

  /**
   * The part of this plan that needs only the calls between a program and its device: calls that
   * fail, objects that cannot be created, completion queues without room.
   *
   * @return only these statements
   */
  public FaultPlan ofCalls() {
    return new FaultPlan(
        statements.stream()
            .filter(
                statement ->
                    statement instanceof DeviceStatement.Refusing
                        || statement instanceof DeviceStatement.ExhaustSpace)
            .toList(),
        seed);
  }

  /**
   * The hosts in statements about devices; they must be devices of the same process.
   *
   * @return addresses in the order of the plan
   */
  public Set<InetAddress> deviceHosts() {
    Set<InetAddress> hosts = new LinkedHashSet<>();
    for (FaultStatement statement : statements) {
      if (statement instanceof DeviceStatement device && device.host() != null) {
        hosts.add(device.host());
      }
    }
    return hosts;
  }

  /**
   * The hosts in statements about packets.
   *
   * @return addresses in the order of the plan
   */
  public Set<InetAddress> packetHosts() {
    Set<InetAddress> hosts = new LinkedHashSet<>();
    for (FaultStatement statement : statements) {
      if (statement instanceof PacketStatement packets) {
        hosts.addAll(packets.hosts());
      }
    }
    return hosts;
  }

  /** {@return its statements, in order, each as a plan of its own with the same seed} */
  public List<FaultPlan> each() {
    return statements.stream().map(statement -> new FaultPlan(List.of(statement), seed)).toList();
  }

  /** {@return the seed of the random numbers of its probabilities} */
  public long seed() {
    return seed;
  }

  /** {@return whether it has no statements} */
  public boolean isEmpty() {
    return statements.isEmpty();
  }

  /** {@return how late a packet may arrive at most because of this plan, in nanoseconds} */
  public long longestDelayNanos() {
    long nanos = 0;
    for (FaultStatement statement : statements) {
      nanos += statement instanceof PacketStatement packets ? packets.longestDelayNanos() : 0;
    }
    return nanos;
  }

  List<FaultStatement> statements() {
    return statements;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FaultPlan that
        && seed == that.seed
        && statements.equals(that.statements);
  }

  @Override
  public int hashCode() {
    return 31 * statements.hashCode() + Long.hashCode(seed);
  }

  /** The plan in its language, on one line. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner("; ");
    if (seed != 0) {
      text.add("seed " + seed);
    }
    statements.forEach(statement -> text.add(statement.toString()));
    return text.toString();
  }
}
