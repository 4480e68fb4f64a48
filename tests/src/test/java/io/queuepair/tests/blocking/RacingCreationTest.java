// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects are created while another thread takes away what they are made of, or asks for them. */
@Timeout(60)
final class RacingCreationTest {
  private static final int ROUNDS = 100;
  private static final int MOST = 300;

  @AutoClose private final Emulator emulator = Emulator.on(InMemoryFabric.realTime());

  private final Device device =
      emulator.addDevice(DeviceProfile.standard().withLimit(DeviceLimit.MAX_QP, MOST), "10.0.0.1");

  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private final CountDownLatch isCreating = new CountDownLatch(1);

  @AfterEach
  void stop() {
    other.shutdownNow();
  }

  /** Creates queue pairs until the first refusal but for too many, which it returns. */
  private CompletableFuture<Errno> createMany(Supplier<QueuePair> one) {
    return CompletableFuture.supplyAsync(
        () -> {
          Errno refusal = Errnos.of(one::get);
          isCreating.countDown();
          while (refusal == null || refusal == Errno.ENOMEM) {
            refusal = Errnos.of(one::get);
          }
          return refusal;
        },
        other);
  }

  /** Hits another moment of a creation each time. */
  private void awaitSomeMoment(RepetitionInfo round) throws InterruptedException {
    isCreating.await();
    for (int turn = 0; turn < 10 * round.getCurrentRepetition(); turn++) {
      Thread.onSpinWait();
    }
  }

  @RepeatedTest(ROUNDS)
  void aQueueThatOverrunsFailsTheOneBeingCreated(RepetitionInfo round) throws Exception {
    try (Context context = device.open()) {
      ProtectionDomain pd = context.allocPd();
      CompletionQueue cq = context.createCq(1);
      QueuePair full = pd.createQp(QpInitAttr.rc(cq, QpCap.of(4)));
      full.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(Set.of()));
      full.modify(QpAttr.to(QpState.ERR));
      full.postRecv(RecvWr.of(1));
      CompletableFuture<Errno> refusal =
          createMany(() -> pd.createQp(QpInitAttr.rc(cq, QpCap.of(4))));
      awaitSomeMoment(round);

      full.postRecv(RecvWr.of(2));

      assertThat(refusal.join()).isEqualTo(Errno.EINVAL);
    }
  }

  @RepeatedTest(ROUNDS)
  void aContextThatIsClosedLeavesNothingOfTheOneBeingCreated(RepetitionInfo round)
      throws Exception {
    Context context = device.open();
    ProtectionDomain pd = context.allocPd();
    CompletionQueue cq = context.createCq(1);
    CompletableFuture<Errno> refusal =
        createMany(() -> pd.createQp(QpInitAttr.rc(cq, QpCap.of(4))));
    awaitSomeMoment(round);

    context.close();

    assertThat(refusal.join()).isEqualTo(Errno.EINVAL);
    try (Context next = device.open()) {
      QpInitAttr attr = QpInitAttr.rc(next.createCq(1), QpCap.of(1));
      ProtectionDomain fresh = next.allocPd();
      for (int i = 0; i < MOST; i++) {
        assertThat(Errnos.of(() -> fresh.createQp(attr))).as("number " + i).isNull();
      }
    }
  }

  /** A network that attaches on request. */
  private static final class SlowFabric extends ForwardingFabric {
    private final CompletableFuture<Void> isAsked = new CompletableFuture<>();
    private final CompletableFuture<Void> mayGoOn = new CompletableFuture<>();

    SlowFabric() {
      super(InMemoryFabric.realTime());
    }

    @Override
    public Link attach(InetAddress address, Station station) {
      isAsked.complete(null);
      mayGoOn.join();
      return super.attach(address, station);
    }
  }

  /** A trace may ask the emulator while a device is being added: the network may wait for it. */
  @Test
  void whoAsksNeedNotWait() {
    SlowFabric network = new SlowFabric();
    try (Emulator slow = Emulator.on(network)) {
      CompletableFuture<Device> added =
          CompletableFuture.supplyAsync(() -> slow.addDevice("10.0.0.1"));
      network.isAsked.join();

      assertThat(slow.devices()).isEmpty();
      assertThat(slow.faultCounts()).isEmpty();
      assertThat(slow.coverage()).isNotNull();

      network.mayGoOn.complete(null);
      assertThat(added.join().name()).isEqualTo("qp0");
    }
  }
}
