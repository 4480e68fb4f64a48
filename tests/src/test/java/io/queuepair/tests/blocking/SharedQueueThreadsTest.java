// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads post on one connection and poll the same queues while others keep the lock busy. */
@Timeout(120)
final class SharedQueueThreadsTest {
  private static final int POSTERS = 3;
  private static final int ROUNDS = 100;
  private static final int POLLERS = 2;
  private static final int SLOTS = 16;
  private static final int COUNTER = 1024;

  /** Completion queues have room for all, however slow the pollers are. */
  private static final int REQUESTS = 4 * POSTERS * ROUNDS;

  @AutoClose private final Emulator emulator = Emulator.on(InMemoryFabric.realTime());

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CompletionQueue sent = emulator.addDevice("10.0.0.1").open().createCq(REQUESTS);
  private final CompletionQueue received = emulator.addDevice("10.0.0.2").open().createCq(REQUESTS);
  private final QueuePair near = create(sent.context().allocPd(), sent);
  private final QueuePair far = create(received.context().allocPd(), received);
  private final MemoryRegion local =
      near.pd().regMr(ByteBuffer.allocateDirect(2048), AccessFlag.LOCAL_WRITE);
  private final MemoryRegion remote =
      far.pd()
          .regMr(
              ByteBuffer.allocateDirect(2048).order(ByteOrder.nativeOrder()),
              AccessFlag.LOCAL_WRITE,
              AccessFlag.REMOTE_WRITE,
              AccessFlag.REMOTE_READ,
              AccessFlag.REMOTE_ATOMIC);

  private static QueuePair create(ProtectionDomain pd, CompletionQueue cq) {
    return pd.createQp(QpInitAttr.rc(cq, QpCap.of(SLOTS)));
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** What has completed, by the identifier of the request. */
  private static final class CompletionTally {
    private final AtomicIntegerArray times;
    private final AtomicInteger total = new AtomicInteger();

    CompletionTally(int requests) {
      times = new AtomicIntegerArray(requests);
    }

    /** Or the test has failed. */
    boolean isOver() {
      return total.get() >= times.length() || Thread.currentThread().isInterrupted();
    }

    Void poll(CompletionQueue cq) {
      WorkCompletion[] found = new WorkCompletion[5];
      while (!isOver()) {
        int count = cq.poll(found);
        for (int i = 0; i < count; i++) {
          assertThat(found[i].status()).isEqualTo(WcStatus.SUCCESS);
          times.incrementAndGet((int) found[i].wrId());
        }
        total.addAndGet(count);
      }
      return null;
    }

    void assertEachOnce() {
      for (int id = 0; id < times.length(); id++) {
        assertThat(times.get(id)).as("completions of %s", id).isOne();
      }
    }
  }

  /** Posts, again and again as long as the queue is full. */
  private static void post(Runnable request) {
    boolean isPosted = false;
    while (!isPosted && !Thread.currentThread().isInterrupted()) {
      try {
        request.run();
        isPosted = true;
      } catch (BadWorkRequestException refused) {
        assertThat(refused.errno()).isEqualTo(Errno.ENOMEM);
        Thread.onSpinWait();
      }
    }
  }

  private Void postSends(int poster) {
    SendWr.RemoteTarget counter = new SendWr.RemoteTarget(remote.addr() + COUNTER, remote.rkey());
    for (int round = 0; round < ROUNDS; round++) {
      long id = 4L * (poster * ROUNDS + round);
      post(() -> near.postSend(SendWr.send(id, local.sge(0, 100))));
      post(
          () ->
              near.postSend(
                  SendWr.rdmaWrite(id + 1, remote.addr(), remote.rkey(), local.sge(0, 500))));
      post(
          () ->
              near.postSend(
                  SendWr.rdmaRead(id + 2, remote.addr(), remote.rkey(), local.sge(512, 500))));
      post(
          () ->
              near.postSend(
                  SendWr.fetchAndAdd(id + 3, counter, 1, local.sge(COUNTER, Long.BYTES))));
    }
    return null;
  }

  private Void postReceives(int poster) {
    for (int round = 0; round < ROUNDS; round++) {
      int id = poster * ROUNDS + round;
      post(() -> far.postRecv(RecvWr.of(id, remote.sge(1536, 100))));
    }
    return null;
  }

  /** Verbs that hold the lock long, in a loop. */
  private static Void churn(ProtectionDomain pd, CompletionQueue cq, CompletionTally until) {
    while (!until.isOver()) {
      create(pd, cq).close();
      cq.resize(REQUESTS + cq.cqe() % 2);
    }
    return null;
  }

  @Test
  void eachRequestCompletesOnce() throws Exception {
    Emulator.connect(near, far);
    CompletionTally sends = new CompletionTally(REQUESTS);
    CompletionTally receives = new CompletionTally(POSTERS * ROUNDS);
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < POSTERS; i++) {
      int poster = i;
      work.add(() -> postSends(poster));
      work.add(() -> postReceives(poster));
    }
    for (int i = 0; i < POLLERS; i++) {
      work.add(() -> sends.poll(sent));
      work.add(() -> receives.poll(received));
    }
    work.add(() -> churn(near.pd(), sent, sends));
    work.add(() -> churn(far.pd(), received, sends));

    ExecutorCompletionService<Void> running = new ExecutorCompletionService<>(threads);
    work.forEach(running::submit);
    for (int i = 0; i < work.size(); i++) {
      assertThat(running.take().get()).isNull();
    }

    sends.assertEachOnce();
    receives.assertEachOnce();
    long counted = remote.buffer().order(ByteOrder.nativeOrder()).getLong(COUNTER);
    assertThat(counted).isEqualTo(POSTERS * ROUNDS);
  }
}
