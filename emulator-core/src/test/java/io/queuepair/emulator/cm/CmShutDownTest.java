// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.RejectReason;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** A host ends with its process. What it sent last gets through though its first copy is lost. */
final class CmShutDownTest {
  private static final long ANSWER_TIMEOUT_NANOS = 4_608_000_000L;

  private final CmHosts hosts = new CmHosts();

  private void shutDown(CmHosts.CmHost host) {
    host.engine.shutDown(hosts.nowNanos);
    hosts.run();
  }

  @Test
  void theAnswerToADisconnect() {
    CmId[] ends = hosts.established();
    hosts.lost = CmHosts.first(CmKind.DREP);
    hosts.a.engine.sendDreq(ends[0], hosts.nowNanos);
    hosts.run();
    hosts.b.engine.sendDrep(ends[1], hosts.nowNanos);

    shutDown(hosts.b);

    assertThat(hosts.wire).containsExactly("a>DREQ", "b>DREP lost", "b>DREP", "b>DREP");
    assertThat(hosts.a.events()).containsExactly(CmEventType.DREP_RECEIVED);
  }

  @Test
  void aDisconnect() {
    CmId[] ends = hosts.established();
    hosts.lost = CmHosts.first(CmKind.DREQ);
    hosts.a.engine.sendDreq(ends[0], hosts.nowNanos);
    hosts.a.engine.destroy(ends[0], hosts.nowNanos);

    shutDown(hosts.a);

    assertThat(hosts.wire).containsExactly("a>DREQ lost", "a>DREQ", "a>DREQ");
    assertThat(hosts.b.events()).containsExactly(CmEventType.DREQ_RECEIVED);
  }

  @Test
  void theEndOfAConnectionThatIsOpen() {
    hosts.established();

    shutDown(hosts.a);

    assertThat(hosts.wire).isEqualTo(Collections.nCopies(3, "a>DREQ"));
    assertThat(hosts.b.events()).containsExactly(CmEventType.DREQ_RECEIVED);
  }

  @Test
  void theRejectionOfARequestThatWasNotTaken() {
    hosts.b.listen(1);
    hosts.lost = CmHosts.first(CmKind.REJ);
    hosts.connect(0x11);

    shutDown(hosts.b);

    assertThat(hosts.wire).containsExactly("a>REQ", "b>REJ lost", "b>REJ", "b>REJ");
    assertThat(hosts.a.events()).containsExactly(CmEventType.REJ_RECEIVED);
  }

  @Test
  void theAnswerToARequestForAService() {
    hosts.b.listen(1);
    hosts.lost = CmHosts.first(CmKind.SIDR_REP);
    CmId id = hosts.a.engine.create();
    hosts.a.engine.sendSidrReq(id, hosts.b.asPeer(), hosts.sidrReq(id), hosts.nowNanos);
    hosts.run();
    CmId asked = hosts.b.last().id();
    hosts.b.engine.sendSidrRep(asked, hosts.sidrRep(asked, 7), hosts.nowNanos);

    shutDown(hosts.b);

    assertThat(hosts.a.events()).containsExactly(CmEventType.SIDR_REP_RECEIVED);
  }

  /** The peer would have asked again by now. */
  @Test
  void noAnswerThatIsOld() {
    hosts.b.listen(1);
    hosts.connect(0x11);
    CmId id = hosts.b.last().id();
    RejectReason reason = RejectReason.CONSUMER_DEFINED;
    hosts.b.engine.sendRej(id, reason, ImmutableBytes.EMPTY, hosts.nowNanos);
    hosts.run();
    hosts.wire.clear();
    hosts.nowNanos += 2 * ANSWER_TIMEOUT_NANOS;

    shutDown(hosts.b);

    assertThat(hosts.wire).isEmpty();
  }
}
