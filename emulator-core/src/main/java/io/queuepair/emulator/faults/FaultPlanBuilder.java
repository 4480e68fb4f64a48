// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.PacketField;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Builds a {@link FaultPlan} statement by statement: the same plans that texts give, with the same
 * limits. Each method adds a statement and returns the builder; a statement that the language does
 * not have throws {@link FaultSyntaxException} or another {@link IllegalArgumentException}.
 */
public final class FaultPlanBuilder {
  private final List<FaultStatement> statements = new ArrayList<>();
  private long seed;

  FaultPlanBuilder() {}

  /**
   * Gives the probabilities their random numbers.
   *
   * @param newSeed any number
   * @return this builder
   */
  public FaultPlanBuilder seed(long newSeed) {
    seed = newSeed;
    return this;
  }

  /**
   * Loses packets.
   *
   * @param packetSelector which
   * @return this builder
   */
  public FaultPlanBuilder drop(PacketSelector packetSelector) {
    return add(new Effect.Drop(), packetSelector);
  }

  /**
   * Lets packets arrive twice.
   *
   * @param packetSelector which
   * @return this builder
   */
  public FaultPlanBuilder duplicate(PacketSelector packetSelector) {
    return add(new Effect.Duplicate(), packetSelector);
  }

  /**
   * Lets the next packet of the same sender overtake packets.
   *
   * @param packetSelector which
   * @return this builder
   */
  public FaultPlanBuilder reorder(PacketSelector packetSelector) {
    return add(new Effect.Reorder(), packetSelector);
  }

  /**
   * Lets packets arrive late.
   *
   * @param packetSelector which
   * @param by how much, 1 ns to a hundred days
   * @return this builder
   */
  public FaultPlanBuilder delay(PacketSelector packetSelector, Duration by) {
    return add(new Effect.Delay(false, TimeUnit.NANOSECONDS.convert(by)), packetSelector);
  }

  /**
   * Lets packets arrive late by a random time.
   *
   * @param packetSelector which
   * @param by how much at most, 1 ns to a hundred days
   * @return this builder
   */
  public FaultPlanBuilder delayUpTo(PacketSelector packetSelector, Duration by) {
    return add(new Effect.Delay(true, TimeUnit.NANOSECONDS.convert(by)), packetSelector);
  }

  /**
   * Flips a bit of packets, and leaves the ICRC as it is.
   *
   * @param packetSelector which
   * @return this builder
   */
  public FaultPlanBuilder corrupt(PacketSelector packetSelector) {
    return add(new Effect.CorruptBit(), packetSelector);
  }

  /**
   * Flips a bit of one byte.
   *
   * @param packetSelector which
   * @param index of the byte, from 0, the first of the BTH
   * @return this builder
   */
  public FaultPlanBuilder corruptByte(PacketSelector packetSelector, int index) {
    return add(new Effect.CorruptByte(index), packetSelector);
  }

  /**
   * Flips a bit of the ICRC.
   *
   * @param packetSelector which
   * @return this builder
   */
  public FaultPlanBuilder corruptIcrc(PacketSelector packetSelector) {
    return add(new Effect.CorruptIcrc(), packetSelector);
  }

  /**
   * Flips a bit of a header field, and leaves the ICRC as it is.
   *
   * @param packetSelector which
   * @param field its name, such as {@code psn}
   * @return this builder
   */
  public FaultPlanBuilder corruptField(PacketSelector packetSelector, String field) {
    return add(new Effect.CorruptField(PacketSelector.field(field)), packetSelector);
  }

  /**
   * Gives a header field another value, and the packet its ICRC: it is taken for genuine.
   *
   * @param packetSelector which
   * @param field its name, such as {@code psn}
   * @param value unsigned, of the width of the field
   * @return this builder
   */
  public FaultPlanBuilder set(PacketSelector packetSelector, String field, long value) {
    return add(new Effect.Rewrite(PacketSelector.field(field), 0, value), packetSelector);
  }

  /**
   * Adds to a header field, and gives the packet its ICRC.
   *
   * @param packetSelector which
   * @param field its name, such as {@code psn}
   * @param value what is added; below zero it is subtracted
   * @return this builder
   */
  public FaultPlanBuilder change(PacketSelector packetSelector, String field, long value) {
    PacketField known = PacketSelector.field(field);
    int sign = value < 0 ? -1 : 1;
    return add(new Effect.Rewrite(known, sign, Math.abs(value)), packetSelector);
  }

