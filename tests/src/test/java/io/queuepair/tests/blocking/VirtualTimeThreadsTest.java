// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Virtual time belongs to one thread at a time. */
@Timeout(60)
final class VirtualTimeThreadsTest {
  private static final int ROUNDS = 2_000;

  private final InMemoryFabric network = InMemoryFabric.virtualTime();
  private final Emulator emulator = Emulator.on(network);

  /** Exception of a thread of that name, or null; it has ended at return. */
  private static Throwable inThread(String name, Runnable work) {
    FutureTask<Throwable> task = new FutureTask<>(() -> catchThrowable(work::run));
    new Thread(task, name).start();
    return resultOf(task);
  }

  private static <T> T resultOf(FutureTask<T> task) {
    try {
      return task.get();
    } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  /** Attempts of another thread while the first one waits inside. */
  private enum Intrusion {
    POST_SEND,
    POST_RECV,
    POLL,
    AWAIT,
    QUERY,
    ADD_DEVICE,
    CLOSE;

    private void attempt(Pair pair, Emulator emulator) {
      switch (this) {
        case POST_SEND -> pair.a().postSend(SendWr.send(9));
        case POST_RECV -> pair.b().postRecv(RecvWr.of(9));
        case POLL -> pair.a().sendCq().poll(1);
        case AWAIT -> pair.await(pair.b().recvCq());
        case QUERY -> pair.a().qp().query();
        case ADD_DEVICE -> emulator.addDevice("10.0.0.9");
        case CLOSE -> emulator.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoEntersWhileAnotherThreadWaitsIsRefusedAndChangesNothing(Intrusion intrusion) {
    try (Pair pair = Pair.on(network).connect()) {
      pair.b().postRecv(RecvWr.of(1));
      pair.a().postSend(SendWr.send(2));
      List<Throwable> met = new ArrayList<>();
      network
          .scheduler()
          .timer(() -> met.add(inThread("server", () -> intrusion.attempt(pair, emulator))))
          .arm(0);

      assertThat(pair.await(pair.a().sendCq()).status()).isEqualTo(WcStatus.SUCCESS);

      assertThat(met).hasSize(1);
      assertThat(met.get(0))
          .isInstanceOfAny(VerbsException.class, FabricException.class)
          .hasMessageContaining(
              "this network is in virtual time, which belongs to one thread at a time: thread "
                  + Thread.currentThread().getName()
                  + " waits or works in it, so thread server may not")
          .hasMessageContaining("Emulator.start")
          .hasMessageContaining("InMemoryFabric.realTime()")
          .hasMessageContaining("UDP");
      if (met.get(0) instanceof VerbsException refusal) {
        assertThat(refusal.errno()).isEqualTo(Errno.EPERM);
      }
      assertThat(pair.b().recvCq().poll(1)).hasSize(1);
      assertThat(pair.a().sendCq().poll(1)).isEmpty();
    }
  }

  /** Two threads with two connections on one network. */
  @Test
  void threadsThatMeetAreToldSoAndTheNetworkStaysWhole() throws Exception {
    try (Pair one = Pair.on(network).connect();
        Pair two = Pair.on(network).hosts("10.0.1.1", "10.0.1.2").connect()) {
      CyclicBarrier start = new CyclicBarrier(2);
      FutureTask<Throwable> first = new FutureTask<>(() -> exchange(start, one));
      FutureTask<Throwable> second = new FutureTask<>(() -> exchange(start, two));
      new Thread(first, "first").start();
      new Thread(second, "second").start();

      for (Throwable met : new Throwable[] {resultOf(first), resultOf(second)}) {
        if (met != null) {
          assertThat(met)
              .isInstanceOfSatisfying(
                  VerbsException.class,
                  refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EPERM))
              .hasMessageContaining("one thread at a time");
        }
      }
      assertThat(catchThrowable(() -> drain(one))).hasMessageContaining("EDEADLK");
      assertThat(catchThrowable(() -> drain(two))).hasMessageContaining("EDEADLK");
    }
  }

  private static Throwable exchange(CyclicBarrier start, Pair pair) throws Exception {
    start.await();
    return catchThrowable(
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            pair.b().postRecv(RecvWr.of(i));
            pair.a().postSend(SendWr.send(i));
            assertThat(pair.await(pair.a().sendCq()).wrId()).isEqualTo(i);
            assertThat(pair.b().recvCq().poll(1)).hasSize(1);
          }
        });
  }

  /** Until nothing is left to happen. */
  private static void drain(Pair pair) {
    for (int i = 0; i < 2 * ROUNDS; i++) {
      assertThat(pair.await(pair.a().sendCq()).status()).isEqualTo(WcStatus.SUCCESS);
    }
  }

  @Test
  void aWaitForWhatAnotherThreadWouldDoSaysSo() {
    try (Pair pair = Pair.on(network).connect()) {
      pair.b().postRecv(RecvWr.of(1));

      assertThat(inThread("server", () -> pair.await(pair.b().recvCq())))
          .hasMessageContaining("EDEADLK")
          .hasMessageContaining(
              "threads "
                  + Thread.currentThread().getName()
                  + ", server have used this network in turn, and in virtual time no wait lasts"
                  + " until another thread does something; let the emulator start the threads"
                  + " (Emulator.start), and they take turns; threads that run at the same time need"
                  + " real time (InMemoryFabric.realTime()) or UDP");
    }
  }
}
