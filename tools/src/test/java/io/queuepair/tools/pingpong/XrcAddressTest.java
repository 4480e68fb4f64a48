// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.Gid;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class XrcAddressTest {
  /** The original's {@code "%04x:%06x:%06x:%06x:%06x:%32s"}: LID, receiver, sender, PSN, SRQN. */
  private static final String MESSAGE =
      "0000:000011:000012:6dc420:0000ab:00000000000000000000ffff0a1674dd\0";

  private static final XrcAddress ADDRESS =
      new XrcAddress(new PeerAddress(0, 0x12, 0x6dc420, new Gid(0, 0xffff0a1674ddL)), 0x11, 0xab);

  @Test
  void isTheMessageOfTheOriginal() {
    byte[] message = MESSAGE.getBytes(StandardCharsets.US_ASCII);

    assertThat(ADDRESS.toMessage()).hasSize(66).isEqualTo(message);
    assertThat(XrcAddress.ofMessage(message)).isEqualTo(ADDRESS);
  }

  @Test
  void printsTheLineOfTheOriginal() {
    assertThat(ADDRESS)
        .hasToString(
            "LID 0000, QPN RECV 000011 SEND 000012, PSN 6dc420, SRQN 0000ab,"
                + " GID ::ffff:10.22.116.221");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0000:000011:6dc420:00000000000000000000ffff0a1674dd | is not LID:QPN:QPN:PSN:SRQN:GID
          0000:000001:000012:6dc420:0000ab:00000000000000000000ffff0a1674dd | QPN 1 is no program's
          0000:000011:000000:6dc420:0000ab:00000000000000000000ffff0a1674dd | QPN 0 is no program's
          0000:000011:000012:6dc420:000000:00000000000000000000ffff0a1674dd | SRQN 0 is no program's
          0000:000011:000012:6dc420:0000ab:00000000000000000000000000000000 | start the peer with -g
          """)
  void refusesWhatReachesNoPeer(String text, String why) {
    byte[] message = (text + "\0").getBytes(StandardCharsets.US_ASCII);

    assertThatThrownBy(() -> XrcAddress.ofMessage(message))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining(why);
  }
}
