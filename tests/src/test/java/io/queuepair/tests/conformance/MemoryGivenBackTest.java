// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.SendWr;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Memory belongs to the device until the completion of the send (ibv_post_send(3)). What is written
 * to it once it is the application's again does not travel, though packets may be on their way.
 */
final class MemoryGivenBackTest {
  private static final int BYTES = 4096;

  private enum ReleasePath {
    ERR,
    RESET,
    DESTROY_QP,
    DEREG_MR,
    REREG_MR,
    CLOSE_CONTEXT;

    void take(TestEndpoint side, MemoryRegion from) {
      switch (this) {
        case ERR -> {
          side.qp().modify(QpAttr.to(QpState.ERR));
          assertThat(side.sends()).containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
        }
        case RESET -> side.qp().modify(QpAttr.to(QpState.RESET));
        case DESTROY_QP -> side.qp().close();
        case DEREG_MR -> from.close();
        case REREG_MR ->
            from.rereg(ReregMr.nothing().withTranslation(ByteBuffer.allocateDirect(BYTES)));
        case CLOSE_CONTEXT -> side.context().close();
      }
    }
  }

  static Stream<Arguments> ways() {
    return Stream.of(LinkForm.values())
        .flatMap(form -> Stream.of(ReleasePath.values()).map(way -> Arguments.of(form, way)));
  }

  /** On the slow network packets are under way for longer than the application knows of them. */
  @ParameterizedTest
  @MethodSource("ways")
  void whatIsWrittenThenDoesNotReachThePeer(LinkForm form, ReleasePath way) {
    assertPeerGetsWhatWasPosted(form.fabric(), way);
    assertPeerGetsWhatWasPosted(new FaultFabric(form.fabric(), FaultPlan.parse("delay 3s")), way);
  }

  private static void assertPeerGetsWhatWasPosted(Fabric fabric, ReleasePath way) {
    try (Pair pair = Pair.on(fabric).mtu(Mtu.MTU_1024).connect()) {
      MemoryRegion from = pair.a().register(BYTES);
      MemoryRegion received = pair.b().register(BYTES);
      MemoryRegion written = pair.b().register(BYTES);
      ByteBuffer memory = from.buffer().put(0, Bytes.fill(BYTES, 'a'));
      pair.b().qp().postRecv(RecvWr.of(7, received.sge()));
      pair.a().qp().postSend(SendWr.send(1, from.sge()));
      pair.a().qp().postSend(SendWr.rdmaWrite(2, written.addr(), written.rkey(), from.sge()));

      way.take(pair.a(), from);
      memory.put(0, Bytes.fill(BYTES, 'Z'));
      pair.drain();

      assertThat(pair.b().receives()).containsExactly("7 RECV " + BYTES);
      assertThat(Bytes.in(received, 0, BYTES)).isEqualTo(Bytes.fill(BYTES, 'a'));
      assertThat(Bytes.in(written, 0, BYTES)).isEqualTo(Bytes.fill(BYTES, 'a'));
    }
  }

  /** Sends of an unreliable service are complete when they leave, long before they arrive. */
  @ParameterizedTest
  @CsvSource({"OBJECTS, UC", "WIRE_EXACT, UC", "OBJECTS, UD", "WIRE_EXACT, UD"})
  void aSendOfAnUnreliableServiceArrivesAsItLeft(LinkForm form, QpType type) {
    try (Pair pair = Pair.on(form).type(type).connect()) {
      MemoryRegion from = pair.a().register(100);
      MemoryRegion received = pair.b().register(140);
      MemoryRegion written = pair.b().register(100);
      from.buffer().put(0, Bytes.fill(100, 'a'));
      pair.b().postRecv(RecvWr.of(7, received.sge()));

      pair.a().postSend(SendWr.send(1, from.sge()));
      if (type == QpType.UC) {
        pair.a().postSend(SendWr.rdmaWrite(2, written.addr(), written.rkey(), from.sge()));
        assertThat(pair.await(pair.a().sendCq()).isSuccess()).isTrue();
      }
      assertThat(pair.await(pair.a().sendCq()).isSuccess()).isTrue();
      from.buffer().put(0, Bytes.fill(100, 'Z'));
      pair.drain();

      assertThat(pair.b().receives()).hasSize(1);
      assertThat(Bytes.in(received, type == QpType.UD ? 40 : 0, 100)).containsOnly('a');
      assertThat(Bytes.in(written, 0, 100))
          .containsOnly(type == QpType.UC ? 'a' : TestEndpoint.FILL);
    }
  }
}
