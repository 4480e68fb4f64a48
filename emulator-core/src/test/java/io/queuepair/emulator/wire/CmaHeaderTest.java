// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The header of {@code rdma_cm} before private data, byte for byte. */
class CmaHeaderTest {
  private static final String ZEROS = "000000000000000000000000";

  /** Version, IP version, source port, source, destination. */
  @ParameterizedTest
  @CsvSource({
    "192.0.2.3, 192.0.2.2, 0040c7b3" + ZEROS + "c0000203" + ZEROS + "c0000202",
    "fd00::3, fd00::2, 0060c7b3"
        + "fd0000000000000000000000"
        + "00000003"
        + "fd0000000000000000000000"
        + "00000002",
  })
  void hasTheLayoutOfLinux(String from, String to, String bytes) throws Exception {
    InetAddress source = InetAddress.getByName(from);
    InetAddress destination = InetAddress.getByName(to);
    CmaHeader header = CmaHeader.of(source, 0xc7b3, destination);
    ImmutableBytes user = ImmutableBytes.of(Hex.bytes("0102"));

    ImmutableBytes all = header.before(user);

    assertThat(all).hasToString(bytes + "0102");
    assertThat(CmaHeader.read(all)).isEqualTo(header);
    assertThat(CmaHeader.userBytes(all)).isEqualTo(user);
    assertThat(header.sourceAddress()).isEqualTo(source);
    assertThat(header.destinationAddress()).isEqualTo(destination);
  }

  @ParameterizedTest
  @CsvSource({"0040, true", "0060, true", "0140, false", "1040, false", "0050, false"})
  void knowsOneVersionAndTwoOfIp(String versions, boolean isKnown) {
    ImmutableBytes bytes = ImmutableBytes.of(Hex.bytes(versions + "00".repeat(90)));

    assertThat(CmaHeader.read(bytes).hasIpAddresses()).isEqualTo(isKnown);
  }

  @Test
  void leavesAProgram56Bytes() throws UnknownHostException {
    InetAddress here = InetAddress.getByName("192.0.2.3");
    ImmutableBytes user = ImmutableBytes.of(new byte[56]);

    assertThat(CmaHeader.of(here, 1, here).before(user).length())
        .isEqualTo(CmField.REQ_PRIVATE_DATA.bytes());
    assertThat(CmField.SIDR_REQ_PRIVATE_DATA.bytes() - CmaHeader.BYTES).isEqualTo(180);
  }
}
