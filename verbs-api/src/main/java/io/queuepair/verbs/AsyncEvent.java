// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Objects;

/**
 * An asynchronous event ({@code struct ibv_async_event}): one record for each kind of element that
 * it can be about. The event of a queue must be acknowledged with {@link Context#ackAsyncEvent}
 * before the queue can be destroyed.
 *
 * <pre>{@code
 * if (event instanceof AsyncEvent.QpEvent qpEvent) {
 *   restart(qpEvent.qp());
 * }
 * }</pre>
 */
public sealed interface AsyncEvent {
  /**
   * The kind of event.
   *
   * @return what happened
   */
  EventType eventType();

  /**
   * An event of a queue pair: member {@code element.qp}.
   *
   * @param eventType what happened
   * @param qp the queue pair
   */
  record QpEvent(EventType eventType, QueuePair qp) implements AsyncEvent {
    /**
     * An event of a queue pair.
     *
     * @param eventType what happened
     * @param qp the queue pair
     */
    public QpEvent {
      Objects.requireNonNull(eventType, "eventType");
      Objects.requireNonNull(qp, "qp");
    }

    /** Event and queue pair: such as {@code COMM_EST of QP 0x000011 of qp0 (RC, RTS)}. */
    @Override
    public String toString() {
      return eventType + " of " + qp;
    }
  }

  /**
   * An event of a completion queue: member {@code element.cq}.
   *
   * @param eventType what happened
   * @param cq the completion queue
   */
  record CqEvent(EventType eventType, CompletionQueue cq) implements AsyncEvent {
    /**
     * An event of a completion queue.
     *
     * @param eventType what happened
     * @param cq the completion queue
     */
    public CqEvent {
      Objects.requireNonNull(eventType, "eventType");
      Objects.requireNonNull(cq, "cq");
    }

    /** Event and completion queue. */
    @Override
    public String toString() {
      return eventType + " of " + cq;
    }
  }

  /**
   * An event of a shared receive queue: member {@code element.srq}.
   *
   * @param eventType what happened
   * @param srq the shared receive queue
   */
  record SrqEvent(EventType eventType, SharedReceiveQueue srq) implements AsyncEvent {
    /**
     * An event of a shared receive queue.
     *
     * @param eventType what happened
     * @param srq the shared receive queue
     */
    public SrqEvent {
      Objects.requireNonNull(eventType, "eventType");
      Objects.requireNonNull(srq, "srq");
    }

    /** Event and shared receive queue. */
    @Override
    public String toString() {
      return eventType + " of " + srq;
    }
  }

  /**
   * An event of a work queue: member {@code element.wq}.
   *
   * @param eventType what happened
   * @param wq the work queue
   */
  record WqEvent(EventType eventType, WorkQueue wq) implements AsyncEvent {
    /**
     * An event of a work queue.
     *
     * @param eventType what happened
     * @param wq the work queue
     */
    public WqEvent {
      Objects.requireNonNull(eventType, "eventType");
      Objects.requireNonNull(wq, "wq");
    }

    /** Event and work queue. */
    @Override
    public String toString() {
      return eventType + " of " + wq;
    }
  }

  /**
   * An event of a port: member {@code element.port_num}.
   *
   * @param eventType what happened
   * @param portNum number of the port, from 1
   */
  record PortEvent(EventType eventType, int portNum) implements AsyncEvent {
    /**
     * An event of a port.
     *
     * @param eventType what happened
     * @param portNum number of the port, from 1
     */
    public PortEvent {
      Objects.requireNonNull(eventType, "eventType");
    }

    /** Event and port: such as {@code PORT_ERR of port 1}. */
    @Override
    public String toString() {
      return eventType + " of port " + portNum;
    }
  }

  /**
   * An event of the whole device, which has no element.
   *
   * @param eventType what happened
   */
  record DeviceEvent(EventType eventType) implements AsyncEvent {
    /**
     * An event of the whole device.
     *
     * @param eventType what happened
     */
    public DeviceEvent {
      Objects.requireNonNull(eventType, "eventType");
    }

    /** The event: such as {@code DEVICE_FATAL}. */
    @Override
    public String toString() {
      return eventType.toString();
    }
  }

  /**
   * An event of a queue pair.
   *
   * @param eventType what happened
   * @param qp the queue pair
   * @return the event
   */
  static AsyncEvent of(EventType eventType, QueuePair qp) {
    return new QpEvent(eventType, qp);
  }

  /**
   * An event of a completion queue.
   *
   * @param eventType what happened
   * @param cq the completion queue
   * @return the event
   */
  static AsyncEvent of(EventType eventType, CompletionQueue cq) {
    return new CqEvent(eventType, cq);
  }

  /**
   * An event of a shared receive queue.
   *
   * @param eventType what happened
   * @param srq the shared receive queue
   * @return the event
   */
  static AsyncEvent of(EventType eventType, SharedReceiveQueue srq) {
    return new SrqEvent(eventType, srq);
  }

  /**
   * An event of a work queue.
   *
   * @param eventType what happened
   * @param wq the work queue
   * @return the event
   */
  static AsyncEvent of(EventType eventType, WorkQueue wq) {
    return new WqEvent(eventType, wq);
  }

  /**
   * An event of a port.
   *
   * @param eventType what happened
   * @param portNum number of the port, from 1
   * @return the event
   */
  static AsyncEvent ofPort(EventType eventType, int portNum) {
    return new PortEvent(eventType, portNum);
  }

  /**
   * An event of the whole device.
   *
   * @param eventType what happened
   * @return the event
   */
  static AsyncEvent ofDevice(EventType eventType) {
    return new DeviceEvent(eventType);
  }
}
