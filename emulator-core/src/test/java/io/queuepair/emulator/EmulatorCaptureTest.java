// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.observe.CaptureFile;
import io.queuepair.emulator.observe.PacketRecord.Integrity;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmulatorCaptureTest {
  @TempDir private Path directory;

  @Test
  void packetsInMemoryAreFramesInTheFile() {
    Path file = directory.resolve("hello.pcapng");

    try (Emulator emulator = Emulator.builder().capture(file).build()) {
      ProtectionDomain pd = emulator.addDevice("10.0.0.1").open().allocPd();
      CompletionQueue cq = pd.context().createCq(8);
      QueuePair a = pd.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
      QueuePair b = pd.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
      Emulator.connect(a, b);
      MemoryRegion memory = pd.regMr(ByteBuffer.allocateDirect(64), AccessFlag.LOCAL_WRITE);
      b.postRecv(RecvWr.of(1, memory.sge(32, 8)));
      a.postSend(SendWr.send(2, memory.sge(0, 5)));
      assertThat(emulator.await(cq).status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(emulator.await(cq).status()).isEqualTo(WcStatus.SUCCESS);
    }

    try (CaptureFile capture = CaptureFile.open(file)) {
      assertThat(capture.next())
          .get()
          .satisfies(
              packet -> {
                assertThat(packet.fields()).containsEntry("opcode", "RC_SEND_ONLY");
                assertThat(packet.fields()).containsEntry("payload", 5);
                assertThat(packet.integrity()).isEqualTo(Integrity.ICRC_OK);
              });
      assertThat(capture.next())
          .get()
          .satisfies(
              packet -> assertThat(packet.fields()).containsEntry("opcode", "RC_ACKNOWLEDGE"));
      assertThat(capture.next()).isEmpty();
    }
  }
}
