// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.tests.conformance.Bytes;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads on one device, in real time and in memory. */
@Timeout(30)
final class ThreadedCasesTest {
  private static final int THREADS = 5;
  private static final int TIMES = 100;
  private static final int BATCH = 32;
  private static final int PAGE = 4096;

  private final InMemoryFabric fabric = InMemoryFabric.create(InMemoryOptions.realTime());
  @AutoClose private final SuiteHost host = new SuiteHost(fabric);

  @AutoClose private final TestThreads testThreads = new TestThreads();

  @Test
  @Tag("GUT-threaded_test-ThreadedTest.AllocMw")
  void windowsComeAndGo() throws Exception {
    LimitedDevice limited = LimitedDevice.of(host, DeviceLimit.MAX_MW, THREADS * TIMES);
    ProtectionDomain pd = limited.context().allocPd();

    testThreads.inThreads(
        THREADS,
        () -> {
          List<MemoryWindow> windows = new ArrayList<>();
          for (int i = 0; i < TIMES; i++) {
            windows.add(pd.allocMw(i % 2 == 0 ? MwType.TYPE_1 : MwType.TYPE_2));
          }
          assertThat(windows.stream().map(MemoryWindow::rkey)).doesNotHaveDuplicates();
          windows.forEach(MemoryWindow::close);
          return null;
        });

    assertThat(limited.room(any -> pd.allocMw(MwType.TYPE_1))).isEqualTo(limited.limit());
  }

  @Test
  @Tag("GUT-threaded_test-ThreadedTest.CreateDestroyCq")
  void completionQueuesComeAndGo() throws Exception {
    LimitedDevice limited = LimitedDevice.of(host, DeviceLimit.MAX_CQ, THREADS);

    testThreads.inThreads(
        THREADS,
        () -> {
          for (int i = 0; i < TIMES; i++) {
            limited.context().createCq(10).close();
          }
          return null;
        });

    assertThat(limited.room(context -> context.createCq(10))).isEqualTo(THREADS);
  }

  @Test
  @Tag("GUT-threaded_test-ThreadedTest.CreateDestroyCqEx")
  void extendedCompletionQueuesComeAndGo() throws Exception {
    LimitedDevice limited = LimitedDevice.of(host, DeviceLimit.MAX_CQ, THREADS);

    testThreads.inThreads(
        THREADS,
        () -> {
          for (int i = 0; i < TIMES; i++) {
            limited.context().createCqEx(CqInitAttrEx.of(10)).close();
          }
          return null;
        });

    assertThat(limited.room(context -> context.createCqEx(CqInitAttrEx.of(10)))).isEqualTo(THREADS);
  }

  @Test
  @Tag("GUT-threaded_test-ThreadedTest.CreateCqEx")
  void manyExtendedCompletionQueuesExist() throws Exception {
    testThreads.inThreads(
        THREADS,
        () -> {
          List<CompletionQueue> made = new ArrayList<>();
          for (int i = 0; i < TIMES; i++) {
            made.add(host.context().createCqEx(CqInitAttrEx.of(10)));
          }
          assertThat(made).doesNotHaveDuplicates();
          made.forEach(CompletionQueue::close);
          return null;
        });
  }

  @Test
  @Tag("GUT-threaded_test-ThreadedTest.CreateQp")
  void queuePairsComeAndGo() throws Exception {
    CompletionQueue cq = host.createCq(10);

    testThreads.inThreads(
        THREADS,
        () -> {
          List<QueuePair> made = new ArrayList<>();
          for (int i = 0; i < TIMES; i++) {
            made.add(host.createQp(cq));
          }
          assertThat(made.stream().map(QueuePair::qpNum)).doesNotHaveDuplicates();
          made.forEach(QueuePair::close);
          return null;
        });

    cq.close();
  }

  private MemoryRegion registerPage(ByteBuffer page) {
    return host.pd().regMr(page, ConnectedPair.ALL_RIGHTS);
  }

  @Test
  @Tag("GUT-threaded_test-ThreadedTest.RegDeregMr")
  void regionsComeAndGo() throws Exception {
    ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
    LimitedDevice limited = LimitedDevice.of(host, DeviceLimit.MAX_MR, THREADS);
    ProtectionDomain pd = limited.context().allocPd();

    testThreads.inThreads(
        THREADS,
        () -> {
          for (int i = 0; i < TIMES; i++) {
            pd.regMr(page, ConnectedPair.ALL_RIGHTS).close();
          }
          return null;
        });

    assertThat(limited.room(any -> pd.regMr(page, ConnectedPair.ALL_RIGHTS))).isEqualTo(THREADS);
  }

  @Test
  @Tag("GUT-threaded_test-ThreadedTest.RegMr")
  void manyRegionsExist() throws Exception {
    ByteBuffer page = ByteBuffer.allocateDirect(PAGE);

    testThreads.inThreads(
        THREADS,
        () -> {
          List<MemoryRegion> made = new ArrayList<>();
          for (int i = 0; i < TIMES; i++) {
            made.add(registerPage(page));
          }
          assertThat(made.stream().map(MemoryRegion::rkey)).doesNotHaveDuplicates();
          made.forEach(MemoryRegion::close);
          return null;
        });
  }

  private void readOnePage(CompletionQueue cq, QueuePair qp) {
    qp.postSend(host.read(1, 0, PAGE));
    WorkCompletion wc = host.emulator().await(cq);
    assertThat(wc.status()).as("%s", wc).isEqualTo(WcStatus.SUCCESS);
    assertThat(wc.qpNum()).isEqualTo(qp.qpNum());
  }

