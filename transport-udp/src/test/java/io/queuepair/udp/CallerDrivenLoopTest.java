// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static io.queuepair.udp.LoopbackAddresses.A;
import static io.queuepair.udp.LoopbackAddresses.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A network that callers drive belongs to one thread. */
@Timeout(60)
final class CallerDrivenLoopTest {
  private final UdpOptions options =
      LoopbackAddresses.options(UdpOptions.Transport.AUTO).withProgress(ProgressMode.CALLER_DRIVEN);

  private final RecordingStation station = new RecordingStation();

  private static <T> CompletableFuture<T> elsewhere(Supplier<T> task) {
    return CompletableFuture.supplyAsync(task, run -> new Thread(run, "other").start());
  }

  @Test
  void anotherThreadMayNotAttachADevice() {
    try (UdpFabric fabric = UdpFabric.open(options)) {
      fabric.attach(A, station);

      CompletableFuture<Link> attached = elsewhere(() -> fabric.attach(B, station));

      assertRefused(attached);
    }
  }

  @Test
  void anotherThreadMayNotJoinAGroup() {
    try (UdpFabric fabric = UdpFabric.open(options)) {
      Link link = fabric.attach(A, station);

      CompletableFuture<Void> joined =
          elsewhere(
              () -> {
                link.join(LoopbackAddresses.address("239.1.1.1"));
                return null;
              });

      assertRefused(joined);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherThreadEndsTheLoopWhileTheOwnerWaits(boolean spins) {
    CallerDrivenLoop loop = new CallerDrivenLoop(Sockets.of(options).driver(), spins);
    Thread owner = Thread.currentThread();
    loop.runReady();
    CompletableFuture<Void> closed =
        elsewhere(
            () -> {
              awaitStep(owner);
              loop.close();
              return null;
            });

    boolean goesOn = true;
    while (goesOn) {
      goesOn = loop.runNext(Long.MAX_VALUE);
    }

    assertThat(loop.events().isTerminated()).isTrue();
    closed.join();
  }

  /** Until it is in the middle of a step, rather than between two. */
  private static void awaitStep(Thread owner) {
    while (Stream.of(owner.getStackTrace())
        .noneMatch(call -> call.getClassName().endsWith("IoHandler"))) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherThreadClosesWhatADeadOwnerLeft(UdpOptions.Transport transport)
      throws InterruptedException {
    UdpOptions own = LoopbackAddresses.options(transport).withProgress(ProgressMode.CALLER_DRIVEN);
    UdpFabric left = UdpFabric.open(own);
    Thread owner = new Thread(() -> left.attach(A, station), "owner");
    owner.start();
    owner.join();

    left.close();
    left.close();

    try (UdpFabric fabric = UdpFabric.open(own)) {
      assertThat(fabric.attach(A, station).isWritable()).isTrue();
    }
  }

  private static void assertRefused(CompletableFuture<?> call) {
    assertThatThrownBy(call::join)
        .cause()
        .isInstanceOf(FabricException.class)
        .hasMessageStartingWith(
            "Only the thread that first drove this network, "
                + Thread.currentThread().getName()
                + ", may poll, wait or attach devices");
  }
}
