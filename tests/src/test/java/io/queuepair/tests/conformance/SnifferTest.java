// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Flows of type SNIFFER see what passes the port, RoCE packets among it. */
final class SnifferTest {
  /** Ethernet, IPv4, UDP, BTH, four bytes, ICRC. */
  private static final int REQUEST_BYTES = 14 + 20 + 8 + 12 + 4 + 4;

  /** The same with an AETH instead of the four bytes. */
  private static final int ANSWER_BYTES = 14 + 20 + 8 + 12 + 4 + 4;

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void roceOfTheDeviceIsSeenInBothDirections(LinkForm form) {
    Fabric fabric = form.fabric();
    try (Segment segment = new Segment(fabric)) {
      QueuePair a = reliable(segment.a());
      QueuePair b = reliable(segment.b());
      Emulator.connect(a, b);
      segment.b().steer(FlowAttr.of(FlowAttrType.SNIFFER));
      segment.b().postRecv(0);
      segment.b().postRecv(1);
      Bytes.into(segment.a().region(), 0, new byte[] {1, 2, 3, 4});

      long target = segment.b().region().addr() + 3L * RawHost.SLOT_BYTES;
      int rkey = segment.b().region().rkey();
      a.postSend(SendWr.rdmaWrite(9, target, rkey, segment.a().region().sge(0, 4)));
      segment.drain();

      assertThat(segment.a().sends()).containsExactly("9 RDMA_WRITE");
      // A write: RETH makes the request 16 bytes longer.
      assertThat(segment.b().receives())
          .containsExactly("0 RECV " + (REQUEST_BYTES + 16), "1 RECV " + ANSWER_BYTES);
      // Destination, source, IPv4, protocol UDP, to port 4791, opcode RC RDMA WRITE only.
      byte[] request = segment.b().slot(0, REQUEST_BYTES);
      assertThat(hex(request, 0, 14)).isEqualTo("02000a00000202000a0000010800");
      assertThat(hex(request, 36, 38)).isEqualTo("12b7");
      assertThat(hex(request, 42, 43)).isEqualTo("0a");
      // Opcode RC ACKNOWLEDGE.
      byte[] answer = segment.b().slot(1, ANSWER_BYTES);
      assertThat(hex(answer, 0, 14)).isEqualTo("02000a00000102000a0000020800");
      assertThat(hex(answer, 42, 43)).isEqualTo("11");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = FlowAttrType.class,
      names = {"NORMAL", "ALL_DEFAULT", "MC_DEFAULT"})
  void otherFlowsDoNotSeeRoce(FlowAttrType type) {
    try (Segment segment = new Segment()) {
      QueuePair a = reliable(segment.a());
      QueuePair b = reliable(segment.b());
      Emulator.connect(a, b);
      segment.b().steer(FlowAttr.of(type));
      segment.b().postRecv(0);

      a.postSend(SendWr.rdmaWrite(9, 0, 0));
      segment.drain();

      assertThat(segment.a().sends()).containsExactly("9 RDMA_WRITE");
      assertThat(segment.b().receives()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void framesForOthersAndOwnFramesAreSeen(LinkForm form) {
    try (Segment segment = new Segment(form.fabric())) {
      segment.c().steer(FlowAttr.of(FlowAttrType.SNIFFER));
      segment.c().postRecv(0);
      segment.c().postRecv(1);

      segment.a().send(1, Frames.PLAIN.bytes());
      segment.drain();
      segment.c().send(2, Frames.UDP_IPV4.bytes());
      segment.drain();

      assertThat(segment.c().receives()).containsExactly("0 RECV 18", "1 RECV 46");
      assertThat(segment.c().slot(1, 46)).isEqualTo(Frames.UDP_IPV4.bytes());
    }
  }

  private static QueuePair reliable(RawHost host) {
    CompletionQueue cq = host.sendCq();
    return host.pd()
        .createQp(new QpInitAttr(QpType.RC, cq, host.recvCq(), null, QpCap.of(4), false));
  }

  private static String hex(byte[] bytes, int from, int to) {
    return HexFormat.of().formatHex(bytes, from, to);
  }
}
