// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.lab.simulation.Violation;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * All memory of the device under fire, in one piece: registered parcels, and guards before, between
 * and behind them. What no peer may change holds a byte that is nowhere else, so that it must never
 * leave the device either.
 */
final class GuardedMemory {
  /** What guards and secrets are made of. No datagram carries it as payload. */
  static final byte SECRET = (byte) 0xc7;

  /** Bytes of a receive, and from one to the next; the rest is guard. */
  static final int SLOT_BYTES = 320;

  static final int STRIDE = 384;
  static final int SLOTS = 64;

  /** Bytes of a receive for frames. */
  static final int FRAME_BYTES = 2_048;

  static final int FRAME_SLOTS = 16;

  private static final byte PUBLIC = 0x22;
  private static final int GUARD_BYTES = 256;
  private static final int BYTES = 80 << 10;

  private final RegionFactory regionFactory;
  private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);

  /** Slices that never change, and what is in them. */
  private final List<ByteBuffer> fixed = new ArrayList<>();

  private final List<ByteBuffer> expected = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private final MemoryArea open;
  private final MemoryArea counters;
  private final MemoryArea readable;
  private final MemoryArea secret;
  private final MemoryArea foreign;
  private final MemoryArea windowed;
  private final MemoryArea inbox;
  private final MemoryArea frames;
  private final MemoryArea outbox;
  private final MemoryArea landing;
  private int used;

  /**
   * Registers everything.
   *
   * @param pd where
   * @param foreignPd the domain of others
   */
  GuardedMemory(ProtectionDomain pd, ProtectionDomain foreignPd, RegionFactory regionFactory) {
    this.regionFactory = regionFactory;
    byte[] fill = new byte[BYTES];
    Arrays.fill(fill, SECRET);
    memory.put(0, fill);
    Set<AccessFlag> remote =
        EnumSet.of(
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_WRITE,
            AccessFlag.REMOTE_READ,
            AccessFlag.FLUSH_GLOBAL,
            AccessFlag.FLUSH_PERSISTENT);
    Set<AccessFlag> local = EnumSet.of(AccessFlag.LOCAL_WRITE);
    open = changing(area(pd, "open", 4_096, remote));
    counters =
        changing(
            area(
                pd,
                "counters",
                512,
                EnumSet.of(
                    AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC)));
    readable = fixed(area(pd, "readable", 1_024, EnumSet.of(AccessFlag.REMOTE_READ)), PUBLIC);
    secret = fixed(area(pd, "secret", 512, local), SECRET);
    foreign = fixed(area(foreignPd, "foreign", 512, remote), SECRET);
    Set<AccessFlag> bindable = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
    windowed = area(pd, "windowed", 1_024, bindable);
    fill(windowed.offset(), 512, PUBLIC);
    fix("outside the window", windowed.offset() + 512, 512, SECRET);
    inbox = slots(area(pd, "inbox", SLOTS * STRIDE, local));
    frames = changing(area(pd, "frames", FRAME_SLOTS * FRAME_BYTES, local));
    outbox = fixed(area(pd, "outbox", 1_024, Set.of()), PUBLIC);
    landing = changing(area(pd, "landing", 1_024, local));
    guard();
  }

  /** Peers may write and read it. */
  MemoryArea open() {
    return open;
  }

  /** Peers may write it and compute with it, but not read it. */
  MemoryArea counters() {
    return counters;
  }

  /** Peers may read it. */
  MemoryArea readable() {
    return readable;
  }

  /** No peer may do anything with it. */
  MemoryArea secret() {
    return secret;
  }

  /** Other queue pairs' peers may do everything with it. */
  MemoryArea foreign() {
    return foreign;
  }

  /** Peers may use the first half, through windows. */
  MemoryArea windowed() {
    return windowed;
  }

  /** Receives. */
  MemoryArea inbox() {
    return inbox;
  }

  /** Receives of frames. */
  MemoryArea frames() {
    return frames;
  }

  /** What is sent. */
  MemoryArea outbox() {
    return outbox;
  }

  /** Where responses go. */
  MemoryArea landing() {
    return landing;
  }

  private MemoryArea area(ProtectionDomain pd, String name, int length, Set<AccessFlag> access) {
    guard();
    RegionFactory.RegionPart place = new RegionFactory.RegionPart(name, used, length);
    MemoryRegion region = regionFactory.register(pd, memory, place, access);
    used += length;
    return new MemoryArea(name, region, place.offset(), length, access);
  }

  private void guard() {
    fix("guard at " + used, used, GUARD_BYTES, SECRET);
    used += GUARD_BYTES;
  }

  private MemoryArea changing(MemoryArea area) {
    fill(area.offset(), area.length(), PUBLIC);
    return area;
  }

  private MemoryArea fixed(MemoryArea area, byte content) {
    fix(area.name(), area.offset(), area.length(), content);
    return area;
  }

  private MemoryArea slots(MemoryArea area) {
    for (int slot = 0; slot < SLOTS; slot++) {
      int offset = area.offset() + slot * STRIDE;
      fill(offset, SLOT_BYTES, PUBLIC);
      fix("behind receive " + slot, offset + SLOT_BYTES, STRIDE - SLOT_BYTES, SECRET);
    }
    return area;
  }

  private void fill(int offset, int length, byte content) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, content);
    memory.put(offset, bytes);
  }

  private void fix(String name, int offset, int length, byte content) {
    fill(offset, length, content);
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, content);
    fixed.add(memory.slice(offset, length));
    expected.add(ByteBuffer.wrap(bytes));
    names.add(name);
  }

  /** What nothing may change has not changed. */
  void verify() {
    for (int i = 0; i < fixed.size(); i++) {
      int wrong = fixed.get(i).mismatch(expected.get(i));
      Violation.unless(wrong < 0, "memory was written that none may write: %s", names.get(i));
    }
  }

  /** Nothing of what leaves is secret. */
  static void verifyHarmless(ByteBuffer bytes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      Violation.unless(bytes.get(i) != SECRET, "memory left the device that none may read");
    }
  }
}
