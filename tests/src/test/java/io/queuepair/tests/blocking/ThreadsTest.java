// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads of an application on a network in real time. */
@Timeout(60)
abstract class ThreadsTest {
  private static final int ROUNDS = 50;

  /** Long enough for a thread to fall asleep. */
  private static final int HELD_BACK_MICROS = 20_000;

  @AutoClose private final Emulator emulator;
  private final Context left;
  private final Context right;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  ThreadsTest(Fabric network, String leftAddress, String rightAddress) {
    emulator = Emulator.on(network);
    left = emulator.addDevice(leftAddress).open();
    right = emulator.addDevice(rightAddress).open();
  }

  static final class InMemoryThreadsTest extends ThreadsTest {
    InMemoryThreadsTest() {
      super(InMemoryFabric.realTime(), "10.0.0.1", "10.0.0.2");
    }
  }

  static final class UdpThreadsTest extends ThreadsTest {
    UdpThreadsTest() {
      super(
          UdpFabric.open(UdpOptions.defaults().withPort(FreePort.of("127.0.0.66"))),
          "127.0.0.66",
          "127.0.0.67");
    }
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** How an end learns of its completions. */
  private enum Style {
    AWAIT,
    SPIN,
    CHANNEL
  }

  /** One end of a connection, with queues of its own. */
  private final class End {
    private final Style style;
    private final CompletionChannel channel;
    private final CompletionQueue sent;
    private final CompletionQueue received;
    private final QueuePair qp;

    End(Context context, Style style) {
      this.style = style;
      channel = context.createCompChannel();
      sent = context.createCq(16, channel);
      received = context.createCq(16, channel);
      ProtectionDomain pd = context.allocPd();
      qp = pd.createQp(new QpInitAttr(QpType.RC, sent, received, null, QpCap.of(16), true));
    }

    WorkCompletion take(CompletionQueue cq) {
      return switch (style) {
        case AWAIT -> emulator.await(cq);
        case SPIN -> spin(cq);
        case CHANNEL -> announced(cq);
      };
    }

    private WorkCompletion spin(CompletionQueue cq) {
      List<WorkCompletion> found = cq.poll(1);
      while (found.isEmpty()) {
        Thread.onSpinWait();
        found = cq.poll(1);
      }
      return found.get(0);
    }

    /** Arms first and looks then, so that nothing is missed; an older announcement may come. */
    private WorkCompletion announced(CompletionQueue cq) {
      cq.reqNotify(false);
      List<WorkCompletion> found = cq.poll(1);
      while (found.isEmpty()) {
        CompletionQueue notified = channel.getCqEvent();
        notified.ackEvents(1);
        cq.reqNotify(false);
        found = cq.poll(1);
      }
      return found.get(0);
    }

    void ping(int round) {
      qp.postRecv(RecvWr.of(round));
      qp.postSend(SendWr.send(round));
      expect(sent, round);
      expect(received, round);
    }

    void pong(int round) {
      expect(received, round);
      qp.postRecv(RecvWr.of(round + 1));
      qp.postSend(SendWr.send(round));
      expect(sent, round);
    }

    private void expect(CompletionQueue cq, int wrId) {
      WorkCompletion completion = take(cq);
      assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(completion.wrId()).isEqualTo(wrId);
    }
  }

  @Test
  void eachEndHasAThreadThatWaitsInItsOwnWay() throws Exception {
    List<Style> styles =
        List.of(Style.AWAIT, Style.AWAIT, Style.CHANNEL, Style.CHANNEL, Style.SPIN);
    CyclicBarrier start = new CyclicBarrier(2 * styles.size());
    List<Future<?>> running = new ArrayList<>();
    for (Style style : styles) {
      End near = new End(left, style);
      End far = new End(right, style);
      Emulator.connect(near.qp, far.qp);
      far.qp.postRecv(RecvWr.of(0));
      running.add(threads.submit(() -> rounds(start, near::ping)));
      running.add(threads.submit(() -> rounds(start, far::pong)));
    }

    for (Future<?> end : running) {
      end.get();
    }
  }

  /** Step that an end repeats. */
  private interface ThreadRound {
    void play(int number);
  }

  private static Void rounds(CyclicBarrier start, ThreadRound round) throws Exception {
    start.await();
    for (int i = 0; i < ROUNDS; i++) {
      round.play(i);
    }
    return null;
  }

  @Test
  void anAnnouncementThatWasHeldBackWakesAThread() throws Exception {
    End near = new End(left, Style.CHANNEL);
    End far = new End(right, Style.AWAIT);
    Emulator.connect(near.qp, far.qp);
    near.received.modify(2, HELD_BACK_MICROS);
    near.received.reqNotify(false);
    near.qp.postRecv(RecvWr.of(1));
    Future<CompletionQueue> notified = threads.submit(() -> near.channel.getCqEvent());

    far.qp.postSend(SendWr.send(2));

    assertThat(notified.get()).isSameAs(near.received);
    near.received.ackEvents(1);
  }

  @Test
  void aReceiveThatIsFlushedAtOnceWakesAThread() throws Exception {
    End near = new End(left, Style.AWAIT);
    near.qp.modify(QpAttr.to(QpState.ERR));
    Future<WorkCompletion> flushed = threads.submit(() -> near.take(near.received));

    near.qp.postRecv(RecvWr.of(1));

    assertThat(flushed.get().status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
  }

  @Test
  void aWaitEndsWhenItsThreadIsInterruptedAndNothingIsLost() throws Exception {
    End near = new End(left, Style.AWAIT);
    End far = new End(right, Style.AWAIT);
    Emulator.connect(near.qp, far.qp);
    near.qp.postRecv(RecvWr.of(0));
    far.qp.postSend(SendWr.send(0));
    near.take(near.received);
    CompletableFuture<Errno> end = new CompletableFuture<>();
    Thread waiting = new Thread(() -> end.complete(errnoOf(() -> near.take(near.received))));
    waiting.start();

    waiting.interrupt();

    assertThat(end.get()).isEqualTo(Errno.EINTR);
    near.qp.postRecv(RecvWr.of(1));
    far.qp.postSend(SendWr.send(1));
    assertThat(near.take(near.received).wrId()).isEqualTo(1);
  }

  private static Errno errnoOf(Runnable wait) {
    try {
      wait.run();
      return null;
    } catch (VerbsException refused) {
      return refused.errno();
    }
  }

  @Test
  void anEventOfTheDeviceWakesAThread() throws Exception {
    Future<AsyncEvent> event = threads.submit(() -> left.getAsyncEvent());

    emulator.devices().get(0).fail();

    assertThat(event.get().eventType()).isEqualTo(EventType.DEVICE_FATAL);
  }
}
