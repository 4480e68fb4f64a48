// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory whose accesses may be reordered is as good as any other. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class RelaxedOrderingCasesTest {
  private static final int ROUNDS = 100;
  private static final int BYTES = 1024;
  private static final int HEADER = 40;

  private static final Set<AccessFlag> RELAXED =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.RELAXED_ORDERING);

  @Parameter private LinkForm form;

  /** Sends from one side to the other, and compares what arrives behind the header. */
  private static void send(Pair pair, TestEndpoint from, TestEndpoint to, int round, int header) {
    MemoryRegion source = from.register(BYTES, RELAXED);
    MemoryRegion target = to.register(header + BYTES, RELAXED);
    byte[] data = Bytes.pattern(BYTES, round);
    Bytes.into(source, 0, data);
    to.qp().postRecv(RecvWr.of(round, target.sge()));
    SendWr send = SendWr.send(round, source.sge());
    from.qp()
        .postSend(
            from.ah() == null ? send : send.to(from.ah(), to.qp().qpNum(), TestEndpoint.QKEY));
    pair.drain();

    assertThat(from.sends()).containsExactly(round + " SEND");
    assertThat(to.receives()).hasSize(1).first().asString().startsWith(round + " RECV ");
    assertThat(Bytes.in(target, header, BYTES)).isEqualTo(data);
    source.close();
    target.close();
  }

  private static void pingPong(Pair pair, int header) {
    for (int round = 0; round < ROUNDS; round++) {
      send(pair, pair.a(), pair.b(), round, header);
      send(pair, pair.b(), pair.a(), round, header);
    }
  }

  @Test
  @Tag("PYV-relaxed_ordering-RoTestCase.suite")
  @Tag("test_relaxed_ordering.RoTestCase.test_ro_rc_traffic")
  void connectionsUseIt() {
    try (Pair pair = Pair.connected(form)) {
      pingPong(pair, 0);
    }
  }

  @Test
  @Tag("PYV-relaxed_ordering-RoTestCase.suite")
  @Tag("test_relaxed_ordering.RoTestCase.test_ro_ud_traffic")
  void datagramsUseIt() {
    try (Pair pair = ConnectedPair.datagrams(Pair.on(form)).connect()) {
      pingPong(pair, HEADER);
    }
  }

  @Test
  @Tag("PYV-relaxed_ordering-RoTestCase.suite")
  @Tag("test_relaxed_ordering.RoTestCase.test_ro_mr_ex_traffic")
  void writesUseItWhenItIsRegisteredByAttributes() {
    try (ConnectedPair bed =
        new ConnectedPair(ConnectedPair.reliable(Pair.on(form)).connect(), BYTES)) {
      MemoryRegion target =
          bed.b()
              .pd()
              .regMrEx(
                  MrInitAttr.of(RELAXED.toArray(AccessFlag[]::new))
                      .withAddr(ByteBuffer.allocateDirect(BYTES)));
      for (int round = 0; round < ROUNDS; round++) {
        byte[] data = Bytes.pattern(BYTES, round);
        Bytes.into(bed.local(), 0, data);
        bed.post(SendWr.rdmaWrite(round, target.addr(), target.rkey(), bed.local().sge()));
        bed.pair().drain();

        assertThat(bed.a().sends()).containsExactly(round + " RDMA_WRITE");
        assertThat(Bytes.in(target, 0, BYTES)).isEqualTo(data);
      }
    }
  }
}
