// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.AtomicFetchAndAddWr;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests are written into memory that is kept: the heap gets no objects of it. */
final class RequestAllocationTest {
  private static final int TIMES = 20_000;

  private static long allocated(Runnable work) {
    return ThreadAllocation.bytes(
        () -> {
          for (int i = 0; i < TIMES; i++) {
            work.run();
          }
        });
  }

  @Test
  void sendsAllocateNothing() {
    SendRequests sends = new SendRequests();
    Sge sge = new Sge(4096, 64, 7);
    List<SendWr> wrs =
        List.of(
            SendWr.send(1, sge),
            SendWr.sendWithImm(2, 3, sge, sge),
            SendWr.rdmaWrite(4, 8192, 9, sge),
            new AtomicFetchAndAddWr(5, List.of(sge), EnumSet.of(SendFlag.SIGNALED), 8192, 9, 1));

    assertThat(allocated(() -> SendRequests.check(0, sends.write(wrs), sends.bad()))).isZero();
  }

  @Test
  void receivesAllocateNothing() {
    ReceiveRequests receives = new ReceiveRequests();
    List<RecvWr> wrs = List.of(RecvWr.of(1, new Sge(4096, 64, 7)), RecvWr.of(2));

    assertThat(allocated(() -> receives.write(wrs, "ibv_post_recv"))).isZero();
  }

  @Test
  void inlineDataAllocatesNothing() {
    ByteBuffer bytes = ByteBuffer.allocate(61);
    try (Arena arena = Arena.ofConfined()) {
      long to = RawMemory.allocate(arena, 64);

      assertThat(allocated(() -> RawMemory.putBytes(to, bytes))).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 61})
  void bytesAreCopiedInTheirOrder(int count) {
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      ByteBuffer bytes = ByteBuffer.allocate(3 + count + 2).order(order);
      for (int i = 0; i < bytes.capacity(); i++) {
        bytes.put(i, (byte) (i + 1));
      }
      bytes.position(3).limit(3 + count);
      try (Arena arena = Arena.ofConfined()) {
        long to = RawMemory.allocate(arena, 72);

        RawMemory.putBytes(to, bytes);

        for (int i = 0; i < count; i++) {
          assertThat(RawMemory.getByte(to + i)).isEqualTo(i + 4);
        }
        assertThat(RawMemory.getByte(to + count)).isZero();
        assertThat(bytes.position()).isEqualTo(3);
      }
    }
  }
}
