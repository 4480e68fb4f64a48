// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.engine.ResponseQueue.AtomicResponse;
import io.queuepair.emulator.engine.ResponseQueue.Nak;
import io.queuepair.emulator.engine.ResponseQueue.Response;
import io.queuepair.emulator.engine.ResponseQueue.ResponseKind;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.Mtu;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ResponseQueueTest {
  private static final int MTU = Mtu.MTU_1024.bytes();

  private final ResponseQueue replies = new ResponseQueue();

  /** One of each kind, to a new request or to one that is repeated. */
  private void add(ResponseKind kind, boolean isRepeat) {
    Reth request = new Reth(0x1000, 7, 2L * MTU);
    switch (kind) {
      case ACKNOWLEDGEMENT -> replies.refuse(new Nak(3, Aeth.ack(0, 0), null));
      case ATOMIC -> replies.add(new AtomicResponse(3, 42, isRepeat));
      case READ ->
          replies.add(
              isRepeat
                  ? ReadResponse.again(3, request, MTU, null)
                  : ReadResponse.to(3, request, MTU, null));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aResponseTakesItsResourceUntilTimeHasMovedOn(ResponseKind kind) {
    int taken = kind.takesResource() ? 1 : 0;
    replies.advance(1);
    add(kind, false);

    assertThat(replies.peek().kind()).isEqualTo(kind);
    assertThat(replies.outstanding()).as("queued").isEqualTo(taken);
    replies.removeNext();
    assertThat(replies.outstanding()).as("just sent").isEqualTo(taken);
    replies.advance(2);
    assertThat(replies.outstanding()).as("sent before").isZero();
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsCountedOnceAllIsSent(ResponseKind kind) {
    add(kind, true);
    replies.removeNext();

    assertThat(replies.isEmpty()).isTrue();
    assertThat(replies.reads()).isZero();
    assertThat(replies.repeats()).isZero();
    assertThat(replies.outstanding()).isZero();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ACKNOWLEDGEMENT")
  void aRepeatedAnswerTakesNoResource(ResponseKind kind) {
    add(kind, true);

    assertThat(replies.repeats()).isOne();
    assertThat(replies.outstanding()).isZero();
  }

  /** So a kind that is added cannot be forgotten where it is counted and sent. */
  @Test
  void theFamilyIsClosedAndHasATypeForEachKind() {
    assertThat(Response.class.isSealed()).isTrue();
    assertThat(Response.class.getPermittedSubclasses()).hasSize(ResponseKind.values().length);
  }
}
