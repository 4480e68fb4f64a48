// SPDX-License-Identifier: Apache-2.0
package kv;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.queuepair.junit5.Faults;
import io.queuepair.junit5.Host;
import io.queuepair.junit5.NetworkFaults;
import io.queuepair.junit5.QueuepairTest;
import io.queuepair.junit5.Seeds;
import io.queuepair.verbs.Context;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QueuepairTest
class KvStoreTest {
  private final List<String> log = new ArrayList<>();
  private KvServer server;
  private KvClient client;

  @BeforeEach
  void start(@Host("10.0.0.1") Context ofServer, @Host("10.0.0.2") Context ofClient) {
    server = new KvServer(ofServer, 16, 2, log::add);
    client = new KvClient(ofClient, () -> server.runOnce(Duration.ZERO), Duration.ofSeconds(1));
    client.connect(server.accept(client.endpoint()));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private void work() {
    for (int i = 0; i < 20; i++) {
      byte[] value = ("value " + i).getBytes(StandardCharsets.UTF_8);
      client.put("key " + i % 5, value);
      assertArrayEquals(value, client.get("key " + i % 5).orElseThrow());
      assertEquals(i, client.compareAndSwap("counter", i, i + 1));
    }
  }

  @Test
  void returnsWhatWasPut() {
    work();
    assertTrue(client.get("another").isEmpty());
  }

  @Seeds(to = 10)
  @Faults("drop 10%; duplicate 5%; reorder 10%; corrupt 5%")
  void worksOverABadNetwork() {
    work();
  }

  @Test
  @Faults("port 10.0.0.1 down at 20us for 100ms")
  void waitsUntilTheLinkIsBack() {
    work();
  }

  @Test
  @Faults("kill 10.0.0.2 at 30us")
  void forgetsAClientWhoseDeviceFails() {
    assertThrows(KvException.class, this::work);
  }

  @Test
  void saysWhyAPeerDoesNotAnswer(NetworkFaults faults) {
    work();
    faults.inject("partition 10.0.0.1");
    KvException failure = assertThrows(KvException.class, this::work);
    assertTrue(failure.getMessage().contains("partition 10.0.0.1"), failure.getMessage());
  }

  @Test
  void refusesWhatIsNotInTheTable() {
    KvException failure = assertThrows(KvException.class, () -> client.readAnywhere(42, 4711));
    assertTrue(failure.getMessage().contains("REM_ACCESS_ERR"), failure.getMessage());
  }
}
