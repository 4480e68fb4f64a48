// SPDX-License-Identifier: Apache-2.0
package replog;

import io.queuepair.rdmacm.RdmaCm;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One node in a process: its number, the addresses of all, and for how many seconds. */
public final class ReplogDemo {
  private static final int PORT = 7_000;

  private ReplogDemo() {}

  public static void main(String[] args) throws InterruptedException {
    int id = Integer.parseInt(args[0]);
    List<InetSocketAddress> cluster =
        Arrays.stream(args[1].split(",", -1)).map(ip -> new InetSocketAddress(ip, PORT)).toList();
    Platform platform = Platform.jvm();
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[2]));
    try (Replica node = new Replica(id, RdmaCm.find().orElseThrow(), cluster, platform)) {
      node.start();
      int appended = 0;
      while (System.nanoTime() - endNanos < 0) {
        platform.sleep(Duration.ofMillis(100));
        if (node.isLeader()) {
          byte[] data = ("node " + id + ", " + appended).getBytes(StandardCharsets.UTF_8);
          try {
            node.propose(data).get(500, TimeUnit.MILLISECONDS);
            appended++;
          } catch (ExecutionException | TimeoutException refused) {
            System.out.println("not appended: " + refused);
          }
        }
      }
      System.out.println(node + "; appended " + appended);
    }
  }
}
