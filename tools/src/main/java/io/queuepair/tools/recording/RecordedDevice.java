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

/** One side of a scenario: an opened device and its objects by recorded name. */
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

  /** Value of a counter before the scenario; the first call sets it. */
  public int countedBefore(String counter, int ifFirst) {
    return counted.computeIfAbsent(counter, unknown -> ifFirst);
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Closes the device; no later call may use it. */
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

  /** {@return the objects by name, in the order of their creation} */
  public Map<String, Object> objects() {
    return Collections.unmodifiableMap(objects);
  }

  /** Defines a symbol for a number of an object, for example {@code $A.qp.num}. */
  public void define(String object, String field, long value) {
    symbols.define("$" + name + "." + object + "." + field, value);
  }

  /** Recorded name of a queue pair number; of this side first, as numbers may be equal. */
  public String queuePairNamed(int number) {
    long value = Integer.toUnsignedLong(number);
    String own = symbols.nameOf("$" + name + ".", ".num", value);
    return own == null ? symbols.nameOf("$", ".num", value) : own;
  }

  /** Recorded name of a remote key of this side; null if there is none. */
  public String keyNamed(int rkey) {
    return symbols.nameOf("$" + name + ".", ".rkey", Integer.toUnsignedLong(rkey));
  }

  /**
   * Finds an object by name.
   *
   * @throws MissingObjectException if there is none, as the emulator did not create it
   */
  public <T> T get(Class<T> type, String object) {
    Object found = objects.get(object);
    if (!type.isInstance(found)) {
      throw new MissingObjectException(name + "." + object);
    }
    return type.cast(found);
  }

  /** Recorded name of an object; null if there is none. */
  public String nameOf(Object object) {
    for (Map.Entry<String, Object> entry : objects.entrySet()) {
      if (entry.getValue() == object || isMemory(entry.getValue(), object)) {
        return entry.getKey();
      }
    }
    return null;
  }

  /** Queue pair or queue of an event; empty for other events. */
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

  /** Region with a recorded name; empty if the object is no region. */
  public Optional<MemoryRegion> region(String object) {
    return objects.get(object) instanceof Memory memory
        ? Optional.of(memory.region())
        : Optional.empty();
  }

  /** Buffer of which a region covers a part, read-only; empty for other objects. */
  public Optional<ByteBuffer> buffer(String object) {
    return objects.get(object) instanceof Memory memory
        ? Optional.of(memory.bytes().asReadOnlyBuffer().clear())
        : Optional.empty();
  }

  private static boolean isMemory(Object candidate, Object object) {
    return candidate instanceof Memory memory && memory.region() == object;
  }
}
