// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.Quantity;
import io.queuepair.emulator.fabric.BlockedWorkReporter;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.Port;
import io.queuepair.verbs.HwCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Reports what the waits at one device are blocked on, for EDEADLK. */
final class DeviceBlockedReporter implements BlockedWorkReporter {
  /** Maximum number of queue pairs that are described, so that the report stays readable. */
  private static final int MAX_QUEUE_PAIRS = 8;

  private final String name;
  private final HcaDriver driver;
  private final Supplier<List<String>> unsettled;

  /**
   * Creates the reporter of one device.
   *
   * @param unsettled lists what programs have left open, in sentences; called under the driver's
   *     lock
   */
  DeviceBlockedReporter(String name, HcaDriver driver, Supplier<List<String>> unsettled) {
    this.name = name;
    this.driver = driver;
    this.unsettled = unsettled;
  }

  @Override
  public List<String> describeBlockedWork() {
    return describeBlockedWork(MAX_QUEUE_PAIRS);
  }

  /** Describes what queue pairs wait for: at most so many, and as many other objects. */
  List<String> describeBlockedWork(int maxQueuePairs) {
    try (Step step = driver.call()) {
      return sentences(step.hca(), maxQueuePairs);
    }
  }

  private List<String> sentences(Hca hca, int maxQueuePairs) {
    List<String> sentences = new ArrayList<>();
    for (int portNum = 1; portNum <= hca.profile().ports(); portNum++) {
      Port port = hca.ports().port("ibv_query_port", portNum);
      if (!port.isUp() && !port.addresses().isEmpty()) {
        sentences.add(name + ": port " + portNum + " is down");
      }
    }
    List<String> queuePairs = hca.engine().blockedWork().sentences();
    int shown = Math.min(queuePairs.size(), maxQueuePairs);
    queuePairs.subList(0, shown).forEach(each -> sentences.add(name + ": " + each));
    if (shown < queuePairs.size()) {
      sentences.add(name + ": " + (queuePairs.size() - shown) + " more queue pairs");
    }
    unsettled.get().stream().limit(maxQueuePairs).forEach(sentences::add);
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
  public long progressCount() {
    try (Step step = driver.call()) {
      return step.hca().engine().statistics().progressCount()
          + step.hca().engine().gsi().carried()
          + retries(step.hca());
    }
  }

  /** Number of retries. They are limited, so each one counts as progress. */
  private static long retries(Hca hca) {
    long retries = 0;
    for (int portNum = 1; portNum <= hca.profile().ports(); portNum++) {
      retries +=
          hca.engine()
              .statistics()
              .counters(portNum)
              .getOrDefault(HwCounter.COMPLETER_RETRY_ERR, 0L);
    }
    return retries;
  }

  @Override
  public boolean hasPendingProgress() {
    try (Step step = driver.call()) {
      return step.hca().engine().blockedWork().isAnythingDue();
    }
  }
}
