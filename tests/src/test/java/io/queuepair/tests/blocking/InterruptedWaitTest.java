// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A wait for ever ends when what it waits for can come no more, as a thread closes it. */
@Timeout(60)
abstract class InterruptedWaitTest {
  private final Emulator emulator;
  private final Context context;
  private final CompletionChannel channel;
  private final CompletionQueue cq;

  InterruptedWaitTest(Fabric network, String address) {
    emulator = Emulator.on(network);
    context = emulator.addDevice(address).open();
    channel = context.createCompChannel();
    cq = context.createCq(4, channel);
  }

  static final class InMemoryInterruptedWaitTest extends InterruptedWaitTest {
    InMemoryInterruptedWaitTest() {
      super(InMemoryFabric.realTime(), "10.0.0.1");
    }
  }

  static final class UdpInterruptedWaitTest extends InterruptedWaitTest {
    UdpInterruptedWaitTest() {
      super(
          UdpFabric.open(UdpOptions.defaults().withPort(FreePort.of("127.0.0.85"))), "127.0.0.85");
    }
  }

  /** Object that is waited for, and object that is closed. */
  private enum InterruptedCase {
    COMPLETION_OF_A_CLOSED_QUEUE(Errno.EINVAL),
    COMPLETION_OF_A_CLOSED_CONTEXT(Errno.EINVAL),
    COMPLETION_OF_A_CLOSED_EMULATOR(Errno.ENODEV),
    ANNOUNCEMENT_OF_A_CLOSED_CONTEXT(Errno.EINVAL),
    ANNOUNCEMENT_OF_A_CLOSED_EMULATOR(Errno.ENODEV),
    EVENT_OF_A_CLOSED_CONTEXT(Errno.EINVAL),
    EVENT_OF_A_CLOSED_EMULATOR(Errno.ENODEV);

    private final Errno refusal;

    InterruptedCase(Errno refusal) {
      this.refusal = refusal;
    }
  }

  private void await(InterruptedCase what) {
    switch (what) {
      case COMPLETION_OF_A_CLOSED_QUEUE,
          COMPLETION_OF_A_CLOSED_CONTEXT,
          COMPLETION_OF_A_CLOSED_EMULATOR ->
          emulator.await(cq);
      case ANNOUNCEMENT_OF_A_CLOSED_CONTEXT, ANNOUNCEMENT_OF_A_CLOSED_EMULATOR ->
          channel.getCqEvent();
      case EVENT_OF_A_CLOSED_CONTEXT, EVENT_OF_A_CLOSED_EMULATOR -> context.getAsyncEvent();
    }
  }

  private void close(InterruptedCase what) {
    switch (what) {
      case COMPLETION_OF_A_CLOSED_QUEUE -> cq.close();
      case COMPLETION_OF_A_CLOSED_CONTEXT,
          ANNOUNCEMENT_OF_A_CLOSED_CONTEXT,
          EVENT_OF_A_CLOSED_CONTEXT ->
          context.close();
      case COMPLETION_OF_A_CLOSED_EMULATOR,
          ANNOUNCEMENT_OF_A_CLOSED_EMULATOR,
          EVENT_OF_A_CLOSED_EMULATOR ->
          emulator.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoWaitsIsTold(InterruptedCase what) {
    CompletableFuture<Errno> errno = new CompletableFuture<>();
    Thread waiter = new Thread(() -> errno.complete(Errnos.of(() -> await(what))));
    waiter.start();
    while (waiter.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait(); // Asleep it will be: nothing ever comes.
    }

    close(what);

    assertThat(errno.join()).isEqualTo(what.refusal);
    emulator.close();
  }

  @ParameterizedTest
  @EnumSource
  void whoComesTooLateIsTold(InterruptedCase what) {
    close(what);

    assertThat(Errnos.of(() -> await(what))).isEqualTo(what.refusal);
    emulator.close();
  }
}
