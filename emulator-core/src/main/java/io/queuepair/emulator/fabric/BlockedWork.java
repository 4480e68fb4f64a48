// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Registry of blocked work in a network in virtual time: participants that report what they wait
 * for, waits that failed because they could never end, and verbs that were refused because their
 * threads may not use the network.
 */
public final class BlockedWork {
  private static final int MAX_DEADLOCKS = 16;
  private static final int MAX_REFUSALS = 16;
  private static final BlockedWork NONE = new BlockedWork(null);

  /** Network that a thread enters to change the reporters; null if nothing is recorded. */
  private final @Nullable VirtualNetwork network;

  private final List<BlockedWorkReporter> reporters = new ArrayList<>();

  /** Guarded by itself. */
  private final List<String> deadlocks = new ArrayList<>();

  /** Number of refusals by description; guarded by itself. */
  private final Map<String, Integer> refusals = new LinkedHashMap<>();

  private BlockedWork(@Nullable VirtualNetwork network) {
    this.network = network;
  }

  /**
   * Creates a registry without failed calls.
   *
   * @param threadReporter reporter about the threads of the network; it is the first
   */
  BlockedWork(VirtualNetwork network, BlockedWorkReporter threadReporter) {
    this(network);
    reporters.add(threadReporter);
  }

  /** {@return a registry that stays empty, for networks in real time} */
  public static BlockedWork none() {
    return NONE;
  }

  void replaceFirst(BlockedWorkReporter threadReporter) {
    reporters.set(0, threadReporter);
  }

  /**
   * Adds a reporter.
   *
   * @param reporter participant to ask from now on
   * @throws FabricException as {@link VirtualNetwork#acquire}
   */
  public void add(BlockedWorkReporter reporter) {
    if (network != null) {
      network.acquire();
      reporters.add(reporter);
      network.release();
    }
  }

  /**
   * Removes a reporter.
   *
   * @param reporter participant not to ask any more
   * @throws FabricException as {@link VirtualNetwork#acquire}
   */
  public void remove(BlockedWorkReporter reporter) {
    if (network != null) {
      network.acquire();
      reporters.remove(reporter);
      network.release();
    }
  }

  /** {@return all reporters, in order of addition} */
  public List<BlockedWorkReporter> reporters() {
    return List.copyOf(reporters);
  }

  /**
   * Records a wait that failed because it could never end.
   *
   * @param message message of the failure for the caller of the wait
   */
  public void recordDeadlock(String message) {
    synchronized (deadlocks) {
      if (network != null && deadlocks.size() < MAX_DEADLOCKS) {
        deadlocks.add(message);
      }
    }
  }

  /**
   * Waits that failed because they could never end, of use if the program hides such failures.
   *
   * @return messages of the failures, oldest first; only the first 16 are kept
   */
  public List<String> deadlocks() {
    synchronized (deadlocks) {
      return List.copyOf(deadlocks);
    }
  }

  /**
   * Records a verb that was refused because its thread may not use the network.
   *
   * @param description thread, verb and place of the call
   */
  public void recordRefusal(String description) {
    synchronized (refusals) {
      boolean isKept = refusals.size() < MAX_REFUSALS || refusals.containsKey(description);
      if (network != null && isKept) {
        refusals.merge(description, 1, Integer::sum);
      }
    }
  }

  /**
   * Verbs that were refused because their threads may not use the network. Executors often hide
   * such failures from the program.
   *
   * @return one sentence each, oldest first; only the first 16 different ones are kept
   */
  public List<String> refusals() {
    synchronized (refusals) {
      return refusals.entrySet().stream()
          .map(
              each ->
                  each.getKey() + (each.getValue() > 1 ? ", " + each.getValue() + " times" : ""))
          .toList();
    }
  }
}
