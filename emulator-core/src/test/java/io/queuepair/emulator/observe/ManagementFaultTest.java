// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.B;
import static io.queuepair.emulator.observe.TestHosts.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.faults.FaultSyntaxException;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.Deth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Effects of plans on messages of the connection manager, in traces and captures, too. */
final class ManagementFaultTest {
  private static final List<CmMessage> MESSAGES =
      List.of(
          CmMessage.of(CmKind.REQ)
              .set(CmField.REQ_LOCAL_COMM_ID, 7)
              .set(CmField.REQ_LOCAL_QPN, 0x11)
              .set(CmField.REQ_STARTING_PSN, 100),
          CmMessage.of(CmKind.REP, 8, 7).set(CmField.REP_LOCAL_QPN, 0x12),
          CmMessage.of(CmKind.RTU, 7, 8),
          CmMessage.of(CmKind.DREQ, 7, 8).set(CmField.DREQ_REMOTE_QPN, 0x12),
          CmMessage.of(CmKind.DREP, 8, 7));

  private final List<String> ladder = new ArrayList<>();

  private static Packet packet(byte[] mad) {
    Bth bth = Bth.of(Opcode.UD_SEND_ONLY, 1, 0);
    return new Packet(route(A, B), bth, List.of(new Deth(0x8001_0000, 1)), Payload.of(mad));
  }

  private static Packet packet(CmMessage message) {
    return packet(message.set(CmField.MAD_TRANSACTION_ID, 5).toBytes());
  }

  /** The lines of a ladder, from the message on. */
  private List<String> sent(String plan, boolean isEncoded) {
    InMemoryOptions options = InMemoryOptions.virtualTime().withWireExact(isEncoded);
    Fabric traced = LadderTrace.on(InMemoryFabric.create(options), ladder::add);
    try (FaultFabric fabric = new FaultFabric(traced, FaultPlan.parse(plan))) {
      Recorder a = Recorder.at(fabric, A);
      Recorder.at(fabric, B);
      MESSAGES.forEach(message -> send(a, packet(message), isEncoded));
      send(a, packet(new byte[256]), isEncoded);
      send(a, TestPackets.send(route(A, B), 1, 4), isEncoded);
      while (fabric.scheduler().runNext()) {}
    }
    return ladder.stream().map(line -> line.replaceFirst(".* bytes(, (CM )?)?", "")).toList();
  }

  private static void send(Recorder from, Packet packet, boolean isEncoded) {
    from.send(
        isEncoded ? TestPackets.burst(from.link().borrow(), packet) : TestPackets.delivery(packet));
  }

  private List<String> touched(String plan) {
    return sent(plan, false).stream()
        .filter(line -> line.contains("dropped: "))
        .map(line -> line.replaceFirst("[ ,].*", ""))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "drop 1st REQ, REQ",
    "drop REP, REP",
    "drop 3rd CM, RTU",
    "drop CM, REQ REP RTU DREQ DREP",
    "drop mad, REQ REP RTU DREQ DREP MAD",
    "drop CM where cm_local_comm_id = 8, REP DREP",
    "drop packet where cm_local_qpn = 0x12, REP",
    "drop packet where mad_attribute_id >= 0x15, DREQ DREP",
    "drop DREP where mad_transaction_id = 5 and cm_remote_comm_id = 7, DREP",
  })
  void aPlanNamesMessages(String plan, String expected) {
    assertThat(touched(plan)).containsExactly(expected.split(" "));
  }

  @ParameterizedTest
  @EnumSource
  void everyMessageIsAKind(CmKind kind) {
    String plan = "drop 1st " + kind.name().toLowerCase(Locale.ROOT);

    assertThat(FaultPlan.parse(plan)).hasToString("drop 1st " + kind);
  }

  @Test
  void aRewrittenFieldIsTakenForGenuine() {
    List<String> lines = sent("set cm_starting_psn +1 REQ; set cm_local_comm_id 9 DREP", true);

    assertThat(lines.get(0)).contains("psn=101").doesNotContain("invalid").contains("rewritten");
    assertThat(lines.get(4)).startsWith("DREP local=0x00000009 remote=0x00000007, rewritten");
  }

  @Test
  void aCorruptedFieldIsFoundByTheIcrc() {
    List<String> lines = sent("corrupt cm_remote_comm_id RTU", true);

    assertThat(lines.get(2))
        .startsWith("RTU local=0x00000007 remote=")
        .doesNotStartWith("RTU local=0x00000007 remote=0x00000008")
        .contains("invalid: The invariant CRC does not match");
  }

  @Test
  void aFieldHasRoomForItsBitsOnly() {
    assertThatThrownBy(() -> FaultPlan.parse("set cm_retry_count 8 REQ"))
        .isInstanceOf(FaultSyntaxException.class)
        .hasMessageContaining("a number of 0 to 7");
    assertThatThrownBy(() -> FaultPlan.parse("drop REQ where cm_private_data = 1"))
        .isInstanceOf(FaultSyntaxException.class)
        .hasMessageContaining("mad_status, cm_local_comm_id");
  }

  @Test
  void aCaptureSaysWhichMessageAFrameIs(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("cm.pcapng");
    try (Fabric fabric = PcapngCapture.to(file, InMemoryFabric.virtualTime())) {
      Recorder a = Recorder.at(fabric, A);
      Recorder.at(fabric, B);
      a.send(TestPackets.delivery(packet(MESSAGES.get(2))));
      while (fabric.scheduler().runNext()) {}
    }

    PacketRecord read = CaptureBytes.packets(Files.readAllBytes(file)).get(0);

    assertThat(read.comments()).containsExactly("CM RTU local=0x00000007 remote=0x00000008");
    assertThat(read.fields()).containsEntry("cm_remote_comm_id", "0x00000008");
  }
}
