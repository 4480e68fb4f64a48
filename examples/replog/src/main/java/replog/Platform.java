// SPDX-License-Identifier: Apache-2.0
package replog;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Clock, threads, locks and queues: those of the JVM, or in tests those of the emulator. */
public interface Platform {
  /** A thread that was started. */
  interface Task {
    void interrupt();

    void join();
  }

  /** A time that only grows. */
  long nanos();

  /** Lets the calling thread sleep for about so long, or until it is interrupted. */
  void sleep(Duration duration);

  Task start(String name, Runnable body);

  Lock lock(String name);

  <E> BlockingQueue<E> queue(String name);

  static Platform jvm() {
    return new Jvm();
  }

  /** Threads, locks and queues of the JVM. */
  final class Jvm implements Platform {
    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void sleep(Duration duration) {
      LockSupport.parkNanos(duration.toNanos());
    }

    @Override
    public Task start(String name, Runnable body) {
      Thread thread = new Thread(body, name);
      thread.setDaemon(true);
      thread.start();
      return new Task() {
        @Override
        public void interrupt() {
          thread.interrupt();
        }

        @Override
        public void join() {
          try {
            thread.join();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        }
      };
    }

    @Override
    public Lock lock(String name) {
      return new ReentrantLock();
    }

    @Override
    public <E> BlockingQueue<E> queue(String name) {
      return new LinkedBlockingQueue<>();
    }
  }
}
