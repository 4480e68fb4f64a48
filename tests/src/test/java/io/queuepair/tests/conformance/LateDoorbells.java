// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Station;
import java.net.InetAddress;

/** A network that asks a device for its packets a turn after the device rang, as a socket does. */
public final class LateDoorbells extends ForwardingFabric {
  public LateDoorbells(Fabric inner) {
    super(inner);
  }

  @Override
  public Link attach(InetAddress address, Station station) {
    Link link = super.attach(address, station);
    Scheduler.Timer turn = scheduler().timer(link::ringDoorbell);
    return new ForwardingLink(link) {
      @Override
      public void ringDoorbell() {
        turn.arm(scheduler().nowNanos());
      }
    };
  }
}
