// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** A completion channel. */
final class NativeChannel extends NativeObject implements CompletionChannel {
  private static final int FD = VerbsAbi.offset("ibv_comp_channel.fd");

  private final EventFile file;
  private final ListenerThread<CompletionQueue> listening =
      new ListenerThread<>(this::takeForListener);

  NativeChannel(NativeContext context, long address) {
    super(context, address);
    file = new EventFile(RawMemory.getInt(address + FD));
  }

  @Override
  public CompletionQueue getCqEvent() {
    return take(null).orElseThrow();
  }

  @Override
  public Optional<CompletionQueue> getCqEvent(Duration timeout) {
    return take(Objects.requireNonNull(timeout, "timeout"));
  }

  @Override
  public void onCqEvent(Consumer<CompletionQueue> listener) {
    address();
    listening.deliverTo("a channel of " + context().device().name(), listener);
  }

  /** Acknowledges at once, so that the destruction of the queue does not wait for the listener. */
  private Optional<CompletionQueue> takeForListener(Duration timeout) {
    Optional<NativeCompletionQueue> taken = get(timeout);
    taken.ifPresent(cq -> Libibverbs.ACK_CQ_EVENTS.value(cq.identity(), 1));
    return taken.map(cq -> cq);
  }

  private Optional<CompletionQueue> take(Duration timeout) {
    Optional<NativeCompletionQueue> taken = get(timeout);
    taken.ifPresent(cq -> cq.notifications().take());
    return taken.map(cq -> cq);
  }

  private Optional<NativeCompletionQueue> get(Duration timeout) {
    ControlFunction get = Libibverbs.GET_CQ_EVENT;
    long end = EventFile.endOf(timeout);
    try (Arena arena = Arena.ofConfined()) {
      long cq = RawMemory.allocate(arena, Long.BYTES);
      long cqContext = RawMemory.allocate(arena, Long.BYTES);
      while (file.await(end, "ibv_get_cq_event")) {
        if (get.value(address(), cq, cqContext) == 0) {
          return context().find(NativeCompletionQueue.class, RawMemory.getLong(cq));
        }
        if (ControlFunction.lastErrno() != Errno.EAGAIN.code()) {
          throw get.refusal(ControlFunction.lastErrno());
        }
      }
      return Optional.empty();
    }
  }

  @Override
  void destroy(long address) {
    listening.stopWith(() -> Libibverbs.DESTROY_CHANNEL.status(address));
  }
}
