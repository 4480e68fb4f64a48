// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.util.List;
import java.util.OptionalInt;

/** A device at the addresses of one port, as the network sees it. */
record PortStation(HcaDriver driver, int portNum) implements Station {
  @Override
  public void receive(List<? extends Traffic> traffic) {
    driver.receive(traffic, portNum);
  }

  @Override
  public void transmit() {
    driver.transmit();
  }

  @Override
  public OptionalInt requesterOf(InetAddress responder, int destQpn) {
    return driver.requesterOf(responder, destQpn);
  }
}
