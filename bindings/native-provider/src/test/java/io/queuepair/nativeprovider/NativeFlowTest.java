// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static io.queuepair.nativeprovider.SystemHost.direct;
import static io.queuepair.nativeprovider.SystemHost.errnoOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CounterDescription;
import io.queuepair.verbs.Counters;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames of raw packets that a flow leads to a queue pair; skipped without such a device. */
@Timeout(60)
class NativeFlowTest {
  private static final String ADDRESS = "02:04:06:08:0a:0c";

  private Context context;
  private CompletionQueue sends;
  private CompletionQueue receives;
  private ProtectionDomain pd;
  private QueuePair qp;

  @BeforeEach
  void open() {
    List<Device> devices = new NativeVerbsProvider().devices();
    Assumptions.assumeFalse(devices.isEmpty(), "the system has no device");
    context = devices.get(0).open();
    sends = context.createCq(8);
    receives = context.createCq(8);
    pd = context.allocPd();
    try {
      qp =
          pd.createQp(
              new QpInitAttr(
                  QpType.RAW_PACKET, sends, receives, null, new QpCap(8, 8, 1, 1, 0), true));
    } catch (VerbsException refused) {
      Assumptions.abort("the device has no raw packets");
    }
    qp.modify(QpAttr.to(QpState.INIT).portNum(1));
    qp.modify(QpAttr.to(QpState.RTR));
    qp.modify(QpAttr.to(QpState.RTS));
  }

  @AfterEach
  void close() {
    if (context != null) {
      context.close();
    }
  }

  private Flow flow() {
    return qp.createFlow(FlowAttr.normal(FlowSpec.Eth.to(MacAddress.of(ADDRESS))));
  }

  private MemoryRegion room() {
    return pd.regMr(ByteBuffer.allocateDirect(64), EnumSet.of(AccessFlag.LOCAL_WRITE));
  }

  private MemoryRegion frame(String bytes) {
    return pd.regMr(direct(bytes), EnumSet.noneOf(AccessFlag.class));
  }

  private static WorkCompletion await(CompletionQueue cq) {
    while (true) {
      List<WorkCompletion> done = cq.poll(1);
      if (!done.isEmpty()) {
        return done.get(0);
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void aFrameReachesTheQueuePairOfItsFlow() {
    Flow flow = flow();
    MemoryRegion into = room();
    MemoryRegion other = frame("\2\4\6\10\12\15......\10xfive");
    MemoryRegion from = frame("\2\4\6\10\12\14......\10xfour");
    qp.postRecv(RecvWr.of(7, into.sge()));

    qp.postSend(SendWr.send(1, other.sge()));
    qp.postSend(SendWr.send(2, from.sge()));

    assertThat(await(sends).status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(await(receives).wrId()).isEqualTo(7);
    assertThat(into.buffer().slice(0, 18)).isEqualTo(from.buffer());
    assertThat(flow.qp()).isSameAs(qp);
    assertThat(flow.attr().specs()).containsExactly(FlowSpec.Eth.to(MacAddress.of(ADDRESS)));
  }

  /** 18 bytes a frame; what is attached to nothing stays 0. */
  @Test
  void countersCountWhatTheirFlowTakes() {
    Counters counters = createCounters();
    Flow flow = flow();
    counters.attachPointFlow(CounterDescription.PACKETS, 3, flow);
    counters.attachPointFlow(CounterDescription.BYTES, 1, flow);
    MemoryRegion memory = room();
    MemoryRegion from = frame("\2\4\6\10\12\14......\10xfour");

    for (int wrId = 1; wrId <= 2; wrId++) {
      qp.postRecv(RecvWr.of(wrId, memory.sge()));
      qp.postSend(SendWr.send(wrId, from.sge()));
      assertThat(await(receives).wrId()).isEqualTo(wrId);
    }

    assertThat(counters.context()).isSameAs(context);
    assertThat(counters.read(4)).containsExactly(0, 36, 0, 2);
    assertThat(counters.read(0)).isEmpty();
    assertThat(errnoOf(() -> counters.read(1025))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(counters::close)).isEqualTo(Errno.EBUSY);
    flow.close();
    counters.close();
  }

  private Counters createCounters() {
    try {
      return context.createCounters();
    } catch (VerbsException refused) {
      assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
      return Assumptions.abort("the device has no counters of flows");
    }
  }

  /** Closing the context destroys flows before the counters that are attached to them. */
  @Test
  void aContextClosesWithCountersThatAreAttached() {
    Flow flow = flow();
    Counters counters = createCounters();
    counters.attachPointFlow(CounterDescription.PACKETS, 0, flow);

    context.close();

    context = null;
  }

  @Test
  void aQueuePairOutlivesItsFlow() {
    Flow flow = flow();

    assertThat(errnoOf(qp::close)).isEqualTo(Errno.EBUSY);
    flow.close();
    qp.close();
  }
}
