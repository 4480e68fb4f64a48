// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.PortStation;
import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

/**
 * Attaches and detaches addresses and multicast groups on the network. Called without the device's
 * lock, as the network may call back or wait for its own thread.
 */
final class FabricAttachments {
  /** Verb name in errors about addresses. */
  private static final String GID_VERB = "ibv_query_gid";

  private final HcaDriver driver;
  private Fabric fabric;
  private final TxPaths txPaths;

  /** Taken before the lock of the device, never under it. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Multicast groups of the network that the device is a member of. */
  private final Set<InetAddress> joined = new LinkedHashSet<>();

  FabricAttachments(HcaDriver driver, Fabric fabric, TxPaths txPaths) {
    this.driver = driver;
    this.fabric = fabric;
    this.txPaths = txPaths;
  }

  /** Moves to a network that decorates the previous one, and to its links. */
  public void moveTo(Fabric decoratedFabric, BiFunction<InetAddress, Link, Link> links) {
    lock.lock();
    try {
      fabric = decoratedFabric;
      try (Step step = driver.step()) {
        txPaths.replaceLinks(links);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Joins a multicast group, unless the device is a member.
   *
   * @throws FabricException if the network cannot do that
   */
  public void join(InetAddress group) {
    lock.lock();
    try {
      if (!joined.contains(group)) {
        txPaths.linkOfFamily(group).join(group);
        joined.add(group);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Leaves the groups that no queue pair is attached to any more. */
  public void leaveUnused() {
    lock.lock();
    try {
      List<InetAddress> used;
      try (Step step = driver.call()) {
        used = step.hca().engine().groups().addresses();
      }
      for (InetAddress group : List.copyOf(joined)) {
        if (!used.contains(group)) {
          txPaths.linkOfFamily(group).leave(group);
          joined.remove(group);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds an address to a port. The first address of a port also joins the Ethernet segment.
   *
   * @throws FabricException if the network refuses the address
   * @throws VerbsException if there is no such port, or no room in its GID table
   */
  public void addAddress(int portNum, InetAddress address) {
    lock.lock();
    try {
      int slot;
      try (Step step = driver.call()) {
        slot = step.hca().ports().port(GID_VERB, portNum).freeSlot(GID_VERB);
      }
      Link link = fabric.attach(address, new PortStation(driver, portNum));
      TxPath txPath = driver.newTxPath(address, link, fabric);
      try (Step step = driver.step()) {
        step.hca().ports().port(GID_VERB, portNum).add(GID_VERB, address);
        txPaths.add(txPath);
      }
      if (slot == 0 && fabric.hasSegment()) {
        fabric.joinSegment(address);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes an address from a port.
   *
   * @throws VerbsException if there is no such port, if the port does not have the address or has
   *     it as its first, or if it is a member of a multicast group
   */
  public void removeAddress(int portNum, InetAddress address) {
    lock.lock();
    try {
      TxPath txPath = txPaths.of(address);
      boolean isMember =
          txPath != null
              && joined.stream().anyMatch(group -> txPaths.linkOfFamily(group) == txPath.link());
      if (isMember) {
        throw new VerbsException(
            Errno.EBUSY, GID_VERB, address.getHostAddress() + " is a member of a multicast group");
      }
      try (Step step = driver.step()) {
        step.hca().ports().port(GID_VERB, portNum).remove(GID_VERB, address);
        txPaths.remove(txPath);
      }
      txPath.link().close();
    } finally {
      lock.unlock();
    }
  }
}
