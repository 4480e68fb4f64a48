// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.SendWr;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * READs of several windows on a network that loses packets of their responses. Each packet that
 * comes is progress, after which a loss has all retries again; two in a row may fail here.
 */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class LongReadLossTest {
  private static final int BYTES = 1 << 20;
  private static final int RETRIES = 2;

  private final LinkForm form;

  LongReadLossTest(LinkForm form) {
    this.form = form;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop 0.3% of READ_RESPONSE",
        "drop every 401st READ_RESPONSE",
        "drop 700th..3000th READ_RESPONSE",
        "delay up to 50us 0.5% of READ_RESPONSE",
        "duplicate 5% of READ_RESPONSE; drop every 901st READ_RESPONSE",
        "drop 2nd READ_REQUEST; drop 2000th READ_RESPONSE"
      })
  void everyByteArrives(String plan) {
    Fabric faulty = new FaultFabric(form.fabric(), FaultPlan.parse(plan));
    try (Pair pair =
        Pair.on(faulty).mtu(Mtu.MTU_256).rts(attr -> attr.retryCnt(RETRIES)).connect()) {
      byte[] content = new byte[BYTES];
      new Random(1).nextBytes(content);
      MemoryRegion from =
          pair.b().pd().regMr(ByteBuffer.allocateDirect(BYTES), AccessFlag.REMOTE_READ);
      from.buffer().put(0, content);
      MemoryRegion to =
          pair.a().pd().regMr(ByteBuffer.allocateDirect(BYTES), AccessFlag.LOCAL_WRITE);

      pair.a()
          .qp()
          .postSend(
              List.of(
                  SendWr.rdmaRead(1, from.addr(), from.rkey(), to.sge()),
                  SendWr.rdmaRead(2, from.addr(), from.rkey(), to.sge(0, 8))));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 RDMA_READ " + BYTES, "2 RDMA_READ 8");
      byte[] arrived = new byte[BYTES];
      to.buffer().get(0, arrived);
      assertThat(arrived).isEqualTo(content);
    }
  }
}
