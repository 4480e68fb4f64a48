// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.CqModerator;
import io.queuepair.emulator.queue.Cqe;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.WorkListener;
import io.queuepair.emulator.queue.WqePool;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the VLAN tag (IEEE 802.1Q) of a frame that arrives. */
class RawPacketResponderTest {
  private static final int DOMAIN = 1;
  private static final String ADDRESSES = "02000a000002 02000a000001 ";
  private static final String TAG = "8100 6005 ";

  /** UDP over IPv4 with the right checksums. */
  private static final String REST =
      "0800 45000020 00004000 401126cb 0a000001 0a000002 00071234 000c3bfb deadbeef";

  private final MemoryTable memory = new MemoryTable();
  private final ByteBuffer region = ByteBuffer.allocateDirect(64);
  private final RegisteredMemory registered =
      memory.register(DOMAIN, region, EnumSet.of(AccessFlag.LOCAL_WRITE));
  private final CompletionRing ring =
      new CompletionRing(4, false, new CqModerator(), new ArrayDeque<>(), event -> {});

  private void receive(boolean strips, int room, String frame) {
    Offloads offloads = new Offloads(0, 0, true, strips, null);
    QpContext qp = EngineFixture.context(QpType.RAW_PACKET, ring, null, offloads);
    Sge sge = new Sge(registered.addr(), room, registered.key());
    RecvWqe wqe = new RecvWqe();
    wqe.set(RecvWr.of(7, sge));
    wqe.accept();
    qp.receiveQueue().push(wqe);
    RawPacketResponder receiver =
        new RawPacketResponder(
            qp,
            new ScatterGather(memory),
            new CompletionWriter(
                qp,
                new CompletionWriter.EngineListeners(
                    new ArrayDeque<>(),
                    new Explanations(),
                    WorkListener.NONE,
                    new DeviceStatistics(),
                    new WqePool(),
                    new Cqe(),
                    () -> {})));

    assertThat(receiver.receiveFrame(new RawFrame(Payload.of(bytes(frame))))).isNull();
  }

  private static byte[] bytes(String spacedHex) {
    String hex = spacedHex.replace("TAG", TAG).replace("REST", REST);
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private void assertReceived(String frame, int cvlan) {
    byte[] expected = bytes(frame);
    Cqe completion = new Cqe();
    assertThat(ring.pollAndKeep(completion)).isTrue();
    assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(completion.byteLen()).isEqualTo(expected.length);
    assertThat(completion.cvlan()).isEqualTo(cvlan);
    byte[] actual = new byte[expected.length];
    region.get(0, actual);
    assertThat(actual).isEqualTo(expected);
    assertThat(region.get(expected.length)).isZero();
  }

  /** Whether it is stripped, the room of the receive, the frame, what is received, and the tag. */
  @ParameterizedTest
  @CsvSource({
    "true, 64, TAG REST, REST, 0x6005",
    "true, 46, TAG REST, REST, 0x6005",
    "true, 64, 8100 0007 TAG 88b5 01, TAG 88b5 01, 7",
    "false, 64, TAG REST, TAG REST, 0",
    "true, 64, REST, REST, 0",
  })
  void isTakenOffOnceAndTold(boolean strips, int room, String frame, String left, String cvlan) {
    receive(strips, room, ADDRESSES + frame);

    assertReceived(ADDRESSES + left, Integer.decode(cvlan));
  }

  @Test
  void doesNotTouchTheChecksums() {
    receive(true, 64, ADDRESSES + TAG + REST);

    assertThat(ring.poll().wcFlags()).isEqualTo(Set.of(WcFlag.IP_CSUM_OK));
  }

  @ParameterizedTest
  @ValueSource(strings = {"8100", "8100 60", "8100 6005", "8100 6005 08"})
  void staysIfItIsTruncated(String end) {
    receive(true, 64, ADDRESSES + end);

    assertReceived(ADDRESSES + end, 0);
  }
}
