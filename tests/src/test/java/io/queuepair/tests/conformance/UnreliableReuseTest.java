// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Once a send is complete its memory is the application's again. Sends of an unreliable service are
 * complete when they leave, long before they arrive.
 */
final class UnreliableReuseTest {
  private static final int BYTES = 100;
  private static final int GRH_BYTES = 40;

  @AutoClose private Pair pair;

  private MemoryRegion connect(LinkForm form, QpType type) {
    pair = Pair.on(form).type(type).connect();
    Bytes.into(pair.a().region(), 0, Bytes.pattern(BYTES, 1));
    MemoryRegion target = pair.b().register(GRH_BYTES + BYTES);
    pair.b().qp().postRecv(RecvWr.of(2, target.sge()));
    return target;
  }

  /** Posts it, and reuses its memory as soon as it is complete. */
  private void post(SendWr request, String completion) {
    pair.a().qp().postSend(request);
    WorkCompletion done = pair.await(pair.a().sendCq());
    assertThat(Outcomes.of(List.of(done))).containsExactly(completion);
    Bytes.into(pair.a().region(), 0, Bytes.pattern(BYTES, 2));
    pair.drain();
  }

  @ParameterizedTest
  @CsvSource({"OBJECTS, UC", "WIRE_EXACT, UC", "OBJECTS, UD", "WIRE_EXACT, UD"})
  void aSendArrivesAsItLeft(LinkForm form, QpType type) {
    MemoryRegion target = connect(form, type);
    boolean isDatagram = type == QpType.UD;
    SendWr send = SendWr.send(1, pair.a().region().sge(0, BYTES));

    post(
        isDatagram ? send.to(pair.a().ah(), pair.b().qp().qpNum(), TestEndpoint.QKEY) : send,
        "1 SEND");

    assertThat(pair.b().receives()).hasSize(1);
    assertThat(Bytes.in(target, isDatagram ? GRH_BYTES : 0, BYTES))
        .isEqualTo(Bytes.pattern(BYTES, 1));
  }

  @ParameterizedTest
  @EnumSource
  void aWriteArrivesAsItLeft(LinkForm form) {
    connect(form, QpType.UC);
    MemoryRegion target = pair.b().register(BYTES, EnumSet.copyOf(TestEndpoint.ALL_RIGHTS));

    post(
        SendWr.rdmaWrite(1, target.addr(), target.rkey(), pair.a().region().sge(0, BYTES)),
        "1 RDMA_WRITE");

    assertThat(Bytes.in(target, 0, BYTES)).isEqualTo(Bytes.pattern(BYTES, 1));
  }
}
