// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.AccessFlag;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Keys, and the range check against exact arithmetic. */
final class MemoryTableTest {
  private static final int BYTES = 5000;
  private static final int DOMAIN = 3;

  private static final AccessContext PEER = new AccessContext(DOMAIN, new QpIncarnation());

  private final MemoryTable table = new MemoryTable();

  private RegisteredMemory register() {
    return table.register(
        DOMAIN, ByteBuffer.allocateDirect(BYTES), EnumSet.of(AccessFlag.REMOTE_READ));
  }

  private static BigInteger unsigned(long number) {
    return new BigInteger(Long.toUnsignedString(number));
  }

  private void assertExact(RegisteredMemory memory, long addr, long length) {
    BigInteger start = unsigned(memory.addr());
    BigInteger from = unsigned(addr);
    boolean isInside =
        from.compareTo(start) >= 0
            && from.add(BigInteger.valueOf(length)).compareTo(start.add(BigInteger.valueOf(BYTES)))
                <= 0;

    MemoryFault fault =
        table.faultOf(memory.key(), PEER, new MemoryRange(addr, length), AccessFlag.REMOTE_READ);

    assertThat(fault).isEqualTo(isInside ? null : MemoryFault.OUT_OF_RANGE);
  }

  @Property(tries = 2000, seed = "1")
  void checksAnyRangeExactly(
      @ForAll long addr, @ForAll @LongRange(min = 1, max = 0xffff_ffffL) long length) {
    assertExact(register(), addr, length);
  }

  @Property(tries = 2000, seed = "2")
  void checksRangesAroundTheRegionExactly(
      @ForAll @LongRange(min = -10, max = BYTES + 10) long offset,
      @ForAll @LongRange(min = 1, max = BYTES + 20) long length) {
    RegisteredMemory memory = register();

    assertExact(memory, memory.addr() + offset, length);
    // Half the address space away: the end is beyond the largest signed number.
    assertExact(memory, memory.addr() + offset + Long.MIN_VALUE, length);
  }

  @Test
  void givesEveryRegionAKeyOfItsOwn() {
    assertThat(register().key()).isNotEqualTo(register().key());
  }

  @Test
  void neverGivesKeyZero() {
    assertThat(register().key()).isNotZero();
  }

  @Test
  void registersTheSameAddressesInEveryRun() {
    RegisteredMemory here = register();
    RegisteredMemory there =
        new MemoryTable()
            .register(DOMAIN, ByteBuffer.allocateDirect(BYTES), EnumSet.noneOf(AccessFlag.class));

    assertThat(there.addr()).isEqualTo(here.addr());
    assertThat(there.key()).isEqualTo(here.key());
  }

  @Test
  void leavesAGapBetweenRegions() {
    RegisteredMemory one = register();
    RegisteredMemory two = register();

    assertThat(two.addr()).isGreaterThan(one.addr() + BYTES);
  }

  @Test
  void countsWhatIsRegistered() {
    RegisteredMemory one = register();
    register();
    table.deregister(one);

    assertThat(table.size()).isOne();
  }
}
