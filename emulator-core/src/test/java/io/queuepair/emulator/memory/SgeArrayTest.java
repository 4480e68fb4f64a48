// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scatter/gather entries as numbers: all values that {@code struct ibv_sge} may have. */
final class SgeArrayTest {
  private final SgeArray array = new SgeArray();

  @Test
  void keepsTheHighestAndTheLowestValues() {
    array.add(-1, Integer.MAX_VALUE, -1);
    array.add(Long.MIN_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE);
    array.add(0, 0, 0);

    assertThat(array.size()).isEqualTo(3);
    assertThat(array.addr(0)).isEqualTo(-1);
    assertThat(array.length(0)).isEqualTo(Integer.MAX_VALUE);
    assertThat(array.lkey(0)).isEqualTo(-1);
    assertThat(array.addr(1)).isEqualTo(Long.MIN_VALUE);
    assertThat(array.length(1)).isEqualTo(Integer.MIN_VALUE);
    assertThat(array.lkey(1)).isEqualTo(Integer.MIN_VALUE);
    assertThat(array.lkey(2)).isZero();
  }

  @Test
  void theTotalLengthHasMoreThan32Bits() {
    array.add(0, Integer.MAX_VALUE, 1);
    array.add(0, Integer.MAX_VALUE, 1);

    assertThat(array.totalLength()).isEqualTo(2L * Integer.MAX_VALUE);
  }

  @Test
  void takesTheEntriesOfAList() {
    array.add(9, 9, 9);
    array.set(List.of(new Sge(0x1000, 8, 3), Sge.inline(new byte[] {1, 2, 3})));

    assertThat(array.size()).isEqualTo(2);
    assertThat(array.addr(0)).isEqualTo(0x1000);
    assertThat(array.isOwn(0)).isFalse();
    assertThat(array.isOwn(1)).isTrue();
    assertThat(array.areOwn()).isFalse();
    assertThat(array.length(1)).isEqualTo(3);
  }

  @Test
  void copiesOwnBytesFromWhereTheyAre() {
    array.addOwn(ByteBuffer.wrap(new byte[] {0, 0, 5, 6, 0}), 2, 2);
    ByteBuffer target = ByteBuffer.allocate(4);
    array.copyOwn(0, target, 1);

    assertThat(array.areOwn()).isTrue();
    assertThat(target.array()).containsExactly(0, 5, 6, 0);
  }

  @Test
  void anEntryOfMemoryHasNoBytesOfTheOneBefore() {
    array.addOwn(ByteBuffer.allocate(4), 0, 4);
    array.clear();
    array.add(0x1000, 4, 3);

    assertThat(array.isOwn(0)).isFalse();
  }

  @Test
  void canForgetWhereItsBytesAre() {
    array.add(0x1000, 8, 3);
    array.addOwn(ByteBuffer.allocate(4), 0, 4);
    array.forgetAddresses();

    assertThat(array.addr(0)).isZero();
    assertThat(array.lkey(0)).isZero();
    assertThat(array.length(0)).isEqualTo(8);
    assertThat(array.isOwn(1)).isFalse();
    assertThat(array.length(1)).isEqualTo(4);
  }
}
