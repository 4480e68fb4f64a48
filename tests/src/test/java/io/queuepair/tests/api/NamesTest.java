// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.WrBatch;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Names of objects in logs and debuggers, as long as they live and later. */
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
  void whatLeadsToAQueuePairNamesIt() {
    QpInitAttr raw = new QpInitAttr(QpType.RAW_PACKET, cq, cq, null, QpCap.of(4), false);
    QueuePair target = pd.createQp(raw);
    AhAttr address = AhAttr.to(context.queryGid(1, 0));

    assertThat(target.createFlow(FlowAttr.normal()))
        .hasToString("flow of qp0 (NORMAL, to " + target + ")");
    assertThat(pd.createAh(address)).hasToString("AH of qp0 (" + address + ")");
  }

  @Test
  void aBatchNamesItsQueue() {
    ExtendedCompletionQueue extended = context.createCqEx(CqInitAttrEx.of(4));
    QpInitAttr attr = QpInitAttr.rc(extended, QpCap.of(4));
    ExtendedQueuePair sender =
        pd.createQpEx(QpInitAttrEx.of(attr).withSendOps(SendOpsFlag.WITH_SEND));
    assertThat(extended).hasToString("CQ of qp0 (4 entries)");
    try (WrBatch sends = sender.wrStart()) {
      sends.wrId(1).send().wrId(2).send();
      assertThat(sends).hasToString("2 sends of a batch on " + sender);
    }
    sender.modify(QpAttr.to(QpState.ERR));
    sender.postRecv(RecvWr.of(3));
    PollBatch polls = extended.startPoll();
    assertThat(polls).hasToString("batch of polls on CQ of qp0 (4 entries)");
    polls.close();
    assertThat(polls).hasToString("batch of polls on CQ of qp0 (4 entries) (ended)");
  }

  @Test
  void anEventSaysWhatItIsAbout() {
    assertThat(AsyncEvent.of(EventType.COMM_EST, qp))
        .hasToString("COMM_EST of " + number + "(RC, RESET)");
    assertThat(AsyncEvent.ofPort(EventType.PORT_ERR, 1)).hasToString("PORT_ERR of port 1");
    assertThat(AsyncEvent.ofDevice(EventType.DEVICE_FATAL)).hasToString("DEVICE_FATAL");
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
