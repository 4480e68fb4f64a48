package io.queuepair.emulator.device;

import io.queuepair.emulator.qp.OfferedOperations.Operation;
import io.queuepair.emulator.qp.OfferedOperations.Setter;
import io.queuepair.emulator.qp.RequestPlace;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A request of a batch as it is put together: what its builder began, and what was set since. */
final class RequestDraft {
  private final Operation operation;
  private final QpType type;
  private final Function<List<Sge>, SendWr> builder;
  private final Set<Setter> called = EnumSet.noneOf(Setter.class);
  private List<Sge> sges = List.of();
  private Payload bytes;
  private UnaryOperator<SendWr> address = UnaryOperator.identity();

  /** What was done wrong first, or null. */
  private String mistake;

  /**
   * Begins.
   *
   * @param operation its row of the table
   * @param type that of the queue pair
   * @param builder makes the request of the entries that are set
   */
  RequestDraft(Operation operation, QpType type, Function<List<Sge>, SendWr> builder) {
    this.operation = operation;
    this.type = type;
    this.builder = builder;
  }

  /** Notes a mistake, which fails the batch; only the first one counts. */
  void fail(String newMistake) {
    if (mistake == null) {
      mistake = newMistake;
    }
  }

  /** Notes a mistake if an argument is missing. */
  void demand(String name, Object argument) {
    if (argument == null) {
      fail(operation.opcode() + " needs " + name + ", which is null");
    }
  }

  /** Whether a list and all that is in it is there; a mistake otherwise. */
  private boolean isWhole(String name, List<?> list) {
    boolean isWhole = list != null && list.stream().noneMatch(Objects::isNull);
    if (!isWhole) {
      fail(name + " is null, or something in it");
    }
    return isWhole;
  }

  void setEntries(String name, List<Sge> entries) {
    if (takes(Setter.SGE) && isWhole(name, entries)) {
      sges = List.copyOf(entries);
    }
  }

  /** Sets data by value: only here it is copied. */
  void setBytes(String name, List<ByteBuffer> parts) {
    if (!takes(Setter.INLINE_DATA) || !isWhole(name, parts)) {
      return;
    }
    long length = parts.stream().mapToLong(ByteBuffer::remaining).sum();
    if (length > Integer.MAX_VALUE) {
      fail(length + " bytes inline are more than any request carries");
    } else {
      bytes = Payload.copyOf(parts);
    }
  }

  /** Sets the data that the builder itself brought. */
  void setBytesOfTheBuilder(Payload newBytes) {
    bytes = newBytes;
  }

  void setAddress(Setter setter, UnaryOperator<SendWr> newAddress) {
    if (takes(setter)) {
      address = newAddress;
    }
  }

  private boolean takes(Setter setter) {
    Set<Setter> allowed = operation.setters(type);
    if (!allowed.contains(setter)) {
      fail(
          operation.opcode()
              + " on type "
              + type
              + " does not have "
              + setter.method()
              + ", only "
              + allowed.stream().map(Setter::method).toList());
    } else if (called.contains(setter)
        || (setter.isData() && called.stream().anyMatch(Setter::isData))) {
      fail(operation.opcode() + " has its " + (setter.isData() ? "data" : "address") + " already");
    }
    called.add(setter);
    return mistake == null;
  }

  /** Refuses it if a mistake was made. */
  void check(RequestPlace place) {
    if (mistake != null) {
      throw place.refusal(mistake);
    }
  }

  /** The request with its address, and entries unless its data is given by value. */
  SendWr request() {
    return address.apply(builder.apply(sges));
  }

  /** Data by value, or null. */
  Payload bytes() {
    return bytes;
  }
}
