// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static io.queuepair.nativeprovider.SystemHost.errnoOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Listeners of channels and contexts; skipped without a device. */
@Timeout(60)
class NativeListenerTest {
  private static final long SECONDS = 20;

  private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();

  @RegisterExtension private final SystemHost host = new SystemHost();

  private Object next() throws InterruptedException {
    return received.poll(SECONDS, TimeUnit.SECONDS);
  }

  private static void send(RdmaCmId from, RdmaCmId to, int wrId) {
    to.qp().postRecv(RecvWr.of(wrId));
    from.qp().postSend(SendWr.send(wrId));
    assertThat(from.getSendComp().status()).isEqualTo(WcStatus.SUCCESS);
  }

  /** Nothing is left to acknowledge: the ids and their queues can be destroyed. */
  @Test
  void receivesEachAnnouncementThatWasAskedFor() throws InterruptedException {
    RdmaCmId[] ends = host.connected();
    CompletionQueue cq = ends[1].recvCq();
    ends[1].recvCqChannel().onCqEvent(received::add);

    for (int wrId = 1; wrId <= 2; wrId++) {
      cq.reqNotify(false);
      send(ends[0], ends[1], wrId);
      assertThat(next()).isSameAs(cq);
    }
    send(ends[0], ends[1], 3);

    ends[0].close();
    ends[1].close();
    assertThat(received).isEmpty();
  }

  @Test
  void takesThePlaceOfAnEarlierOneAndHearsOfWhatWasBefore() throws InterruptedException {
    RdmaCmId[] ends = host.connected();
    CompletionQueue cq = ends[1].recvCq();
    cq.reqNotify(false);
    send(ends[0], ends[1], 1);

    ends[1].recvCqChannel().onCqEvent(received::add);
    assertThat(next()).isSameAs(cq);
    BlockingQueue<CompletionQueue> later = new LinkedBlockingQueue<>();
    ends[1].recvCqChannel().onCqEvent(later::add);
    cq.reqNotify(false);
    send(ends[0], ends[1], 2);

    assertThat(later.poll(SECONDS, TimeUnit.SECONDS)).isSameAs(cq);
    assertThat(received).isEmpty();
  }

  /** It has the errors and interrupts of its own, and may use the queue. */
  @Test
  void goesOnAfterAnErrorAndAnInterrupt() throws InterruptedException {
    RdmaCmId[] ends = host.connected();
    CompletionQueue cq = ends[1].recvCq();
    Consumer<CompletionQueue> careless =
        queue -> {
          queue.reqNotify(false);
          received.add(queue);
          Thread.currentThread().interrupt();
          throw new IllegalStateException("on purpose");
        };
    cq.reqNotify(false);
    ends[1].recvCqChannel().onCqEvent(careless);

    for (int wrId = 1; wrId <= 3; wrId++) {
      send(ends[0], ends[1], wrId);
      assertThat(next()).isSameAs(cq);
    }
  }

  /** It is called while no lock is held and no event is taken. */
  @Test
  void mayDestroyItsQueueAndItsChannel() throws InterruptedException {
    RdmaCmId[] ends = host.connected();
    CompletionQueue cq = ends[1].recvCq();
    CompletionChannel channel = ends[1].recvCqChannel();
    cq.reqNotify(false);
    channel.onCqEvent(
        queue -> {
          ends[1].close();
          received.add(queue);
        });

    send(ends[0], ends[1], 1);

    assertThat(next()).isSameAs(cq);
    assertThatThrownBy(() -> channel.onCqEvent(received::add))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
  }

  @Test
  void isNotAwaitedByWhoClosesItsChannel() throws InterruptedException {
    RdmaCmId[] ends = host.connected();
    CountDownLatch isClosed = new CountDownLatch(1);
    ends[1].recvCq().reqNotify(false);
    ends[1]
        .recvCqChannel()
        .onCqEvent(
            queue -> {
              received.add(queue);
              try {
                isClosed.await();
              } catch (InterruptedException e) {
                received.add(e);
              }
            });
    send(ends[0], ends[1], 1);
    assertThat(next()).isNotNull();

    ends[1].close();

    isClosed.countDown();
    assertThat(received).isEmpty();
  }

  private static Device firstDevice() {
    List<Device> devices = new NativeVerbsProvider().devices();
    Assumptions.assumeFalse(devices.isEmpty(), "the system has no device");
    return devices.get(0);
  }

  /** A channel that a queue still uses cannot be closed, and keeps its listener. */
  @Test
  void goesOnIfItsChannelCannotBeClosed() throws InterruptedException {
    RdmaCmId[] ends = host.connected();
    CompletionQueue cq = ends[1].recvCq();
    CompletionChannel channel = ends[1].recvCqChannel();
    channel.onCqEvent(received::add);

    assertThat(errnoOf(channel::close)).isEqualTo(Errno.EBUSY);
    cq.reqNotify(false);
    send(ends[0], ends[1], 1);

    assertThat(next()).isSameAs(cq);
  }

  /** The threads end with what they listen to, and without an error. */
  @Test
  void endsWithItsChannelOrContext() throws InterruptedException {
    Context context = firstDevice().open();
    CompletionChannel channel = context.createCompChannel();
    List<Thread> others = listenerThreads();
    channel.onCqEvent(received::add);
    context.onAsyncEvent(received::add);
    List<Thread> threads = new ArrayList<>(listenerThreads());
    threads.removeAll(others);
    assertThat(threads).hasSize(2);
    for (Thread thread : threads) {
      thread.setUncaughtExceptionHandler((failed, error) -> received.add(error));
    }

    context.close();

    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(SECONDS));
      assertThat(thread.isAlive()).as(thread.getName()).isFalse();
    }
    assertThat(received).isEmpty();
    assertThatThrownBy(() -> context.onAsyncEvent(received::add))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
  }

  private static List<Thread> listenerThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("events of "))
        .toList();
  }

  @Test
  void receivesAnEventOfAQueuePairWhichNeedsNoAcknowledgement() throws InterruptedException {
    RdmaCmId[] ends = host.connected();
    ends[1].verbs().onAsyncEvent(received::add);
    host.writeToHidden(ends[0], ends[1]);

    Object event = next();

    Assumptions.assumeTrue(event != null, "the device raises no event of a queue pair");
    assertThat(event)
        .isInstanceOfSatisfying(
            AsyncEvent.QpEvent.class,
            of -> assertThat(of.eventType()).isIn(EventType.QP_ACCESS_ERR, EventType.QP_REQ_ERR));
  }
}
