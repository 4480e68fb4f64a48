// SPDX-License-Identifier: Apache-2.0
package kv;

import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Verbs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** A server and a client on one device, of any provider on the class path. */
public final class KvDemo {
  private static final int ROUNDS = 20;
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private KvDemo() {}

  /**
   * Puts, gets and counts.
   *
   * @param args the name of the device, or nothing for the first
   */
  public static void main(String[] args) throws InterruptedException {
    List<Device> devices = Verbs.devices();
    Device device =
        devices.stream()
            .filter(each -> args.length == 0 || each.name().equals(args[0]))
            .findFirst()
            .orElseThrow(() -> new KvException("no such device among " + devices));
    try (Context ofServer = device.open();
        Context ofClient = device.open();
        KvServer server = new KvServer(ofServer, 16, 2, System.out::println)) {
      Thread thread = new Thread(server::run, "server");
      thread.setDaemon(true);
      thread.start();
      try (KvClient client = new KvClient(ofClient, null, TIMEOUT)) {
        client.connect(server.accept(client.endpoint()));
        work(client);
      }
      server.close();
      thread.join(TIMEOUT.toMillis());
    }
    System.out.println(ROUNDS + " puts, gets and counts on " + device.name());
  }

  private static void work(KvClient client) {
    for (int i = 0; i < ROUNDS; i++) {
      byte[] value = ("value " + i).getBytes(StandardCharsets.UTF_8);
      client.put("key " + i % 5, value);
      byte[] there = client.get("key " + i % 5).orElseThrow();
      if (!Arrays.equals(there, value) || client.compareAndSwap("counter", i, i + 1) != i) {
        throw new KvException("round " + i + " got something else");
      }
    }
  }
}
