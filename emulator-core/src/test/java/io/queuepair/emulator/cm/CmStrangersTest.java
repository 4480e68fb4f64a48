// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.AnsweredMessage;
import io.queuepair.emulator.wire.CmDreq;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMad;
import io.queuepair.emulator.wire.CmRej;
import io.queuepair.emulator.wire.CmRep;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.RejectReason;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Messages from strangers, and for ends that are not there: ids, QPN and source have to match. */
final class CmStrangersTest {
  private final CmHosts hosts = new CmHosts();

  @Test
  void aStrangerCannotEndAConnection() {
    CmId[] ends = hosts.established();
    CmPeer stranger = hosts.b.asPeer(); // Not where the active side is.
    CmDreq dreq =
        new CmDreq(ends[0].localCommId(), ends[1].localCommId(), 0x22, ImmutableBytes.EMPTY);
    CmDreq wrongQp =
        new CmDreq(ends[0].localCommId(), ends[1].localCommId(), 0x23, ImmutableBytes.EMPTY);
    CmDreq wrongId =
        new CmDreq(ends[0].localCommId() + 1, ends[1].localCommId(), 0x22, ImmutableBytes.EMPTY);

    hosts.b.engine.receive(stranger, CmMad.of(1, dreq), hosts.nowNanos);
    hosts.b.engine.receive(hosts.a.asPeer(), CmMad.of(1, wrongQp), hosts.nowNanos);
    hosts.b.engine.receive(hosts.a.asPeer(), CmMad.of(1, wrongId), hosts.nowNanos);
    hosts.run();

    assertThat(ends[1].state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(hosts.wire).isEmpty();
    assertThat(hosts.b.events).isEmpty();
    hosts.b.engine.receive(hosts.a.asPeer(), CmMad.of(1, dreq), hosts.nowNanos);
    assertThat(ends[1].state()).isEqualTo(CmState.DREQ_RCVD);
  }

  @Test
  void aStrangerCannotRejectAConnection() {
    CmId[] ends = hosts.established();
    CmPeer stranger = hosts.b.asPeer();
    CmPeer peer = hosts.a.asPeer();

    hosts.b.engine.receive(stranger, rej(ends[0].localCommId(), ends[1]), hosts.nowNanos);
    hosts.b.engine.receive(peer, rej(ends[0].localCommId() + 1, ends[1]), hosts.nowNanos);
    hosts.run();

    assertThat(ends[1].state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(hosts.b.events).isEmpty();
    hosts.b.engine.receive(peer, rej(ends[0].localCommId(), ends[1]), hosts.nowNanos);
    assertThat(ends[1].state()).isEqualTo(CmState.TIMEWAIT);
  }

  private static CmMad rej(int localCommId, CmId to) {
    return CmMad.of(
        1,
        new CmRej(
            localCommId,
            to.localCommId(),
            AnsweredMessage.OTHER,
            28,
            ImmutableBytes.EMPTY,
            ImmutableBytes.EMPTY));
  }

  @Test
  void aStrangerCannotAcceptARequest() {
    CmId active = hosts.a.engine.create();
    hosts.lost = mad -> true;
    hosts.a.engine.sendReq(active, hosts.b.asPeer(), hosts.req(active, 0x11), 0, hosts.nowNanos);
    CmRep rep =
        CmRep.builder().localCommId(7).remoteCommId(active.localCommId()).localQpn(0x99).build();
    CmRep ofAnother =
        CmRep.builder().localCommId(7).remoteCommId(active.localCommId() + 1).localQpn(9).build();

    hosts.a.engine.receive(hosts.a.asPeer(), CmMad.of(1, rep), hosts.nowNanos);
    hosts.a.engine.receive(hosts.b.asPeer(), CmMad.of(1, ofAnother), hosts.nowNanos);
    hosts.run();

    assertThat(active.state()).isEqualTo(CmState.REQ_SENT);
    assertThat(hosts.a.events).isEmpty();
    hosts.a.engine.receive(hosts.b.asPeer(), CmMad.of(1, rep), hosts.nowNanos);
    assertThat(active.state()).isEqualTo(CmState.REP_RCVD);
  }

  /**
   * As {@code cm_issue_rej}: both ids of the REP change places, so that its sender finds its end.
   */
  @Test
  void aReplyToAnUnknownEndIsRejectedWithBothIds() {
    hosts.b.listen(1);
    CmId gone = hosts.connect(0x11);
    int goneId = gone.localCommId();
    CmId passive = hosts.b.last().id();
    hosts.lost = CmHosts.all(CmKind.REJ);
    hosts.a.engine.destroy(gone, hosts.nowNanos);
    hosts.run();
    hosts.lost = mad -> false;
    hosts.wire.clear();

    hosts.accept(0x22);

    assertThat(hosts.wire).containsExactly("b>REP", "a>REJ");
    CmEvent rejected = hosts.b.last();
    assertThat(rejected.type()).isEqualTo(CmEventType.REJ_RECEIVED);
    byte[] rej = rejected.mad().toBytes();
    ByteBuffer payload = ByteBuffer.wrap(rej, 24, 16).slice();
    assertThat(payload.getInt(0)).as("local id").isEqualTo(goneId);
    assertThat(payload.getInt(4)).as("remote id").isEqualTo(passive.localCommId());
    assertThat(payload.get(8) >> 6).as("a REP is rejected").isEqualTo(1);
    assertThat(payload.getShort(10)).as("invalid communication ID").isEqualTo((short) 6);
  }

  /** A repeated REP asks for the RTU again, but not one of another id: {@code cm_rep_handler}. */
  @Test
  void aSecondReplyOfAnotherIdIsIgnored() {
    CmId[] ends = hosts.established();
    CmRep again =
        CmRep.builder()
            .localCommId(ends[1].localCommId())
            .remoteCommId(ends[0].localCommId())
            .localQpn(0x22)
            .build();
    CmRep ofAnother =
        CmRep.builder()
            .localCommId(ends[1].localCommId() + 1)
            .remoteCommId(ends[0].localCommId())
            .localQpn(0x23)
            .build();

    hosts.a.engine.receive(hosts.b.asPeer(), CmMad.of(1, ofAnother), hosts.nowNanos);
    hosts.run();
    assertThat(hosts.wire).isEmpty();

    hosts.a.engine.receive(hosts.b.asPeer(), CmMad.of(1, again), hosts.nowNanos);
    hosts.run();
    assertThat(hosts.wire).startsWith("a>RTU");
  }

  /** {@code cm_rej_handler} looks for the pair of ids. */
  @Test
  void aRejectionOfAReplyNamesTheEndThatTheReplyWasFor() {
    hosts.b.listen(1);
    CmId active = hosts.connect(0x11);
    hosts.lost = CmHosts.all(CmKind.REP);
    CmId passive = hosts.accept(0x22);

    hosts.b.engine.receive(hosts.a.asPeer(), rejectedReply(0, passive), hosts.nowNanos);
    hosts.run();
    assertThat(passive.state()).isEqualTo(CmState.REP_SENT);

    hosts.b.engine.receive(
        hosts.a.asPeer(), rejectedReply(active.localCommId(), passive), hosts.nowNanos);
    hosts.run();
    assertThat(hosts.b.last().type()).isEqualTo(CmEventType.REJ_RECEIVED);
  }

  private static CmMad rejectedReply(int localCommId, CmId to) {
    return CmMad.of(
        1,
        new CmRej(
            localCommId,
            to.localCommId(),
            AnsweredMessage.REP,
            RejectReason.INVALID_COMM_ID.code(),
            ImmutableBytes.EMPTY,
            ImmutableBytes.EMPTY));
  }
}
