// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.Gid;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** 256 messages whatever {@code -q} says, as {@code ibv_srq_pingpong} sends them. */
final class QpAddressListTest {
  private static final int SLOTS = 256;
  private static final String FIRST = "0000:000011:000001:00000000000000000000ffff0a000001\0";
  private static final String SECOND = "0000:000012:000002:00000000000000000000ffff0a000001\0";
  private static final String UNUSED = "0000:000000:000000:00000000000000000000000000000000\0";

  private static final Gid GID = new Gid(0, 0xffff0a000001L);
  private static final QpAddressList TWO =
      new QpAddressList(
          List.of(new PeerAddress(0, 0x11, 1, GID), new PeerAddress(0, 0x12, 2, GID)), SLOTS);

  @Test
  void writesTheMessagesOfTheOriginal() {
    assertThat(TWO.toMessage())
        .hasSize(SLOTS * 52)
        .isEqualTo(ascii(FIRST + SECOND + UNUSED.repeat(SLOTS - 2)));
  }

  @Test
  void readsTheMessagesOfTheOriginal() {
    assertThat(TWO.ofPeer(ascii(FIRST + SECOND + UNUSED.repeat(SLOTS - 2)))).isEqualTo(TWO);
  }

  @Test
  void oneSlotIsTheMessageOfASingleQueuePair() {
    QpAddressList one = new QpAddressList(TWO.used().subList(0, 1), 1);

    assertThat(one.toMessage()).isEqualTo(ascii(FIRST));
    assertThat(one.ofPeer(ascii(SECOND)).used()).containsExactly(TWO.used().get(1));
    assertThatThrownBy(() -> one.ofPeer(ascii(UNUSED)))
        .hasMessage("Couldn't use remote address: QPN 0 is no program's");
  }

  @Test
  void refusesAnotherNumberOfQueuePairs() {
    assertThatThrownBy(() -> TWO.ofPeer(ascii(FIRST + UNUSED.repeat(SLOTS - 1))))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("the peer has 1 queue pairs, this side 2; give both the same -q");
    assertThatThrownBy(() -> TWO.ofPeer(ascii(FIRST.repeat(SLOTS))))
        .hasMessageContaining("the peer has 256 queue pairs, this side 2");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
