// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.AnsweredMessage;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.DecodedMad;
import io.queuepair.emulator.wire.MadHeader;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RejectReason;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages from strangers, and for ends that are not there: ids, QPN and source have to match.
 * Whatever arrives does no harm.
 */
final class CmStrangersTest {
  private final CmHosts hosts = new CmHosts();

  @Test
  void aStrangerCannotEndAConnection() {
    CmId[] ends = hosts.established();
    CmPeer stranger = hosts.b.asPeer(); // Not where the active side is.
    int peers = ends[0].localCommId();
    CmMessage dreq = dreq(peers, ends[1], 0x22);

    hosts.b.engine.receive(stranger, dreq, hosts.nowNanos);
    hosts.b.engine.receive(hosts.a.asPeer(), dreq(peers, ends[1], 0x23), hosts.nowNanos);
    hosts.b.receive(hosts.a.asPeer(), dreq(peers + 1, ends[1], 0x22));

    assertThat(ends[1].state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(hosts.wire).isEmpty();
    assertThat(hosts.b.events).isEmpty();
    hosts.b.engine.receive(hosts.a.asPeer(), dreq, hosts.nowNanos);
    assertThat(ends[1].state()).isEqualTo(CmState.DREQ_RCVD);
  }

  /** Over RoCE, {@code cm_lap_handler} and {@code cm_apr_handler} of Linux do nothing. */
  @ParameterizedTest
  @EnumSource(names = {"LAP", "APR"})
  void messagesAboutAlternatePathsAreIgnored(CmKind kind) {
    CmId[] ends = hosts.established();
    CmMessage message = CmMessage.of(kind, ends[0].localCommId(), ends[1].localCommId());
    long progress = hosts.b.engine.progress();

    hosts.b.receive(hosts.a.asPeer(), message);

    assertThat(ends[1].state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(hosts.wire).isEmpty();
    assertThat(hosts.b.events).isEmpty();
    assertThat(hosts.b.engine.progress()).isEqualTo(progress);
  }

  @Test
  void aStrangerCannotRejectAConnection() {
    CmId[] ends = hosts.established();
    CmPeer stranger = hosts.b.asPeer();
    CmPeer peer = hosts.a.asPeer();

    hosts.b.engine.receive(stranger, rej(ends[0].localCommId(), ends[1]), hosts.nowNanos);
    hosts.b.receive(peer, rej(ends[0].localCommId() + 1, ends[1]));

    assertThat(ends[1].state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(hosts.b.events).isEmpty();
    hosts.b.engine.receive(peer, rej(ends[0].localCommId(), ends[1]), hosts.nowNanos);
    assertThat(ends[1].state()).isEqualTo(CmState.TIMEWAIT);
  }

  private static CmMessage dreq(int localCommId, CmId to, int qpn) {
    return CmMessage.of(CmKind.DREQ, localCommId, to.localCommId())
        .set(CmField.DREQ_REMOTE_QPN, qpn);
  }

  private static CmMessage rej(int localCommId, CmId to) {
    return CmMessage.of(CmKind.REJ, localCommId, to.localCommId())
        .set(CmField.REJ_MESSAGE_REJECTED, AnsweredMessage.OTHER.code())
        .set(CmField.REJ_REASON, 28);
  }

  private static CmMessage rep(int localCommId, int remoteCommId, int qpn) {
    return CmMessage.of(CmKind.REP, localCommId, remoteCommId).set(CmField.REP_LOCAL_QPN, qpn);
  }

  @Test
  void aStrangerCannotAcceptARequest() {
    CmId active = hosts.a.engine.create();
    hosts.lost = message -> true;
    hosts.a.engine.sendReq(active, hosts.b.asPeer(), hosts.req(active, 0x11), hosts.nowNanos);
    CmMessage rep = rep(7, active.localCommId(), 0x99);
    CmMessage ofAnother = rep(7, active.localCommId() + 1, 9);

    hosts.a.engine.receive(hosts.a.asPeer(), rep, hosts.nowNanos);
    hosts.a.receive(hosts.b.asPeer(), ofAnother);

    assertThat(active.state()).isEqualTo(CmState.REQ_SENT);
    assertThat(hosts.a.events).isEmpty();
    hosts.a.engine.receive(hosts.b.asPeer(), rep, hosts.nowNanos);
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
    hosts.a.destroy(gone);
    hosts.lost = message -> false;
    hosts.wire.clear();

    hosts.accept(0x22);

    assertThat(hosts.wire).containsExactly("b>REP", "a>REJ");
    CmEvent rejected = hosts.b.last();
    assertThat(rejected.type()).isEqualTo(CmEventType.REJ_RECEIVED);
    byte[] rej = rejected.message().toBytes();
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
    CmMessage again = rep(ends[1].localCommId(), ends[0].localCommId(), 0x22);
    CmMessage ofAnother = rep(ends[1].localCommId() + 1, ends[0].localCommId(), 0x23);

    hosts.a.receive(hosts.b.asPeer(), ofAnother);
    assertThat(hosts.wire).isEmpty();

    hosts.a.receive(hosts.b.asPeer(), again);
    assertThat(hosts.wire).startsWith("a>RTU");
  }

  /** {@code cm_rej_handler} looks for the pair of ids. */
  @Test
  void aRejectionOfAReplyNamesTheEndThatTheReplyWasFor() {
    hosts.b.listen(1);
    CmId active = hosts.connect(0x11);
    hosts.lost = CmHosts.all(CmKind.REP);
    CmId passive = hosts.accept(0x22);

    hosts.b.receive(hosts.a.asPeer(), rejectedReply(0, passive));
    assertThat(passive.state()).isEqualTo(CmState.REP_SENT);

    hosts.b.receive(hosts.a.asPeer(), rejectedReply(active.localCommId(), passive));
    assertThat(hosts.b.last().type()).isEqualTo(CmEventType.REJ_RECEIVED);
  }

  private static CmMessage rejectedReply(int localCommId, CmId to) {
    return rej(localCommId, to)
        .set(CmField.REJ_MESSAGE_REJECTED, AnsweredMessage.REP.code())
        .set(CmField.REJ_REASON, RejectReason.INVALID_COMM_ID.code());
  }

  // Whatever arrives: nothing is thrown, answers are few, and nothing grows without a bound.

  private static final int MADS = 50_000;
  private static final int KIND_AT = 17;
  private static final int BODY_AT = 24;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomMessagesDoNoHarm(long seed) {
    CmId[] ends = hosts.established();
    hosts.b.listen(16);
    Random random = new Random(seed);

    for (int i = 0; i < MADS; i++) {
      DecodedMad decoded = CmMessage.decode(Payload.of(mad(random, ends)));
      if (decoded instanceof CmMessage message) {
        hosts.b.engine.receive(from(random), message, hosts.nowNanos);
      }
      int answers = 0;
      while (hosts.b.engine.pollOutgoing() != null) {
        answers++;
      }
      assertThat(answers).isLessThanOrEqualTo(2);
      for (CmEvent event = hosts.b.engine.pollEvent();
          event != null;
          event = hosts.b.engine.pollEvent()) {
        hosts.b.events.add(event);
      }
    }

    // One connection, the backlog, and requests whose sender has taken them back itself.
    long ended = hosts.b.events().stream().filter(type -> type == CmEventType.REJ_RECEIVED).count();
    assertThat(hosts.b.engine.size() - ended).isLessThanOrEqualTo(1 + 16);
  }

  private CmPeer from(Random random) {
    return random.nextBoolean() ? hosts.a.asPeer() : hosts.b.asPeer();
  }

  /** A valid header and anything after it, with an id that exists now and then. */
  private static byte[] mad(Random random, CmId[] ends) {
    byte[] bytes = new byte[MadHeader.MAD_BYTES];
    random.nextBytes(bytes);
    CmMessage header = CmMessage.of(CmKind.DREP).set(CmField.MAD_TRANSACTION_ID, random.nextLong());
    System.arraycopy(header.toBytes(), 0, bytes, 0, BODY_AT);
    bytes[KIND_AT] = (byte) (CmKind.REQ.attributeId() + random.nextInt(CmKind.values().length));
    if (random.nextInt(4) == 0) {
      put(bytes, BODY_AT, ends[0].localCommId());
    }
    if (random.nextInt(2) == 0) {
      put(bytes, BODY_AT + 4, ends[1].localCommId());
    }
    return bytes;
  }

  private static void put(byte[] bytes, int at, int value) {
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[at + i] = (byte) (value >>> (8 * (Integer.BYTES - 1 - i)));
    }
  }
}
