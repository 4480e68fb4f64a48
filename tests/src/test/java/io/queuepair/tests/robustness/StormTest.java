// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.Deth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Route;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection beside which others do too much takes as long as alone, in virtual time. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class StormTest {
  private static final String TARGET = "10.0.0.1";
  private static final String STRANGER = "10.0.0.9";
  private static final int RECEIVES = 4;
  private static final int RECEIVE_BYTES = 4096;
  private static final int FLOOD = 64;
  private static final int MIB = 1 << 20;
  private static final int WRITES = 20;

  private final InMemoryFabric fabric;
  @AutoClose private final Emulator emulator;
  private final EmulatedDevice device;
  private final ProtectionDomain target;
  private final ProtectionDomain client;

  StormTest(LinkForm form) {
    fabric = form.fabric();
    emulator = Emulator.on(fabric);
    device = emulator.addDevice(TARGET);
    target = device.open().allocPd();
    client = emulator.addDevice("10.0.0.2").open().allocPd();
  }

  /** A connection that writes the same bytes again and again. */
  private final class WritingConnection {
    private final CompletionQueue cq = client.context().createCq(FLOOD);
    private final QueuePair qp = client.createQp(QpInitAttr.rc(cq, QpCap.of(FLOOD)));
    private final SendWr write;

    WritingConnection(int bytes) {
      CompletionQueue unused = target.context().createCq(1);
      Emulator.connect(qp, target.createQp(QpInitAttr.rc(unused, QpCap.of(1))));
      MemoryRegion there =
          target.regMr(
              ByteBuffer.allocateDirect(bytes), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
      MemoryRegion here = client.regMr(ByteBuffer.allocateDirect(bytes));
      write = SendWr.rdmaWrite(1, there.addr(), there.rkey(), here.sge());
    }

    void post() {
      qp.postSend(write);
    }

    void awaitSuccess() {
      assertThat(emulator.await(cq)).extracting(WorkCompletion::status).isEqualTo(WcStatus.SUCCESS);
    }

    /** How long one takes. */
    long nanos() {
      long start = fabric.scheduler().nowNanos();
      post();
      awaitSuccess();
      return fabric.scheduler().nowNanos() - start;
    }
  }

  /** Sends datagrams as fast as they go, and has no device. */
  private final class DatagramSender implements Station {
    private final InetAddress address = IpAddress.parse(STRANGER);
    private final Link link = fabric.attach(address, this);
    private final Packet packet;
    private int left;

    DatagramSender(int qpn, int payloadBytes) {
      Route route = new Route(address, IpAddress.parse(TARGET), 0, 0, 64, 0);
      Payload payload = Payload.of(new byte[payloadBytes]);
      Deth deth = new Deth(Attributes.QKEY, 1);
      packet = new Packet(route, Bth.of(Opcode.UD_SEND_ONLY, qpn, 0), List.of(deth), payload);
    }

    void send(int datagrams) {
      left = datagrams;
      link.ringDoorbell();
    }

    @Override
    public void receive(List<? extends Traffic> traffic) {}

    @Override
    public void transmit() {
      for (; left > 0 && link.isWritable(); left--) {
        ByteBuffer bytes = ByteBuffer.allocate(PacketCodec.encodedBytes(packet));
        int length = new PacketCodec().encode(packet, 0, bytes, 0);
        Route route = packet.route();
        link.send(new DatagramBurst(route.source(), 0, route.destination(), bytes, length), null);
      }
      link.endTurn();
    }
  }

  private QueuePair datagramQueuePair(CompletionQueue cq) {
    MemoryRegion memory =
        target.regMr(ByteBuffer.allocateDirect(RECEIVE_BYTES), AccessFlag.LOCAL_WRITE);
    QueuePair qp = target.createQp(QpInitAttr.of(QpType.UD, cq, QpCap.of(RECEIVES)));
    qp.modify(Attributes.init(QpType.UD));
    qp.modify(Attributes.rtr(QpType.UD, null, 0, 0));
    for (int i = 0; i < RECEIVES; i++) {
      qp.postRecv(RecvWr.of(i, memory.sge()));
    }
    return qp;
  }

  /**
   * 65,480 bytes make a UDP datagram of 64 KiB, 4,096 are too many with the GRH in front; others
   * use up the receives.
   */
  @ParameterizedTest
  @CsvSource({"65480, 500, 0", "4096, 500, 0", "0, 5000, 4", "256, 5000, 4"})
  void besideAStormOfDatagrams(int bytes, int storm, int taken) {
    CompletionQueue received = target.context().createCq(RECEIVES);
    DatagramSender stranger = new DatagramSender(datagramQueuePair(received).qpNum(), bytes);
    WritingConnection bystander = new WritingConnection(8);
    long alone = bystander.nanos();

    stranger.send(storm);

    for (int i = 0; i < WRITES; i++) {
      assertThat(bystander.nanos()).isEqualTo(alone);
    }
    assertThat(received.poll(RECEIVES + 1)).hasSize(taken);
    assertThat(device.dropCounts().values().stream().mapToLong(n -> n).sum())
        .isEqualTo(storm - taken);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, MIB})
  void besideAQueuePairThatFloodsRequests(int bytes) {
    WritingConnection flood = new WritingConnection(bytes);
    WritingConnection bystander = new WritingConnection(8);
    long alone = bystander.nanos();

    for (int i = 0; i < FLOOD; i++) {
      flood.post();
    }
    for (int i = 0; i < WRITES; i++) {
      assertThat(bystander.nanos()).isEqualTo(alone);
    }

    for (int i = 0; i < FLOOD; i++) {
      flood.awaitSuccess();
    }
  }
}
