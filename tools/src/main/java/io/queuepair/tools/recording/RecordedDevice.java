// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One side of a scenario: an opened device and the objects made from it, by recorded name. */
public final class RecordedDevice {
  private final String name;
  private final Context context;
  private final Symbols symbols;
  private final VirtualClock clock;
  private boolean isClosed;
  private final Map<String, Object> objects = new LinkedHashMap<>();
  private final Map<String, Integer> counted = new LinkedHashMap<>();

  public RecordedDevice(String name, Context context, Symbols symbols, VirtualClock clock) {
    this.name = name;
    this.context = context;
    this.symbols = symbols;
    this.clock = clock;
  }

  /** {@return what it is called} */
  public String name() {
    return name;
  }

  public Context context() {
    return context;
  }

  public Symbols symbols() {
    return symbols;
  }

  public VirtualClock clock() {
    return clock;
  }

  /** Count of a counter before the scenario; fixed by the first call. */
  public int countedBefore(String counter, int ifFirst) {
    return counted.computeIfAbsent(counter, unknown -> ifFirst);
  }

  /** {@return whether it has closed its device} */
  boolean isClosed() {
    return isClosed;
  }

  /** Closes its device; afterwards it asks it for nothing. */
  void close() {
    context.close();
    isClosed = true;
  }

  public void put(String object, Object made) {
    objects.put(object, made);
  }

  public boolean has(String object) {
    return objects.containsKey(object);
  }

  public void remove(String object) {
    objects.remove(object);
  }

  /** {@return its objects by name, in the order in which they were made} */
  public Map<String, Object> objects() {
    return Collections.unmodifiableMap(objects);
  }

  /** Names a number of an object, for example {@code $A.qp.num}. */
  public void define(String object, String field, long value) {
    symbols.define("$" + name + "." + object + "." + field, value);
  }

  /** The recorded name of a queue pair number: its own first, since numbers repeat on a wire. */
  public String queuePairNamed(int number) {
    long value = Integer.toUnsignedLong(number);
    String own = symbols.nameOf("$" + name + ".", ".num", value);
    return own == null ? symbols.nameOf("$", ".num", value) : own;
  }

  /** The recorded name of one of its remote keys; null if it has none. */
  public String keyNamed(int rkey) {
    return symbols.nameOf("$" + name + ".", ".rkey", Integer.toUnsignedLong(rkey));
  }

  /**
   * Finds an object.
   *
   * @throws MissingObjectException if there is none, since the emulator did not create it
   */
  public <T> T get(Class<T> type, String object) {
    Object found = objects.get(object);
    if (!type.isInstance(found)) {
      throw new MissingObjectException(name + "." + object);
    }
    return type.cast(found);
  }

  /** The recorded name of an object; null if it has none. */
  public String nameOf(Object object) {
    for (Map.Entry<String, Object> entry : objects.entrySet()) {
      if (entry.getValue() == object || isMemory(entry.getValue(), object)) {
        return entry.getKey();
      }
    }
    return null;
  }

  /**
   * The queue pair, completion queue, shared receive queue or work queue that an event is about, if
   * any.
   */
  public static Optional<Object> queueOf(AsyncEvent event) {
    if (event instanceof AsyncEvent.QpEvent qpEvent) {
      return Optional.of(qpEvent.qp());
    }
    if (event instanceof AsyncEvent.CqEvent cqEvent) {
      return Optional.of(cqEvent.cq());
    }
    if (event instanceof AsyncEvent.WqEvent wqEvent) {
      return Optional.of(wqEvent.wq());
    }
    return event instanceof AsyncEvent.SrqEvent srqEvent
        ? Optional.of(srqEvent.srq())
        : Optional.empty();
  }

  /** The region of a recorded name; empty if the object is no region. */
  public Optional<MemoryRegion> region(String object) {
    return objects.get(object) instanceof Memory memory
        ? Optional.of(memory.region())
        : Optional.empty();
  }

  /**
   * The buffer that a region is a part of, mostly the first, as a view that cannot write; empty if
   * the object is no region.
   */
  public Optional<ByteBuffer> buffer(String object) {
    return objects.get(object) instanceof Memory memory
        ? Optional.of(memory.bytes().asReadOnlyBuffer().clear())
        : Optional.empty();
  }

  private static boolean isMemory(Object candidate, Object object) {
    return candidate instanceof Memory memory && memory.region() == object;
  }
}
