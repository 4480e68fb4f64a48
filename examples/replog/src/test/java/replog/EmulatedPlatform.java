// SPDX-License-Identifier: Apache-2.0
package replog;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.threads.ApplicationThread;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.Lock;

/** Threads, locks and time of the emulator, which so sees who waits for whom. */
record EmulatedPlatform(Emulator emulator) implements Platform {
  @Override
  public long nanos() {
    return emulator.now().toNanos();
  }

  @Override
  public void sleep(Duration duration) {
    emulator.sleep(duration);
  }

  @Override
  public Task start(String name, Runnable body) {
    ApplicationThread thread = emulator.start(name, body);
    return new Task() {
      @Override
      public void interrupt() {
        thread.interrupt();
      }

      @Override
      public void join() {
        thread.join();
      }
    };
  }

  @Override
  public Lock lock(String name) {
    return emulator.threads().lock(name);
  }

  @Override
  public <E> BlockingQueue<E> queue(String name) {
    return emulator.threads().queue(name);
  }
}
