// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static io.queuepair.nativeprovider.SystemHost.errnoOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.DmaBuffer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpRateLimitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Arguments that the library would crash at, or take for others, are refused before. */
@Timeout(60)
class NativeArgumentsTest {
  private static final QpCap CAP = new QpCap(8, 8, 2, 2, 64);

  private Context context;
  private ProtectionDomain pd;
  private CompletionQueue cq;

  @BeforeEach
  void open() {
    List<Device> devices = new NativeVerbsProvider().devices();
    Assumptions.assumeFalse(devices.isEmpty(), "the system has no device");
    context = devices.get(0).open();
    pd = context.allocPd();
    cq = context.createCq(16);
  }

  @AfterEach
  void close() {
    if (context != null) {
      context.close();
    }
  }

  private QueuePair queuePair() {
    return pd.createQp(QpInitAttr.rc(cq, CAP));
  }

  private static QpAttr init() {
    return QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(AccessFlag.REMOTE_WRITE);
  }

  private QpAttr readyToReceive(QueuePair qp) {
    return QpAttr.to(QpState.RTR)
        .ahAttr(AhAttr.to(context.queryGid(1, 0)))
        .pathMtu(Mtu.MTU_1024)
        .destQpNum(qp.qpNum())
        .rqPsn(0)
        .maxDestRdAtomic(1)
        .minRnrTimer(12);
  }

  private static QpAttr readyToSend() {
    return QpAttr.to(QpState.RTS).sqPsn(0).timeout(14).retryCnt(7).rnrRetry(7).maxRdAtomic(1);
  }

  /** Connects a queue pair to itself. */
  private <T extends QueuePair> T connected(T qp) {
    qp.modify(init());
    qp.modify(readyToReceive(qp));
    qp.modify(readyToSend());
    return qp;
  }

  private ExtendedQueuePair extended(CompletionQueue cq) {
    QpInitAttrEx attr = QpInitAttrEx.of(QpInitAttr.rc(cq, CAP)).withSendOps(SendOpsFlag.WITH_SEND);
    return pd.createQpEx(attr);
  }

  private static WorkCompletion await(CompletionQueue cq) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    WorkCompletion[] one = new WorkCompletion[1];
    while (cq.poll(one) == 0) {
      assertThat(System.nanoTime()).isLessThan(end);
    }
    return one[0];
  }

  /** Each would be another value in the bits that the structure has for it. */
  @Test
  void numbersThatTheStructuresHaveNoRoomForAreRefused() {
    QueuePair qp = queuePair();
    for (QpAttr attr : List.of(init().pkeyIndex(1 << 16), init().portNum(257))) {
      assertThat(errnoOf(() -> qp.modify(attr))).isEqualTo(Errno.EINVAL);
    }
    qp.modify(init());
    Gid gid = context.queryGid(1, 0);
    for (AhAttr vector :
        List.of(
            AhAttr.to(gid).fromPort(257),
            new AhAttr(GlobalRoute.to(gid, 0), 256, 1),
            new AhAttr(GlobalRoute.to(gid, 256), 0, 1),
            new AhAttr(new GlobalRoute(gid, 0, 0, 256, 0), 0, 1),
            new AhAttr(new GlobalRoute(gid, 0, 0, 64, -1), 0, 1))) {
      assertThat(errnoOf(() -> qp.modify(readyToReceive(qp).ahAttr(vector))))
          .isEqualTo(Errno.EINVAL);
      assertThat(errnoOf(() -> pd.createAh(vector))).isEqualTo(Errno.EINVAL);
    }
    for (QpAttr attr :
        List.of(
            readyToReceive(qp).maxDestRdAtomic(257), readyToReceive(qp).minRnrTimer(256 + 12))) {
      assertThat(errnoOf(() -> qp.modify(attr))).isEqualTo(Errno.EINVAL);
    }
    qp.modify(readyToReceive(qp));
    for (QpAttr attr :
        List.of(
            readyToSend().timeout(256 + 14),
            readyToSend().retryCnt(256 + 7),
            readyToSend().rnrRetry(-249),
            readyToSend().maxRdAtomic(257))) {
      assertThat(errnoOf(() -> qp.modify(attr))).isEqualTo(Errno.EINVAL);
    }
    qp.modify(readyToSend().timeout(14), readyToSend().mask());
    assertThat(errnoOf(() -> qp.modifyRateLimit(new QpRateLimitAttr(1, 1, 65_537))))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  void aTableMayHaveAsManyEntriesAsThereAre() {
    assertThat(context.queryGidTable(Integer.MAX_VALUE)).isEqualTo(context.queryGidTable(4096));
    assertThat(errnoOf(() -> context.queryGidTable(0))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void bytesThatWereFreedAreRefused() {
    DmaBuffer buffer;
    try {
      buffer = pd.allocBuf(4096);
    } catch (VerbsException refused) {
      Assumptions.abort("the library has no ibv_alloc_buf");
      return;
    }
    ByteBuffer bytes = buffer.bytes();
    bytes.put(0, (byte) 1);
    buffer.close();

    assertThatThrownBy(() -> bytes.get(0)).isInstanceOf(IllegalStateException.class);
    assertThat(errnoOf(() -> pd.regMr(bytes))).isEqualTo(Errno.EFAULT);
  }
}
