// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.observe.CaptureFile;
import io.queuepair.emulator.observe.PacketRecord;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Comments in captures: why a packet was sent, and why it was dropped. */
@Timeout(60)
final class CaptureCommentTest {
  private static final String HOST_A = "127.0.0.64";
  private static final String HOST_B = "127.0.0.65";

  /** A send and its seven repeats. */
  private static final int ATTEMPTS = 8;

  private static final String REPEATED = "sent again: it was not acknowledged";

  @TempDir private Path directory;

  private static String dropped(int qpn) {
    return "dropped by "
        + HOST_B
        + ": No QP of this device has the destination number. It is "
        + qpn
        + ".";
  }

  /** The networks there are. */
  enum CommentNetwork {
    OBJECTS,
    WIRE_EXACT,
    UDP;

    Fabric fabric() {
      return this == UDP ? udp(FreePort.of(HOST_A)) : LinkForm.valueOf(name()).fabric();
    }
  }

  private static Fabric udp(int port) {
    return UdpFabric.open(UdpOptions.defaults().withPort(port));
  }

  private static Emulator capturing(Fabric fabric, Path file) {
    return Emulator.builder().fabric(fabric).capture(file).build();
  }

  private static QueuePair queuePairOf(Device device) {
    ProtectionDomain pd = device.open().allocPd();
    CompletionQueue cq = pd.context().createCq(8);
    return pd.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
  }

  private static MemoryRegion regionOf(QueuePair qp) {
    return qp.pd().regMr(ByteBuffer.allocateDirect(64), AccessFlag.LOCAL_WRITE);
  }

  /** Sends to a queue pair that is no longer there, which has this number. */
  private static int sendInVain(Emulator emulator, QueuePair from, QueuePair to) {
    Emulator.connect(from, to);
    to.close();
    from.postSend(SendWr.send(1, regionOf(from).sge(0, 5)));
    WorkCompletion failed = emulator.await(from.initAttr().sendCq());
    assertThat(failed.status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    return to.qpNum();
  }

  private static List<PacketRecord> read(Path file) {
    List<PacketRecord> packets = new ArrayList<>();
    try (CaptureFile capture = CaptureFile.open(file)) {
      for (Optional<PacketRecord> next = capture.next(); next.isPresent(); next = capture.next()) {
        packets.add(next.get());
      }
    }
    return packets;
  }

  @ParameterizedTest
  @EnumSource(CommentNetwork.class)
  void saysWhyARequestIsSentAgainAndWhyItIsDropped(CommentNetwork network) throws IOException {
    Path file = directory.resolve("dropped.pcapng");
    int number;

    try (Emulator emulator = capturing(network.fabric(), file)) {
      QueuePair a = queuePairOf(emulator.addDevice(HOST_A));
      QueuePair b = queuePairOf(emulator.addDevice(HOST_B));
      number = sendInVain(emulator, a, b);
    }

    List<PacketRecord> packets = read(file);
    assertThat(packets).hasSize(ATTEMPTS);
    assertThat(packets.get(0).comments()).containsExactly(dropped(number));
    assertThat(packets.subList(1, ATTEMPTS))
        .allSatisfy(
            packet -> assertThat(packet.comments()).containsExactly(REPEATED, dropped(number)));
  }

  @ParameterizedTest
  @EnumSource(CommentNetwork.class)
  void saysWhyANakIsSent(CommentNetwork network) throws IOException {
    Path file = directory.resolve("nak.pcapng");
    int unknownKey = 0x7fffff00;

    try (Emulator emulator = capturing(network.fabric(), file)) {
      QueuePair a = queuePairOf(emulator.addDevice(HOST_A));
      QueuePair b = queuePairOf(emulator.addDevice(HOST_B));
      Emulator.connect(a, b);
      a.postSend(SendWr.rdmaWrite(1, 0, unknownKey, regionOf(a).sge(0, 5)));
      assertThat(emulator.await(a.initAttr().sendCq()).status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    assertThat(read(file))
        .satisfiesExactly(
            request -> assertThat(request.comments()).isEmpty(),
            nak -> {
              assertThat(nak.fields()).containsEntry("opcode", "RC_ACKNOWLEDGE");
              assertThat(nak.comments()).singleElement().asString().contains("key");
            });
  }

  @Test
  void saysWhyAPacketFromAnotherProcessIsDropped() throws IOException {
    Path file = directory.resolve("elsewhere.pcapng");
    int port = FreePort.of(HOST_A);
    int number;

    try (Emulator here = capturing(udp(port), file);
        Emulator elsewhere = Emulator.on(udp(port))) {
      QueuePair b = queuePairOf(here.addDevice(HOST_B));
      QueuePair a = queuePairOf(elsewhere.addDevice(HOST_A));
      number = sendInVain(elsewhere, a, b);
    }

    assertThat(read(file))
        .hasSize(ATTEMPTS)
        .allSatisfy(packet -> assertThat(packet.comments()).containsExactly(dropped(number)));
  }
}
