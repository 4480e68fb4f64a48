// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.time.Duration;

/** The file that events of a channel or a context are read from, which threads can wait for. */
final class EventFile {
  private static final int F_GETFL = 3;
  private static final int F_SETFL = 4;
  private static final int O_NONBLOCK = 0x800;
  private static final short POLLIN = 1;

  /** A wait in C hears no interrupt: so often a thread looks for one. */
  private static final long SLICE_NANOS = 50_000_000;

  private static final long NANOS_OF_MILLI = 1_000_000;

  private final int fd;

  EventFile(int fd) {
    this.fd = fd;
    long flags = Libibverbs.FCNTL.value(fd, F_GETFL, 0);
    Libibverbs.FCNTL.value(fd, F_SETFL, (int) flags | O_NONBLOCK);
  }

  /** How long a thread waits that has to look for something else, too: 50 ms. */
  static Duration slice() {
    return Duration.ofNanos(SLICE_NANOS);
  }

  /** When a timeout that begins now is over; null never is. */
  static long endOf(Duration timeout) {
    if (timeout == null) {
      return Long.MAX_VALUE;
    }
    long now = System.nanoTime();
    long nanos = timeout.compareTo(Duration.ofDays(365)) > 0 ? Long.MAX_VALUE : timeout.toNanos();
    return nanos > Long.MAX_VALUE / 4 ? Long.MAX_VALUE : now + nanos;
  }

  /**
   * Waits until there is something to read.
   *
   * @return false if the time is over
   * @throws VerbsException EINTR if the thread is interrupted
   */
  boolean await(long end, String verb) {
    return await(end, verb, () -> {});
  }

  /** Waits likewise; a check before each wait ends it by an exception. */
  boolean await(long end, String verb, Runnable check) {
    try (Arena arena = Arena.ofConfined()) {
      long pollfd = RawMemory.allocate(arena, 8);
      RawMemory.putInt(pollfd, fd);
      RawMemory.putShort(pollfd + 4, POLLIN);
      while (true) {
        if (Thread.interrupted()) {
          throw new VerbsException(Errno.EINTR, verb, "interrupted");
        }
        check.run();
        long left = end == Long.MAX_VALUE ? SLICE_NANOS : end - System.nanoTime();
        long slice = Math.max(0, Math.min(left, SLICE_NANOS));
        int millis = (int) ((slice + NANOS_OF_MILLI - 1) / NANOS_OF_MILLI);
        if (Libibverbs.POLL.value(pollfd, 1L, millis) > 0) {
          return true;
        }
        if (left <= 0) {
          return false;
        }
      }
    }
  }
}
