// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parts of registered memory, and its bytes as a buffer. */
final class RegionViewsTest {
  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final ProtectionDomain pd = emulator.addDevice("10.0.0.1").open().allocPd();
  private final MemoryRegion memory = pd.regMr(ByteBuffer.allocateDirect(4096));

  @ParameterizedTest
  @CsvSource({"-1, 100", "4000, 100", "0, -1", "2147483647, 1", "4097, 0"})
  void aPartLiesInItsRegion(int offset, int length) {
    assertThatThrownBy(() -> memory.sge(offset, length))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage(
            "%d bytes from offset %d on are not in the 4096 bytes of the region", length, offset);
  }

  @Test
  void allOfARegionIsAPart() {
    assertThat(memory.sge()).isEqualTo(memory.sge(0, 4096));
    assertThat(memory.sge(4096, 0)).isEqualTo(new Sge(memory.addr() + 4096, 0, memory.lkey()));
  }

  @Test
  void aRegionThatReadsZerosHasNoEnd() {
    MemoryRegion zeros = pd.allocNullMr();

    assertThat(zeros.sge(4096, 100)).isEqualTo(new Sge(zeros.addr() + 4096, 100, zeros.lkey()));
  }

  @Test
  void theBytesKeepTheOrderOfTheirBuffer() {
    ByteBuffer little = ByteBuffer.allocateDirect(8).order(ByteOrder.LITTLE_ENDIAN);
    MemoryRegion region = pd.regMr(little);
    ByteOrder atFirst = region.buffer().order();

    region.rereg(ReregMr.nothing().withTranslation(ByteBuffer.allocateDirect(8)));

    assertThat(atFirst).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(region.buffer().order()).isEqualTo(ByteOrder.BIG_ENDIAN);
  }

  @Test
  void anAtomicWorksOnTheByteOrderOfTheHost() {
    CompletionQueue cq = pd.context().createCq(8);
    QueuePair a = pd.createQp(QpInitAttr.rc(cq, QpCap.of(4)));
    Emulator.connect(a, pd.createQp(QpInitAttr.rc(cq, QpCap.of(4))));
    ByteBuffer bytes = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
    MemoryRegion region = pd.regMr(bytes, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
    region.buffer().putLong(0, 5);

    a.postSend(
        SendWr.fetchAndAdd(
            1, new SendWr.RemoteTarget(region.addr(), region.rkey()), 1, region.sge(8, 8)));
    emulator.await(cq);

    assertThat(region.buffer().getLong(0)).isEqualTo(6);
    assertThat(region.buffer().getLong(8)).isEqualTo(5);
  }
}
