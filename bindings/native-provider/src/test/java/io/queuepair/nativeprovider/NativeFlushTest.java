// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static io.queuepair.nativeprovider.SystemHost.attr;
import static io.queuepair.nativeprovider.SystemHost.direct;
import static io.queuepair.nativeprovider.SystemHost.errnoOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrBatch;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** FLUSH, on ids that are connected; skipped where the library or the device has none. */
@Timeout(60)
class NativeFlushTest {
  @RegisterExtension private final SystemHost host = new SystemHost();

  private RdmaCmId one;
  private MemoryRegion store;

  /** A library or a device without FLUSH says EOPNOTSUPP when the queue pair is created. */
  private ExtendedQueuePair connect() {
    try {
      one = host.extended(attr(QpType.RC), SendOpsFlag.WITH_RDMA_WRITE, SendOpsFlag.WITH_FLUSH);
    } catch (VerbsException refused) {
      assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
      Assumptions.abort("the device, or its library, has no FLUSH");
    }
    RdmaCmId other = host.connect(one, attr(QpType.RC));
    Set<AccessFlag> rights =
        EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.FLUSH_GLOBAL);
    store = host.closedLater(other.pd().regMr(direct("........"), rights));
    other
        .qp()
        .modify(
            new QpAttr()
                .qpAccessFlags(
                    AccessFlag.REMOTE_WRITE, AccessFlag.FLUSH_GLOBAL, AccessFlag.FLUSH_PERSISTENT),
            EnumSet.of(QpAttrMask.ACCESS_FLAGS));
    return (ExtendedQueuePair) one.qp();
  }

  @Test
  void waitsUntilWhatWasWrittenIsVisible() {
    ExtendedQueuePair qp = connect();
    MemoryRegion from = host.message(one, "12345678");

    try (WrBatch wr = qp.wrStart()) {
      wr.wrId(1).wrFlags(Set.of()).rdmaWrite(store.rkey(), store.addr()).setSge(from.sge());
      wr.wrId(2).wrFlags(SendFlag.SIGNALED);
      wr.flush(
          store.rkey(),
          store.addr() + 4,
          4,
          EnumSet.of(PlacementType.GLOBAL),
          SelectivityLevel.RANGE);
      wr.complete();
    }

    WorkCompletion first = one.getSendComp();
    WorkCompletion last = first.wrId() == 1 ? one.getSendComp() : first; // All are signaled here.
    assertThat(last.wrId()).isEqualTo(2);
    assertThat(last.status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(last.opcode()).isEqualTo(WcOpcode.FLUSH);
    assertThat(store.buffer()).isEqualTo(direct("12345678"));
  }

  /** The peer refuses what its region does not allow: the placement is passed on. */
  @Test
  void asksForThePlacementThatIsGiven() {
    ExtendedQueuePair qp = connect();

    try (WrBatch wr = qp.wrStart()) {
      wr.wrId(3).wrFlags(SendFlag.SIGNALED);
      wr.flush(store.rkey(), 0, 0, EnumSet.of(PlacementType.PERSISTENT), SelectivityLevel.MR);
      wr.complete();
    }

    assertThat(one.getSendComp().status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
  }

  @Test
  void isRefusedWithoutAPlacementOrBeyondItsRange() {
    ExtendedQueuePair qp = connect();
    Set<PlacementType> global = EnumSet.of(PlacementType.GLOBAL);

    String rule = "no placement to wait for, no level, or a range of ";
    assertThatThrownBy(() -> flush(qp, 8, Set.of())).hasMessageContaining(rule + 8);
    assertThatThrownBy(() -> flush(qp, 1L << 32, global)).hasMessageContaining(rule + (1L << 32));
    flush(qp, (1L << 32) - 1, global); // The device may refuse that, but not the provider.
    assertThat(one.getSendComp().wrId()).isZero();
  }

  private void flush(ExtendedQueuePair qp, long length, Set<PlacementType> placements) {
    try (WrBatch wr = qp.wrStart()) {
      wr.flush(store.rkey(), store.addr(), length, placements, SelectivityLevel.RANGE);
      wr.complete();
    }
  }

  /** {@code struct ibv_send_wr} cannot say it. */
  @Test
  void isRefusedInAList() {
    ExtendedQueuePair qp = connect();
    FlushWr flush =
        new FlushWr(
            1,
            Set.of(),
            store.addr(),
            store.rkey(),
            8,
            EnumSet.of(PlacementType.GLOBAL),
            SelectivityLevel.RANGE);

    assertThat(errnoOf(() -> qp.postSend(flush))).isEqualTo(Errno.EOPNOTSUPP);
  }
}
