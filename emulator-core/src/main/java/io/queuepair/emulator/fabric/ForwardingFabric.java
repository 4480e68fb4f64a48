// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;

/**
 * A fabric that forwards every call: the base of decorators, as {@link ForwardingLink} is of those
 * of links. Closing it closes the delegate.
 */
public class ForwardingFabric implements Fabric {
  private final Fabric fabric;

  /**
   * Wraps a fabric.
   *
   * @param fabric what everything is passed on to
   */
  protected ForwardingFabric(Fabric fabric) {
    this.fabric = fabric;
  }

  /**
   * What is decorated.
   *
   * @return what everything is passed on to
   */
  protected final Fabric inner() {
    return fabric;
  }

  @Override
  public Scheduler scheduler() {
    return fabric.scheduler();
  }

  @Override
  public Link attach(InetAddress address, Station station) {
    return fabric.attach(address, station);
  }

  @Override
  public void close() {
    fabric.close();
  }
}
