// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.MrInitAttrMask;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Regions that become something else between two messages. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class ReregCasesTest {
  private static final int BYTES = 1024;

  @Parameter private LinkForm form;
  @AutoClose private ConnectedPair bed;

  @BeforeEach
  void connect() {
    bed = new ConnectedPair(ConnectedPair.reliable(Pair.on(form)).connect(), BYTES);
  }

  /** Which verb registers. */
  private enum ReregPath {
    REG_MR {
      @Override
      MemoryRegion register(ProtectionDomain pd, ByteBuffer buffer, AccessFlag... access) {
        return pd.regMr(buffer, access);
      }
    },
    REG_MR_EX {
      @Override
      MemoryRegion register(ProtectionDomain pd, ByteBuffer buffer, AccessFlag... access) {
        return pd.regMrEx(MrInitAttr.of(access).withAddr(buffer));
      }
    };

    abstract MemoryRegion register(ProtectionDomain pd, ByteBuffer buffer, AccessFlag... access);
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocateDirect(BYTES);
  }

  private MemoryRegion remote(ReregPath way, AccessFlag... access) {
    return way.register(bed.b().pd(), buffer(), access);
  }

  /** Takes both queue pairs from Error to RTS. */
  private void recover() {
    bed.a().qp().modify(QpAttr.to(QpState.RESET));
    bed.b().qp().modify(QpAttr.to(QpState.RESET));
    bed.pair().connect();
  }

  private void send() {
    bed.post(bed.send(1, bed.local().sge()));
  }

  private void expectDelivery(MemoryRegion inbox) {
    bed.receive(7, inbox.sge());
    send();

    bed.expect(List.of("1 SEND"), List.of("7 RECV 1024"));
    ConnectedPair.assertFullOf(inbox, 'a');
  }

  private void expectWrite(MemoryRegion target, String outcome) {
    bed.post(SendWr.rdmaWrite(1, target.addr(), target.rkey(), bed.local().sge()));

    bed.expect(List.of(outcome), List.of());
  }

  @ParameterizedTest
  @EnumSource(ReregPath.class)
  @Tag("PYV-mr-MRTest.mr_rereg_addr")
  @Tag("PYV-mr-MRTest.mrex_variants")
  @Tag("test_mr.MRTest.test_mr_rereg_addr")
  @Tag("test_mr.MRTest.test_mrex_rereg_addr")
  void aReceiveOfAFormerAddressFails(ReregPath way) {
    MemoryRegion inbox = remote(way, AccessFlag.LOCAL_WRITE);
    ByteBuffer before = inbox.buffer();
    bed.receive(7, inbox.sge());
    inbox.rereg(ReregMr.nothing().withTranslation(buffer()));
    send();

    bed.expect(List.of("1 REM_OP_ERR"), List.of("7 LOC_PROT_ERR"));
    assertThat(before).isEqualTo(buffer());
    ConnectedPair.assertFullOf(inbox, 0);
    recover();
    expectDelivery(inbox);
    assertThat(before).isEqualTo(buffer());
  }

  @Test
  @Tag("PYV-mr-MRTest.mr_rereg_atomic")
  @Tag("test_mr.MRTest.test_mr_rereg_atomic")
  void withoutTheRightAtomicsFailUntilItIsBack() {
    MemoryRegion counter =
        remote(ReregPath.REG_MR, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
    ConnectedPair.setWord(counter, 100);
    SendWr add =
        SendWr.fetchAndAdd(
            1,
            new SendWr.RemoteTarget(counter.addr(), counter.rkey()),
            5,
            bed.local().sge(0, Long.BYTES));

    counter.rereg(ReregMr.nothing().withAccess(AccessFlag.LOCAL_WRITE));
    bed.post(add);

    bed.expect(List.of("1 REM_ACCESS_ERR"), List.of());
    assertThat(ConnectedPair.word(counter)).isEqualTo(100);
    recover();
    counter.rereg(ReregMr.nothing().withAccess(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC));
    bed.post(add);
    bed.expect(List.of("1 FETCH_ADD"), List.of());
    assertThat(ConnectedPair.word(counter)).isEqualTo(105);
    assertThat(ConnectedPair.word(bed.local())).isEqualTo(100);
  }

  @ParameterizedTest
  @EnumSource(ReregPath.class)
  @Tag("PYV-mr-MRTest.mrex_variants")
  @Tag("test_mr.MRTest.test_mr_rereg_access")
  @Tag("test_mr.MRTest.test_mrex_rereg_access")
  void aRightThatIsAddedLetsWritesPass(ReregPath way) {
    MemoryRegion target = remote(way, AccessFlag.LOCAL_WRITE);

    target.rereg(ReregMr.nothing().withAccess(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));

    expectWrite(target, "1 RDMA_WRITE");
    ConnectedPair.assertFullOf(target, 'a');
  }

  @Test
  @Tag("PYV-mr-MRTest.mr_rereg_access_bad_flow")
  @Tag("test_mr.MRTest.test_mr_rereg_access_bad_flow")
  void aRightThatIsTakenAwayStopsWrites() {
    MemoryRegion target = remote(ReregPath.REG_MR, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    expectWrite(target, "1 RDMA_WRITE");
    Bytes.into(target, 0, Bytes.fill(BYTES, 'z'));

    target.rereg(ReregMr.nothing().withAccess(AccessFlag.LOCAL_WRITE));

    expectWrite(target, "1 REM_ACCESS_ERR");
    ConnectedPair.assertFullOf(target, 'z');
  }

  @Test
  @Tag("PYV-mr-MRTest.mr_rereg_pd")
  @Tag("test_mr.MRTest.test_mr_rereg_pd")
  void inAnotherDomainMemoryTakesNoMessages() {
    MemoryRegion inbox = remote(ReregPath.REG_MR, AccessFlag.LOCAL_WRITE);
    expectDelivery(inbox);
    Bytes.into(inbox, 0, Bytes.fill(BYTES, 'z'));

    inbox.rereg(ReregMr.nothing().withPd(bed.b().context().allocPd()));
    bed.receive(8, inbox.sge());
    send();

    bed.expect(List.of("1 REM_OP_ERR"), List.of("8 LOC_PROT_ERR"));
    ConnectedPair.assertFullOf(inbox, 'z');
    recover();
    inbox.rereg(ReregMr.nothing().withPd(bed.b().pd()));
    expectDelivery(inbox);
  }

  private Errno errnoOf(ReregPath way, AccessFlag... access) {
    return catchThrowableOfType(VerbsException.class, () -> remote(way, access)).errno();
  }

  @ParameterizedTest
  @CsvSource({
    "REG_MR, REMOTE_WRITE",
    "REG_MR, REMOTE_ATOMIC",
    "REG_MR_EX, REMOTE_WRITE",
    "REG_MR_EX, REMOTE_ATOMIC"
  })
  @Tag("test_mr.MRTest.test_reg_mr_bad_flags")
  @Tag("test_mr.MRTest.test_reg_mrex_bad_flags")
  void remoteWritingNeedsLocalWrite(ReregPath way, AccessFlag right) {
    assertThat(errnoOf(way, right)).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(way, right, AccessFlag.REMOTE_READ)).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("PYV-mr-MRTest.mrex_variants")
  @Tag("test_mr.MRTest.test_reg_mrex_inval_params")
  void memoryIsABufferOrAFileNotBoth() {
    MrInitAttr both =
        MrInitAttr.of(AccessFlag.LOCAL_WRITE)
            .withAddr(buffer())
            .withIova(0)
            .with(MrInitAttrMask.FD)
            .with(MrInitAttrMask.FD_OFFSET);

    VerbsException refusal =
        catchThrowableOfType(VerbsException.class, () -> bed.b().pd().regMrEx(both));

    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
  }
}
