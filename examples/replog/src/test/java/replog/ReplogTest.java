// SPDX-License-Identifier: Apache-2.0
package replog;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.threads.ApplicationThread;
import io.queuepair.junit5.Check;
import io.queuepair.junit5.DisabledChecks;
import io.queuepair.junit5.Faults;
import io.queuepair.junit5.NetworkFaults;
import io.queuepair.junit5.QueuepairTest;
import io.queuepair.junit5.Seed;
import io.queuepair.junit5.Seeds;
import io.queuepair.junit5.ThreadSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/** A cluster whose threads run in another order with each seed, without faults and with some. */
@QueuepairTest
@ThreadSchedule(value = "random", strict = true)
class ReplogTest {
  private static final int SEEDS = 3;

  private Cluster cluster;

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void append(int count) {
    for (int i = 0; i < count; i++) {
      cluster.append("entry " + i);
    }
    cluster.check();
  }

  @Seeds(to = SEEDS)
  void electsAndReplicates(Emulator emulator) {
    cluster = new Cluster(emulator, 3, Cluster.SECOND);
    append(10);
  }

  /** Where no third node makes up for one that is late. */
  @Seeds(to = SEEDS)
  void isNeverLate(Emulator emulator) {
    cluster = new Cluster(emulator, 2, Cluster.SECOND);
    cluster.append("first");
    cluster.forgetLateness();
    append(10);
    cluster.checkNothingWasLate();
  }

  @Seeds(to = SEEDS)
  void servesManyClients(Emulator emulator) {
    cluster = new Cluster(emulator, 3, Cluster.SECOND);
    cluster.append("first");
    cluster.forgetLateness();
    List<ApplicationThread> clients = new ArrayList<>();
    for (String name : List.of("one", "two", "three")) {
      clients.add(emulator.start("client " + name, () -> appendAs(name)));
    }
    clients.forEach(ApplicationThread::join);
    cluster.check();
    cluster.checkNothingWasLate();
  }

  private void appendAs(String client) {
    for (int i = 0; i < 4; i++) {
      cluster.append(client + " " + i);
    }
  }

  /** With few seeds chance may leave out a statement of the plan. */
  @Seeds(to = SEEDS)
  @DisabledChecks(Check.UNUSED_FAULTS)
  @Faults("drop 2%; duplicate 2%; reorder 2%; delay up to 50us 10%")
  void survivesABadNetwork(Emulator emulator) {
    cluster = new Cluster(emulator, 3, Cluster.LONG);
    append(10);
  }

  @Seeds(to = SEEDS)
  void survivesACrash(Emulator emulator, NetworkFaults faults) {
    cluster = new Cluster(emulator, 3, Cluster.LONG);
    append(3);
    int former = cluster.leader();
    faults.inject("kill " + Cluster.address(former) + " at 1ms");
    emulator.sleep(Duration.ofMillis(2));
    cluster.append("after the crash", node -> node.id() != former);
    cluster.check();
  }

  /** A replica cut off while all its connections wait for a retry sends nothing that is lost. */
  @Seeds(to = SEEDS)
  @DisabledChecks(Check.UNUSED_FAULTS)
  void survivesPartitions(Emulator emulator, NetworkFaults faults, @Seed long seed) {
    cluster = new Cluster(emulator, 3, Cluster.LONG);
    cluster.append("first");
    ApplicationThread client = emulator.start("client", () -> appendSlowly(emulator, seed));
    Random random = new Random(seed);
    for (int i = 0; i < 6; i++) {
      emulator.sleep(Duration.ofNanos(random.nextInt(20_000_000)));
      faults.inject("partition " + Cluster.address(random.nextInt(3)));
      emulator.sleep(Duration.ofMillis(300 + random.nextInt(900)));
      faults.clear();
    }
    client.join();
    cluster.append("last");
    cluster.check();
  }

  private void appendSlowly(Emulator emulator, long seed) {
    Random random = new Random(~seed);
    for (int i = 0; i < 20; i++) {
      cluster.append("entry " + i);
      emulator.sleep(Duration.ofMillis(random.nextInt(200)));
    }
  }
}
