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

final class PeerAddressTest {
  /** The original's {@code "%04x:%06x:%06x:%s"}, the GID as four words of {@code %08x}, a NUL. */
  private static final String MESSAGE = "0000:000011:6dc420:00000000000000000000ffff0a1674dd\0";

  private static final PeerAddress ADDRESS =
      new PeerAddress(0, 0x11, 0x6dc420, new Gid(0, 0xffff0a1674ddL));

  @Test
  void isTheMessageOfTheOriginal() {
    byte[] message = MESSAGE.getBytes(StandardCharsets.US_ASCII);

    assertThat(ADDRESS.toMessage()).hasSize(52).isEqualTo(message);
    assertThat(PeerAddress.ofMessage(message)).isEqualTo(ADDRESS);
  }

  @Test
  void readsWhatItWritesAtBothEnds() {
    PeerAddress largest = new PeerAddress(0xffff, 0xffffff, 0xffffff, new Gid(-1, -1));
    PeerAddress smallest = new PeerAddress(0, 2, 0, new Gid(0, 1));

    assertThat(PeerAddress.ofMessage(largest.toMessage())).isEqualTo(largest);
    assertThat(PeerAddress.ofMessage(smallest.toMessage())).isEqualTo(smallest);
  }

  @Test
  void printsTheLineOfTheOriginal() {
    assertThat(ADDRESS)
        .hasToString("LID 0x0000, QPN 0x000011, PSN 0x6dc420, GID ::ffff:10.22.116.221");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0000:000011:6dc42g:00000000000000000000ffff0a1674dd  | is not LID:QPN:PSN:GID
          0000:000011:6dc420:00000000000000000000ffff0a1674d   | is not LID:QPN:PSN:GID
          0000 000011 6dc420 00000000000000000000ffff0a1674dd  | is not LID:QPN:PSN:GID
          GET / HTTP/1.1                                       | is not LID:QPN:PSN:GID
          0000:000000:6dc420:00000000000000000000ffff0a1674dd  | QPN 0 is no program's
          0000:000001:6dc420:00000000000000000000ffff0a1674dd  | QPN 1 is no program's
          0000:000011:6dc420:00000000000000000000000000000000  | start the peer with -g
          """)
  void refusesWhatReachesNoPeer(String text, String why) {
    byte[] message = (text + "\0").getBytes(StandardCharsets.US_ASCII);

    assertThatThrownBy(() -> PeerAddress.ofMessage(message))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining(why);
  }

  @Test
  void quotesNonsenseSoThatItCannotHarmATerminal() {
    byte[] message = new byte[PeerAddress.MESSAGE_BYTES];
    message[0] = 27;
    message[1] = 'x';
    message[2] = '\n';

    assertThatThrownBy(() -> PeerAddress.ofMessage(message))
        .hasMessageStartingWith("Couldn't read remote address: \".x..");
  }
}
