package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.wire.HeaderField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Which packets a fault of a {@link FaultPlanBuilder} is about: {@code
 * Packets.of("RDMA_WRITE_MIDDLE").nth(3).to("10.0.0.2")}. Immutable. What is wrong with it the
 * builder says.
 */
public final class Packets {
  private static final Packets ALL = new Packets(new Selection(new Amount.All(), null, List.of()));

  private final Selection selection;

  private Packets(Selection selection) {
    this.selection = selection;
  }

  /** {@return every packet} */
  public static Packets all() {
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
  public static Packets of(String kind) {
    PacketKind found = PacketKind.named(kind);
    if (found == null) {
      throw new IllegalArgumentException(kind + " is no opcode, and no group of opcodes");
    }
    return new Packets(new Selection(new Amount.All(), found, List.of()));
  }

  /**
   * Each of these with a probability.
   *
   * @param probability 0 to 1
   * @return a share of these packets
   */
  public Packets share(double probability) {
    return counted(new Amount.Share(probability));
  }

  /**
   * One of these.
   *
   * @param number which, from 1
   * @return that packet
   */
  public Packets nth(long number) {
    return counted(new Amount.Range(number, number));
  }

  /**
   * Some of these, one after the other.
   *
   * @param first number of the first, from 1
   * @param last number of the last
   * @return these and those between them
   */
  public Packets nth(long first, long last) {
    return counted(new Amount.Range(first, last));
  }

  /**
   * All of these but the first ones.
   *
   * @param first number of the first that is meant, from 1
   * @return that packet and all after it
   */
  public Packets nthAndLater(long first) {
    return counted(new Amount.Range(first, Amount.Range.OPEN));
  }

  /**
   * Those of these whose number is a multiple.
   *
   * @param step of what, from 1
   * @return every second, every third and so on
   */
  public Packets every(long step) {
    return counted(new Amount.Every(step));
  }

  private Packets counted(Amount amount) {
    return new Packets(new Selection(amount, selection.kind(), selection.conditions()));
  }

  /**
   * Those of these that come from a host.
   *
   * @param host an IP address
   * @return fewer packets
   * @throws IllegalArgumentException if it is no IP address
   */
  public Packets from(String host) {
    return with(new Condition.From(IpAddress.parse(host)));
  }

  /**
   * Those of these that go to a host, or a multicast group.
   *
   * @param host an IP address
   * @return fewer packets
   * @throws IllegalArgumentException if it is no IP address
   */
  public Packets to(String host) {
    return with(new Condition.To(IpAddress.parse(host)));
  }

  /**
   * Those of these for a queue pair.
   *
   * @param number of the destination, 24-bit
   * @return fewer packets
   */
  public Packets qp(int number) {
    return with(new Condition.Qp(number));
  }

  /**
   * Those of these with a PSN.
   *
   * @param psn 24-bit
   * @return fewer packets
   */
  public Packets psn(int psn) {
    return psn(psn, psn);
  }

  /**
   * Those of these with one of some PSNs, which may wrap.
   *
   * @param first 24-bit
   * @param last 24-bit
   * @return fewer packets
   */
  public Packets psn(int first, int last) {
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
  public Packets where(String field, String operator, long value) {
    Comparison.Operator known = Comparison.Operator.of(operator);
    if (known == null) {
      throw new IllegalArgumentException(operator + " is none of =, !=, <, <=, >, >=");
    }
    List<Comparison> comparisons = new ArrayList<>();
    List<Condition> others = new ArrayList<>();
    for (Condition condition : selection.conditions()) {
      if (condition instanceof Condition.Where where) {
        comparisons.addAll(where.comparisons());
      } else {
        others.add(condition);
      }
    }
    comparisons.add(new Comparison(field(field), known, value));
    others.add(new Condition.Where(comparisons));
    return new Packets(new Selection(selection.amount(), selection.kind(), others));
  }

  /** The field of a name. */
  static HeaderField field(String name) {
    HeaderField field = HeaderField.named(name.toLowerCase(Locale.ROOT));
    if (field == null) {
      throw new IllegalArgumentException(name + " is no header field: " + Values.fieldNames());
    }
    return field;
  }

  /**
   * Those of these that are sent at a time.
   *
   * @param when that time
   * @return fewer packets
   */
  public Packets at(When when) {
    return with(when.during());
  }

  private Packets with(Condition condition) {
    List<Condition> more = new ArrayList<>(selection.conditions());
    more.add(condition);
    return new Packets(new Selection(selection.amount(), selection.kind(), more));
  }

  Selection selection() {
    return selection;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Packets that && selection.equals(that.selection);
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
