// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** When a round of reading ends, and what becomes of its memory. */
final class ReceiveBufferPoolTest {
  private static final int LITTLE = 100;
  private static final int MUCH = 60_000;

  private static ExtendedHandle round(ReceiveBufferPool memory) {
    ExtendedHandle round = memory.newHandle();
    round.reset(new EmbeddedChannel().config());
    return round;
  }

  private static boolean goesOnAfter(ExtendedHandle round, int bytes) {
    round.lastBytesRead(bytes);
    round.incMessagesRead(1);
    return round.continueReading(() -> true);
  }

  @Test
  void whoIsBusyDoesNotReadAgainAfterLittle() {
    assertThat(goesOnAfter(round(ReceiveBufferPool.forMerged(true)), LITTLE)).isFalse();
    assertThat(goesOnAfter(round(ReceiveBufferPool.forMerged(true)), MUCH)).isTrue();
  }

  @Test
  void whoSleepsReadsUntilThereIsNothing() {
    assertThat(goesOnAfter(round(ReceiveBufferPool.forMerged(false)), LITTLE)).isTrue();
    assertThat(goesOnAfter(round(ReceiveBufferPool.forSingles(8192)), LITTLE)).isTrue();
  }

  @Test
  void aRoundEndsAfterSomeReads() {
    ExtendedHandle round = round(ReceiveBufferPool.forMerged(false));

    int reads = 1;
    while (goesOnAfter(round, MUCH)) {
      reads++;
    }

    assertThat(reads).isEqualTo(4);
  }

  @Test
  void usesItsBuffersAgain() {
    ExtendedHandle round = round(ReceiveBufferPool.forMerged(false));
    ByteBuf first = round.allocate(UnpooledByteBufAllocator.DEFAULT);
    ByteBuf second = round.allocate(UnpooledByteBufAllocator.DEFAULT);
    first.writeZero(10).release();

    ByteBuf third = round.allocate(UnpooledByteBufAllocator.DEFAULT);

    assertThat(third).isSameAs(first).isNotSameAs(second);
    assertThat(third.refCnt()).isEqualTo(1);
    assertThat(third.readableBytes()).isZero();
    assertThat(third.writableBytes()).isEqualTo(ReceiveBufferPool.MERGED_BYTES);
  }
}
