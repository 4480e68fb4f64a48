// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Several threads on one device, in real time and in memory. */
@Timeout(30)
final class ThreadedCasesTest {
  private static final int THREADS = 5;
  private static final int TIMES = 100;
  private static final int BATCH = 32;
  private static final int PAGE = 4096;

  @AutoClose
  private final SuiteHost host = new SuiteHost(InMemoryFabric.create(InMemoryOptions.realTime()));

  @AutoClose("shutdownNow")
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Runs it in several threads that start together, and fails as the first of them fails. */
  private void inThreads(int count, Callable<?> task) throws Exception {
    CyclicBarrier start = new CyclicBarrier(count);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      running.add(
          threads.submit(
              () -> {
                start.await();
                return task.call();
              }));
    }
    for (Future<?> thread : running) {
      thread.get();
    }
  }

  /** How an object is made in a domain. */
  interface Maker {
    AutoCloseable make(ProtectionDomain pd);
  }

  private static Arguments objects(DeviceLimit limit, Maker maker) {
    return Arguments.of(limit, maker);
  }

  static Stream<Arguments> objects() {
    ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
    return Stream.of(
        objects(DeviceLimit.MAX_MW, pd -> pd.allocMw(MwType.TYPE_1)),
        objects(DeviceLimit.MAX_MW, pd -> pd.allocMw(MwType.TYPE_2)),
        objects(DeviceLimit.MAX_CQ, pd -> pd.context().createCq(10)),
        objects(DeviceLimit.MAX_CQ, pd -> pd.context().createCqEx(CqInitAttrEx.of(10))),
        objects(DeviceLimit.MAX_MR, pd -> pd.regMr(page, ConnectedPair.ALL_RIGHTS)),
        objects(DeviceLimit.MAX_AH, pd -> pd.createAh(AhAttr.to(pd.context().queryGid(1, 0)))),
        objects(DeviceLimit.MAX_SRQ, pd -> pd.createSrq(SrqAttr.of(1, 1))),
        objects(DeviceLimit.MAX_PD, pd -> pd.context().allocPd()));
  }

  /** Both many at a time and one after the other; what is closed gives its room back. */
  @ParameterizedTest
  @MethodSource("objects")
  void objectsComeAndGo(DeviceLimit kind, Maker maker) throws Exception {
    int limit = THREADS * 10 + 2;
    DeviceProfile profile = DeviceProfile.standard().withLimit(kind, limit);
    Context context = host.emulator().addDevice(profile, "10.0.0.2").open();
    ProtectionDomain pd = context.allocPd();
    inThreads(
        THREADS,
        () -> {
          for (int i = 0; i < TIMES; i++) {
            maker.make(pd).close();
          }
          List<AutoCloseable> made = new ArrayList<>();
          for (int i = 0; i < 10; i++) {
            made.add(maker.make(pd));
          }
          assertThat(made).doesNotHaveDuplicates();
          for (AutoCloseable object : made) {
            object.close();
          }
          return null;
        });

    int room = 0;
    while (Errnos.of(() -> maker.make(pd)) != Errno.ENOMEM) {
      room++;
    }
    assertThat(room).isEqualTo(kind == DeviceLimit.MAX_PD ? limit - 1 : limit);
  }

  @Test
  void queuePairsHaveDifferentNumbers() throws Exception {
    CompletionQueue cq = host.createCq(10);
    inThreads(
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

  @Test
  void manyThreadsCanOpenADeviceAtOnce() throws Exception {
    inThreads(
        100,
        () -> {
          try (Context opened = host.context().device().open()) {
            assertThat(opened.device()).isSameAs(host.context().device());
          }
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
  void connectionsAreMadeUsedAndDestroyed() throws Exception {
    Bytes.into(host.target(), 0, Bytes.pattern(PAGE, 1));

    inThreads(
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
  void aResponderIsDestroyedWhileReadsAreOutstanding() throws Exception {
    CompletionQueue otherCq = host.createCq(10);
    AtomicBoolean isOver = new AtomicBoolean();
    try (SuiteHost.HostLink other = host.link(otherCq, otherCq)) {
      Future<?> reading =
          threads.submit(
              () -> {
                while (!isOver.get()) {
                  readOnePage(otherCq, other.near());
                }
              });
      inThreads(
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
      reading.get();
    }
  }

  /** Posts a batch of READs and waits for all of them, which complete in order. */
  private List<WcStatus> readBatch(CompletionQueue cq, QueuePair qp) {
    qp.postSend(IntStream.range(0, BATCH).mapToObj(i -> host.read(i, 0, PAGE)).toList());
    List<WcStatus> statuses = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      WorkCompletion wc = host.emulator().await(cq);
      assertThat(wc.wrId()).isEqualTo(i);
      statuses.add(wc.status());
    }
    return statuses;
  }

  @RepeatedTest(2)
  void batchesArePostedWhileTheQueuePairFails() throws Exception {
    CompletionQueue cq = host.createCq(100);
    SuiteHost.HostLink link = host.link(cq, host.createCq(1));
    CyclicBarrier isReading = new CyclicBarrier(2);
    AtomicBoolean hasFailed = new AtomicBoolean();
    Future<List<List<WcStatus>>> reader =
        threads.submit(
            () -> {
              List<List<WcStatus>> batches = new ArrayList<>();
              batches.add(readBatch(cq, link.near()));
              isReading.await();
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
    for (List<WcStatus> batch : batches) {
      long done = batch.stream().takeWhile(WcStatus.SUCCESS::equals).count();
      assertThat(batch.subList((int) done, BATCH)).allMatch(WcStatus.WR_FLUSH_ERR::equals);
    }
    assertThat(batches.get(batches.size() - 1)).containsOnly(WcStatus.WR_FLUSH_ERR);
    assertThat(cq.poll(1)).isEmpty();
  }

  @Test
  void twoThreadsWriteOnConnectionsThatShareACompletionQueue() throws Exception {
    CompletionQueue cq = host.createCq(200);
    CompletionQueue far = host.createCq(1);
    List<SuiteHost.HostLink> links = List.of(host.link(cq, far), host.link(cq, far));
    AtomicInteger next = new AtomicInteger();

    inThreads(
        2,
        () -> {
          SuiteHost.HostLink link = links.get(next.getAndIncrement());
          for (int i = 0; i < 95; i++) {
            link.near().postSend(host.write(i, i, 1));
          }
          return null;
        });

    List<WorkCompletion> completions = new ArrayList<>();
    for (int i = 0; i < 190; i++) {
      completions.add(host.emulator().await(cq));
    }
    assertThat(completions).allMatch(WorkCompletion::isSuccess);
    for (SuiteHost.HostLink link : links) {
      assertThat(completions.stream().filter(wc -> wc.qpNum() == link.near().qpNum()))
          .extracting(WorkCompletion::wrId)
          .isEqualTo(IntStream.range(0, 95).mapToObj(Long::valueOf).toList());
    }
    assertThat(cq.poll(1)).isEmpty();
  }

  @Test
  void everyReceiveThatAThreadPostedIsUsedOnce() throws Exception {
    int posters = 50;
    int each = 20;
    CompletionQueue near = host.createCq(posters * each);
    CompletionQueue far = host.createCq(posters * each);
    SharedReceiveQueue srq = host.pd().createSrq(SrqAttr.of(posters * each, 1));
    SuiteHost.HostLink link = host.link(near, far, srq);
    AtomicInteger nextPoster = new AtomicInteger();
    host.source().buffer().put(0, (byte) 'a');
    inThreads(
        posters,
        () -> {
          int first = each * nextPoster.getAndIncrement();
          for (int wrId = first; wrId < first + each; wrId++) {
            srq.postRecv(RecvWr.of(wrId, host.target().sge(wrId, 1)));
          }
          return null;
        });

    Set<Long> used = new TreeSet<>();
    for (int i = 0; i < posters * each; i++) {
      link.near().postSend(SendWr.send(i, host.source().sge(0, 1)));
      assertThat(host.emulator().await(near).isSuccess()).isTrue();
      WorkCompletion received = host.emulator().await(far);
      assertThat(received.isSuccess()).isTrue();
      used.add(received.wrId());
    }
    assertThat(used).hasSize(posters * each);
    assertThat(Bytes.in(host.target(), 0, posters * each)).containsOnly('a');
  }
}
