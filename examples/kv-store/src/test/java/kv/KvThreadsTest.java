// SPDX-License-Identifier: Apache-2.0
package kv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.threads.ApplicationThread;
import io.queuepair.junit5.Host;
import io.queuepair.junit5.QueuepairTest;
import io.queuepair.junit5.Seeds;
import io.queuepair.junit5.ThreadSchedule;
import io.queuepair.verbs.Context;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;

/** A server thread and two clients with threads of their own, in many orders. */
@QueuepairTest
class KvThreadsTest {
  private static final int ROUNDS = 3;

  private KvServer server;
  private ApplicationThread serving;

  private static long increment(KvClient client) {
    long seen = 0;
    long found = client.compareAndSwap("counter", seen, seen + 1);
    while (found != seen) {
      seen = found;
      found = client.compareAndSwap("counter", seen, seen + 1);
    }
    return seen;
  }

  private void work(Context context, String name) {
    try (KvClient client = new KvClient(context, null, Duration.ofSeconds(1))) {
      client.connect(server.accept(client.endpoint()));
      for (int i = 0; i < ROUNDS; i++) {
        byte[] value = (name + " " + i).getBytes(StandardCharsets.UTF_8);
        client.put(name, value);
        increment(client);
        assertArrayEquals(value, client.get(name).orElseThrow());
      }
    }
  }

  @BeforeEach
  void start(@Host("10.0.0.1") Context ofServer, Emulator emulator) {
    server = new KvServer(ofServer, 16, 3, problem -> fail(problem));
    serving = emulator.start("server", server::run);
  }

  @Seeds(to = 100)
  @ThreadSchedule(value = "random", strict = true)
  void losesNoChange(
      Emulator emulator, @Host("10.0.0.2") Context one, @Host("10.0.0.3") Context two) {
    ApplicationThread first = emulator.start("client 1", () -> work(one, "one"));
    ApplicationThread second = emulator.start("client 2", () -> work(two, "two"));
    first.join();
    second.join();
    try (KvClient client = new KvClient(one, null, Duration.ofSeconds(1))) {
      client.connect(server.accept(client.endpoint()));
      assertEquals(2 * ROUNDS, increment(client));
      assertEquals("one 2", new String(client.get("one").orElseThrow(), StandardCharsets.UTF_8));
    }
    server.close();
    serving.join();
  }
}
