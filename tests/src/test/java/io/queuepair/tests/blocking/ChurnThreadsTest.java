// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads post and poll while another changes the states of their queue pairs, destroys them,
 * connects new ones and deregisters their memory.
 */
@Timeout(120)
final class ChurnThreadsTest {
  private static final int ROUNDS = 60;
  private static final int SUCCESSES = 20;
  private static final int CLOSED = 20;
  private static final int SLOTS = 16;
  private static final int BYTES = 256;

  /** Of a queue pair in another state or destroyed, and of a full queue. */
  private static final Set<Errno> REFUSALS = EnumSet.of(Errno.EINVAL, Errno.ENOMEM);

  /** The peer's memory or the own one is gone, or the queue pair was moved to ERR. */
  private static final Set<WcStatus> OUTCOMES =
      EnumSet.of(
          WcStatus.SUCCESS, WcStatus.WR_FLUSH_ERR, WcStatus.LOC_PROT_ERR, WcStatus.REM_ACCESS_ERR);

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Two queue pairs and their memory, until they are connected again or destroyed. */
  private static final class Connection {
    private final int round;
    private final QueuePair near;
    private final QueuePair far;
    private final MemoryRegion source;
    private final MemoryRegion target;

    /** A completion queue never has more completions of a connection than this. */
    private final Semaphore sends = new Semaphore(SLOTS);

    private final Semaphore receives = new Semaphore(SLOTS);

    /** The identifiers of requests that may complete, once. */
    private final Set<Long> underWay = ConcurrentHashMap.newKeySet();

    private final AtomicLong requests = new AtomicLong();
    private final CountDownLatch hasSucceeded = new CountDownLatch(SUCCESSES);

    Connection(int round, Host a, Host b) {
      this.round = round;
      near = a.createQp();
      far = b.createQp();
      source = a.register(AccessFlag.LOCAL_WRITE);
      target = b.register(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    }

    /** Reconnects the same objects. */
    Connection(int round, Connection before) {
      this.round = round;
      near = before.near;
      far = before.far;
      source = before.source;
      target = before.target;
    }

    void postSend() {
      post(
          sends,
          id ->
              near.postSend(
                  SendWr.rdmaWrite(id, target.addr(), target.rkey(), source.sge(0, BYTES))));
    }

    void postReceive() {
      post(receives, id -> far.postRecv(RecvWr.of(id, target.sge(0, BYTES))));
    }

    private void post(Semaphore permits, LongConsumer request) {
      if (!permits.tryAcquire()) {
        Thread.onSpinWait();
        return;
      }
      long id = (long) round << Integer.SIZE | requests.getAndIncrement();
      underWay.add(id);
      Errno refusal = Errnos.of(() -> request.accept(id));
      if (refusal != null) {
        assertThat(REFUSALS).contains(refusal);
        assertThat(underWay.remove(id)).as("a refused request does not complete").isTrue();
        permits.release();
      }
    }

    /** Each time in another way. */
    void end() {
      switch (round % 3) {
        case 0 -> near.modify(QpAttr.to(QpState.ERR));
        case 1 -> source.close();
        default -> target.close();
      }
      near.close();
      far.close();
      if (round % 3 != 1) {
        source.close();
      }
      if (round % 3 != 2) {
        target.close();
      }
    }
  }

  /** One side. */
  private static final class Host {
    private final ProtectionDomain pd;
    private final CompletionQueue cq;

    Host(Context context) {
      pd = context.allocPd();
      cq = context.createCq(4 * SLOTS);
    }

    QueuePair createQp() {
      return pd.createQp(QpInitAttr.rc(cq, QpCap.of(SLOTS)));
    }

    MemoryRegion register(AccessFlag... rights) {
      return pd.regMr(ByteBuffer.allocateDirect(BYTES), rights);
    }

    /** Fails if anything is left that was made of them. */
    void end() {
      cq.close();
      pd.close();
    }
  }

  private volatile Connection current;
  private volatile boolean isOver;
  private final Connection[] all = new Connection[ROUNDS];

  @AfterEach
  void stop() {
    isOver = true;
    threads.shutdownNow();
  }

