// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AdviseMrAdvice;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A missing argument is named before anything has changed; see also WrBatchTest. */
final class NullArgumentsTest {
  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionQueue cq = context.createCq(8);
  private final QueuePair qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(4)));
  private final SharedReceiveQueue srq = pd.createSrq(SrqAttr.of(4, 1));
  private final MemoryRegion memory = pd.regMr(ByteBuffer.allocateDirect(8));

  private static void assertNamed(String name, ThrowingCallable verb) {
    assertThatNullPointerException().isThrownBy(verb).withMessage(name);
  }

  @Test
  void ofAQueuePair() {
    assertNamed("attr", () -> qp.modify(null));
    assertNamed("attr", () -> qp.modify(null, Set.of()));
    assertNamed("mask", () -> qp.modify(QpAttr.to(QpState.INIT), null));
    assertNamed("wr", () -> qp.postSend((SendWr) null));
    assertNamed("wrs", () -> qp.postSend((List<SendWr>) null));
    assertNamed("wr", () -> qp.postRecv((RecvWr) null));
    assertNamed("wrs", () -> qp.postRecv((List<RecvWr>) null));
    assertNamed("bind", () -> qp.bindMw(pd.allocMw(MwType.TYPE_1), null));
    assertNamed("attr", () -> qp.modifyRateLimit(null));
    assertNamed("op", () -> qp.queryDataInOrder(null));
    assertNamed("attr", () -> qp.createFlow(null));
    assertNamed("group", () -> qp.attachMcast(null));
    assertNamed("group", () -> qp.detachMcast(null));
  }

  @Test
  void ofAContext() {
    assertNamed("attr", () -> context.allocDm(null));
    assertNamed("initAttr", () -> context.createCqEx(null));
    assertNamed("timeout", () -> context.getAsyncEvent((Duration) null));
    assertNamed("event", () -> context.ackAsyncEvent(null));
    assertNamed("attr", () -> context.openXrcd(null));
    assertNamed("attr", () -> context.openQp(null));
    assertNamed("completion", () -> context.initAhFromWc(1, null, ByteBuffer.allocate(40)));
    assertNamed("attr", () -> context.resolveEthL2FromGid(null));
    assertNamed("timeout", () -> context.createCompChannel().getCqEvent((Duration) null));
    assertNamed("into", () -> cq.poll((WorkCompletion[]) null));
    assertNamed("description", () -> context.createCounters().attachPointFlow(null, 0, null));
  }

  @Test
  void ofADomain() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(8);
    assertNamed("access", () -> pd.regMr(bytes, (Set<AccessFlag>) null));
    assertNamed("access", () -> pd.regMr(bytes, (AccessFlag) null));
    assertNamed("access", () -> pd.regMrIova(bytes, 0, null));
    assertNamed("attr", () -> pd.regMrEx(null));
    assertNamed("advice", () -> pd.adviseMr(null, Set.of(), List.of()));
    assertNamed("flags", () -> pd.adviseMr(AdviseMrAdvice.PREFETCH, null, List.of()));
    assertNamed("sgList", () -> pd.adviseMr(AdviseMrAdvice.PREFETCH, Set.of(), null));
    assertNamed("type", () -> pd.allocMw(null));
    assertNamed("initAttr", () -> pd.createQp(null));
    assertNamed("initAttr", () -> pd.createQpEx(null));
    assertNamed("attr", () -> pd.createAh(null));
    assertNamed("attr", () -> pd.createSrq(null));
    assertNamed("change", () -> memory.rereg(null));
  }

  @Test
  void ofASharedReceiveQueue() {
    assertNamed("wrs", () -> srq.postRecv((List<RecvWr>) null));
    assertNamed("wr", () -> srq.postRecv((RecvWr) null));
    assertNamed("attr", () -> srq.modify(null, Set.of()));
    assertNamed("mask", () -> srq.modify(SrqAttr.of(1, 1), null));
  }

  @Test
  void nothingHasChangedThen() {
    assertNamed("wrs", () -> srq.postRecv(Arrays.asList(RecvWr.of(1), null)));
    assertNamed("wrs", () -> qp.postRecv(Arrays.asList(RecvWr.of(1), null)));
    qp.modify(QpAttr.to(QpState.ERR));

    assertThat(cq.poll(1)).isEmpty();
    srq.postRecv(List.of(RecvWr.of(1), RecvWr.of(2), RecvWr.of(3), RecvWr.of(4)));
  }

  @Test
  void aBindThatIsRefusedNamesItself() {
    MwBindInfo all = new MwBindInfo(memory, memory.addr(), memory.length(), Set.of());

    VerbsException refusal =
        catchThrowableOfType(
            VerbsException.class,
            () -> qp.bindMw(pd.allocMw(MwType.TYPE_1), new MwBind(1, Set.of(), all)));

    assertThat(refusal.verb()).isEqualTo("ibv_bind_mw");
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
  }
}
