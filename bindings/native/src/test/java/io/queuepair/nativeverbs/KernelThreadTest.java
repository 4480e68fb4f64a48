// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class KernelThreadTest {
  /** Does not end unless another thread is seen first not to wait, then to wait. */
  @Test
  @Timeout(60)
  void tellsAWaitFromTheWantOfAProcessor() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/thread-self/stat")), "Linux only");
    CompletableFuture<KernelThread> spinning = new CompletableFuture<>();
    CountDownLatch mayWait = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              spinning.complete(KernelThread.current());
              while (mayWait.getCount() > 0) {
                Thread.onSpinWait();
              }
              try {
                mayEnd.await();
              } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
              }
            },
            "a) S (b");
    thread.start();
    KernelThread seen = spinning.get();

    while (seen.isWaiting()) {
      Thread.onSpinWait();
    }
    mayWait.countDown();
    while (!seen.isWaiting()) {
      Thread.onSpinWait();
    }
    mayEnd.countDown();
    thread.join();
  }
}
