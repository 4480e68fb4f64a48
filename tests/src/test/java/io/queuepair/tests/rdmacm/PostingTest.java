// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_REQUEST;
import static io.queuepair.rdmacm.RdmaCmEventType.ESTABLISHED;
import static io.queuepair.rdmacm.RdmaPortSpace.TCP;
import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static io.queuepair.tests.rdmacm.RdmaHosts.attr;
import static io.queuepair.verbs.Errno.EINVAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqInitAttrEx;
import io.queuepair.verbs.SrqType;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The functions of {@code rdma_verbs.h}: register, post, wait for completions. */
final class PostingTest {
  @AutoClose private final RdmaHosts hosts = new RdmaHosts();

  private static ByteBuffer buffer(long value) {
    return ByteBuffer.allocateDirect(16).putLong(0, value);
  }

  private static void expect(WcOpcode opcode, long wrId, WorkCompletion completion) {
    assertThat(completion.status()).as(completion.explain()).isEqualTo(WcStatus.SUCCESS);
    assertThat(completion.opcode()).isEqualTo(opcode);
    assertThat(completion.wrId()).isEqualTo(wrId);
  }

  @Test
  void readsAndWritesReachRegionsWithTheRightForIt() {
    RdmaCmId[] ends = hosts.connected();
    ByteBuffer writable = buffer(0);
    ByteBuffer own = buffer(7);
    MemoryRegion source = ends[1].regRead(buffer(42));
    MemoryRegion target = ends[1].regWrite(writable);
    MemoryRegion local = ends[0].regMsgs(own);

    ends[0].postWrite(1, local.sge(0, 8), target.addr(), target.rkey());
    expect(WcOpcode.RDMA_WRITE, 1, ends[0].getSendComp());
    assertThat(writable.getLong(0)).isEqualTo(7);
    ends[0].postRead(2, local.sge(8, 8), source.addr(), source.rkey());
    expect(WcOpcode.RDMA_READ, 2, ends[0].getSendComp());
    assertThat(own.getLong(8)).isEqualTo(42);
    ends[0].postWrite(3, local.sge(), source.addr(), source.rkey());
    assertThat(ends[0].getSendComp().status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
  }

  @Test
  void receivesGoToTheSharedReceiveQueueOfTheId() {
    RdmaCmId active = hosts.connecting();
    RdmaCmId passive = hosts.atB(CONNECT_REQUEST).id();
    SrqInitAttrEx untyped = new SrqInitAttrEx(SrqAttr.of(4, 1), null, null, null, null);
    assertRefused(EINVAL, () -> passive.createSrqEx(untyped));
    passive.createSrqEx(SrqInitAttrEx.of(SrqAttr.of(4, 1), SrqType.BASIC));
    passive.createQpEx(null, QpInitAttrEx.of(attr(QpType.RC)));
    ByteBuffer received = buffer(0);
    passive.postRecv(6, passive.regMsgs(received).sge());
    passive.accept();
    hosts.atA(ESTABLISHED, active);

    active.postSend(1, active.regMsgs(buffer(5)).sge());

    expect(WcOpcode.RECV, 6, passive.getRecvComp());
    assertThat(received.getLong(0)).isEqualTo(5);
    passive.destroyQp();
    passive.destroySrq();
    assertThat(passive.qp()).isNull();
    assertThat(passive.srq()).isNull();
  }

  @Test
  void queuesOfTheProgramsOwnStayWhenTheQueuePairGoes() {
    RdmaCmId id = hosts.routed(TCP);
    CompletionQueue own = id.verbs().createCq(4, null, 0);
    id.createQp(null, QpInitAttr.rc(own, QpCap.of(1)));
    assertThat(id.sendCq()).isSameAs(own);
    assertThat(id.sendCqChannel()).isNull();

    id.destroyQp();

    assertThat(own.poll(1)).isEmpty();
    assertThat(RdmaHosts.withQp(id).sendCqChannel()).isNotNull();
  }
}
