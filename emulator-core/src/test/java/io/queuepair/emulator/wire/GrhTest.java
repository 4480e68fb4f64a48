// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GrhTest {
  @Test
  void holdsTheIpv4HeaderAfterTwentyZeros() {
    assertThat(Grh.of(datagram(TestRoutes.IPV4)))
        .isEqualTo(
            Payload.of(Hex.bytes("00".repeat(20) + "4500003800004000401126b30a0000010a000002")));
  }

  @Test
  void isTheIpv6Header() {
    assertThat(Grh.of(datagram(TestRoutes.IPV6)))
        .isEqualTo(
            Payload.of(
                Hex.bytes(
                    "60000000 0024 11 40" // version.class.flow, length, next header, hop limit
                        + "fd000000000000000000000000000001"
                        + "fd000000000000000000000000000002")));
  }

  private static Packet datagram(Route route) {
    return new Packet(
        route,
        Bth.of(Opcode.UD_SEND_ONLY, 0x14, 7),
        List.of(new Deth(0x11111111, 0x13)),
        Payload.of(Hex.bytes("01020304")));
  }
}
