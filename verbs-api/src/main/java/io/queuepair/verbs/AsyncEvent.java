package io.queuepair.verbs;

import java.util.Objects;
import java.util.stream.Stream;

/**
 * Trouble or news of a queue pair, completion queue, shared receive queue or port ({@code struct
 * ibv_async_event}). Of the elements exactly the one that the event is about is there. An event of
 * a queue must be acknowledged with {@link Context#ackAsyncEvent} before the queue can be
 * destroyed.
 *
 * @param eventType what happened
 * @param qp the queue pair, or null
 * @param cq the completion queue, or null
 * @param srq the shared receive queue, or null
 * @param portNum number of the port, from 1; 0 if the event is not about a port
 */
public record AsyncEvent(
    EventType eventType, QueuePair qp, CompletionQueue cq, SharedReceiveQueue srq, int portNum) {
  /**
   * Demands to know what happened.
   *
   * @param eventType what happened
   * @param qp the queue pair, or null
   * @param cq the completion queue, or null
   * @param srq the shared receive queue, or null
   * @param portNum number of the port, from 1; 0 if the event is not about a port
   */
  public AsyncEvent {
    Objects.requireNonNull(eventType, "eventType");
  }

  /**
   * News of a queue pair.
   *
   * @param eventType what happened
   * @param qp the queue pair
   * @return the event
   */
  public static AsyncEvent of(EventType eventType, QueuePair qp) {
    return new AsyncEvent(eventType, qp, null, null, 0);
  }

  /**
   * News of a completion queue.
   *
   * @param eventType what happened
   * @param cq the completion queue
   * @return the event
   */
  public static AsyncEvent of(EventType eventType, CompletionQueue cq) {
    return new AsyncEvent(eventType, null, cq, null, 0);
  }

  /**
   * News of a shared receive queue.
   *
   * @param eventType what happened
   * @param srq the shared receive queue
   * @return the event
   */
  public static AsyncEvent of(EventType eventType, SharedReceiveQueue srq) {
    return new AsyncEvent(eventType, null, null, srq, 0);
  }

  /**
   * News of a port, or with port 0 of the whole device.
   *
   * @param eventType what happened
   * @param portNum number of the port
   * @return the event
   */
  public static AsyncEvent ofPort(EventType eventType, int portNum) {
    return new AsyncEvent(eventType, null, null, null, portNum);
  }

  /** What happened, and to what: such as {@code COMM_EST of QP 0x000011 of qp0 (RC, RTS)}. */
  @Override
  public String toString() {
    Object element =
        Stream.<Object>of(qp, cq, srq).filter(Objects::nonNull).findFirst().orElse(null);
    String port = portNum == 0 ? "" : " of port " + portNum;
    return eventType + (element == null ? port : " of " + element);
  }
}
