// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages made of pieces, and put into pieces. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class ScatterGatherTest {
  @AutoClose private final Pair pair;
  private final MemoryRegion local;

  ScatterGatherTest(LinkForm form) {
    pair = Pair.on(form).mtu(Mtu.MTU_256).connect();
    local = pair.a().region();
    Bytes.into(local, 0, Bytes.pattern(4096, 1));
  }

  private static byte[] pattern(int from, int to) {
    return Arrays.copyOfRange(Bytes.pattern(4096, 1), from, to);
  }

  @Test
  void gathersPiecesInTheOrderOfTheList() {
    GuardedRegion target = GuardedRegion.in(pair.b(), 600);
    pair.b().postRecv(RecvWr.of(2, target.sge()));

    pair.a().postSend(SendWr.send(1, local.sge(300, 300), local.sge(0, 100), local.sge(100, 200)));
    pair.drain();

    byte[] expected = new byte[600];
    System.arraycopy(pattern(300, 600), 0, expected, 0, 300);
    System.arraycopy(pattern(0, 300), 0, expected, 300, 300);
    target.assertHolds(expected);
  }

  @Test
  void scattersIntoPiecesInTheOrderOfTheList() {
    GuardedRegion target = GuardedRegion.in(pair.b(), 700);
    pair.b().postRecv(RecvWr.of(2, target.sge(400, 300), target.sge(0, 1), target.sge(1, 399)));

    pair.a().postSend(SendWr.send(1, local.sge(0, 700)));
    pair.drain();

    byte[] expected = new byte[700];
    System.arraycopy(pattern(0, 300), 0, expected, 400, 300);
    System.arraycopy(pattern(300, 700), 0, expected, 0, 400);
    target.assertHolds(expected);
  }

  @Test
  void skipsEmptyPiecesWhateverTheyName() {
    GuardedRegion target = GuardedRegion.in(pair.b(), 500);
    Sge empty = new Sge(0xdead_0000L, 0, 0xdead_beef);
    pair.b().postRecv(RecvWr.of(2, empty, target.sge(0, 200), empty, target.sge(200, 300)));

    pair.a().postSend(SendWr.send(1, local.sge(0, 250), empty, local.sge(250, 250), empty));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 SEND");
    assertThat(pair.b().receives()).containsExactly("2 RECV 500");
    target.assertHolds(pattern(0, 500));
  }

  @Test
  void scattersTheAnswerToARead() {
    MemoryRegion remote = pair.b().region();
    Bytes.into(remote, 0, Bytes.pattern(4096, 1));
    GuardedRegion target = GuardedRegion.in(pair.a(), 1000);

    pair.a()
        .postSend(
            SendWr.rdmaRead(
                1,
                remote.addr(),
                remote.rkey(),
                target.sge(0, 3),
                target.sge(3, 0),
                target.sge(3, 600),
                target.sge(603, 397)));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 RDMA_READ 1000");
    target.assertHolds(pattern(0, 1000));
  }

  @Test
  void failsIfOneOfThePiecesMayNotBeRead() {
    MemoryRegion remote = pair.b().region();

    pair.a()
        .postSend(
            SendWr.rdmaWrite(
                1,
                remote.addr(),
                remote.rkey(),
                local.sge(0, 10),
                new Sge(local.addr(), 10, 0xdead_beef)));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 LOC_PROT_ERR");
    assertThat(Bytes.in(remote, 0, 20)).containsOnly(TestEndpoint.FILL);
  }
}
