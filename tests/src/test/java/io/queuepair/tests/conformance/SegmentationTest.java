// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of every interesting length arrive whole at every path MTU, and touch nothing else. */
final class SegmentationTest {
  static Stream<Arguments> messages() {
    List<Arguments> messages = new ArrayList<>();
    for (LinkForm form : LinkForm.values()) {
      for (Mtu mtu : Mtu.values()) {
        int bytes = mtu.bytes();
        for (int length : new int[] {0, 1, bytes - 1, bytes, bytes + 1, 3 * bytes + 7}) {
          messages.add(Arguments.of(form, mtu, length));
        }
      }
    }
    return messages.stream();
  }

  private static Pair pair(LinkForm form, Mtu mtu) {
    return Pair.on(form).mtu(mtu).connect();
  }

  /** A region whose first bytes are the message. */
  private static MemoryRegion source(TestEndpoint endpoint, byte[] message) {
    MemoryRegion source = endpoint.register(message.length + 1);
    Bytes.into(source, 0, message);
    return source;
  }

  @ParameterizedTest
  @MethodSource("messages")
  void sendArrivesWhole(LinkForm form, Mtu mtu, int length) {
    try (Pair pair = pair(form, mtu)) {
      byte[] message = Bytes.pattern(length, 3);
      GuardedRegion target = GuardedRegion.in(pair.b(), length);
      pair.b().qp().postRecv(RecvWr.of(2, target.sge()));

      pair.a().qp().postSend(SendWr.send(1, source(pair.a(), message).sge(0, length)));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 SEND");
      assertThat(pair.b().receives()).containsExactly("2 RECV " + length);
      target.assertHolds(message);
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void writeArrivesWhole(LinkForm form, Mtu mtu, int length) {
    try (Pair pair = pair(form, mtu)) {
      byte[] message = Bytes.pattern(length, 5);
      GuardedRegion target = GuardedRegion.in(pair.b(), length);

      pair.a()
          .qp()
          .postSend(
              SendWr.rdmaWrite(
                  1, target.addr(), target.rkey(), source(pair.a(), message).sge(0, length)));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 RDMA_WRITE");
      assertThat(pair.b().receives()).isEmpty();
      target.assertHolds(message);
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void writeWithImmediateArrivesWhole(LinkForm form, Mtu mtu, int length) {
    try (Pair pair = pair(form, mtu)) {
      byte[] message = Bytes.pattern(length, 6);
      GuardedRegion target = GuardedRegion.in(pair.b(), length);
      GuardedRegion receive = GuardedRegion.in(pair.b(), 32);
      pair.b().qp().postRecv(RecvWr.of(2, receive.sge()));

      pair.a()
          .qp()
          .postSend(
              SendWr.rdmaWriteWithImm(
                  1,
                  target.addr(),
                  target.rkey(),
                  0xbadd_cafe,
                  source(pair.a(), message).sge(0, length)));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 RDMA_WRITE");
      assertThat(pair.b().receives())
          .containsExactly("2 RECV_RDMA_WITH_IMM " + length + " imm 0xbaddcafe");
      target.assertHolds(message);
      receive.assertUntouched();
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void readFetchesWhole(LinkForm form, Mtu mtu, int length) {
    try (Pair pair = pair(form, mtu)) {
      byte[] message = Bytes.pattern(length, 7);
      MemoryRegion source = source(pair.b(), message);
      GuardedRegion target = GuardedRegion.in(pair.a(), length);

      pair.a().qp().postSend(SendWr.rdmaRead(1, source.addr(), source.rkey(), target.sge()));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 RDMA_READ " + length);
      target.assertHolds(message);
    }
  }

  static Stream<Arguments> packetsOf16KiB() {
    return Stream.of(
        Arguments.of(Mtu.MTU_256, 64),
        Arguments.of(Mtu.MTU_512, 32),
        Arguments.of(Mtu.MTU_1024, 16),
        Arguments.of(Mtu.MTU_2048, 8),
        Arguments.of(Mtu.MTU_4096, 4));
  }

  @ParameterizedTest
  @MethodSource("packetsOf16KiB")
  void pathMtuDecidesTheNumberOfPackets(Mtu mtu, int packets) {
    FaultyFabric fabric = FaultyFabric.reliable();
    try (Pair pair = Pair.on(fabric).mtu(mtu).connect()) {
      MemoryRegion target = pair.b().region();

      pair.a()
          .qp()
          .postSend(
              SendWr.rdmaWrite(
                  1, target.addr(), target.rkey(), pair.a().region().sge(0, 16 * 1024)));
      pair.drain();

      assertThat(fabric.seen()).filteredOn(datagram -> datagram.sender() == 1).hasSize(packets);
    }
  }

  @Test
  void aMegabyteCrossesInOneMessage() {
    try (Pair pair = pair(LinkForm.OBJECTS, Mtu.MTU_256)) {
      byte[] message = Bytes.pattern(1 << 20, 1);
      GuardedRegion target = GuardedRegion.in(pair.b(), message.length);

      pair.a()
          .qp()
          .postSend(
              SendWr.rdmaWrite(
                  1,
                  target.addr(),
                  target.rkey(),
                  source(pair.a(), message).sge(0, message.length)));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 RDMA_WRITE");
      target.assertHolds(message);
    }
  }

  @Test
  void psnsWrapAroundInTheMiddleOfAMessage() {
    try (Pair pair =
        Pair.on(LinkForm.WIRE_EXACT)
            .mtu(Mtu.MTU_256)
            .rtr(attr -> attr.rqPsn(0xff_fffe))
            .rts(attr -> attr.sqPsn(0xff_fffe))
            .connect()) {
      byte[] message = Bytes.pattern(5 * 256 + 1, 1);
      MemoryRegion source = source(pair.a(), message);
      GuardedRegion written = GuardedRegion.in(pair.b(), message.length);
      GuardedRegion readBack = GuardedRegion.in(pair.a(), message.length);

      pair.a()
          .qp()
          .postSend(
              List.of(
                  SendWr.rdmaWrite(
                      1, written.addr(), written.rkey(), source.sge(0, message.length)),
                  SendWr.rdmaRead(2, written.addr(), written.rkey(), readBack.sge())));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 RDMA_WRITE", "2 RDMA_READ " + message.length);
      readBack.assertHolds(message);
      assertThat(pair.a().qp().query().sqPsn()).isEqualTo(10);
      assertThat(pair.b().qp().query().rqPsn()).isEqualTo(10);
    }
  }
}
