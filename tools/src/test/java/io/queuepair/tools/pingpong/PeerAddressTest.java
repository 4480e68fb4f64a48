// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.Gid;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of the original: of one queue pair, of those over XRC, and of many. */
final class PeerAddressTest {
  private static final Gid GID = new Gid(0, 0xffff0a1674ddL);

  /** The original's {@code "%04x:%06x:%06x:%s"}, the GID as four words of {@code %08x}, a NUL. */
  private static final String MESSAGE = "0000:000011:6dc420:00000000000000000000ffff0a1674dd\0";

  private static final PeerAddress ADDRESS = new PeerAddress(0, 0x11, 0x6dc420, GID);

  /** The original's {@code "%04x:%06x:%06x:%06x:%06x:%32s"}: LID, receiver, sender, PSN, SRQN. */
  private static final String XRC_MESSAGE =
      "0000:000011:000012:6dc420:0000ab:00000000000000000000ffff0a1674dd\0";

  private static final XrcAddress XRC_ADDRESS =
      new XrcAddress(new PeerAddress(0, 0x12, 0x6dc420, GID), 0x11, 0xab);

  /** Messages of {@code ibv_srq_pingpong}, whatever {@code -q} says. */
  private static final int SLOTS = 256;

  private static final String SECOND = "0000:000012:000002:00000000000000000000ffff0a1674dd\0";
  private static final String UNUSED = "0000:000000:000000:00000000000000000000000000000000\0";
  private static final QpAddressList TWO =
      new QpAddressList(List.of(ADDRESS, new PeerAddress(0, 0x12, 2, GID)), SLOTS);

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void isTheMessageOfTheOriginal() {
    assertThat(ADDRESS.toMessage()).hasSize(52).isEqualTo(ascii(MESSAGE));
    assertThat(PeerAddress.ofMessage(ascii(MESSAGE))).isEqualTo(ADDRESS);
    assertThat(XRC_ADDRESS.toMessage()).hasSize(66).isEqualTo(ascii(XRC_MESSAGE));
    assertThat(XrcAddress.ofMessage(ascii(XRC_MESSAGE))).isEqualTo(XRC_ADDRESS);
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
    assertThat(XRC_ADDRESS)
        .hasToString(
            "LID 0000, QPN RECV 000011 SEND 000012, PSN 6dc420, SRQN 0000ab,"
                + " GID ::ffff:10.22.116.221");
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
    assertThatThrownBy(() -> PeerAddress.ofMessage(ascii(text + "\0")))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining(why);
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
  void refusesWhatReachesNoPeerOverXrc(String text, String why) {
    assertThatThrownBy(() -> XrcAddress.ofMessage(ascii(text + "\0")))
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

  @Test
  void manyQueuePairsFillTheSlotsOfTheOriginal() {
    byte[] message = ascii(MESSAGE + SECOND + UNUSED.repeat(SLOTS - 2));

    assertThat(TWO.toMessage()).hasSize(SLOTS * 52).isEqualTo(message);
    assertThat(TWO.ofPeer(message)).isEqualTo(TWO);
  }

  @Test
  void oneSlotIsTheMessageOfASingleQueuePair() {
    QpAddressList one = new QpAddressList(List.of(ADDRESS), 1);

    assertThat(one.toMessage()).isEqualTo(ascii(MESSAGE));
    assertThat(one.ofPeer(ascii(SECOND)).used()).containsExactly(TWO.used().get(1));
    assertThatThrownBy(() -> one.ofPeer(ascii(UNUSED)))
        .hasMessage("Couldn't use remote address: QPN 0 is no program's");
  }

  @Test
  void refusesAnotherNumberOfQueuePairs() {
    assertThatThrownBy(() -> TWO.ofPeer(ascii(MESSAGE + UNUSED.repeat(SLOTS - 1))))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("the peer has 1 queue pairs, this side 2; give both the same -q");
    assertThatThrownBy(() -> TWO.ofPeer(ascii(MESSAGE.repeat(SLOTS))))
        .hasMessageContaining("the peer has 256 queue pairs, this side 2");
  }
}
