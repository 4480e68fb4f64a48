package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** In real time the destruction of a completion queue waits for its notifications. */
final class DestructionWaitTest {
  private static final Set<Thread.State> ASLEEP =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  @AutoClose
  private final Emulator emulator = Emulator.on(InMemoryFabric.create(InMemoryOptions.realTime()));

  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final CompletionChannel channel = context.createCompChannel();
  private final CompletionQueue cq = context.createCq(4, channel);
  private final QueuePair qp = context.allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(2)));

  private void takeNotification() {
    qp.modify(QpAttr.to(QpState.ERR));
    cq.reqNotify(false);
    qp.postSend(SendWr.send(1));
    assertThat(channel.getCqEvent()).isSameAs(cq);
  }

  @Test
  void endsWithTheLastAcknowledgement() throws InterruptedException {
    takeNotification();
    qp.close();
    Thread destroyer = new Thread(cq::close);

    destroyer.start();
    while (destroyer.isAlive() && !ASLEEP.contains(destroyer.getState())) {
      Thread.onSpinWait();
    }
    boolean waited = destroyer.isAlive();
    cq.ackEvents(1);
    destroyer.join();

    assertThat(waited).isTrue();
    VerbsException refusal = catchThrowableOfType(VerbsException.class, () -> cq.poll(1));
    assertThat(refusal).hasMessageContaining("was destroyed");
  }

  @Test
  void isRefusedAtOnceWhileAQueuePairUsesTheQueue() {
    takeNotification();

    VerbsException refusal = catchThrowableOfType(VerbsException.class, cq::close);

    assertThat(refusal).hasMessageContaining("is used by 2 other object(s)");
    assertThat(refusal.errno()).isEqualTo(Errno.EBUSY);
  }
}
