// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Windows as objects: which domain, region and queue pair they go with, on one device. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class WindowObjectCasesTest {
  private static final int BYTES = 4096;
  private static final int WORD = 8;
  private static final int MANY = 4096;

  @Parameter private LinkForm form;

  private SuiteHost host;
  private CompletionQueue near;
  private CompletionQueue far;
  private SuiteHost.HostLink link;

  @BeforeEach
  void connect() {
    host = new SuiteHost(form.fabric(), BYTES);
    near = host.createCq(256);
    far = host.createCq(256);
    link = host.link(near, far);
    Bytes.into(host.source(), 0, Bytes.fill(BYTES, 'a'));
    Bytes.into(host.target(), 0, Bytes.fill(BYTES, 'b'));
  }

  @AfterEach
  void close() {
    host.close();
  }

  private List<String> outcomes(CompletionQueue cq) {
    host.drain();
    return Outcomes.of(cq.poll(MANY));
  }

  private Window posted(QueuePair qp, MemoryWindow mw) {
    return Window.posted(qp, mw, Window.over(host.target(), Window.ALL_REMOTE));
  }

  /** Bound over the target by its side of the connection. */
  private Window bound(MwType type) {
    Window window = posted(link.far(), host.pd().allocMw(type));
    assertThat(outcomes(far)).containsExactly(Window.BIND + " BIND_MW");
    return window;
  }

  private List<String> read(Window window) {
    link.near()
        .postSend(SendWr.rdmaRead(1, host.target().addr(), window.rkey(), host.source().sge()));
    return outcomes(near);
  }

  private static void assertErrno(Errno errno, Runnable verb) {
    assertThatThrownBy(verb::run)
        .isInstanceOfSatisfying(
            VerbsException.class, refusal -> assertThat(refusal.errno()).isEqualTo(errno));
  }

  @ParameterizedTest
  @EnumSource(MwType.class)
  @Tag("GUT-mw_test-MwGeneralTest.Alloc")
  void aWindowKnowsItsDomainAndType(MwType type) {
    MemoryWindow mw = host.pd().allocMw(type);

    assertThat(mw.pd()).isSameAs(host.pd());
    assertThat(mw.type()).isEqualTo(type);
    mw.close();
  }

  @Test
  @Tag("PYV-mr-MWTest.reg_mw_wrong_type")
  @Tag("test_mr.MWTest.test_reg_mw_wrong_type")
  void thereAreTwoTypes() {
    assertThat(MwType.values()).extracting(MwType::code).containsExactly(1, 2);
  }

  @ParameterizedTest
  @EnumSource(MwType.class)
  @Tag("GUT-mw_test-MwGeneralTest.DeregMrWhenBound")
  void aRegionWithABoundWindowIsBusy(MwType type) {
    Window window = bound(type);

    assertErrno(Errno.EBUSY, host.target()::close);

    assertThat(read(window)).containsExactly("1 RDMA_READ 4096");
    window.mw().close();
    host.target().close();
  }

  @ParameterizedTest
  @EnumSource(MwType.class)
  @Tag("GUT-mw_test-MwGeneralTest.BindInvalidMr")
  void aBindToARegionThatIsGoneFails(MwType type) {
    host.target().close();

    posted(link.far(), host.pd().allocMw(type));

    assertThat(outcomes(far)).containsExactly(Window.BIND + " MW_BIND_ERR");
  }

  @ParameterizedTest
  @EnumSource(MwType.class)
  @Tag("GUT-mw_test-MwGeneralTest.BindInvalidMw")
  void aBindOfAWindowThatIsGoneFails(MwType type) {
    MemoryWindow mw = host.pd().allocMw(type);
    mw.close();

    Window window = posted(link.far(), mw);

    assertThat(outcomes(far)).containsExactly(Window.BIND + " MW_BIND_ERR");
    assertThat(read(window)).containsExactly("1 RETRY_EXC_ERR");
  }

  @Test
  @Tag("GUT-mw_test-MwType1Test.DestroyQpWithType1Bound")
  void aQueuePairThatBoundAWindowOfType1CanBeDestroyed() {
    bound(MwType.TYPE_1);

    link.far().close();

    assertErrno(Errno.EBUSY, host.target()::close); // Such a window belongs to no queue pair.
  }

  @Test
  @Tag("GUT-mw_test-MwType2Test.DestroyQpWithType2Bound")
  void aQueuePairThatBoundAWindowOfType2CanBeDestroyed() {
    bound(MwType.TYPE_2);

    link.far().close();

    assertThat(Errnos.of(host.target()::close)).isNull();
  }

  @Test
  @Tag("GUT-mw_test-MwType2Test.DistinctRKeys")
  void windowsWithOneTagHaveDifferentKeys() {
    Set<Integer> rkeys = new TreeSet<>();
    for (int i = 0; i < MANY; i++) {
      MemoryWindow mw = host.pd().allocMw(MwType.TYPE_2);
      var bind = Window.request(mw, 1024, Window.over(host.target(), Window.ALL_REMOTE));
      link.far().postSend(bind);
      assertThat(outcomes(far)).containsExactly(Window.BIND + " BIND_MW");
      assertThat(bind.rkey() & 0xff).as("the lower 8 bits of 1024").isZero();
      rkeys.add(bind.rkey());
    }

    assertThat(rkeys).hasSize(MANY);
  }

  @Test
  @Tag("GUT-mw_test-MwType2Test.RebindToDifferentQp")
  void aBoundWindowIsNotBoundThroughAnotherQueuePair() {
    Window window = bound(MwType.TYPE_2);
    CompletionQueue other = host.createCq(10);
    SuiteHost.HostLink second = host.link(host.createCq(10), other);

    posted(second.far(), window.mw());

    assertThat(outcomes(other)).containsExactly(Window.BIND + " MW_BIND_ERR");
  }

  private void readMany(Window window) {
    List<SendWr> reads = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      reads.add(SendWr.rdmaRead(i, host.target().addr(), window.rkey(), host.source().sge()));
    }
    link.near().postSend(reads);
  }

  @Test
  @Tag("GUT-mw_test-MwType2AdvancedTest.OnlyReads")
  void manyReadsGoThroughAWindow() {
    Window window = bound(MwType.TYPE_2);
    for (int round = 0; round < 3; round++) {
      readMany(window);
      assertThat(outcomes(near)).hasSize(100).allMatch(read -> read.endsWith("RDMA_READ 4096"));
    }
  }

  /** What has completed after some steps of the network, in which not all reads are answered. */
  private List<String> someReads() {
    for (int step = 0; step < 100; step++) {
      host.step();
    }
    return Outcomes.of(near.poll(MANY));
  }

  /** Some reads succeeded, then one failed, and the rest was flushed. */
  private static void assertCutShort(List<String> reads) {
    List<String> outcomes =
        reads.stream().map(read -> read.substring(read.indexOf(' ') + 1)).toList();
    int failed = outcomes.indexOf("REM_ACCESS_ERR");

    assertThat(outcomes).hasSize(100);
    assertThat(failed).isPositive();
    assertThat(outcomes.subList(0, failed)).containsOnly("RDMA_READ 4096");
    assertThat(outcomes.subList(failed + 1, 100)).isNotEmpty().containsOnly("WR_FLUSH_ERR");
  }

  @Test
  @Tag("GUT-mw_test-MwType2AdvancedTest.Invalidate")
  void anInvalidationStopsReadsOnTheWay() {
    Window window = bound(MwType.TYPE_2);
    readMany(window);
    List<String> reads = new ArrayList<>(someReads());

    link.far().postSend(window.invalidation());

    reads.addAll(outcomes(near));
    assertThat(Outcomes.of(far.poll(MANY))).containsExactly(Window.INVALIDATE + " LOCAL_INV");
    assertCutShort(reads);
  }

  @Test
  @Tag("GUT-pd_test-PdTest.AllocMwWithInvalidPd")
  void aDomainThatIsGoneHasNoWindows() {
    ProtectionDomain gone = host.context().allocPd();
    gone.close();

    assertErrno(Errno.EINVAL, () -> gone.allocMw(MwType.TYPE_1));
  }

  @ParameterizedTest
  @EnumSource(MwType.class)
  @Tag("GUT-pd_test-PdTest.MwRefCount")
  void aDomainWithAWindowIsBusy(MwType type) {
    ProtectionDomain pd = host.context().allocPd();
    MemoryWindow mw = pd.allocMw(type);

    assertErrno(Errno.EBUSY, pd::close);

    mw.close();
    pd.close();
  }

  private MemoryRegion regionIn(ProtectionDomain pd) {
    return TestEndpoint.registerIn(pd, BYTES, ConnectedPair.ALL_RIGHTS);
  }

  /** A bind through the usual queue pair. */
  private Window bindOver(MemoryWindow mw, MemoryRegion region) {
    return Window.posted(link.far(), mw, Window.over(region, Window.ALL_REMOTE));
  }

  @Test
  @Tag("GUT-pd_test-PdBindTest.MwOnOtherPd")
  void aWindowOfAnotherDomainThanRegionAndQueuePair() {
    ProtectionDomain other = host.context().allocPd();

    assertErrno(Errno.EPERM, () -> bindOver(other.allocMw(MwType.TYPE_1), host.target()));
    bindOver(other.allocMw(MwType.TYPE_2), host.target());

    assertThat(outcomes(far)).containsExactly(Window.BIND + " MW_BIND_ERR");
  }

  @Test
  @Tag("GUT-pd_test-PdBindTest.MrOnOtherPd")
  void aRegionOfAnotherDomainThanWindowAndQueuePair() {
    MemoryRegion region = regionIn(host.context().allocPd());

    assertErrno(Errno.EPERM, () -> bindOver(host.pd().allocMw(MwType.TYPE_1), region));
    bindOver(host.pd().allocMw(MwType.TYPE_2), region);

    assertThat(outcomes(far)).containsExactly(Window.BIND + " MW_BIND_ERR");
  }

  @ParameterizedTest
  @EnumSource(MwType.class)
  @Tag("GUT-pd_test-PdBindTest.MrMwOnOtherPd")
  void aQueuePairOfAnotherDomainThanWindowAndRegion(MwType type) {
    ProtectionDomain other = host.context().allocPd();

    bindOver(other.allocMw(type), regionIn(other));

    assertThat(outcomes(far)).containsExactly(Window.BIND + " MW_BIND_ERR");
  }

  /** A window of type 1 over memory of another domain, bound by a queue pair of that domain. */
  private SendWr.RemoteTarget windowOfOtherDomain() {
    ProtectionDomain other = host.context().allocPd();
    MemoryRegion region = regionIn(other);
    CompletionQueue cq = host.createCq(10);
    QpInitAttr attr = QpInitAttr.rc(cq, QpCap.of(4));
    QueuePair owner = other.createQp(attr);
    Emulator.connect(owner, other.createQp(attr));
    Window window =
        Window.posted(owner, other.allocMw(MwType.TYPE_1), Window.over(region, Window.ALL_REMOTE));
    assertThat(outcomes(cq)).containsExactly(Window.BIND + " BIND_MW");
    return new SendWr.RemoteTarget(region.addr(), window.rkey());
  }

  private void assertRefused(SendWr request) {
    link.near().postSend(request);

    assertThat(outcomes(near)).containsExactly("1 REM_ACCESS_ERR");
  }

  @Test
  @Tag("GUT-pd_test-PdType1MwTest.ReadMwOtherPd")
  void aReadThroughAWindowOfAnotherDomain() {
    SendWr.RemoteTarget target = windowOfOtherDomain();

    assertRefused(SendWr.rdmaRead(1, target.addr(), target.rkey(), host.source().sge()));
  }

  @Test
  @Tag("GUT-pd_test-PdType1MwTest.FetchAddMwOtherPd")
  void anAdditionThroughAWindowOfAnotherDomain() {
    assertRefused(SendWr.fetchAndAdd(1, windowOfOtherDomain(), 1, host.source().sge(0, WORD)));
  }

  @Test
  @Tag("GUT-pd_test-PdType1MwTest.CompSwapMwOtherPd")
  void aSwapThroughAWindowOfAnotherDomain() {
    assertRefused(
        SendWr.compareAndSwap(1, windowOfOtherDomain(), 2, 3, host.source().sge(0, WORD)));
  }
}
