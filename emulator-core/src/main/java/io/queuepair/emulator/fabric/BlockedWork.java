// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Participants of a network in virtual time that report what they wait for, and the calls that
 * failed: waits that could never end, and verbs of threads that may not use the network.
 */
public final class BlockedWork {
  private static final int MAX_DEADLOCKS = 16;
  private static final int MAX_REFUSALS = 16;
  private static final BlockedWork NONE = new BlockedWork(null);

  /** The network; null if nothing is kept. */
  private final @Nullable VirtualNetwork network;

  private final List<BlockedWorkReporter> reporters = new ArrayList<>();

  /** Guarded by itself. */
  private final List<String> deadlocks = new ArrayList<>();

  /** How often each verb was refused; guarded by itself. */
  private final Map<String, Integer> refusals = new LinkedHashMap<>();

  private BlockedWork(@Nullable VirtualNetwork network) {
    this.network = network;
  }

  /**
   * Begins without failed calls.
   *
   * @param threadReporter reporter about the threads of the network, which is the first
   */
  BlockedWork(VirtualNetwork network, BlockedWorkReporter threadReporter) {
    this(network);
    reporters.add(threadReporter);
  }

  /** {@return a record that stays empty, for networks in real time} */
  public static BlockedWork none() {
    return NONE;
  }

  /** Lets another reporter speak about the threads of the network. */
  void replaceFirst(BlockedWorkReporter threadReporter) {
    reporters.set(0, threadReporter);
  }

  /**
   * Asks a reporter from now on.
   *
   * @param reporter who is asked
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
   * Asks a reporter no more.
   *
   * @param reporter who was asked
   * @throws FabricException as {@link VirtualNetwork#acquire}
   */
  public void remove(BlockedWorkReporter reporter) {
    if (network != null) {
      network.acquire();
      reporters.remove(reporter);
      network.release();
    }
  }

  /** {@return everybody who can say what it waits for, in order of addition} */
  public List<BlockedWorkReporter> reporters() {
    return List.copyOf(reporters);
  }

  /**
   * A wait has failed because it could never end.
   *
   * @param message the message for its caller
   */
  public void recordDeadlock(String message) {
    synchronized (deadlocks) {
      if (network != null && deadlocks.size() < MAX_DEADLOCKS) {
        deadlocks.add(message);
      }
    }
  }

  /**
   * The waits that failed because they could never end; of use where programs hide such failures.
   *
   * @return the messages for their callers, oldest first; the first 16 are kept
   */
  public List<String> deadlocks() {
    synchronized (deadlocks) {
      return List.copyOf(deadlocks);
    }
  }

  /**
   * A verb was refused, as its thread may not use the network.
   *
   * @param description which thread, in which verb, and where
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
   * The verbs that were refused, as their threads may not use the network: what runs tasks for a
   * program often hides that from it.
   *
   * @return one sentence each, oldest first; the first 16 that differ are kept
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