  @Test
  @Tag("GUT-threaded_test-ThreadedWorkloadTest.QpLifecycle")
  void connectionsAreMadeUsedAndDestroyed() throws Exception {
    Bytes.into(host.target(), 0, Bytes.pattern(PAGE, 1));

    testThreads.inThreads(
        8,
        () -> {
          for (int i = 0; i < 8; i++) {
            CompletionQueue cq = host.createCq(10);
            try (SuiteHost.HostLink link = host.link(cq, cq)) {
              for (int read = 0; read < 8; read++) {
                readOnePage(cq, link.near());
              }
            }
            cq.close();
          }
          return null;
        });

    assertThat(Bytes.in(host.source(), 0, PAGE)).isEqualTo(Bytes.pattern(PAGE, 1));
    host.assertNoNews();
  }

  @Test
  @Tag("GUT-threaded_test-ThreadedWorkloadTest.QpDestroyTargetWhileActive")
  void aResponderIsDestroyedWhileReadsAreOutstanding() throws Exception {
    CompletionQueue canaryCq = host.createCq(10);
    AtomicBoolean isOver = new AtomicBoolean();
    try (SuiteHost.HostLink canary = host.link(canaryCq, canaryCq)) {
      Future<?> singing =
          testThreads.submit(
              () -> {
                while (!isOver.get()) {
                  readOnePage(canaryCq, canary.near());
                }
              });

      testThreads.inThreads(
          4,
          () -> {
            for (int i = 0; i < 10; i++) {
              CompletionQueue cq = host.createCq(200);
              SuiteHost.HostLink link = host.link(cq, cq);
              for (int read = 0; read < 100; read++) {
                link.near().postSend(host.read(read, PAGE, PAGE));
              }
              link.far().close();
              link.near().close();
              cq.close();
            }
            return null;
          });

      isOver.set(true);
      singing.get();
    }
  }

  /** Posts a batch of READs and waits for all of them, which complete in order. */
  private List<WcStatus> readBatch(CompletionQueue cq, QueuePair qp) {
    List<SendWr> batch = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      batch.add(host.read(i, 0, PAGE));
    }
    qp.postSend(batch);
    List<WcStatus> statuses = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      WorkCompletion wc = host.emulator().await(cq);
      assertThat(wc.wrId()).isEqualTo(i);
      statuses.add(wc.status());
    }
    return statuses;
  }

  @RepeatedTest(2)
  @Tag("GUT-qp_test-QpStateTest.PostSendErrConcurrent")
  void batchesArePostedWhileTheQueuePairFails() throws Exception {
    CompletionQueue cq = host.createCq(100);
    SuiteHost.HostLink link = host.link(cq, host.createCq(1));
    CountDownLatch isReading = new CountDownLatch(1);
    AtomicBoolean hasFailed = new AtomicBoolean();
    Future<List<List<WcStatus>>> reader =
        testThreads.submit(
            () -> {
              List<List<WcStatus>> batches = new ArrayList<>();
              batches.add(readBatch(cq, link.near()));
              isReading.countDown();
              while (!hasFailed.get()) {
                batches.add(readBatch(cq, link.near()));
              }
              batches.add(readBatch(cq, link.near()));
              return batches;
            });

    isReading.await();
    link.near().modify(QpAttr.to(QpState.ERR));
    hasFailed.set(true);
    List<List<WcStatus>> batches = reader.get();

    assertThat(batches.get(0)).containsOnly(WcStatus.SUCCESS);
    assertThat(batches).allSatisfy(ThreadedCasesTest::assertFlushedFromSomewhereOn);
    assertThat(batches.get(batches.size() - 1)).containsOnly(WcStatus.WR_FLUSH_ERR);
    assertThat(cq.poll(1)).isEmpty();
  }

  private static void assertFlushedFromSomewhereOn(List<WcStatus> batch) {
    long done = batch.stream().takeWhile(WcStatus.SUCCESS::equals).count();
    assertThat(batch.subList((int) done, batch.size())).allMatch(WcStatus.WR_FLUSH_ERR::equals);
  }

  @Test
  @Tag("GUT-cq_test-CqBatchOpTest.SendSharedCq")
  void twoThreadsWriteOnConnectionsThatShareACompletionQueue() throws Exception {
    int each = (200 - 10) / 2;
    CompletionQueue cq = host.createCq(200);
    CompletionQueue far = host.createCq(1);
    List<SuiteHost.HostLink> links =
        new ArrayList<>(List.of(host.link(cq, far), host.link(cq, far)));
    Map<Integer, List<Long>> byQp = new TreeMap<>();
    links.forEach(link -> byQp.put(link.near().qpNum(), new ArrayList<>()));

    testThreads.inThreads(
        2,
        () -> {
          SuiteHost.HostLink link;
          synchronized (links) {
            link = links.remove(0);
          }
          for (int i = 0; i < each; i++) {
            link.near().postSend(host.write(i, i, 1));
          }
          return null;
        });
    for (int i = 0; i < 2 * each; i++) {
      WorkCompletion wc = host.emulator().await(cq);
      assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
      byQp.get(wc.qpNum()).add(wc.wrId());
    }

    assertThat(byQp.values())
        .allSatisfy(
            wrIds -> {
              assertThat(wrIds).hasSize(each).isSorted();
              assertThat(wrIds).doesNotHaveDuplicates();
            });
    assertThat(cq.poll(1)).isEmpty();
  }
}