  private Void poll(CompletionQueue cq, boolean isOfSends) {
    WorkCompletion[] found = new WorkCompletion[5];
    while (!isOver) {
      int count = cq.poll(found);
      for (int i = 0; i < count; i++) {
        assertThat(OUTCOMES).contains(found[i].status());
        Connection connection = all[(int) (found[i].wrId() >> Integer.SIZE)];
        assertThat(connection.underWay.remove(found[i].wrId())).as("completes once").isTrue();
        if (isOfSends && found[i].isSuccess()) {
          connection.hasSucceeded.countDown();
        }
        (isOfSends ? connection.sends : connection.receives).release();
      }
    }
    return null;
  }

  private void publish(Connection connection) {
    all[connection.round] = connection;
    current = connection; // Volatile: the array is written before.
  }

  private Void churn(Host a, Host b) throws InterruptedException {
    for (int round = 0; round < ROUNDS; round += 2) {
      Connection first = new Connection(round, a, b);
      publish(first); // Posters try it in RESET, INIT and RTR.
      Emulator.connect(first.near, first.far);
      a.cq.resize(4 * SLOTS + round); // Holds the lock long.
      first.hasSucceeded.await();
      first.near.modify(QpAttr.to(QpState.RESET));
      first.far.modify(QpAttr.to(QpState.RESET));
      Connection again = new Connection(round + 1, first);
      publish(again);
      Emulator.connect(again.near, again.far);
      again.hasSucceeded.await();
      again.end();
    }
    isOver = true;
    return null;
  }

  private Void post() {
    while (!isOver) {
      Connection connection = current;
      if (connection != null) {
        connection.postSend();
        connection.postReceive();
      }
    }
    return null;
  }

  private void run(List<Callable<Void>> work) throws Exception {
    ExecutorCompletionService<Void> running = new ExecutorCompletionService<>(threads);
    work.forEach(running::submit);
    for (int i = 0; i < work.size(); i++) {
      assertThat(running.take().get()).isNull(); // In the order of their ends: the first failure.
    }
  }

  @Test
  void nothingIsLostOrLeftWhenQueuePairsAndMemoryGoUnderTheirThreads() throws Exception {
    try (Emulator emulator = Emulator.on(InMemoryFabric.realTime())) {
      Host a = new Host(emulator.addDevice("10.0.0.1").open());
      Host b = new Host(emulator.addDevice("10.0.0.2").open());

      run(
          List.of(
              () -> churn(a, b),
              this::post,
              this::post,
              () -> poll(a.cq, true),
              () -> poll(a.cq, true),
              () -> poll(b.cq, false)));

      a.end();
      b.end();
    }
  }

  @Test
  void twoThreadsCloseTheEmulatorWhileOthersPostAndPoll() throws Exception {
    for (int round = 0; round < CLOSED; round++) {
      Emulator emulator = Emulator.on(InMemoryFabric.realTime());
      Host a = new Host(emulator.addDevice("10.0.0.1").open());
      Host b = new Host(emulator.addDevice("10.0.0.2").open());
      Connection connection = new Connection(0, a, b);
      Emulator.connect(connection.near, connection.far);
      SendWr write =
          SendWr.rdmaWrite(
              0,
              connection.target.addr(),
              connection.target.rkey(),
              connection.source.sge(0, BYTES));
      CyclicBarrier isBusy = new CyclicBarrier(3);
      Callable<Errno> user =
          () -> {
            connection.near.postSend(write);
            emulator.await(a.cq);
            isBusy.await();
            return Errnos.of(
                () -> {
                  while (true) {
                    connection.near.postSend(write);
                    emulator.await(a.cq);
                  }
                });
          };
      Callable<Void> closer =
          () -> {
            isBusy.await();
            emulator.close();
            return null;
          };

      Future<Errno> refused = threads.submit(user);
      Future<Void> first = threads.submit(closer);
      Future<Void> second = threads.submit(closer);

      assertThat(first.get()).isNull();
      assertThat(second.get()).isNull();
      assertThat(refused.get()).isEqualTo(Errno.ENODEV);
    }
  }
}
