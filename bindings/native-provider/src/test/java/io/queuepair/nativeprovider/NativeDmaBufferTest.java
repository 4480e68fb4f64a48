// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static io.queuepair.nativeprovider.SystemHost.direct;
import static io.queuepair.nativeprovider.SystemHost.errnoOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.DmaBuffer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.MrInitAttrMask;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Memory of the driver's choice; skipped where the library has none. */
@Timeout(60)
class NativeDmaBufferTest {
  private static final Set<AccessFlag> WRITABLE =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

  @RegisterExtension private final SystemHost host = new SystemHost();

  private RdmaCmId[] ends;
  private ProtectionDomain pd;
  private DmaBuffer buffer;

  @BeforeEach
  void allocate() {
    ends = host.connected();
    pd = host.closedLater(ends[1].verbs().allocPd());
    try {
      buffer = host.closedLater(pd.allocBuf(8192));
    } catch (VerbsException refused) {
      assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
      Assumptions.abort("the library has no ibv_alloc_buf");
    }
  }

  @Test
  void aPartOfItIsRegisteredAndWritten() {
    DmaBuffer own = ends[1].pd().allocBuf(8192);
    MemoryRegion part = ends[1].pd().regBufMr(own, 4096, 4096, WRITABLE);
    MemoryRegion from = ends[0].regMsgs(direct("hello"));

    ends[0].qp().postSend(SendWr.rdmaWrite(1, part.addr() + 8, part.rkey(), from.sge()));

    assertThat(ends[0].getSendComp().status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(part.addr()).isEqualTo(own.addr() + 4096);
    assertThat(part.length()).isEqualTo(4096);
    assertThat(own.bytes().slice(4104, 5)).isEqualTo(direct("hello"));
    assertThat(own.bytes().get(4103)).isZero();
    own.close();
    assertThat(part.buffer().slice(8, 5))
        .isEqualTo(direct("hello")); // Not freed before the region.
    part.close();
    from.close();
  }

  @Test
  void isOfItsDomainAndOfItsSize() {
    ProtectionDomain other = ends[1].verbs().allocPd();

    assertThat(buffer.pd()).isSameAs(pd);
    assertThat(buffer.length()).isEqualTo(8192);
    assertThat(errnoOf(() -> other.regBufMr(buffer, 0, 8, WRITABLE))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> pd.regBufMr(buffer, 8190, 3, WRITABLE))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> pd.allocBuf(0))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> pd.allocBuf(1L << 31))).isEqualTo(Errno.EINVAL);
    other.close();
  }

  @Test
  void keepsItsDomainUntilItAndItsRegionsAreClosed() {
    MemoryRegion region = pd.regBufMr(buffer, 0, 8192, WRITABLE);

    buffer.close();
    assertThat(errnoOf(pd::close)).isEqualTo(Errno.EBUSY);
    region.close();
    pd.close();
  }

  /**
   * The attributes say EINVAL to what contradicts itself, and EOPNOTSUPP to what has no function.
   */
  @Test
  void isRegisteredByAttributes() {
    MrInitAttr attr = MrInitAttr.of(AccessFlag.LOCAL_WRITE);
    MemoryRegion region = pd.regMrEx(attr.withBuf(buffer, 0, 4096));

    assertThat(region.length()).isEqualTo(4096);
    assertThat(errnoOf(() -> pd.regMrEx(attr))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> pd.regMrEx(attr.withBuf(buffer, 0, 8).with(MrInitAttrMask.FD))))
        .isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> pd.regMrEx(attr.with(MrInitAttrMask.FD)))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> pd.regMrEx(attr.withBuf(buffer, 0, 8).with(MrInitAttrMask.DMAH))))
        .isEqualTo(Errno.EOPNOTSUPP);
    region.close();
  }

  /** It is plain memory on the preloaded library; a driver may have made it a dma-buf. */
  @Test
  void hasAFileOrSaysThatItIsNone() {
    try {
      assertThat(buffer.exportDmabufFd()).isNotNegative();
    } catch (VerbsException refused) {
      assertThat(refused.errno()).isEqualTo(Errno.ENODATA);
    }
  }
}
