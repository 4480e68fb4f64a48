// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.VerbsException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait in synchronous mode end their waits. */
@Timeout(60)
final class SynchronousIdTest {
  private static final Set<Thread.State> ASLEEP =
      Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  private final RdmaHosts hosts = new RdmaHosts(InMemoryFabric.realTime(), "10.0.0.1", "10.0.0.2");
  private final CompletableFuture<VerbsException> outcome = new CompletableFuture<>();

  @AfterEach
  void close() {
    hosts.close();
  }

  /** Starts a thread, which does not return before it sleeps in the call, as nothing ever comes. */
  private Thread asleepIn(Runnable call) {
    Thread waiter =
        new Thread(
            () -> {
              try {
                call.run();
                outcome.complete(null);
              } catch (VerbsException refused) {
                outcome.complete(refused);
              }
            });
    waiter.start();
    while (!ASLEEP.contains(waiter.getState())) {
      Thread.onSpinWait();
    }
    return waiter;
  }

  private RdmaCmId listener() {
    RdmaCmId id = hosts.b.createId(RdmaPortSpace.TCP);
    id.bindAddr(hosts.toB());
    id.listen(1);
    return id;
  }

  @Test
  void aListenerThatIsClosedGivesNoRequest() {
    RdmaCmId listener = listener();
    asleepIn(listener::getRequest);

    listener.close();

    assertThat(outcome.join()).hasMessageContaining("EINVAL: the id was destroyed");
  }

  @Test
  void aWaitForARequestCanBeInterrupted() {
    RdmaCmId listener = listener();
    Thread waiter = asleepIn(listener::getRequest);

    waiter.interrupt();

    assertThat(outcome.join()).hasMessageContaining("EINTR");
    listener.close();
  }

  @Test
  void aConnectionThatIsClosedMeanwhileIsNotMade() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.a.createId(RdmaPortSpace.TCP);
    active.resolveAddr(null, hosts.toB(), RdmaHosts.SOON);
    active.resolveRoute(RdmaHosts.SOON);
    active.createQp(null, RdmaHosts.attr(active.qpType()));
    asleepIn(active::connect); // There is no answer.

    active.close();

    assertThat(outcome.join()).hasMessageContaining("EINVAL: the id was destroyed");
  }
}
