// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.posting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WrBatch;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One thread at a time has a batch of a queue pair open; no other thread waits for it. */
@Timeout(60)
final class BatchThreadsTest {
  private static final int BATCHES = 20;
  private static final int REQUESTS = 5;

  @AutoClose
  private final ExtendedQpFixture bed =
      new ExtendedQpFixture(
          QpType.RC,
          Set.of(SendOpsFlag.WITH_RDMA_READ),
          DeviceProfile.standard(),
          new QpCap(2 * BATCHES * REQUESTS, 8, 1, 1, 0));

  private static <T> RunningBatch<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task);
    thread.start();
    return new RunningBatch<>(thread, task);
  }

  private record RunningBatch<T>(Thread thread, FutureTask<T> task) {
    /** Returns when it waits for another thread; it must not get to its end before. */
    void awaitBlocked() {
      while (thread.getState() != Thread.State.WAITING) {
        assertThat(task.isDone()).as("the other thread has not waited").isFalse();
        Thread.onSpinWait();
      }
    }
  }

  private void assertExcluded(boolean completes, Callable<Void> otherPost, String... expected)
      throws Exception {
    WrBatch wr = bed.qp.wrStart();
    wr.wrFlags(SendFlag.SIGNALED).wrId(1).rdmaRead(0, 0);
    RunningBatch<Void> other = start(otherPost);

    other.awaitBlocked();
    assertThat(bed.sends()).isEmpty();
    if (completes) {
      wr.complete();
    } else {
      wr.close();
    }
    other.task().get();

    assertThat(bed.sends()).containsExactly(expected);
  }

  private Void postList() {
    bed.qp.postSend(SendWr.send(2));
    return null;
  }

  private Void postBatch() {
    bed.post(wr -> wr.wrId(2).rdmaRead(0, 0));
    return null;
  }

  @Test
  void aListWaitsForTheEndOfABatch() throws Exception {
    assertExcluded(true, this::postList, "1 RDMA_READ 0", "2 SEND");
    assertExcluded(false, this::postList, "2 SEND");
  }

  @Test
  void aBatchWaitsForTheEndOfABatch() throws Exception {
    assertExcluded(true, this::postBatch, "1 RDMA_READ 0", "2 RDMA_READ 0");
    assertExcluded(false, this::postBatch, "2 RDMA_READ 0");
  }

  private static void call(WrBatch wr, String method) {
    Consumer<WrBatch> call =
        switch (method) {
          case "rdmaRead" -> batch -> batch.rdmaRead(0, 0);
          case "setSgeList" -> batch -> batch.setSgeList(List.of());
          case "wrId" -> batch -> batch.wrId(9);
          case "complete" -> WrBatch::complete;
          default -> WrBatch::close;
        };
    call.accept(wr);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdmaRead", "setSgeList", "wrId", "complete", "close"})
  void aBatchIsOfNoUseToAnotherThread(String method) throws Exception {
    try (WrBatch wr = bed.qp.wrStart()) {
      wr.wrFlags(SendFlag.SIGNALED).wrId(1).rdmaRead(0, 0);

      VerbsException refusal =
          start(() -> catchThrowableOfType(VerbsException.class, () -> call(wr, method)))
              .task()
              .get();

      assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
      wr.complete();
    }
    assertThat(bed.sends()).containsExactly("1 RDMA_READ 0");
  }

  @Test
  void anInterruptEndsTheWaitForABatch() throws Exception {
    try (WrBatch wr = bed.qp.wrStart()) {
      RunningBatch<VerbsException> other =
          start(() -> catchThrowableOfType(VerbsException.class, this::postList));
      other.awaitBlocked();

      other.thread().interrupt();

      assertThat(other.task().get().errno()).isEqualTo(Errno.EINTR);
      assertThat(other.task().get()).hasCauseInstanceOf(InterruptedException.class);
      wr.abort();
    }
    assertThat(bed.sends()).isEmpty();
  }

  @Test
  void packetsAndCompletionsDoNotWaitForABatch() throws Exception {
    bed.post(wr -> wr.wrId(1).rdmaRead(0, 0));
    try (WrBatch wr = bed.qp.wrStart()) {
      wr.wrId(2).rdmaRead(0, 0);

      assertThat(start(bed::sends).task().get()).containsExactly("1 RDMA_READ 0");
    }
  }
}
