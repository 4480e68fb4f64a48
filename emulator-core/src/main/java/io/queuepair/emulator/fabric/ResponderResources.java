// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Responder resources ({@code max_dest_rd_atomic}) of the queue pairs of one network in this
 * process. The sanitizer of a requester reads those of the peer here, as it must not take the lock
 * of the peer. Thread-safe; calls nothing under its lock.
 */
public final class ResponderResources {
  private final Map<InetAddress, Map<Integer, Integer>> byAddress = new LinkedHashMap<>();

  /** Creates an empty table. */
  public ResponderResources() {}

  /**
   * Records the resources of a queue pair.
   *
   * @param address address of the queue pair, to which its peer sends
   * @param qpn number of the queue pair
   * @param resources number of READs and atomics at a time
   */
  public synchronized void put(InetAddress address, int qpn, int resources) {
    byAddress.computeIfAbsent(address, absent -> new LinkedHashMap<>()).put(qpn, resources);
  }

  /**
   * Responder resources of a queue pair.
   *
   * @param address address of the queue pair
   * @param qpn number of the queue pair
   * @return READs and atomics at a time; empty if there is no such queue pair in this process
   */
  public synchronized OptionalInt of(InetAddress address, int qpn) {
    Integer resources = byAddress.getOrDefault(address, Map.of()).get(qpn);
    return resources == null ? OptionalInt.empty() : OptionalInt.of(resources);
  }

  /**
   * Removes a queue pair that answers nothing any more.
   *
   * @param address address of the queue pair
   * @param qpn number of the queue pair
   */
  public synchronized void remove(InetAddress address, int qpn) {
    byAddress.getOrDefault(address, new LinkedHashMap<>()).remove(qpn);
  }

  /**
   * Removes all queue pairs of an address whose device is closed.
   *
   * @param address address of the device
   */
  public synchronized void removeAll(InetAddress address) {
    byAddress.remove(address);
  }
}
