// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.SendWr;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A READ of 2^31 - 1 bytes takes 2^23 PSNs at the smallest path MTU: the most there may be, at
 * which no PSN is before or after another any more.
 */
final class LargestReadTest {
  private static final int LENGTH = Integer.MAX_VALUE;
  private static final int PSNS = 1 << 23;
  private static final int WINDOW_BYTES = SendWindowConfig.softRoce().windowPackets() * MTU;
  private static final long REMOTE = 0x7fff_0000_1000L;
  private static final int RKEY = 0x1234;

  private final EngineFixture us = EngineFixture.ready();
  private RegisteredMemory region;
  @TempDir private Path directory;

  /** A file of zeros that takes no room on the disk. */
  @BeforeEach
  void register() throws IOException {
    try (var file = new RandomAccessFile(directory.resolve("zeros").toFile(), "rw")) {
      MappedByteBuffer zeros = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, LENGTH);
      region = us.register(zeros);
    }
  }

  /** After a loss it is asked for up to the end of a window. */
  @Test
  void isInFlightOnceItWasAskedFor() {
    us.post(SendWr.rdmaRead(1, REMOTE, RKEY, sge(region)));
    us.transmit();

    us.deliver(
        us.peer().readResponse(Opcode.RC_RDMA_READ_RESPONSE_FIRST, OWN_PSN, 1, new byte[MTU]));

    assertThat(us.drops(DropReason.STALE_RESPONSE)).isZero();
    assertThat(us.elapse(EngineFixture.TIMEOUT_NANOS))
        .containsExactly(
            us.own().readRequest(OWN_PSN + 1, new Reth(REMOTE + MTU, RKEY, WINDOW_BYTES - MTU)));
  }

  /** A request with a response is acknowledged by that alone. */
  @Test
  void isNotAcknowledgedOnceItsLastPacketHasLeft() {
    int last = Psn.add(PEER_PSN, PSNS - 1);
    us.deliver(us.peer().readRequest(PEER_PSN, reth(region, 0, LENGTH)));
    us.deliver(us.peer().readRequest(last, reth(region, (PSNS - 1) * MTU, MTU - 1)));
    us.transmit();

    us.deliver(us.peer().sendOnly(last, new byte[0]));

    assertThat(us.transmit()).containsExactly(us.own().ack(PEER_PSN - 1, 1));
  }
}
