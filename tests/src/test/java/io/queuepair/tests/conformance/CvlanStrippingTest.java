// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.PollCqAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpCreateFlag;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Queue pairs that take the VLAN tag (IEEE 802.1Q) from the frames they receive. Which frames have
 * one is in the tests of the responder.
 */
final class CvlanStrippingTest {
  private static final PollCqAttr POLL = new PollCqAttr(0);

  @AutoClose private final Segment segment = new Segment();
  private final RawHost b = segment.b();
  private final ExtendedCompletionQueue cq =
      b.context()
          .createCqEx(
              CqInitAttrEx.of(16)
                  .withWcFlags(CreateCqWcFlag.WITH_CVLAN, CreateCqWcFlag.WITH_BYTE_LEN));

  private QpInitAttrEx initAttr(QpType type, QpCreateFlag... flags) {
    return QpInitAttrEx.of(
            new QpInitAttr(type, b.sendCq(), cq, null, new QpCap(8, 8, 2, 2, 0), false))
        .withCreateFlags(flags);
  }

  private QueuePair receiver(QpCreateFlag... flags) {
    QueuePair qp = b.pd().createQpEx(initAttr(QpType.RAW_PACKET, flags));
    Attributes.connect(qp, null, 0, 0);
    qp.createFlow(FlowAttr.normal());
    return qp;
  }

  private PollBatch poll(byte[] frame) {
    segment.a().send(1, frame);
    segment.drain();
    PollBatch batch = cq.startPoll(POLL);
    assertThat(batch.nextPoll()).isTrue();
    return batch;
  }

  @Test
  void theTagIsTakenOffAndTold() {
    b.postRecv(receiver(QpCreateFlag.CVLAN_STRIPPING), 0, RawHost.SLOT_BYTES);

    PollBatch batch = poll(Frames.VLAN_IPV4.bytes());

    assertThat(batch.readByteLen()).isEqualTo(46);
    assertThat(batch.readCvlan()).isEqualTo(0x6005);
    assertThat(b.slot(0, 46)).isEqualTo(Frames.UDP_IPV4.bytes());
    assertThat(b.slot(0, 47)[46]).isEqualTo(TestEndpoint.FILL);
    batch.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "UC", "UD"})
  void otherTypesHaveNoTags(QpType type) {
    assertRefused(
        Errno.EOPNOTSUPP,
        "CVLAN_STRIPPING is for type RAW_PACKET, not " + type,
        () -> b.pd().createQpEx(initAttr(type, QpCreateFlag.CVLAN_STRIPPING)));
  }
}
