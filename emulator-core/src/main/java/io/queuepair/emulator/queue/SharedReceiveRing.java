// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.verbs.EventType;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Receives of one shared receive queue, and its limit event. */
public final class SharedReceiveRing {
  private final int number;
  private final int domain;
  private final @Nullable XrcBinding xrc;
  private final Consumer<EventType> events;
  private final int maxSge;
  private final Ring<RecvWqe> ring;

  /** Number of receives below which the limit event is raised; 0 for never. */
  private int limit;

  /**
   * Creates an empty queue.
   *
   * @param number 24-bit number, unique on the device
   * @param domain protection domain of the memory
   * @param xrc attributes of type XRC, otherwise null
   */
  public SharedReceiveRing(
      int number,
      int domain,
      @Nullable XrcBinding xrc,
      Capacity capacity,
      Consumer<EventType> events) {
    this.number = number;
    this.domain = domain;
    this.xrc = xrc;
    this.events = events;
    maxSge = capacity.maxSge();
    ring = new Ring<>(capacity.maxWr());
  }

  public int number() {
    return number;
  }

  public int domain() {
    return domain;
  }

  /** Attributes of type XRC, otherwise null. */
  public @Nullable XrcBinding xrc() {
    return xrc;
  }

  public int maxSge() {
    return maxSge;
  }

  public int limit() {
    return limit;
  }

  /** Arms the limit event once; 0 disarms it. */
  public void arm(int newLimit) {
    limit = newLimit;
  }

  public Ring<RecvWqe> ring() {
    return ring;
  }

  /** Removes the oldest receive, which may raise the limit event; null if there is none. */
  public @Nullable RecvWqe take() {
    RecvWqe wqe = ring.poll();
    if (wqe != null && ring.size() < limit) {
      limit = 0;
      events.accept(EventType.SRQ_LIMIT_REACHED);
    }
    return wqe;
  }

  /**
   * Capacity of a shared receive queue.
   *
   * @param maxWr maximum number of outstanding receives
   * @param maxSge maximum number of scatter/gather entries of a receive
   */
  public record Capacity(int maxWr, int maxSge) {}

  /**
   * Attributes of a queue of type XRC.
   *
   * @param xrcDomain number of its XRC domain
   * @param completions completion queue of its receives
   */
  public record XrcBinding(int xrcDomain, CompletionRing completions) {}
}
