// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Service's end of a socket on which a program waits for events. Events that find no room in the
 * socket are queued here, and sent when the program has read some. Never blocks; thread-safe.
 */
final class EventSocket implements AutoCloseable {
  /** Limit of queued events, above that of a pipe: unread events must not fill the memory. */
  private static final int MAX_WAITING = 1 << 16;

  private final ControlLoop control;
  private final int descriptor;
  private final Runnable whenClosed;
  private final ByteBuffer event = ByteBuffer.allocateDirect(1 << 6).order(ByteOrder.nativeOrder());
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private boolean isWatched;
  private boolean isClosed;

  EventSocket(ControlLoop control, int descriptor, Runnable whenClosed) {
    this.control = control;
    this.descriptor = descriptor;
    this.whenClosed = whenClosed;
  }

  void send(long... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
    bytes.order(ByteOrder.nativeOrder());
    for (long number : numbers) {
      bytes.putLong(number);
    }
    send(bytes.array());
  }

  synchronized void send(byte[] bytes) {
    if (isClosed || waiting.size() >= MAX_WAITING) {
      return;
    }
    waiting.add(bytes);
    if (!isWatched) {
      sendWaiting();
    }
  }

  /** Number of queued events. */
  synchronized int waitingCount() {
    return waiting.size();
  }

  /** Sends queued events. A socket takes so few bytes as a whole or not at all. */
  private synchronized void sendWaiting() {
    while (!isClosed && !waiting.isEmpty()) {
      byte[] first = waiting.peek();
      event.put(0, first);
      int sent = Kernel.send(descriptor, event, 0, first.length, 0, 0, 0);
      if (sent == -Errno.EAGAIN.code()) {
        if (!isWatched) {
          control.watch(descriptor, Kernel.WRITABLE, this::sendWaiting);
          isWatched = true;
        }
        return;
      }
      waiting.remove(); // It is sent, or the program has closed its end.
    }
    unwatch();
  }

  /** Whether no process can read the socket any more. */
  synchronized boolean isHungUp() {
    return isClosed || Kernel.isHungUp(descriptor) != 0;
  }

  private void unwatch() {
    if (isWatched) {
      control.unwatch(descriptor);
      isWatched = false;
    }
  }

  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      unwatch();
      Kernel.close(descriptor);
      whenClosed.run();
    }
  }
}
