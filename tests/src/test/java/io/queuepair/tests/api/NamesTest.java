package io.queuepair.tests.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SrqAttr;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What objects are called in logs and debuggers, as long as they live and later. */
final class NamesTest {
  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final Device device = emulator.addDevice("10.0.0.1");
  private final Context context = device.open();
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionChannel channel = context.createCompChannel();
  private final CompletionQueue cq = context.createCq(16, channel);
  private final QueuePair qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(4)));
  private final MemoryRegion memory = pd.regMr(ByteBuffer.allocateDirect(4096));
  private final String number = String.format("QP 0x%06x of qp0 ", qp.qpNum());

  @Test
  void aQueuePairSaysItsStateAndWhetherItIsThere() {
    assertThat(qp).hasToString(number + "(RC, RESET)");
    qp.modify(QpAttr.to(QpState.ERR));
    assertThat(qp).hasToString(number + "(RC, ERR)");
    qp.close();
    assertThat(qp).hasToString(number + "(RC, destroyed)");
  }

  @Test
  void eachObjectSaysWhatItIs() {
    assertThat(emulator).hasToString("emulator of [qp0]");
    assertThat(device).hasToString("device qp0");
    assertThat(context).hasToString("context of qp0");
    assertThat(cq).hasToString("CQ of qp0 (16 entries)");
    assertThat(channel).hasToString("completion channel of qp0");
    assertThat(pd).asString().matches("PD \\d+ of qp0");
    assertThat(memory).hasToString(String.format("MR 0x%x of qp0 (4096 bytes)", memory.rkey()));
    assertThat(pd.createSrq(SrqAttr.of(4, 1))).asString().matches("SRQ \\d+ of qp0 .4 entries.");
    assertThat(pd.allocMw(MwType.TYPE_2)).asString().matches("MW 0x[0-9a-f]+ of qp0 .TYPE_2.");
    assertThat(context.allocTd()).hasToString("thread domain of qp0");
    assertThat(context.openXrcd()).asString().matches("XRC domain \\d+ of qp0");
    assertThat(context.createCounters()).hasToString("counters of qp0");
    assertThat(context.allocDm(new AllocDmAttr(64, 0)))
        .hasToString("device memory of qp0 (64 bytes)");
    assertThat(pd.allocBuf(64)).hasToString("buffer of qp0 (64 bytes)");
  }

  @Test
  void anEventSaysWhatItIsAbout() {
    assertThat(AsyncEvent.of(EventType.COMM_EST, qp))
        .hasToString("COMM_EST of " + number + "(RC, RESET)");
    assertThat(AsyncEvent.ofPort(EventType.PORT_ERR, 1)).hasToString("PORT_ERR of port 1");
    assertThat(AsyncEvent.ofPort(EventType.DEVICE_FATAL, 0)).hasToString("DEVICE_FATAL");
  }

  @Test
  void aNameCanBeHadAfterTheEnd() {
    context.close();
    emulator.close();

    assertThat(emulator).hasToString("emulator of [qp0] (closed)");
    assertThat(device).hasToString("device qp0 (closed)");
    assertThat(context).hasToString("context of qp0 (closed)");
    assertThat(qp).hasToString(number + "(RC, destroyed)");
    assertThat(memory).asString().endsWith("(4096 bytes, destroyed)");
    assertThat(channel).hasToString("completion channel of qp0 (destroyed)");
  }
}
