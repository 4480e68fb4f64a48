// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ProcessDevicesTest {
  /** It returns although the work does not, whose thread does not keep the process. */
  @Test
  @Timeout(60)
  void theEndOfAProcessIsNotKeptByWorkThatHangs() {
    CountDownLatch end = new CountDownLatch(1);
    Thread[] worker = new Thread[1];
    CountDownLatch started = new CountDownLatch(1);

    ProcessDevices.runAtMost(
        Duration.ofMillis(1),
        () -> {
          worker[0] = Thread.currentThread();
          started.countDown();
          awaitQuietly(end);
        });

    awaitQuietly(started);
    assertThat(worker[0].isDaemon()).isTrue();
    end.countDown();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
