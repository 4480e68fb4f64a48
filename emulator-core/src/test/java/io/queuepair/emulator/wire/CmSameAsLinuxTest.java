// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In the situation of a recording, our messages are those of Linux but for numbers and times. */
class CmSameAsLinuxTest {
  private static final String SERVER = "192.0.2.2";
  private static final String CLIENT = "192.0.2.3";

  /** Fields that differ from run to run, and the time, which this version of Linux has longer. */
  private static final List<CmField> MAY_DIFFER =
      List.of(
          CmField.MAD_TRANSACTION_ID,
          CmField.REQ_LOCAL_COMM_ID,
          CmField.REQ_LOCAL_CA_GUID,
          CmField.REQ_LOCAL_QPN,
          CmField.REQ_STARTING_PSN,
          CmField.REQ_PRIMARY_LOCAL_ACK_TIMEOUT,
          CmField.REP_LOCAL_COMM_ID,
          CmField.REP_REMOTE_COMM_ID,
          CmField.REP_LOCAL_QPN,
          CmField.REP_STARTING_PSN,
          CmField.REP_LOCAL_CA_GUID,
          CmField.RTU_LOCAL_COMM_ID,
          CmField.RTU_REMOTE_COMM_ID,
          CmField.DREQ_LOCAL_COMM_ID,
          CmField.DREQ_REMOTE_COMM_ID,
          CmField.DREQ_REMOTE_QPN,
          CmField.DREP_LOCAL_COMM_ID,
          CmField.DREP_REMOTE_COMM_ID);

  @TempDir Path directory;

  @Test
  void ourRpingSaysWhatThatOfLinuxDoes() throws IOException {
    List<String> ours = ours(CmSameAsLinuxTest::rping);

    assertThat(ours).isEqualTo(comparable(RecordedMads.packets("cm_rping")));
  }

  /**
   * Both sides disconnect at once, so that the order of DREQ and DREP is a matter of time, and
   * whether a side answers before its program ends.
   */
  @Test
  void ourRdmaClientAndServerSayWhatThoseOfLinuxDo() throws IOException {
    List<String> ours = ours(CmSameAsLinuxTest::rdmaClient);

    List<String> recorded = comparable(RecordedMads.packets("cm_rdma_client"));
    assertThat(ours.subList(0, 3)).isEqualTo(recorded.subList(0, 3));
    assertThat(new LinkedHashSet<>(ours)).isEqualTo(new LinkedHashSet<>(recorded));
  }

  private List<String> ours(Consumer<Emulator> program) throws IOException {
    Path file = directory.resolve("ours.pcapng");
    try (Emulator emulator = Emulator.builder().capture(file).build()) {
      program.accept(emulator);
    }
    return comparable(RecordedMads.packets(Pcapng.frames(Files.readAllBytes(file))));
  }

  /** As rping: one READ each way, the port of the recording, no private data. */
  private static void rping(Emulator emulator) {
    Connected ends = connect(emulator, 7174, 0xc7b3, RdmaConnParam.of(1, 1));
    ends.active.disconnect();
    take(ends.ofServer);
    ends.passive.disconnect();
    take(ends.ofClient);
  }

  /** As rdma_client and rdma_server: no parameters, so as many READs as the device has. */
  private static void rdmaClient(Emulator emulator) {
    Connected ends = connect(emulator, 7471, 46746, null);
    ends.active.disconnect();
    ends.passive.disconnect();
    take(ends.ofClient);
    take(ends.ofServer);
  }

  /** Both ends of a connection. */
  private record Connected(
      RdmaEventChannel ofClient, RdmaEventChannel ofServer, RdmaCmId active, RdmaCmId passive) {}

  private static Connected connect(
      Emulator emulator, int port, int clientPort, RdmaConnParam param) {
    EmulatedDevice server = emulator.addDevice(DeviceProfile.softRoce(), SERVER);
    EmulatedDevice client = emulator.addDevice(DeviceProfile.softRoce(), CLIENT);
    client.setMtu(1, 1500);
    server.setMtu(1, 1500);
    RdmaEventChannel ofServer = emulator.rdmaCm(server).createEventChannel();
    RdmaEventChannel ofClient = emulator.rdmaCm(client).createEventChannel();
    RdmaCmId listener = ofServer.createId(RdmaPortSpace.TCP);
    listener.bindAddr(new InetSocketAddress("0.0.0.0", port));
    listener.listen(3);
    RdmaCmId active = ofClient.createId(RdmaPortSpace.TCP);
    active.resolveAddr(
        new InetSocketAddress(CLIENT, clientPort),
        new InetSocketAddress(SERVER, port),
        Duration.ofSeconds(2));
    take(ofClient);
    active.resolveRoute(Duration.ofSeconds(2));
    take(ofClient);
    active.createQp(null, attributes());
    if (param == null) {
      active.connect();
    } else {
      active.connect(param);
    }
    RdmaCmId passive = take(ofServer);
    passive.createQp(null, attributes());
    if (param == null) {
      passive.accept();
    } else {
      passive.accept(param);
    }
    take(ofClient);
    take(ofServer);
    return new Connected(ofClient, ofServer, active, passive);
  }

  private static RdmaCmId take(RdmaEventChannel channel) {
    try (RdmaCmEvent event = channel.getCmEvent()) {
      return event.id();
    }
  }

  private static QpInitAttr attributes() {
    return new QpInitAttr(QpType.RC, null, null, null, QpCap.of(1), false);
  }

  private static List<String> comparable(List<Packet> packets) {
    List<String> lines = new ArrayList<>();
    for (Packet packet : packets) {
      Payload mad = packet.payload().copy();
      CmMessage message = (CmMessage) CmMessage.decode(mad);
      for (CmField field : MAY_DIFFER) {
        if (field.message() == null || field.message() == message.kind()) {
          message.set(field, 0);
        }
      }
      lines.add(message.kind() + " " + HexFormat.of().formatHex(message.toBytes()));
    }
    return lines;
  }
}
