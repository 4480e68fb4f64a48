// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.threads.Schedule;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server whose thread of completions hands requests to workers by a queue; they hold a lock while
 * they post. Clients wait for futures, which a thread of their own completes.
 */
@Timeout(60)
final class WorkersTest {
  private static final int CALLS = 8;
  private static final int BYTES = 8;

  @TempDir private Path directory;

  /** One side of the connection. */
  private static final class Side {
    final CompletionChannel channel;
    final CompletionQueue cq;
    final QueuePair qp;
    final MemoryRegion memory;

    Side(Emulator emulator, String address) {
      ProtectionDomain pd = emulator.addDevice(address).open().allocPd();
      channel = pd.context().createCompChannel();
      cq = pd.context().createCq(64, channel);
      qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(32)));
      memory = pd.regMr(ByteBuffer.allocateDirect(CALLS * BYTES), AccessFlag.LOCAL_WRITE);
    }

    void postReceives() {
      for (int i = 0; i < CALLS; i++) {
        qp.postRecv(RecvWr.of(i, memory.sge(i * BYTES, BYTES)));
      }
      cq.reqNotify(false);
    }

    /** The receives that come, until there were enough. */
    void receive(int count, LongConsumer received) {
      int left = count;
      while (left > 0) {
        channel.getCqEvent().ackEvents(1);
        cq.reqNotify(false);
        for (WorkCompletion wc : cq.poll(64)) {
          if (wc.opcode() == WcOpcode.RECV) {
            received.accept(wc.wrId());
            left--;
          }
        }
      }
    }
  }

  private static void run(Emulator emulator) {
    Side client = new Side(emulator, "10.0.0.1");
    Side server = new Side(emulator, "10.0.0.2");
    Emulator.connect(client.qp, server.qp);
    client.postReceives();
    server.postReceives();
    BlockingQueue<Long> requests = emulator.threads().queue("requests", 2);
    Lock posting = emulator.threads().lock("posting");
    emulator.start("completions", () -> server.receive(CALLS, requests::add));
    for (int worker = 1; worker <= 2; worker++) {
      emulator.start("worker " + worker, () -> work(requests, posting, server));
    }
    Queue<CompletableFuture<Long>> calls = emulator.threads().queue("calls");
    emulator.start("answers", () -> client.receive(CALLS, slot -> calls.remove().complete(slot)));
    for (long call = 0; call < CALLS; call++) {
      CompletableFuture<Long> answer = new CompletableFuture<>();
      calls.add(answer);
      client.qp.postSend(SendWr.send(100 + call));
      assertThat(emulator.threads().await(answer)).isEqualTo(call);
    }
    emulator.threads().join();
  }

  private static void work(BlockingQueue<Long> requests, Lock posting, Side server) {
    for (int i = 0; i < CALLS / 2; i++) {
      try {
        requests.take();
      } catch (InterruptedException interrupted) {
        throw new IllegalStateException("interrupted", interrupted);
      }
      posting.lock();
      try {
        server.qp.postSend(SendWr.send(i, server.memory.sge(0, BYTES)));
      } finally {
        posting.unlock();
      }
    }
  }

  private byte[] capture(Schedule schedule) throws IOException {
    Path file = directory.resolve("capture.pcapng");
    try (Emulator emulator = Emulator.builder().capture(file).build()) {
      emulator.threads().schedule(schedule).strict();
      run(emulator);
      assertThat(emulator.threads().nonDeterminism()).isEmpty();
    }
    return Files.readAllBytes(file);
  }

  @Test
  void theSameSeedGivesTheSameCaptureAndStrictModeHasNothingToSay() throws IOException {
    Set<ByteBuffer> captures = new HashSet<>();

    for (int seed = 1; seed <= 30; seed++) {
      byte[] capture = capture(Schedule.random(seed));
      assertThat(capture(Schedule.random(seed))).isEqualTo(capture);
      captures.add(ByteBuffer.wrap(capture));
    }

    assertThat(captures).hasSizeGreaterThan(3);
  }
}
