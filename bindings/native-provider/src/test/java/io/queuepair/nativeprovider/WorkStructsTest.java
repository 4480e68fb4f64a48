// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.AtomicFetchAndAddWr;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests as they are written into {@code struct ibv_send_wr} and {@code ibv_recv_wr}, memory that
 * is kept, and what is read of {@code struct ibv_wc}: the layouts are those of {@code verbs.h}.
 */
final class WorkStructsTest {
  private static final int STATUS = 8;
  private static final int OPCODE = 12;
  private static final int EINVAL = 22;
  private static final int TIMES = 20_000;

  private final SendRequests sends = new SendRequests(null);
  private final ReceiveRequests receives = new ReceiveRequests();

  private static WorkCompletion read(int status, int opcode) {
    try (Arena arena = Arena.ofConfined()) {
      long at = RawMemory.allocate(arena, 48);
      RawMemory.putInt(at + STATUS, status);
      RawMemory.putInt(at + OPCODE, opcode);
      return Completions.read(at);
    }
  }

  /** Adapters leave what they had in the field: a program that switches over it must not fail. */
  @Test
  void failedWorkHasTheOpcodeOfValueZero() {
    WorkCompletion flushed = read(5, 0x7f);

    assertThat(flushed.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    assertThat(flushed.opcode()).isEqualTo(WcOpcode.SEND);
  }

  @ParameterizedTest
  @CsvSource({"129, RECV_RDMA_WITH_IMM", "0x7f, SEND", "-1, SEND"})
  void doneWorkHasItsOpcodeOrThatOfValueZero(int read, WcOpcode opcode) {
    assertThat(read(0, read).opcode()).isEqualTo(opcode);
  }

  @ParameterizedTest
  @CsvSource({"FENCE, 1", "SIGNALED, 2", "SOLICITED, 4", "INLINE, 8", "IP_CSUM, 16"})
  void eachFlagIsItsBit(SendFlag flag, int bit) {
    assertThat(SendRequests.maskOf(Set.of(flag))).isEqualTo(bit);
    assertThat(SendRequests.maskOf(EnumSet.allOf(SendFlag.class))).isEqualTo(31);
  }

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
