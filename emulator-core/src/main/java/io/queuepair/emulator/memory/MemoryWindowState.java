// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MwType;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Memory window. While it is bound, peers may access a part of a region by its key. */
public final class MemoryWindowState implements KeyedMemory {
  private static final MemoryRange NOTHING = new MemoryRange(0, 0);

  private final int domain;
  private final MwType type;
  private int key;

  private @Nullable RegisteredMemory region;

  /** Address in the region of the first byte of the window. */
  private long firstAddr;

  /** Range in addresses of peers; a zero-based one starts at 0. */
  private MemoryRange range = NOTHING;

  private Set<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);

  /** Incarnation of the queue pair that bound a window of type 2; otherwise null. */
  private @Nullable QpIncarnation binder;

  MemoryWindowState(int key, int domain, MwType type) {
    this.key = key;
    this.domain = domain;
    this.type = type;
  }

  /** Next key of the same slot: the lower 8 bits count up ({@code ibv_inc_rkey}). */
  public static int keyAfter(int key) {
    return MemoryTable.sameSlot(key, key + 1);
  }

  @Override
  public int key() {
    return key;
  }

  public MwType type() {
    return type;
  }

  int domain() {
    return domain;
  }

  public boolean isBound() {
    return region != null;
  }

  /** Rights of peers; meaningless after {@link #unbind}. */
  public Set<AccessFlag> access() {
    return Set.copyOf(access);
  }

  @Nullable QpIncarnation binder() {
    return binder;
  }

  /** Applies a checked bind: sets the new key and the range, or unbinds. */
  void bind(MwBindRequest bind, @Nullable QpIncarnation newBinder) {
    unbind();
    key = bind.newKey();
    if (bind.isUnbind()) {
      return;
    }
    region = bind.region();
    region.addWindow();
    access = bind.access();
    firstAddr = bind.range().addr();
    boolean isZeroBased = access.contains(AccessFlag.ZERO_BASED);
    range = isZeroBased ? new MemoryRange(0, bind.range().length()) : bind.range();
    if (type == MwType.TYPE_2) {
      binder = newBinder;
      binder.add(this);
    }
  }

  void unbind() {
    if (region != null) {
      region.removeWindow();
      region = null;
      range = NOTHING;
    }
    if (binder != null) {
      binder.remove(this);
      binder = null;
    }
  }

  @Override
  public MemoryRange fullRange() {
    return range;
  }

  @Override
  public String description() {
    return isBound() ? "; the window has " + range + ", rights " + new TreeSet<>(access) : "";
  }

  /** Checks bound, domain, queue pair, right, range; the bind has checked the region's rights. */
  @Override
  public @Nullable MemoryFault faultOf(
      AccessContext accessor, MemoryRange accessedRange, AccessFlag accessFlag) {
    if (!isBound()) {
      return MemoryFault.WINDOW_NOT_BOUND;
    }
    if (accessor.domain() != domain) {
      return MemoryFault.OTHER_DOMAIN;
    }
    if (type == MwType.TYPE_2 && !accessor.mayUseWindowOf(binder)) {
      return MemoryFault.OTHER_QUEUE_PAIR;
    }
    if (!access.contains(accessFlag)) {
      return MemoryFault.WINDOW_LACKS_RIGHT;
    }
    boolean isInside =
        range.contains(accessedRange)
            && region.contains(
                addrInRegion(accessedRange.addr()),
                accessedRange.length(),
                RegisteredMemory.isWrite(accessFlag));
    return isInside ? null : MemoryFault.OUTSIDE_WINDOW;
  }

  @Override
  public Payload view(long start, int length) {
    return region.view(addrInRegion(start), length);
  }

  @Override
  public void show(long start, int length, MutablePacket packet) {
    region.show(addrInRegion(start), length, packet);
  }

  @Override
  public void write(long start, Payload payload) {
    region.write(addrInRegion(start), payload);
  }

  @Override
  public @Nullable ProcessMemory process() {
    return region == null ? null : region.process();
  }

  @Override
  public long processAddress(long start) {
    return region.processAddress(addrInRegion(start));
  }

  private long addrInRegion(long start) {
    return firstAddr + (start - range.addr());
  }
}
