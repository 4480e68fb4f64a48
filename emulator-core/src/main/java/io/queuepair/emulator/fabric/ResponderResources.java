// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The responder resources ({@code max_dest_rd_atomic}) of the queue pairs of one network in this
 * process. The sanitizer of a requester reads those of its peer, whose lock it must not take.
 * Thread-safe; calls nothing under its lock.
 */
public final class ResponderResources {
  private final Map<InetAddress, Map<Integer, Integer>> byAddress = new LinkedHashMap<>();

  /** Nothing is known yet. */
  public ResponderResources() {}

  /**
   * Notes what a queue pair answers from now on.
   *
   * @param address its own, to which its peer sends
   * @param qpn its number
   * @param resources READs and atomics at a time
   */
  public synchronized void put(InetAddress address, int qpn, int resources) {
    byAddress.computeIfAbsent(address, absent -> new LinkedHashMap<>()).put(qpn, resources);
  }

  /**
   * Responder resources of a queue pair.
   *
   * @param address where it is
   * @param qpn its number
   * @return READs and atomics at a time; empty if there is no such queue pair, or not in this
   *     process
   */
  public synchronized OptionalInt of(InetAddress address, int qpn) {
    Integer resources = byAddress.getOrDefault(address, Map.of()).get(qpn);
    return resources == null ? OptionalInt.empty() : OptionalInt.of(resources);
  }

  /**
   * Forgets a queue pair that answers nothing any more.
   *
   * @param address its own
   * @param qpn its number
   */
  public synchronized void remove(InetAddress address, int qpn) {
    byAddress.getOrDefault(address, new LinkedHashMap<>()).remove(qpn);
  }

  /**
   * Forgets all queue pairs of an address, whose device is gone.
   *
   * @param address that of the device
   */
  public synchronized void removeAll(InetAddress address) {
    byAddress.remove(address);
  }
}
