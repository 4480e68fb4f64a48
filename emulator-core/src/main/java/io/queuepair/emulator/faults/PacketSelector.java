// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.wire.PacketField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Which packets a fault of a {@link FaultPlanBuilder} is about: {@code
 * PacketSelector.of("RDMA_WRITE_MIDDLE").nth(3).to("10.0.0.2")}. Immutable. What is wrong with it
 * the builder says.
 */
public final class PacketSelector {
  private static final PacketSelector ALL =
      new PacketSelector(new PacketFilter(new MatchCount.All(), null, List.of()));

  private final PacketFilter selection;

  private PacketSelector(PacketFilter selection) {
    this.selection = selection;
  }

  /** {@return every packet} */
  public static PacketSelector all() {
    return ALL;
  }

  /**
   * All packets of a kind.
   *
   * @param kind an opcode with or without its service, an operation, a service, {@code REQUEST},
   *     {@code RESPONSE}, {@code ACK}, {@code NAK} or {@code RNR_NAK}
   * @return these packets
   * @throws IllegalArgumentException if there is no such kind
   */
  public static PacketSelector of(String kind) {
    PacketKind found = PacketKind.named(kind);
    if (found == null) {
      throw new IllegalArgumentException(kind + " is no opcode, and no group of opcodes");
    }
    return new PacketSelector(new PacketFilter(new MatchCount.All(), found, List.of()));
  }

  /**
   * Each of these with a probability.
   *
   * @param probability 0 to 1
   * @return a share of these packets
   */
  public PacketSelector share(double probability) {
    return counted(new MatchCount.Probability(probability));
  }

  /**
   * One of these.
   *
   * @param number which, from 1
   * @return that packet
   */
  public PacketSelector nth(long number) {
    return counted(new MatchCount.Range(number, number));
  }

  /**
   * Some of these, one after the other.
   *
   * @param first number of the first, from 1
   * @param last number of the last
   * @return these and those between them
   */
  public PacketSelector nth(long first, long last) {
    return counted(new MatchCount.Range(first, last));
  }

  /**
   * All of these but the first ones.
   *
   * @param first number of the first that is meant, from 1
   * @return that packet and all after it
   */
  public PacketSelector nthAndLater(long first) {
    return counted(new MatchCount.Range(first, MatchCount.Range.OPEN));
  }

  /**
   * Those of these whose number is a multiple.
   *
   * @param step of what, from 1
   * @return every second, every third and so on
   */
  public PacketSelector every(long step) {
    return counted(new MatchCount.Every(step));
  }

  private PacketSelector counted(MatchCount amount) {
    return new PacketSelector(new PacketFilter(amount, selection.kind(), selection.conditions()));
  }

  /**
   * Those of these that come from a host.
   *
   * @param host an IP address
   * @return fewer packets
   * @throws IllegalArgumentException if it is no IP address
   */
  public PacketSelector from(String host) {
    return with(new Condition.From(IpAddress.parse(host)));
  }

  /**
   * Those of these that go to a host, or a multicast group.
   *
   * @param host an IP address
   * @return fewer packets
   * @throws IllegalArgumentException if it is no IP address
   */
  public PacketSelector to(String host) {
    return with(new Condition.To(IpAddress.parse(host)));
  }

  /**
   * Those of these for a queue pair.
   *
   * @param number of the destination, 24-bit
   * @return fewer packets
   */
  public PacketSelector qp(int number) {
    return with(new Condition.Qp(number));
  }

  /**
   * Those of these with a PSN.
   *
   * @param psn 24-bit
   * @return fewer packets
   */
  public PacketSelector psn(int psn) {
    return psn(psn, psn);
  }

  /**
   * Those of these with one of some PSNs, which may wrap.
   *
   * @param first 24-bit
   * @param last 24-bit
   * @return fewer packets
   */
  public PacketSelector psn(int first, int last) {
    return with(new Condition.PsnRange(first, last));
  }

  /**
   * Those of these with a value in a header field; several such conditions must all hold.
   *
   * @param field its name, such as {@code ackreq}
   * @param operator {@code =}, {@code !=}, {@code <}, {@code <=}, {@code >} or {@code >=}
   * @param value unsigned, of the width of the field
   * @return fewer packets
   * @throws IllegalArgumentException if there is no such field or operator
   */
  public PacketSelector where(String field, String operator, long value) {
    FieldComparison.Operator known = FieldComparison.Operator.of(operator);
    if (known == null) {
      throw new IllegalArgumentException(operator + " is none of =, !=, <, <=, >, >=");
    }
    List<FieldComparison> comparisons = new ArrayList<>();
    List<Condition> others = new ArrayList<>();
    for (Condition condition : selection.conditions()) {
      if (condition instanceof Condition.Where where) {
        comparisons.addAll(where.comparisons());
      } else {
        others.add(condition);
      }
    }
    comparisons.add(new FieldComparison(field(field), known, value));
    others.add(new Condition.Where(comparisons));
    return new PacketSelector(new PacketFilter(selection.amount(), selection.kind(), others));
  }

  /** The field of a name. */
  static PacketField field(String name) {
    PacketField field = ValueParser.fieldNamed(name.toLowerCase(Locale.ROOT));
    if (field == null) {
      throw new IllegalArgumentException(name + " is no header field: " + ValueParser.fieldNames());
    }
    return field;
  }

  /**
   * Those of these that are sent at a time.
   *
   * @param faultWindow that time
   * @return fewer packets
   */
  public PacketSelector at(FaultWindow faultWindow) {
    return with(faultWindow.during());
  }

  private PacketSelector with(Condition condition) {
    List<Condition> more = new ArrayList<>(selection.conditions());
    more.add(condition);
    return new PacketSelector(new PacketFilter(selection.amount(), selection.kind(), more));
  }

  PacketFilter selection() {
    return selection;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PacketSelector that && selection.equals(that.selection);
  }

  @Override
  public int hashCode() {
    return selection.hashCode();
  }

  /** As a plan says it: {@code 3rd ACK to 10.0.0.2}. */
  @Override
  public String toString() {
    return selection.toString();
  }
}
