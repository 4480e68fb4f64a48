// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which request of a list is named as the refused one. */
final class RefusedRequestTest {
  private static final int EINVAL = 22;

  private final SendRequests sends = new SendRequests();
  private final ReceiveRequests receives = new ReceiveRequests();

  private static int indexOf(Throwable refusal) {
    return ((BadWorkRequestException) refusal).index();
  }

  @Test
  void isTheOneThatTheFunctionPointsTo() {
    long first = sends.write(List.of(SendWr.send(1), SendWr.send(2), SendWr.send(3)));
    long bad = sends.bad();
    RawMemory.putLong(bad, first + 2L * VerbsAbi.size("ibv_send_wr"));

    assertThatThrownBy(() -> SendRequests.check(EINVAL, first, bad))
        .satisfies(refusal -> assertThat(indexOf(refusal)).isEqualTo(2));

    long firstReceive = receives.write(List.of(RecvWr.of(1), RecvWr.of(2)), "verb");
    long badReceive = receives.bad();
    RawMemory.putLong(badReceive, firstReceive + VerbsAbi.size("ibv_recv_wr"));

    assertThatThrownBy(() -> ReceiveRequests.check(EINVAL, firstReceive, badReceive, "verb"))
        .satisfies(refusal -> assertThat(indexOf(refusal)).isEqualTo(1));
  }

  /** As rxe does in RESET: {@code bad_wr} is null then. */
  @Test
  void isTheFirstIfTheFunctionDoesNotSay() {
    for (int round = 0; round < 2; round++) {
      long first = sends.write(List.of(SendWr.send(1)));
      long bad = sends.bad();

      assertThatThrownBy(() -> SendRequests.check(EINVAL, first, bad))
          .satisfies(refusal -> assertThat(indexOf(refusal)).isZero());

      long firstReceive = receives.write(List.of(RecvWr.of(1)), "verb");
      long badReceive = receives.bad();

      assertThatThrownBy(() -> ReceiveRequests.check(EINVAL, firstReceive, badReceive, "verb"))
          .satisfies(refusal -> assertThat(indexOf(refusal)).isZero());
      RawMemory.putLong(bad, Long.MAX_VALUE);
      RawMemory.putLong(badReceive, Long.MAX_VALUE);
    }
  }
}
