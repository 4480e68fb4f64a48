package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.Quantity;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.verbs.HwCounter;
import java.util.ArrayList;
import java.util.List;

/** What one device says when somebody on its network waits in vain. */
final class Testimony implements Scheduler.Witness {
  /** Queue pairs that are described; with more than a few nobody reads on. */
  private static final int MAX_QUEUE_PAIRS = 8;

  private final String name;
  private final HcaDriver driver;

  Testimony(String name, HcaDriver driver) {
    this.name = name;
    this.driver = driver;
  }

  @Override
  public List<String> waitsFor() {
    return waitsFor(MAX_QUEUE_PAIRS);
  }

  /** The same of so many queue pairs at most. */
  List<String> waitsFor(int maxQueuePairs) {
    return driver.call(hca -> sentences(hca, maxQueuePairs));
  }

  private List<String> sentences(Hca hca, int maxQueuePairs) {
    List<String> sentences = new ArrayList<>();
    for (int portNum = 1; portNum <= hca.profile().ports(); portNum++) {
      Port port = hca.ports().port("ibv_query_port", portNum);
      if (!port.isUp() && !port.addresses().isEmpty()) {
        sentences.add(name + ": port " + portNum + " is down");
      }
    }
    List<String> queuePairs = hca.engine().standstill().sentences();
    int shown = Math.min(queuePairs.size(), maxQueuePairs);
    queuePairs.subList(0, shown).forEach(each -> sentences.add(name + ": " + each));
    if (shown < queuePairs.size()) {
      sentences.add(name + ": " + (queuePairs.size() - shown) + " more queue pairs");
    }
    hca.engine()
        .drops()
        .toMap()
        .forEach(
            (reason, times) ->
                sentences.add(
                    name
                        + ": dropped "
                        + Quantity.of(times, "time")
                        + ": "
                        + reason
                        + ". "
                        + reason.text()));
    return sentences;
  }

  @Override
  public long progress() {
    return driver.call(hca -> hca.engine().visits().progress() + retries(hca));
  }

  /** Retries are limited, so each one is a step to the end. */
  private static long retries(Hca hca) {
    long retries = 0;
    for (int portNum = 1; portNum <= hca.profile().ports(); portNum++) {
      retries +=
          hca.engine().counters().of(portNum).getOrDefault(HwCounter.COMPLETER_RETRY_ERR, 0L);
    }
    return retries;
  }

  @Override
  public boolean mayProgress() {
    return driver.call(hca -> hca.engine().standstill().isAnythingDue());
  }
}
