// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.queue.SendOperation;
import io.queuepair.emulator.queue.SendOperation.WrSetter;
import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A work request of a batch under construction. */
public final class WrBuilder {
  private final SendOperation operation;
  private final QpType type;
  private final long wrId;
  private final Set<SendFlag> flags;
  private final Consumer<SendRequest> operands;
  private final Set<WrSetter> calledSetters = EnumSet.noneOf(WrSetter.class);
  private List<Sge> sges = List.of();
  private @Nullable Payload payload;
  private Consumer<SendRequest> address = request -> {};

  /** First mistake, or null. */
  private @Nullable String mistake;

  /**
   * Begins a request.
   *
   * @param operation its row of the table of operations
   * @param type type of the queue pair
   * @param operands sets what is specific to the operation
   */
  public WrBuilder(
      SendOperation operation,
      QpType type,
      long wrId,
      Set<SendFlag> flags,
      Consumer<SendRequest> operands) {
    this.operation = operation;
    this.type = type;
    this.wrId = wrId;
    this.flags = flags;
    this.operands = operands;
  }

  /** Records a mistake, which fails the batch; only the first one counts. */
  public void fail(String newMistake) {
    if (mistake == null) {
      mistake = newMistake;
    }
  }

  /** Records a mistake if an argument is null. */
  public void demand(String name, @Nullable Object argument) {
    if (argument == null) {
      fail(operation.opcode() + " needs " + name + ", which is null");
    }
  }

  /** Whether neither a list nor an element of it is null; otherwise records a mistake. */
  private boolean isWhole(String name, List<?> list) {
    boolean isWhole = list != null && list.stream().noneMatch(Objects::isNull);
    if (!isWhole) {
      fail(name + " is null, or something in it");
    }
    return isWhole;
  }

  public void setEntries(String name, List<Sge> newSges) {
    if (takes(WrSetter.SGE) && isWhole(name, newSges)) {
      sges = List.copyOf(newSges);
    }
  }

  /** Sets inline data, which is copied here. */
  public void setBytes(String name, List<ByteBuffer> parts) {
    if (!takes(WrSetter.INLINE_DATA) || !isWhole(name, parts)) {
      return;
    }
    long length = parts.stream().mapToLong(ByteBuffer::remaining).sum();
    if (length > Integer.MAX_VALUE) {
      fail(length + " bytes inline are more than any request carries");
    } else {
      payload = Payload.copyOf(parts);
    }
  }

  /** Sets data that is an argument of the operation, such as that of an atomic write. */
  public void setBytesOfTheBuilder(Payload newPayload) {
    payload = newPayload;
  }

  public void setAddress(WrSetter setter, Consumer<SendRequest> newAddress) {
    if (takes(setter)) {
      address = newAddress;
    }
  }

  private boolean takes(WrSetter setter) {
    Set<WrSetter> allowedSetters = operation.setters(type);
    if (!allowedSetters.contains(setter)) {
      fail(
          operation.opcode()
              + " on type "
              + type
              + " does not have "
              + setter.method()
              + ", only "
              + allowedSetters.stream().map(WrSetter::method).toList());
    } else if (calledSetters.contains(setter)
        || (setter.isData() && calledSetters.stream().anyMatch(WrSetter::isData))) {
      fail(operation.opcode() + " has its " + (setter.isData() ? "data" : "address") + " already");
    }
    calledSetters.add(setter);
    return mistake == null;
  }

  /** Refuses the request if a mistake was recorded. */
  public void check(WrPosition position) {
    if (mistake != null) {
      throw position.refusal(mistake);
    }
  }

  /** Fills in the request; refuses it if a mistake was recorded. */
  public void fill(SendRequest request, WrPosition position) {
    check(position);
    request.begin(wrId, operation.opcode(), flags).sges().set(sges);
    operands.accept(request);
    address.accept(request);
    request.value(payload);
  }
}
