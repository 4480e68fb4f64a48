// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MwType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Range that a window opens, against exact arithmetic, and which of its keys are good. */
final class MemoryWindowStateTest {
  private static final int BYTES = 5000;
  private static final int FIRST = 1000;
  private static final int LENGTH = 300;
  private static final int DOMAIN = 3;
  private static final AccessContext OWNER = new AccessContext(DOMAIN, new QpIncarnation());

  private final MemoryTable table = new MemoryTable();
  private final RegisteredMemory region =
      table.register(
          DOMAIN,
          ByteBuffer.allocateDirect(BYTES),
          EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND));

  private MemoryWindowState bound(AccessFlag... rights) {
    MemoryWindowState window = table.allocate(DOMAIN, MwType.TYPE_2);
    assertThat(bind(window, MemoryWindowState.keyAfter(window.key()), rights)).isNull();
    return window;
  }

  private String bind(MemoryWindowState window, int key, AccessFlag... rights) {
    MemoryRange range = new MemoryRange(region.addr() + FIRST, LENGTH);
    return table.bind(new MwBindRequest(window, key, region, range, Set.of(rights)), OWNER);
  }

  private MemoryFault fault(int key, long addr, long length) {
    return table.faultOf(key, OWNER, new MemoryRange(addr, length), AccessFlag.REMOTE_WRITE);
  }

  private void assertExact(MemoryWindowState window, long start, long addr, long length) {
    BigInteger first = new BigInteger(Long.toUnsignedString(start));
    BigInteger from = new BigInteger(Long.toUnsignedString(addr));
    BigInteger end = from.add(BigInteger.valueOf(length));
    boolean isInside =
        from.compareTo(first) >= 0 && end.compareTo(first.add(BigInteger.valueOf(LENGTH))) <= 0;

    assertThat(fault(window.key(), addr, length))
        .isEqualTo(isInside ? null : MemoryFault.OUTSIDE_WINDOW);
  }

  @Property(tries = 2000, seed = "3")
  void checksAnyRangeOfAZeroBasedWindowExactly(
      @ForAll long addr, @ForAll @LongRange(min = 1, max = 0xffff_ffffL) long length) {
    assertExact(bound(AccessFlag.REMOTE_WRITE, AccessFlag.ZERO_BASED), 0, addr, length);
  }

  @Property(tries = 2000, seed = "4")
  void checksRangesAroundAZeroBasedWindowExactly(
      @ForAll @LongRange(min = -10, max = LENGTH + 10) long addr,
      @ForAll @LongRange(min = 1, max = LENGTH + 20) long length) {
    assertExact(bound(AccessFlag.REMOTE_WRITE, AccessFlag.ZERO_BASED), 0, addr, length);
  }

  @Property(tries = 2000, seed = "5")
  void checksRangesAroundAWindowExactly(
      @ForAll @LongRange(min = -10, max = LENGTH + 10) long offset,
      @ForAll @LongRange(min = 1, max = LENGTH + 20) long length) {
    long start = region.addr() + FIRST;
    assertExact(bound(AccessFlag.REMOTE_WRITE), start, start + offset, length);
  }

  @Property(tries = 500, seed = "6")
  void bindsNothingBeyondTheRegion(
      @ForAll @LongRange(min = -10, max = BYTES + 10) long offset,
      @ForAll @LongRange(min = 1, max = BYTES + 20) long length) {
    MemoryWindowState window = table.allocate(DOMAIN, MwType.TYPE_2);
    MemoryRange range = new MemoryRange(region.addr() + offset, length);
    boolean isInside = offset >= 0 && offset + length <= BYTES;

    String refusal =
        table.bind(new MwBindRequest(window, window.key(), region, range, Set.of()), OWNER);

    assertThat(refusal == null).isEqualTo(isInside);
  }

  @Example
  void aZeroBasedAddressCountsFromTheFirstByteOfTheWindow() {
    MemoryWindowState window = bound(AccessFlag.REMOTE_WRITE, AccessFlag.ZERO_BASED);

    table.store(window.key(), 8, 0x1122_3344_5566_7788L);

    assertThat(region.bytes().getLong(FIRST + 8)).isNotZero();
    assertThat(region.bytes().getLong(FIRST)).isZero();
    assertThat(region.bytes().getLong(FIRST + 16)).isZero();
  }

  @Example
  void aWindowIsNoLocalMemory() {
    MemoryWindowState window = bound(AccessFlag.REMOTE_WRITE);

    assertThat(table.localFaultOf(window.key(), DOMAIN, region.addr() + FIRST, 1, null))
        .isEqualTo(MemoryFault.WINDOW_KEY);
  }

  @Example
  void anUnboundWindowOpensNothing() {
    MemoryWindowState window = table.allocate(DOMAIN, MwType.TYPE_1);

    assertThat(fault(window.key(), region.addr(), 1)).isEqualTo(MemoryFault.WINDOW_NOT_BOUND);
  }

  @Example
  void theFormerKeyIsUnknown() {
    MemoryWindowState window = bound(AccessFlag.REMOTE_WRITE);
    int former = window.key();
    table.invalidate(former);
    assertThat(bind(window, MemoryWindowState.keyAfter(former), AccessFlag.REMOTE_WRITE)).isNull();

    assertThat(fault(former, region.addr() + FIRST, 1)).isEqualTo(MemoryFault.UNKNOWN_KEY);
  }

  @Example
  void theKeyOfAFreedWindowIsNotTheNextOneOfItsSlot() {
    MemoryWindowState window = bound(AccessFlag.REMOTE_WRITE);
    int former = window.key();
    table.free(window, window.key());

    RegisteredMemory next =
        table.register(DOMAIN, ByteBuffer.allocateDirect(8), EnumSet.of(AccessFlag.LOCAL_WRITE));

    assertThat(next.key() >>> 8).isEqualTo(former >>> 8);
    assertThat(next.key()).isNotEqualTo(former);
    assertThat(fault(former, region.addr() + FIRST, 1)).isEqualTo(MemoryFault.UNKNOWN_KEY);
  }

  @Example
  void otherQueuePairsOfTheDomainDoNotUseAWindowOfType2() {
    MemoryWindowState window = bound(AccessFlag.REMOTE_WRITE);
    AccessContext other = new AccessContext(DOMAIN, new QpIncarnation());
    MemoryRange range = new MemoryRange(region.addr() + FIRST, 1);

    assertThat(table.faultOf(window.key(), other, range, AccessFlag.REMOTE_WRITE))
        .isEqualTo(MemoryFault.OTHER_QUEUE_PAIR);
  }

  @Example
  void theTagOfAKeyCountsUpAndAround() {
    assertThat(MemoryWindowState.keyAfter(0x0000_12fe)).isEqualTo(0x0000_12ff);
    assertThat(MemoryWindowState.keyAfter(0x0000_12ff)).isEqualTo(0x0000_1200);
  }

  @Example
  void aRegionKnowsWhetherItIsBound() {
    MemoryWindowState window = bound(AccessFlag.REMOTE_WRITE);
    assertThat(region.hasWindows()).isTrue();

    table.free(window, window.key());

    assertThat(region.hasWindows()).isFalse();
    assertThat(table.windows()).isZero();
    assertThat(table.size()).isOne();
  }
}
