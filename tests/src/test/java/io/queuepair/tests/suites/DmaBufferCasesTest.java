// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.DmaBuffer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.ProtectionDomain;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers that the device chose. */
final class DmaBufferCasesTest {
  private static final int BYTES = 2 * ConnectedPair.PAGE;
  private static final Set<AccessFlag> WRITABLE = EnumSet.of(AccessFlag.LOCAL_WRITE);

  @AutoClose
  private final ConnectedPair bed =
      new ConnectedPair(
          ConnectedPair.reliable(Pair.on(LinkForm.OBJECTS)).connect(), ConnectedPair.PAGE);

  private final ProtectionDomain pd = bed.a().pd();

  private enum AllocationPath {
    REG_BUF_MR {
      @Override
      MemoryRegion register(ProtectionDomain domain, DmaBuffer buf, long offset, long length) {
        return domain.regBufMr(buf, offset, length, WRITABLE);
      }
    },
    REG_MR_EX {
      @Override
      MemoryRegion register(ProtectionDomain domain, DmaBuffer buf, long offset, long length) {
        return domain.regMrEx(MrInitAttr.of(AccessFlag.LOCAL_WRITE).withBuf(buf, offset, length));
      }
    };

    abstract MemoryRegion register(
        ProtectionDomain domain, DmaBuffer buf, long offset, long length);
  }

  @ParameterizedTest
  @EnumSource(AllocationPath.class)
  void oneBufferMakesSeveralRegions(AllocationPath way) {
    DmaBuffer buf = pd.allocBuf(BYTES);

    MemoryRegion first = way.register(pd, buf, 0, ConnectedPair.PAGE);
    MemoryRegion second = way.register(pd, buf, ConnectedPair.PAGE, ConnectedPair.PAGE);

    assertThat(first.lkey()).isNotEqualTo(second.lkey());
    assertThat(first.addr()).isEqualTo(buf.addr());
    assertThat(second.addr()).isEqualTo(buf.addr() + ConnectedPair.PAGE);
    Bytes.into(first, 0, Bytes.fill(ConnectedPair.PAGE, 1));
    Bytes.into(second, 0, Bytes.fill(ConnectedPair.PAGE, 2));
    ConnectedPair.assertFullOf(first, 1);
    assertThat(buf.bytes().get(ConnectedPair.PAGE - 1)).isEqualTo((byte) 1);
    assertThat(buf.bytes().get(ConnectedPair.PAGE)).isEqualTo((byte) 2);
  }

  @Test
  void plainMemoryIsNotExported() {
    assertThat(Errnos.of(pd.allocBuf(BYTES)::exportDmabufFd)).isEqualTo(Errno.ENODATA);
  }

  @ParameterizedTest
  @EnumSource(AllocationPath.class)
  void anotherDomainCannotRegisterIt(AllocationPath way) {
    DmaBuffer buf = pd.allocBuf(BYTES);
    ProtectionDomain other = bed.a().context().allocPd();

    assertThat(Errnos.of(() -> way.register(other, buf, 0, ConnectedPair.PAGE)))
        .isEqualTo(Errno.EINVAL);
  }

  @ParameterizedTest
  @CsvSource({
    "REG_BUF_MR, 0, 8193",
    "REG_BUF_MR, 4096, 4097",
    "REG_BUF_MR, 8193, 0",
    "REG_BUF_MR, -1, 1",
    "REG_BUF_MR, 1, 9223372036854775807",
    "REG_MR_EX, 0, 8193",
    "REG_MR_EX, 4096, 4097"
  })
  void aRegionIsInsideTheBuffer(AllocationPath way, long offset, long length) {
    DmaBuffer buf = pd.allocBuf(BYTES);

    assertThat(Errnos.of(() -> way.register(pd, buf, offset, length))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void messagesComeFromIt() {
    DmaBuffer buf = pd.allocBuf(BYTES);
    MemoryRegion source = pd.regBufMr(buf, 100, 1000, Set.of());
    Bytes.into(source, 0, Bytes.fill(1000, 's'));
    buf.close();
    bed.receive(7, bed.remote().sge(0, 1000));
    bed.post(bed.send(1, source.sge()));

    bed.expect(List.of("1 SEND"), List.of("7 RECV 1000"));
    assertThat(Bytes.in(bed.remote(), 0, 1000)).isEqualTo(Bytes.fill(1000, 's'));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1L << 31, Long.MAX_VALUE})
  void aBufferHasALengthThatItCanHave(long length) {
    assertThat(Errnos.of(() -> pd.allocBuf(length))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void aDomainIsBusyWhileABufferIsAllocatedOnIt() {
    ProtectionDomain other = bed.a().context().allocPd();
    DmaBuffer buf = other.allocBuf(BYTES);

    assertThat(Errnos.of(other::close)).isEqualTo(Errno.EBUSY);
    buf.close();
    buf.close();
    other.close();
  }
}
