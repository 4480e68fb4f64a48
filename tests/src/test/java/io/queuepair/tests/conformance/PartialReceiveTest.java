// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A receive is outstanding until it completes, also while its message is arriving. */
@ParameterizedClass
@EnumSource(names = {"RC", "UC"})
final class PartialReceiveTest {
  private static final int RECEIVES = 2;
  private static final int BYTES = 10_000;
  private static final int MTU_BYTES = 1_024;

  @AutoClose private final Pair pair;

  /** Lets the first packet of a message arrive for one of as many receives as there may be. */
  PartialReceiveTest(QpType type) {
    Fabric fabric = LinkForm.OBJECTS.fabric();
    pair = Pair.on(fabric).type(type).cap(new QpCap(4, RECEIVES, 1, 1, 0)).cqe(RECEIVES).connect();
    for (int wrId = 0; wrId < RECEIVES; wrId++) {
      pair.b().postRecv(RecvWr.of(wrId, pair.b().region().sge()));
    }
    Bytes.into(pair.a().region(), 0, Bytes.pattern(BYTES, 1));
    pair.a().postSend(SendWr.send(9, pair.a().region().sge(0, BYTES)));
    fabric.scheduler().runNext();
    assertThat(Bytes.in(pair.b().region(), 0, MTU_BYTES)).isEqualTo(Bytes.pattern(MTU_BYTES, 1));
    assertThat(pair.b().receives()).isEmpty();
  }

  private Errno oneMore() {
    return Errnos.of(() -> pair.b().postRecv(RecvWr.of(7, pair.b().region().sge())));
  }

  @Test
  void takesUpItsRoomUntilTheMessageHasArrived() {
    assertThat(oneMore()).isEqualTo(Errno.ENOMEM);
    pair.drain();
    assertThat(pair.b().receives()).hasSize(1);
    assertThat(oneMore()).isNull();
    assertThat(oneMore()).isEqualTo(Errno.ENOMEM);
  }

  @Test
  void isFlushedIntoAQueueAsLargeAsTheReceiveQueue() {
    pair.b().qp().modify(QpAttr.to(QpState.ERR));

    assertThat(pair.b().receives()).containsExactly("0 WR_FLUSH_ERR", "1 WR_FLUSH_ERR");
    assertThat(pair.b().events()).isEmpty();
  }

  @Test
  void leavesNothingBehindWhenTheQueuePairIsReset() {
    pair.b().qp().modify(QpAttr.to(QpState.RESET));
    pair.b().toInit();

    assertThat(oneMore()).isNull();
    assertThat(oneMore()).isNull();
    assertThat(oneMore()).isEqualTo(Errno.ENOMEM);
  }

  @Test
  void countsWhenTheQueueIsMadeSmaller() {
    QpCap smaller = new QpCap(4, 1, 1, 1, 0);

    assertThat(Errnos.of(() -> pair.b().qp().modify(new QpAttr().cap(smaller))))
        .isEqualTo(Errno.EINVAL);
  }
}
