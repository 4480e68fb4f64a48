// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static io.queuepair.udp.LoopbackAddresses.A;
import static io.queuepair.udp.LoopbackAddresses.V6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.ChannelException;
import io.netty.util.concurrent.Future;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of sockets of which opening or closing fails halfway. */
@Timeout(60)
final class CloseGateTest {
  private final UdpOptions options = LoopbackAddresses.options(UdpOptions.Transport.AUTO);
  private final WatchedSockets sockets = new WatchedSockets(Sockets.of(options));
  private final ProgressLoop loop = ProgressLoop.of(options, sockets);

  /** Loop for which nothing ends in time. */
  private ProgressLoop hurried() {
    return (ProgressLoop)
        Proxy.newProxyInstance(
            ProgressLoop.class.getClassLoader(),
            new Class<?>[] {ProgressLoop.class},
            (proxy, method, arguments) ->
                method.getName().equals("await")
                    ? ((Future<?>) arguments[0]).isDone()
                    : method.invoke(loop, arguments));
  }

  private UdpContext state(ProgressLoop driven) {
    return new UdpContext(options, sockets, driven);
  }

  @Test
  void aBusyLoopIsNamedAsTheReason() {
    CompletableFuture<Void> released = new CompletableFuture<>();
    loop.events().execute(released::join);
    UdpContext state = state(hurried());
    DatagramHandler datagramHandler = new DatagramHandler(A, new RecordingStation(), state, false);

    assertThatThrownBy(() -> BoundSockets.open(state, A, datagramHandler))
        .isInstanceOf(FabricException.class)
        .hasMessage(
            "The network's thread is busy: it did not open the socket of 127.0.0.50 in time");

    released.complete(null);
    loop.close();
    assertThat(sockets.last().isOpen()).isFalse();
  }

  @Test
  void aSocketThatFailsLateIsClosed() {
    sockets.onQuestion(
        () -> {
          throw new ChannelException("the descriptor is gone");
        });
    UdpContext state = state(loop);

    assertThatThrownBy(() -> new UdpLink(V6, new RecordingStation(), state, () -> {}))
        .isInstanceOf(FabricException.class)
        .hasMessage("No UDP socket could be made for 0:0:0:0:0:0:0:1: the descriptor is gone");

    assertThat(sockets.last().isOpen()).isFalse();
    loop.close();
  }

  @Test
  void closingWaitsForADeviceThatIsBeingAttached() throws InterruptedException {
    UdpFabric fabric = new UdpFabric(options, sockets);
    CompletableFuture<Void> opening = new CompletableFuture<>();
    CompletableFuture<Void> released = new CompletableFuture<>();
    sockets.onOpen(
        () -> {
          opening.complete(null);
          released.join();
        });
    CompletableFuture<Link> attached =
        CompletableFuture.supplyAsync(
            () -> fabric.attach(A, new RecordingStation()),
            task -> new Thread(task, "attacher").start());
    opening.join();

    Thread closer = new Thread(fabric::close, "closer");
    closer.start();
    awaitRest(closer);
    released.complete(null);
    closer.join();

    assertThat(attached.join()).isNotNull();
    assertThat(sockets.last().isOpen()).isFalse();
  }

  private static void awaitRest(Thread thread) {
    while (thread.isAlive() && thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }
}
