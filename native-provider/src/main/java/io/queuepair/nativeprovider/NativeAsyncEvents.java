// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.VerbsConstant;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Optional;

/** The asynchronous events of a context. */
final class NativeAsyncEvents {
  private static final String ACK = "ibv_ack_async_event";
  private static final int SIZE = VerbsAbi.size("ibv_async_event");
  private static final int EVENT_TYPE = VerbsAbi.offset("ibv_async_event.event_type");

  private final NativeContext context;
  private final EventFile file;

  NativeAsyncEvents(NativeContext context) {
    this.context = context;
    int fd = RawMemory.getInt(context.identity() + VerbsAbi.offset("ibv_context.async_fd"));
    file = new EventFile(fd);
  }

  /** Empty if the time is over; null waits without limit. */
  Optional<AsyncEvent> take(Duration timeout) {
    ControlFunction get = Libibverbs.GET_ASYNC_EVENT;
    long end = EventFile.endOf(timeout);
    try (Arena arena = Arena.ofConfined()) {
      long event = RawMemory.allocate(arena, SIZE);
      while (file.await(end, "ibv_get_async_event")) {
        if (get.value(context.address(), event) == 0) {
          Optional<AsyncEvent> known = read(event);
          if (known.isPresent()) {
            return known;
          }
        } else if (ControlFunction.lastErrno() != Errno.EAGAIN.code()) {
          throw get.refusal(ControlFunction.lastErrno());
        }
      }
      return Optional.empty();
    }
  }

  /** An event that the API has no name for is acknowledged and left out. */
  private Optional<AsyncEvent> read(long event) {
    long element = RawMemory.getLong(event);
    Optional<EventType> known =
        VerbsConstant.of(EventType.class, RawMemory.getInt(event + EVENT_TYPE));
    if (known.isEmpty()) {
      Libibverbs.ACK_ASYNC_EVENT.value(event);
      return Optional.empty();
    }
    EventType type = known.get();
    return switch (type) {
      case CQ_ERR -> context.find(NativeCompletionQueue.class, element).map(cq -> of(type, cq));
      case QP_FATAL,
          QP_REQ_ERR,
          QP_ACCESS_ERR,
          COMM_EST,
          SQ_DRAINED,
          PATH_MIG,
          PATH_MIG_ERR,
          QP_LAST_WQE_REACHED ->
          context.find(NativeQueuePair.class, element).map(qp -> of(type, qp));
      case SRQ_ERR, SRQ_LIMIT_REACHED ->
          context.find(NativeSharedReceiveQueue.class, element).map(srq -> of(type, srq));
      case DEVICE_FATAL -> Optional.of(AsyncEvent.ofDevice(type));
      default -> Optional.of(AsyncEvent.ofPort(type, (int) element));
    };
  }

  private static AsyncEvent of(EventType type, NativeCompletionQueue cq) {
    cq.asyncEvents().take();
    return AsyncEvent.of(type, cq);
  }

  private static AsyncEvent of(EventType type, NativeQueuePair qp) {
    qp.asyncEvents().take();
    return AsyncEvent.of(type, qp);
  }

  private static AsyncEvent of(EventType type, NativeSharedReceiveQueue srq) {
    srq.asyncEvents().take();
    return AsyncEvent.of(type, srq);
  }

  void acknowledge(AsyncEvent event) {
    switch (event) {
      case AsyncEvent.QpEvent of -> {
        NativeQueuePair qp = NativeObject.of(of.qp(), NativeQueuePair.class, ACK);
        qp.asyncEvents().acknowledge(1, ACK);
        acknowledge(qp.identity(), event);
      }
      case AsyncEvent.CqEvent of -> {
        NativeCompletionQueue cq = NativeObject.of(of.cq(), NativeCompletionQueue.class, ACK);
        cq.asyncEvents().acknowledge(1, ACK);
        acknowledge(cq.identity(), event);
      }
      case AsyncEvent.SrqEvent of -> {
        NativeSharedReceiveQueue srq =
            NativeObject.of(of.srq(), NativeSharedReceiveQueue.class, ACK);
        srq.asyncEvents().acknowledge(1, ACK);
        acknowledge(srq.identity(), event);
      }
      default -> {} // Nothing waits for those of ports and devices.
    }
  }

  private static void acknowledge(long element, AsyncEvent event) {
    acknowledge(element, event.eventType());
  }

  /** Acknowledges all events of an object, of a type that is of such objects. */
  static void acknowledgeAll(long element, UnacknowledgedEvents events, EventType type) {
    for (int left = events.giveUp(); left > 0; left--) {
      acknowledge(element, type);
    }
  }

  private static void acknowledge(long element, EventType type) {
    try (Arena arena = Arena.ofConfined()) {
      long struct = RawMemory.allocate(arena, SIZE);
      RawMemory.putLong(struct, element);
      RawMemory.putInt(struct + EVENT_TYPE, type.code());
      Libibverbs.ACK_ASYNC_EVENT.value(struct);
    }
  }
}
