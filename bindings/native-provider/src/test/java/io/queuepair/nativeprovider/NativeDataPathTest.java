// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static io.queuepair.nativeprovider.SystemHost.attr;
import static io.queuepair.nativeprovider.SystemHost.direct;
import static io.queuepair.nativeprovider.SystemHost.withQueue;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WrBatch;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Extended posting and polling, regions and events, on connected ids; skipped without a device. */
@Timeout(60)
class NativeDataPathTest {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(10);

  @RegisterExtension private final SystemHost host = new SystemHost();

  @Test
  void aSolicitedMessageIsAnnouncedToWhoWaitsForThese() {
    RdmaCmId[] ends = host.connected();
    for (int wrId = 1; wrId <= 2; wrId++) {
      ends[1].qp().postRecv(RecvWr.of(wrId));
    }
    ends[1].recvCq().reqNotify(true);

    ends[0].qp().postSend(SendWr.send(1));
    assertThat(ends[0].getSendComp().status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(ends[1].recvCqChannel().getCqEvent(SHORT)).isEmpty();
    ends[0].qp().postSend(SendWr.send(2).plusFlags(SendFlag.SOLICITED));

    assertThat(ends[1].recvCqChannel().getCqEvent(LONG)).contains(ends[1].recvCq());
    ends[1].recvCq().ackEvents(1);
  }

  @Test
  void extendedPostingAndPollingHaveAllFields() {
    ExtendedCompletionQueue cq = host.extendedCq();
    RdmaCmId one = host.extended(attr(QpType.RC), SendOpsFlag.WITH_SEND_WITH_IMM);
    RdmaCmId other = host.connect(one, withQueue(cq));
    MemoryRegion into = host.room(other);
    other.qp().postRecv(RecvWr.of(7, into.sge()));
    MemoryRegion from = host.message(one, "hello");
    ExtendedQueuePair qp = (ExtendedQueuePair) one.qp();

    try (WrBatch wr = qp.wrStart()) {
      wr.wrId(3).wrFlags(SendFlag.SIGNALED).sendImm(0x0102_0304).setSge(from.sge());
      wr.complete();
    }

    assertThat(one.getSendComp().wrId()).isEqualTo(3);
    try (PollBatch batch = cq.startPoll()) {
      assertThat(batch.nextPoll()).isTrue();
      assertThat(batch.wrId()).isEqualTo(7);
      assertThat(batch.status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(batch.readOpcode()).isEqualTo(WcOpcode.RECV);
      assertThat(batch.readByteLen()).isEqualTo(5);
      assertThat(batch.readImmData()).isEqualTo(0x0102_0304);
      assertThat(batch.readWcFlags()).contains(WcFlag.WITH_IMM);
      assertThat(batch.readQpNum()).isEqualTo(other.qp().qpNum());
      assertThat(batch.nextPoll()).isFalse();
    }
  }

  @Test
  void aRegionMovesToOtherMemory() {
    RdmaCmId[] ends = host.connected();
    MemoryRegion region = host.message(ends[0], "one");
    ByteBuffer other = direct("other");
    try {
      region.rereg(ReregMr.nothing().withTranslation(other));
    } catch (ReregMrException refused) {
      Assumptions.assumeFalse(refused.errno() == Errno.EOPNOTSUPP, "the device moves no region");
      throw refused;
    }
    MemoryRegion into = host.room(ends[1]);
    ends[1].postRecv(1, into.sge());

    ends[0].postSend(2, region.sge());

    assertThat(ends[1].getRecvComp().byteLen()).isEqualTo(5);
    assertThat(into.buffer().slice(0, 5)).isEqualTo(direct("other"));
  }

  /** A queue pair whose events are not acknowledged cannot be destroyed. */
  @Test
  void anEventOfAQueuePairIsAcknowledged() {
    RdmaCmId[] ends = host.connected();
    host.writeToHidden(ends[0], ends[1]);

    Optional<AsyncEvent> event = ends[1].verbs().getAsyncEvent(SHORT);
    event.ifPresent(
        raised -> {
          assertThat(raised.eventType()).isIn(EventType.QP_ACCESS_ERR, EventType.QP_REQ_ERR);
          ends[1].verbs().ackAsyncEvent(raised);
        });

    Assumptions.assumeTrue(event.isPresent(), "the device raises no event of a queue pair");
  }
}
