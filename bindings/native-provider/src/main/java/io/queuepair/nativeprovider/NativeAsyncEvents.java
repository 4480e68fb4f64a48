// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.VerbsConstant;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** The asynchronous events of a context. */
final class NativeAsyncEvents {
  private static final String ACK = "ibv_ack_async_event";
  private static final int SIZE = VerbsAbi.size("ibv_async_event");
  private static final int EVENT_TYPE = VerbsAbi.offset("ibv_async_event.event_type");

  private final NativeContext context;
  private final EventFile file;
  private final ListenerThread<AsyncEvent> listening =
      new ListenerThread<>(timeout -> get(timeout, true));

  NativeAsyncEvents(NativeContext context) {
    this.context = context;
    int fd = RawMemory.getInt(context.identity() + VerbsAbi.offset("ibv_context.async_fd"));
    file = new EventFile(fd);
  }

  /** Empty if the time is over; null waits without limit. */
  Optional<AsyncEvent> take(Duration timeout) {
    return get(timeout, false);
  }

  void deliverTo(Consumer<AsyncEvent> listener) {
    context.address();
    listening.deliverTo(context.device().name(), listener);
  }

  /** Does what closes the context, after which no event is delivered. */
  void stopWith(Runnable close) {
    listening.stopWith(close);
  }

  private Optional<AsyncEvent> get(Duration timeout, boolean isAcknowledged) {
    ControlFunction get = Libibverbs.GET_ASYNC_EVENT;
    long end = EventFile.endOf(timeout);
    try (Arena arena = Arena.ofConfined()) {
      long event = RawMemory.allocate(arena, SIZE);
      while (file.await(end, "ibv_get_async_event")) {
        if (get.value(context.address(), event) == 0) {
          Optional<AsyncEvent> known = read(event);
          if (known.isEmpty() || isAcknowledged) {
            Libibverbs.ACK_ASYNC_EVENT.value(event);
          } else {
            elementOf(known.get()).ifPresent(element -> element.asyncEvents().take());
          }
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

  /** Empty for an event that the API has no name for. */
  private Optional<AsyncEvent> read(long event) {
    long element = RawMemory.getLong(event);
    Optional<EventType> known =
        VerbsConstant.of(EventType.class, RawMemory.getInt(event + EVENT_TYPE));
    if (known.isEmpty()) {
      return Optional.empty();
    }
    EventType type = known.get();
    return switch (type) {
      case CQ_ERR ->
          context.find(NativeCompletionQueue.class, element).map(cq -> AsyncEvent.of(type, cq));
      case QP_FATAL,
          QP_REQ_ERR,
          QP_ACCESS_ERR,
          COMM_EST,
          SQ_DRAINED,
          PATH_MIG,
          PATH_MIG_ERR,
          QP_LAST_WQE_REACHED ->
          context.find(NativeQueuePair.class, element).map(qp -> AsyncEvent.of(type, qp));
      case SRQ_ERR, SRQ_LIMIT_REACHED ->
          context
              .find(NativeSharedReceiveQueue.class, element)
              .map(srq -> AsyncEvent.of(type, srq));
      case DEVICE_FATAL -> Optional.of(AsyncEvent.ofDevice(type));
      default -> Optional.of(AsyncEvent.ofPort(type, (int) element));
    };
  }

  void acknowledge(AsyncEvent event) {
    elementOf(event)
        .ifPresent(
            element -> {
              element.asyncEvents().acknowledge(1, ACK);
              acknowledge(element.identity(), event.eventType());
            });
  }

  /** Empty for ports and devices, for whose events nothing waits. */
  private static Optional<EventElement> elementOf(AsyncEvent event) {
    return switch (event) {
      case AsyncEvent.QpEvent of -> Optional.of(element(of.qp()));
      case AsyncEvent.CqEvent of -> Optional.of(element(of.cq()));
      case AsyncEvent.SrqEvent of -> Optional.of(element(of.srq()));
      default -> Optional.empty();
    };
  }

  private static EventElement element(Object of) {
    return NativeObject.of(of, EventElement.class, ACK);
  }

  /** Acknowledges an event of an object, of a type that is of such objects. */
  static void acknowledge(long element, EventType type) {
    try (Arena arena = Arena.ofConfined()) {
      long struct = RawMemory.allocate(arena, SIZE);
      RawMemory.putLong(struct, element);
      RawMemory.putInt(struct + EVENT_TYPE, type.code());
      Libibverbs.ACK_ASYNC_EVENT.value(struct);
    }
  }
}
