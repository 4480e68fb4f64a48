// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device.hca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Verbs look whether an object exists before they take the lock of its device. */
final class ObjectLifecycleTest {
  /** So many that the loop is compiled; a field that is not volatile is read once then. */
  private static final int LOOKS = 200_000;

  /** For a thread that never sees the end: some seconds. */
  private static final long MOST_LOOKS = 10_000_000_000L;

  private final ObjectLifecycle object = new ObjectLifecycle("queue pair");

  /** Looks until the object has ended, at most so often; returns how often that was in vain. */
  private long lookUntilEnded(long most) {
    long looks = 0;
    while (looks < most && !object.hasEnded()) {
      looks++;
    }
    return looks;
  }

  @Test
  void aThreadThatTakesNoLockSeesTheEnd() throws Exception {
    CountDownLatch isLooking = new CountDownLatch(1);
    CompletableFuture<Long> looks =
        CompletableFuture.supplyAsync(
            () -> {
              lookUntilEnded(LOOKS);
              isLooking.countDown();
              return lookUntilEnded(MOST_LOOKS);
            });
    isLooking.await();

    assertThat(object.end("ibv_destroy_qp")).isTrue();

    assertThat(looks.get()).isLessThan(MOST_LOOKS);
  }
}
