// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AdviseMrAdvice;
import io.queuepair.verbs.AdviseMrFlag;
import io.queuepair.verbs.AtomicWriteWr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory for paging on demand: it works as any other, since all of it is present. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class OnDemandCasesTest {
  private static final int BYTES = 1024;
  private static final int HEADER = 40;

  @Parameter private LinkForm form;
  @AutoClose private ConnectedPair bed;
  private MemoryRegion near;
  private MemoryRegion far;

  @BeforeEach
  void connect() {
    bed =
        new ConnectedPair(
            ConnectedPair.reliable(Pair.on(form))
                .access(
                    EnumSet.of(
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC,
                        AccessFlag.FLUSH_GLOBAL))
                .connect(),
            BYTES);
    near = register(bed.a().pd(), 'n', AccessFlag.LOCAL_WRITE, AccessFlag.ON_DEMAND);
    far =
        register(
            bed.b().pd(),
            'f',
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_WRITE,
            AccessFlag.REMOTE_READ,
            AccessFlag.REMOTE_ATOMIC,
            AccessFlag.FLUSH_GLOBAL,
            AccessFlag.ON_DEMAND);
  }

  private static MemoryRegion register(ProtectionDomain pd, int fill, AccessFlag... access) {
    MemoryRegion region = pd.regMr(ByteBuffer.allocateDirect(BYTES), access);
    Bytes.into(region, 0, Bytes.fill(BYTES, fill));
    return region;
  }

  /** A message from one region to another. */
  private void send(MemoryRegion source, MemoryRegion target, int fill) {
    bed.receive(7, target.sge(0, BYTES));
    bed.post(bed.send(1, source.sge(0, BYTES)));

    bed.expect(List.of("1 SEND"), List.of("7 RECV 1024"));
    assertThat(Bytes.in(target, 0, BYTES)).containsOnly(fill);
  }

  private SendWr.RemoteTarget word() {
    return new SendWr.RemoteTarget(far.addr(), far.rkey());
  }

  @Test
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_odp_rc_traffic")
  void messages() {
    send(near, far, 'n');
  }

  @Test
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_odp_rc_mixed_mr")
  void messagesToAndFromOtherMemory() {
    send(bed.local(), far, 'a');
    send(near, bed.remote(), 'n');
  }

  @Test
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_odp_rc_rdma_read")
  void reads() {
    bed.post(SendWr.rdmaRead(1, far.addr(), far.rkey(), near.sge()));

    bed.expect(List.of("1 RDMA_READ 1024"), List.of());
    ConnectedPair.assertFullOf(near, 'f');
  }

  @Test
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_odp_rc_rdma_write")
  void writes() {
    bed.post(SendWr.rdmaWrite(1, far.addr(), far.rkey(), near.sge()));

    bed.expect(List.of("1 RDMA_WRITE"), List.of());
    ConnectedPair.assertFullOf(far, 'n');
  }

  @Test
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_odp_rc_atomic_cmp_and_swp")
  void compareAndSwap() {
    ConnectedPair.setWord(far, 100);
    bed.post(SendWr.compareAndSwap(1, word(), 100, 7, near.sge(0, Long.BYTES)));

    bed.expect(List.of("1 COMP_SWAP"), List.of());
    assertThat(ConnectedPair.word(far)).isEqualTo(7);
    assertThat(ConnectedPair.word(near)).isEqualTo(100);
  }

  @Test
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_odp_rc_atomic_fetch_and_add")
  void fetchAndAdd() {
    ConnectedPair.setWord(far, 100);
    bed.post(SendWr.fetchAndAdd(1, word(), 5, near.sge(0, Long.BYTES)));

    bed.expect(List.of("1 FETCH_ADD"), List.of());
    assertThat(ConnectedPair.word(far)).isEqualTo(105);
    assertThat(ConnectedPair.word(near)).isEqualTo(100);
  }

  @Test
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_odp_qp_ex_rc_atomic_write")
  void atomicWrites() {
    ConnectedPair.setWord(near, 0x0102_0304_0506_0708L);
    bed.post(
        new AtomicWriteWr(
            1,
            List.of(near.sge(0, Long.BYTES)),
            Set.of(SendFlag.SIGNALED),
            far.addr(),
            far.rkey()));

    bed.expect(List.of("1 ATOMIC_WRITE"), List.of());
    assertThat(ConnectedPair.word(far)).isEqualTo(0x0102_0304_0506_0708L);
  }

  private void flush(MemoryRegion region, SelectivityLevel level) {
    bed.post(
        new FlushWr(
            1,
            Set.of(SendFlag.SIGNALED),
            region.addr(),
            region.rkey(),
            BYTES,
            EnumSet.of(PlacementType.GLOBAL),
            level));

    bed.expect(List.of("1 FLUSH"), List.of());
  }

  @ParameterizedTest
  @EnumSource(SelectivityLevel.class)
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_odp_qp_ex_rc_flush")
  void flushes(SelectivityLevel level) {
    flush(far, level);
  }

  private MemoryRegion registeredByAttributes(AccessFlag... besides) {
    EnumSet<AccessFlag> access =
        EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.FLUSH_GLOBAL, AccessFlag.ON_DEMAND);
    access.addAll(List.of(besides));
    return bed.b()
        .pd()
        .regMrEx(
            MrInitAttr.of(access.toArray(AccessFlag[]::new))
                .withAddr(ByteBuffer.allocateDirect(BYTES)));
  }

  @Test
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_mrex_odp_rc_traffic")
  void messagesToMemoryThatIsRegisteredByAttributes() {
    send(near, registeredByAttributes(), 'n');
  }

  @Test
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_mrex_odp_qp_ex_rc_flush")
  void flushesOfMemoryThatIsRegisteredByAttributes() {
    flush(registeredByAttributes(), SelectivityLevel.RANGE);
    flush(registeredByAttributes(), SelectivityLevel.MR);
  }

  @Test
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_odp_rc_huge_traffic")
  @Tag("test_odp.OdpTestCase.test_odp_rc_huge_user_addr_traffic")
  @Tag("test_odp.OdpTestCase.test_mrex_odp_rc_huge_traffic")
  void messagesToHugePages() {
    send(
        near,
        register(bed.b().pd(), 0, AccessFlag.LOCAL_WRITE, AccessFlag.ON_DEMAND, AccessFlag.HUGETLB),
        'n');
    send(near, registeredByAttributes(AccessFlag.HUGETLB), 'n');
  }

  @Test
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_odp_ud_traffic")
  void datagrams() {
    try (Pair pair = ConnectedPair.datagrams(Pair.on(form)).connect()) {
      MemoryRegion source =
          register(pair.a().pd(), 's', AccessFlag.LOCAL_WRITE, AccessFlag.ON_DEMAND);
      MemoryRegion target =
          register(pair.b().pd(), 0, AccessFlag.LOCAL_WRITE, AccessFlag.ON_DEMAND);
      pair.b().qp().postRecv(RecvWr.of(7, target.sge()));
      pair.a()
          .qp()
          .postSend(
              SendWr.send(1, source.sge(0, 500)).to(pair.a().ah(), pair.b().qp().qpNum(), 200));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 SEND");
      assertThat(pair.b().receives()).hasSize(1).first().asString().startsWith("7 RECV 540");
      assertThat(Bytes.in(target, HEADER, 500)).containsOnly('s');
    }
  }

  @Test
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_odp_xrc_traffic")
  void messagesOfExtendedConnections() {
    messageOfExtendedConnection(AccessFlag.ON_DEMAND);
  }

  @Test
  @Tag("test_relaxed_ordering.RoTestCase.test_ro_xrc_traffic")
  void messagesOfExtendedConnectionsWithRelaxedOrdering() {
    messageOfExtendedConnection(AccessFlag.RELAXED_ORDERING);
  }

  private void messageOfExtendedConnection(AccessFlag right) {
    try (XrcPair pair = new XrcPair(form)) {
      MemoryRegion source = register(pair.sendPd(), 's', AccessFlag.LOCAL_WRITE, right);
      MemoryRegion target = register(pair.recvPd(), 0, AccessFlag.LOCAL_WRITE, right);
      pair.srq().postRecv(RecvWr.of(7, target.sge()));
      pair.initiator().postSend(SendWr.send(1, source.sge()).toSrq(pair.srq().srqNum()));
      pair.drain();

      assertThat(Outcomes.of(pair.sendCq().poll(9))).containsExactly("1 SEND");
      assertThat(Outcomes.of(pair.recvCq().poll(9))).containsExactly("7 RECV 1024");
      ConnectedPair.assertFullOf(target, 's');
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PREFETCH_WRITE, true",
    "PREFETCH_WRITE, false",
    "PREFETCH_NO_FAULT, true",
    "PREFETCH_NO_FAULT, false"
  })
  @Tag("PYV-odp-OdpTestCase.suite")
  @Tag("test_odp.OdpTestCase.test_odp_sync_prefetch_rc_traffic")
  @Tag("test_odp.OdpTestCase.test_odp_async_prefetch_rc_traffic")
  @Tag("test_odp.OdpTestCase.test_odp_prefetch_sync_no_page_fault_rc_traffic")
  @Tag("test_odp.OdpTestCase.test_odp_prefetch_async_no_page_fault_rc_traffic")
  void messagesAfterAdvice(AdviseMrAdvice advice, boolean isSynchronous) {
    Set<AdviseMrFlag> flags = isSynchronous ? Set.of(AdviseMrFlag.FLUSH) : Set.of();
    bed.a().pd().adviseMr(advice, flags, List.of(near.sge(), bed.local().sge()));
    bed.b().pd().adviseMr(advice, flags, List.of(far.sge(1, 1)));

    send(near, far, 'n');
  }

  @Test
  void thereIsNoWholeAddressSpaceToRegister() {
    Set<AccessFlag> rights = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.ON_DEMAND);

    VerbsException refusal =
        catchThrowableOfType(VerbsException.class, () -> bed.a().pd().regMr(null, rights));

    assertThat(refusal.errno()).isEqualTo(Errno.EOPNOTSUPP);
  }
}
