// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads that make and use what is not a queue pair, in real time and in memory. */
@Timeout(30)
final class ThreadedDomainCasesTest {
  private static final int THREADS = 5;
  private static final int TIMES = 100;
  private static final int POSTERS = 50;
  private static final int EACH = 20;

  @AutoClose
  private final SrqPair bed =
      new SrqPair(InMemoryFabric.create(InMemoryOptions.realTime()), SrqAttr.of(1010, 1));

  @AutoClose private final TestThreads testThreads = new TestThreads();
  private final ProtectionDomain pd = bed.host().pd();
  private final AhAttr address = AhAttr.to(bed.host().context().queryGid(1, 0));

  @Test
  @Tag("GUT-threaded_test-ThreadedTest.CreateDestroyAh")
  void addressHandlesComeAndGo() throws Exception {
    LimitedDevice limited = LimitedDevice.of(bed.host(), DeviceLimit.MAX_AH, THREADS);
    ProtectionDomain domain = limited.context().allocPd();

    testThreads.inThreads(
        THREADS,
        () -> {
          for (int i = 0; i < TIMES; i++) {
            domain.createAh(address).close();
          }
          return null;
        });

    assertThat(limited.room(any -> domain.createAh(address))).isEqualTo(THREADS);
  }

  @Test
  @Tag("GUT-threaded_test-ThreadedTest.CreateAh")
  void manyAddressHandlesExist() throws Exception {
    testThreads.inThreads(
        THREADS,
        () -> {
          List<AddressHandle> made = new ArrayList<>();
          for (int i = 0; i < TIMES; i++) {
            made.add(pd.createAh(address));
          }
          assertThat(made).doesNotHaveDuplicates();
          made.forEach(AddressHandle::close);
          return null;
        });
  }

  @Test
  @Tag("GUT-threaded_test-ThreadedTest.AllocDeallocPd")
  void domainsComeAndGo() throws Exception {
    LimitedDevice limited = LimitedDevice.of(bed.host(), DeviceLimit.MAX_PD, THREADS);

    testThreads.inThreads(
        THREADS,
        () -> {
          for (int i = 0; i < TIMES; i++) {
            limited.context().allocPd().close();
          }
          return null;
        });

    assertThat(limited.room(Context::allocPd)).isEqualTo(THREADS);
  }

  @Test
  @Tag("GUT-threaded_test-ThreadedTest.CreateSrq")
  void manySharedReceiveQueuesExist() throws Exception {
    testThreads.inThreads(
        THREADS,
        () -> {
          List<SharedReceiveQueue> made = new ArrayList<>();
          for (int i = 0; i < TIMES; i++) {
            made.add(pd.createSrq(SrqAttr.of(1, 1)));
          }
          assertThat(made).doesNotHaveDuplicates();
          made.forEach(SharedReceiveQueue::close);
          return null;
        });
  }

  private WorkCompletion send(long wrId) {
    bed.link().near().postSend(SendWr.send(wrId, bed.host().source().sge(0, 1)));
    return bed.host().emulator().await(bed.nearCq());
  }

  @Test
  @Tag("GUT-srq_test-SrqMultiThreadTest.MultiThreadedSrqLoopback")
  void everyReceiveThatAThreadPostedIsUsedOnce() throws Exception {
    MemoryRegion memory = TestEndpoint.registerIn(pd, POSTERS * EACH, ConnectedPair.ALL_RIGHTS);
    AtomicInteger nextPoster = new AtomicInteger();
    bed.limitRnrRetries(1);
    bed.host().source().buffer().put(0, (byte) 'a');

    testThreads.inThreads(
        POSTERS,
        () -> {
          int first = EACH * nextPoster.getAndIncrement();
          for (int wrId = first; wrId < first + EACH; wrId++) {
            bed.srq().postRecv(RecvWr.of(wrId, memory.sge(wrId, 1)));
          }
          return null;
        });
    TreeSet<Long> used = new TreeSet<>();
    for (int i = 0; i < POSTERS * EACH; i++) {
      assertThat(Outcomes.of(send(i))).isEqualTo(i + " SEND");
      WorkCompletion received = bed.host().emulator().await(bed.farCq());
      assertThat(received.isSuccess()).isTrue();
      used.add(received.wrId());
    }

    assertThat(used).hasSize(POSTERS * EACH);
    ConnectedPair.assertFullOf(memory, 'a');
    assertThat(Outcomes.of(send(7))).isEqualTo("7 RNR_RETRY_EXC_ERR");
  }
}
