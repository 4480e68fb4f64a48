// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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

  /** A region whose first bytes are the message. */
  private static MemoryRegion source(TestEndpoint endpoint, byte[] message) {
    MemoryRegion source = endpoint.register(message.length + 1);
    Bytes.into(source, 0, message);
    return source;
  }

  /** Each operation, one after the other, with a message of its own. */
  @ParameterizedTest
  @MethodSource("messages")
  void everyOperationArrivesWhole(LinkForm form, Mtu mtu, int length) {
    try (Pair pair = Pair.on(form).mtu(mtu).connect()) {
      QueuePair qp = pair.a().qp();
      GuardedRegion sent = GuardedRegion.in(pair.b(), length);
      GuardedRegion written = GuardedRegion.in(pair.b(), length);
      GuardedRegion withImmediate = GuardedRegion.in(pair.b(), length);
      GuardedRegion receiveOfImmediate = GuardedRegion.in(pair.b(), 32);
      GuardedRegion fetched = GuardedRegion.in(pair.a(), length);
      MemoryRegion there = source(pair.b(), Bytes.pattern(length, 7));
      pair.b().postRecv(RecvWr.of(1, sent.sge()));
      pair.b().postRecv(RecvWr.of(3, receiveOfImmediate.sge()));

      qp.postSend(SendWr.send(1, data(pair, length, 3)));
      qp.postSend(SendWr.rdmaWrite(2, written.addr(), written.rkey(), data(pair, length, 5)));
      qp.postSend(
          SendWr.rdmaWriteWithImm(
              3, withImmediate.addr(), withImmediate.rkey(), 0xbadd_cafe, data(pair, length, 6)));
      qp.postSend(SendWr.rdmaRead(4, there.addr(), there.rkey(), fetched.sge()));
      pair.drain();

      assertThat(pair.a().sends())
          .containsExactly("1 SEND", "2 RDMA_WRITE", "3 RDMA_WRITE", "4 RDMA_READ " + length);
      assertThat(pair.b().receives())
          .containsExactly(
              "1 RECV " + length, "3 RECV_RDMA_WITH_IMM " + length + " imm 0xbaddcafe");
      sent.assertHolds(Bytes.pattern(length, 3));
      written.assertHolds(Bytes.pattern(length, 5));
      withImmediate.assertHolds(Bytes.pattern(length, 6));
      receiveOfImmediate.assertUntouched();
      fetched.assertHolds(Bytes.pattern(length, 7));
    }
  }

  private static Sge data(Pair pair, int length, int seed) {
    return source(pair.a(), Bytes.pattern(length, seed)).sge(0, length);
  }
}
