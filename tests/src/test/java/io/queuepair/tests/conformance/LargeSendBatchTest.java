// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrBatch;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Large sends through extended posting, and which of their datagrams are solicited. */
final class LargeSendBatchTest {
  private static final int SLOT_BYTES = 256;
  private static final int GRH_BYTES = 40;

  /** Where data to send lies: behind the slots of the receives. */
  private static final int DATA = 8 * SLOT_BYTES;

  private static Pair datagrams(int receives) {
    Pair pair =
        Pair.on(LinkForm.OBJECTS).type(QpType.UD).sendOps(Set.of(SendOpsFlag.WITH_TSO)).connect();
    for (int slot = 0; slot < receives; slot++) {
      Sge sge = pair.b().region().sge(slot * SLOT_BYTES, SLOT_BYTES);
      pair.b().qp().postRecv(RecvWr.of(slot, sge));
    }
    return pair;
  }

  private static ByteBuffer header(String hex) {
    return ByteBuffer.wrap(Bytes.ofHex(hex));
  }

  /** Six bytes in two datagrams behind a header of two. */
  private static void send(Pair pair, SendFlag... flags) {
    Sge data = LargeSends.countingUp(pair.a().region(), DATA, 6);
    try (WrBatch wr = pair.a().qp().toQpEx().orElseThrow().wrStart()) {
      wr.wrId(7).wrFlags(flags);
      wr.sendTso(header("aabb"), 4).setSge(data);
      wr.setUdAddr(pair.a().ah(), pair.b().qp().qpNum(), TestEndpoint.QKEY);
      wr.complete();
    }
    pair.drain();
  }

  private static String message(Pair pair, WorkCompletion receive) {
    int at = (int) receive.wrId() * SLOT_BYTES + GRH_BYTES;
    byte[] bytes = Bytes.in(pair.b().region(), at, receive.byteLen() - GRH_BYTES);
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void batchesCutDatagrams() {
    try (Pair pair = datagrams(4)) {
      send(pair, SendFlag.SIGNALED);

      assertThat(pair.b().receiveCompletions())
          .extracting(each -> message(pair, each))
          .containsExactly("aabb01020304", "aabb0506");
      assertThat(pair.a().sends()).containsExactly("7 TSO");
    }
  }

  @Test
  void batchesCutFrames() {
    String ethernet = "02000a00000202000a00000188b5";
    try (Segment segment = new Segment()) {
      RawHost b = segment.b();
      b.steer(FlowAttr.normal(FlowSpec.Eth.to(b.mac())));
      b.postRecv(0);
      b.postRecv(1);

      try (WrBatch wr = extended(segment.a()).wrStart()) {
        wr.wrId(7).wrFlags(SendFlag.SIGNALED);
        wr.sendTso(header(ethernet), 4)
            .setSge(LargeSends.countingUp(segment.a().region(), DATA, 6));
        wr.complete();
      }
      segment.drain();

      List<WorkCompletion> receives = b.recvCq().poll(4);
      assertThat(receives)
          .extracting(each -> b.slot((int) each.wrId(), each.byteLen()))
          .extracting(HexFormat.of()::formatHex)
          .containsExactly(ethernet + "01020304", ethernet + "0506");
      assertThat(segment.a().sends()).containsExactly("7 TSO");
    }
  }

  private static ExtendedQueuePair extended(RawHost host) {
    QpInitAttr attr = QpInitAttr.of(QpType.RAW_PACKET, host.sendCq(), QpCap.of(4));
    ExtendedQueuePair qp =
        host.pd()
            .createQpEx(
                QpInitAttrEx.of(attr)
                    .withMaxTsoHeader(RawHost.MAX_TSO_HEADER)
                    .withSendOps(SendOpsFlag.WITH_TSO));
    qp.modify(QpAttr.to(QpState.INIT).portNum(1));
    qp.modify(QpAttr.to(QpState.RTR));
    qp.modify(QpAttr.to(QpState.RTS));
    return qp;
  }

  private static boolean isAnnounced(Pair pair) {
    return pair.b().channel().getCqEvent(Duration.ZERO).isPresent();
  }

  private static void sendSolicited(Pair pair) {
    pair.b().recvCq().reqNotify(true);
    send(pair, SendFlag.SOLICITED);
  }

  @Test
  void theLastDatagramIsSolicited() {
    try (Pair pair = datagrams(2)) {
      sendSolicited(pair);

      assertThat(pair.b().receiveCompletions()).hasSize(2);
      assertThat(isAnnounced(pair)).isTrue();
    }
  }

  @Test
  void noDatagramBeforeTheLastIsSolicited() {
    try (Pair pair = datagrams(1)) {
      sendSolicited(pair);

      assertThat(pair.b().receiveCompletions()).hasSize(1);
      assertThat(isAnnounced(pair)).isFalse();
    }
  }
}
