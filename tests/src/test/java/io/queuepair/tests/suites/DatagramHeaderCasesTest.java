// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.SendWr;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the address handle of a datagram puts into its headers. */
final class DatagramHeaderCasesTest {
  private static final int GRH = 40;
  private static final int MESSAGE = 1000;

  /** An IPv4 header is in the second half of the GRH area; TOS is its second byte. */
  private static final int TOS_AT = 21;

  /** The lower two bits are for congestion. */
  private static final int DSCP_MASK = 0xfc;

  @Test
  @Tag("GUT-ud_test-LoopbackUdQpTest.SendTrafficClass")
  void theTrafficClassIsThatOfTheHandle() {
    try (ConnectedPair bed =
        new ConnectedPair(
            ConnectedPair.datagrams(Pair.on(LinkForm.OBJECTS)).connect(), ConnectedPair.PAGE)) {
      GlobalRoute route = new GlobalRoute(bed.b().context().queryGid(1, 0), 0, 0, 64, 0xff);
      try (AddressHandle ah = bed.a().pd().createAh(new AhAttr(route, 0, 1))) {
        bed.receive(0, bed.remote().sge(0, GRH + MESSAGE));
        bed.post(
            SendWr.send(1, bed.local().sge(0, MESSAGE))
                .to(ah, bed.b().qp().qpNum(), TestEndpoint.QKEY));

        bed.expect(List.of("1 SEND"), List.of("0 RECV 1040 [GRH]"));
      }
      assertThat(bed.remote().buffer().get(TOS_AT) & DSCP_MASK).isEqualTo(DSCP_MASK);
    }
  }
}
