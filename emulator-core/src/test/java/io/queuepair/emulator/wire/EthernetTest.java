// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EthernetTest {
  /** Groups by RFC 1112 (lower 23 bits) and RFC 2464 (last four bytes). */
  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 02:00:0a:00:00:01",
    "223.255.255.255, 02:00:df:ff:ff:ff",
    "fd00::1:2:3, 02:00:00:02:00:03",
    "fe80::5054:ff:fe00:5, 52:54:00:00:00:05",
    "fe80::ff:fe00:1, 02:00:00:00:00:01",
    "fe80::fe00:1, 02:00:fe:00:00:01",
    "fd00::5054:ff:fe00:5, 02:00:fe:00:00:05",
    "224.0.0.1, 01:00:5e:00:00:01",
    "239.1.2.3, 01:00:5e:01:02:03",
    "239.129.2.3, 01:00:5e:01:02:03",
    "239.255.255.255, 01:00:5e:7f:ff:ff",
    "ff02::1, 33:33:00:00:00:01",
    "ff0e::1:fe02:3, 33:33:fe:02:00:03"
  })
  void addressFollowsFromThatOfIp(String ip, String mac) throws UnknownHostException {
    assertThat(Ethernet.macOf(InetAddress.getByName(ip))).hasToString(mac);
  }
}
