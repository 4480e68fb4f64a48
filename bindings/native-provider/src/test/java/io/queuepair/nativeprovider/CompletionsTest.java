// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** What is read of {@code struct ibv_wc}, whose layout is that of {@code verbs.h}. */
final class CompletionsTest {
  private static final int STATUS = 8;
  private static final int OPCODE = 12;

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

  @Test
  void doneWorkHasItsOpcode() {
    assertThat(read(0, 129).opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
  }

  @Test
  void anUnknownOpcodeIsThatOfValueZero() {
    assertThat(read(0, 0x7f).opcode()).isEqualTo(WcOpcode.SEND);
    assertThat(read(0, -1).opcode()).isEqualTo(WcOpcode.SEND);
  }
}
