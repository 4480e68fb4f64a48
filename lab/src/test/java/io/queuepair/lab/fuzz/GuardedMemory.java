// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.lab.simulation.Violation;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All memory of the device under fire: registered areas, and guards before, between and behind
 * them. Bytes that no peer may read hold a value that is nowhere else, so that it must never leave
 * the device.
 */
final class GuardedMemory {
  /** Value of guards and secrets. No packet carries it as payload. */
  static final byte SECRET = (byte) 0xc7;

  /** Bytes of a receive, and from one to the next; the rest is guard. */
  static final int SLOT_BYTES = 320;

  static final int STRIDE = 384;

  static final byte PUBLIC = 0x22;
  private static final int GUARD_BYTES = 256;
  private static final int BYTES = 56 << 10;

  private final Registration registration;
  private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);

  private final byte[] expected = new byte[BYTES];

  /** Parts that may be written. */
  private final List<Place> changing = new ArrayList<>();

  private final Map<String, Area> areas = new LinkedHashMap<>();
  private int used = GUARD_BYTES;

  /** Registers a part of the memory; tests replace it by one with a defect. */
  interface Registration {
    Registration RIGHT =
        (pd, name, memory, area) ->
            pd.regMr(memory.slice(area.offset(), area.length()), area.access());

    MemoryRegion register(ProtectionDomain pd, String name, ByteBuffer memory, Place area);
  }

  record Place(int offset, int length, Set<AccessFlag> access) {}

  record Area(MemoryRegion region, int length) {
    Sge sge(int from, int length) {
      return region.sge(from, length);
    }
  }

  GuardedMemory(Registration registration) {
    this.registration = registration;
    fill(0, BYTES, SECRET, true);
  }

  /** Memory that peers or the device may change. */
  void changing(ProtectionDomain pd, String name, int length, AccessFlag... access) {
    fill(add(pd, name, length, access), length, PUBLIC, false);
  }

  /** Memory that must not change. */
  void fixed(ProtectionDomain pd, String name, int length, byte content, AccessFlag... access) {
    fill(add(pd, name, length, access), length, content, true);
  }

  /** Memory of which peers may read the first half, through windows. */
  void windowed(ProtectionDomain pd, String name, int length) {
    int at = add(pd, name, length, AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
    fill(at, length / 2, PUBLIC, true);
  }

  /** Memory for receives, with a guard behind each. */
  void slots(ProtectionDomain pd, String name, int count) {
    int at = add(pd, name, count * STRIDE, AccessFlag.LOCAL_WRITE);
    for (int slot = 0; slot < count; slot++) {
      fill(at + slot * STRIDE, SLOT_BYTES, PUBLIC, false);
    }
  }

  private int add(ProtectionDomain pd, String name, int length, AccessFlag... access) {
    Place place = new Place(used, length, Set.of(access));
    areas.put(name, new Area(registration.register(pd, name, memory, place), length));
    used += length + GUARD_BYTES;
    return place.offset();
  }

  private void fill(int offset, int length, byte content, boolean isFixed) {
    Arrays.fill(expected, offset, offset + length, content);
    memory.put(offset, expected, offset, length);
    if (!isFixed) {
      changing.add(new Place(offset, length, Set.of()));
    }
  }

  Area area(String name) {
    return areas.get(name);
  }

  List<Area> areas() {
    return List.copyOf(areas.values());
  }

  /** Fails if a byte changed that nothing may change. */
  void verify() {
    byte[] actual = new byte[BYTES];
    memory.get(0, actual);
    for (Place place : changing) {
      System.arraycopy(expected, place.offset(), actual, place.offset(), place.length());
    }
    int wrong = Arrays.mismatch(expected, actual);
    Violation.unless(wrong < 0, "memory was written that none may write, at %d", wrong);
  }

  /** Fails if something that leaves is secret. */
  static void verifyHarmless(ByteBuffer bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      Violation.unless(bytes.get(i) != SECRET, "memory left the device that none may read");
    }
  }
}
