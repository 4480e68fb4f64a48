// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.threads.Schedule;
import io.queuepair.verbs.WcOpcode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server whose thread of completions hands requests to workers by a queue; they hold a lock while
 * they post. The client waits for futures, which a thread of its own completes.
 */
@Timeout(60)
final class WorkersTest {
  private static final int CALLS = 8;

  @TempDir private Path directory;

  private static void run(Emulator emulator) {
    EchoProgram program = new EchoProgram(emulator, 0);
    BlockingQueue<String> requests = emulator.threads().queue("requests", 2);
    Lock posting = emulator.threads().lock("posting");
    emulator.start("completions", () -> program.serve(CALLS, () -> requests.add("request")));
    for (String worker : List.of("worker 1", "worker 2")) {
      emulator.start(worker, () -> work(requests, posting, program));
    }
    Queue<CompletableFuture<Integer>> calls = emulator.threads().queue("calls");
    emulator.start("answers", () -> complete(calls, emulator, program));
    for (int call = 0; call < CALLS; call++) {
      CompletableFuture<Integer> answer = new CompletableFuture<>();
      calls.add(answer);
      program.ask();
      assertThat(emulator.threads().await(answer)).isEqualTo(call);
    }
    emulator.threads().join();
  }

  private static void work(BlockingQueue<String> requests, Lock posting, EchoProgram program) {
    for (int i = 0; i < CALLS / 2; i++) {
      try {
        requests.take();
      } catch (InterruptedException interrupted) {
        throw new IllegalStateException("interrupted", interrupted);
      }
      posting.lock();
      try {
        program.answer();
      } finally {
        posting.unlock();
      }
    }
  }

  private static void complete(
      Queue<CompletableFuture<Integer>> calls, Emulator emulator, EchoProgram program) {
    int answers = 0;
    while (answers < CALLS) {
      if (emulator.await(program.clientCq()).opcode() == WcOpcode.RECV) {
        calls.remove().complete(answers);
        answers++;
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