  /**
   * Puts an acknowledgement in the place of requests, which never arrive, or of answers.
   *
   * @param packetSelector which
   * @return this builder
   */
  public FaultPlanBuilder forgeAck(PacketSelector packetSelector) {
    return add(new Effect.ForgeAck(), packetSelector);
  }

  /**
   * Puts a NAK there.
   *
   * @param packetSelector which
   * @param code {@code psn_sequence_error}, {@code invalid_request}, {@code remote_access_error},
   *     {@code remote_operational_error} or {@code invalid_rd_request}
   * @return this builder
   */
  public FaultPlanBuilder forgeNak(PacketSelector packetSelector, String code) {
    String name = code.toUpperCase(Locale.ROOT);
    for (NakCode known : NakCode.values()) {
      if (known.name().equals(name)) {
        return add(new Effect.ForgeNak(known), packetSelector);
      }
    }
    throw new IllegalArgumentException(code + " is none of " + Arrays.asList(NakCode.values()));
  }

  /**
   * Puts an RNR NAK there.
   *
   * @param packetSelector which
   * @param timerCode 0 to 31
   * @return this builder
   */
  public FaultPlanBuilder forgeRnrNak(PacketSelector packetSelector, int timerCode) {
    return add(new Effect.ForgeRnrNak(timerCode), packetSelector);
  }

  private FaultPlanBuilder add(Effect effect, PacketSelector packetSelector) {
    return add(new PacketFault(effect, packetSelector.selection()));
  }

  /**
   * Cuts hosts off from all others.
   *
   * @param faultWindow at which time
   * @param hosts their IP addresses
   * @return this builder
   */
  public FaultPlanBuilder partition(FaultWindow faultWindow, String... hosts) {
    return add(new Partition(parsed(List.of(hosts)), List.of(), faultWindow.during()));
  }

  /**
   * Cuts hosts off from some.
   *
   * @param faultWindow at which time
   * @param hosts IP addresses
   * @param others IP addresses of those whom they cannot reach
   * @return this builder
   */
  public FaultPlanBuilder partition(
      FaultWindow faultWindow, List<String> hosts, List<String> others) {
    return add(new Partition(parsed(hosts), parsed(others), faultWindow.during()));
  }

  private static List<InetAddress> parsed(List<String> hosts) {
    return hosts.stream().map(IpAddress::parse).toList();
  }

  /**
   * Lets packets from and to a host wait.
   *
   * @param host its IP address
   * @param faultWindow at which time, which must end
   * @return this builder
   */
  public FaultPlanBuilder pause(String host, FaultWindow faultWindow) {
    return add(new Pause(IpAddress.parse(host), faultWindow.during()));
  }

  /**
   * Takes a port down.
   *
   * @param host its IP address
   * @param faultWindow at which time
   * @return this builder
   */
  public FaultPlanBuilder portDown(String host, FaultWindow faultWindow) {
    return add(new DeviceStatement.PortDown(IpAddress.parse(host), faultWindow.during()));
  }

  /**
   * Lets a device fail.
   *
   * @param host its IP address
   * @param at when
   * @return this builder
   */
  public FaultPlanBuilder kill(String host, Duration at) {
    return add(new DeviceStatement.Kill(IpAddress.parse(host), TimeUnit.NANOSECONDS.convert(at)));
  }

  /**
   * Lets a device run out of something.
   *
   * @param resource {@code qps}, {@code mrs} and so on; {@code cq_space}
   * @param host its IP address
   * @param faultWindow at which time
   * @return this builder
   */
  public FaultPlanBuilder exhaust(String resource, String host, FaultWindow faultWindow) {
    InetAddress address = IpAddress.parse(host);
    if (resource.equals(DeviceStatement.ExhaustSpace.NAME)) {
      return add(new DeviceStatement.ExhaustSpace(address, faultWindow.during()));
    }
    for (Resource known : Resource.values()) {
      if (known.toString().equals(resource)) {
        return add(new DeviceStatement.Exhaust(address, known, faultWindow.during()));
      }
    }
    throw new IllegalArgumentException(
        resource + " is none of " + Arrays.asList(Resource.values()) + ", and not cq_space");
  }

  /**
   * Lets calls of a verb fail.
   *
   * @param calls which, and with what
   * @return this builder
   */
  public FaultPlanBuilder fail(VerbSelector calls) {
    return add(calls.statement());
  }

  /** The language has the last word: what it cannot say is not added. */
  private FaultPlanBuilder add(FaultStatement statement) {
    statements.addAll(FaultPlan.parse(statement.toString()).statements());
    return this;
  }

  /** {@return the plan, as if its text had been read} */
  public FaultPlan build() {
    return new FaultPlan(statements, seed);
  }
}
