// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Hands the events of a channel or a context to a listener. A thread takes them, from the first
 * listener on until it is stopped; the library has none of its own. It is a daemon: a program ends
 * without stopping it.
 *
 * @param <T> what the listener receives
 */
final class ListenerThread<T> {
  /** Takes an event and acknowledges it, within a time. */
  private final Function<Duration, Optional<T>> events;

  /** Held while an event is taken, not while it is delivered. Fair: who stops it has its turn. */
  private final ReentrantLock taking = new ReentrantLock(true);

  private volatile Consumer<? super T> listener;
  private boolean isStopped;

  ListenerThread(Function<Duration, Optional<T>> events) {
    this.events = events;
  }

  /** Takes the place of an earlier listener. */
  void deliverTo(String name, Consumer<? super T> newListener) {
    Objects.requireNonNull(newListener, "listener");
    taking.lock();
    try {
      boolean isFirst = listener == null;
      listener = newListener;
      if (isFirst && !isStopped) {
        Thread.ofPlatform().daemon().name("events of " + name).start(this::run);
      }
    } finally {
      taking.unlock();
    }
  }

  /**
   * Closes what the events come from, while none is taken, and takes no more; if closing it is
   * refused, the thread continues. The listener may still receive the last event.
   */
  void stopWith(Runnable close) {
    taking.lock();
    try {
      close.run();
      isStopped = true;
    } finally {
      taking.unlock();
    }
  }

  private void run() {
    while (true) {
      Optional<T> event;
      taking.lock();
      try {
        if (isStopped) {
          return;
        }
        event = take();
      } finally {
        taking.unlock();
      }
      event.ifPresent(this::deliver);
    }
  }

  /** An interrupt ends a wait, as the listener may cause one, but not the thread. */
  private Optional<T> take() {
    try {
      return events.apply(EventFile.slice());
    } catch (VerbsException e) {
      if (e.errno() == Errno.EINTR) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private void deliver(T event) {
    try {
      listener.accept(event);
    } catch (RuntimeException thrown) {
      System.getLogger("io.queuepair.nativeprovider")
          .log(System.Logger.Level.ERROR, "A listener for events has thrown", thrown);
    }
  }
}
