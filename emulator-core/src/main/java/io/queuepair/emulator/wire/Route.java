// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * Addresses of a packet: fields of its IP and UDP headers other than lengths and checksums. The
 * destination port is always {@link RoceV2#UDP_PORT}.
 *
 * @param trafficClass eight bits: TOS over IPv4
 * @param hopLimit eight bits: TTL over IPv4
 * @param flowLabel twenty bits, not present in IPv4
 */
public record Route(
    InetAddress source,
    InetAddress destination,
    int sourcePort,
    int trafficClass,
    int hopLimit,
    int flowLabel) {

  public Route {
    assert source.getClass() == destination.getClass() : source + " -> " + destination;
    assert sourcePort >>> 16 == 0 : sourcePort;
    assert trafficClass >>> 8 == 0 : trafficClass;
    assert hopLimit >>> 8 == 0 : hopLimit;
    assert flowLabel >>> 20 == 0 : flowLabel;
  }

  public boolean isIpv6() {
    return source instanceof Inet6Address;
  }
}
