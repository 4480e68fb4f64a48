// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Gid;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GidTextTest {
  /** The right column is what inet_ntop of glibc 2.36 returned. */
  @ParameterizedTest
  @CsvSource({
    "0000000000000000, 0000ffffc0000201, ::ffff:192.0.2.1",
    "0000000000000000, 0000ffff7f00003c, ::ffff:127.0.0.60",
    "0000000000000000, 00000000c0000201, ::192.0.2.1",
    "fe80000000000000, 020c29fffe80ffae, fe80::20c:29ff:fe80:ffae",
    "fd00009900000000, 0000000000000001, fd00:99::1",
    "20010db800000001, 0000000000010000, 2001:db8:0:1::1:0",
    "20010db800010000, 0001000100010001, 2001:db8:1:0:1:1:1:1",
    "0001000000000000, 0002000000000003, 1::2:0:0:3",
    "0001000200030004, 0005000600000000, 1:2:3:4:5:6::",
    "0001000200030004, 0005000600070008, 1:2:3:4:5:6:7:8",
    "0000000000000000, 0000000000000001, ::1",
    "0000000000000000, 000000000000ffff, ::ffff",
    "0000000000000000, 0000000000010000, ::0.1.0.0",
    "0000000000000000, 0000ffff00000000, ::ffff:0.0.0.0",
    "0000000000000000, 0000000000000000, ::",
    "0000000000000000, 0001000000000000, ::1:0:0:0"
  })
  void isThatOfInetNtop(String prefix, String interfaceId, String text) {
    Gid gid = new Gid(Long.parseUnsignedLong(prefix, 16), Long.parseUnsignedLong(interfaceId, 16));

    assertThat(GidText.of(gid)).isEqualTo(text);
  }
}
