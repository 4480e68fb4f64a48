// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The process of a peer is killed while messages are on their way to it. */
@Timeout(120)
@Tag("processes")
final class KilledPeerTest {
  private static final String OWN = "127.0.0.93";
  private static final String PEER = "127.0.0.94";
  private static final int SENDS = 32;

  /** 134 milliseconds: on a busy machine a peer may be late. */
  private static final int TIMEOUT = 15;

  private final int port = FreePort.of(OWN);

  @AutoClose
  private final Emulator emulator =
      Emulator.on(UdpFabric.open(UdpOptions.defaults().withPort(port)));

  private final Context context = emulator.addDevice(OWN).open();
  private final CompletionQueue cq = context.createCq(2 * SENDS);
  private final QueuePair qp = context.allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(2 * SENDS)));

  private Process startPeer() throws IOException {
    return new ProcessBuilder(
            System.getProperty("java.home") + "/bin/java",
            "-XX:-UsePerfData",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            KilledPeerTest.class.getName(),
            PEER,
            OWN,
            String.valueOf(qp.qpNum()),
            String.valueOf(port))
        .redirectError(Redirect.INHERIT)
        .start();
  }

  private void post(int from, int to) {
    for (int id = from; id < to; id++) {
      qp.postSend(SendWr.send(id));
    }
  }

  @Test
  void eachRequestCompletesOnceAndTheFirstThatFailsSaysWhy() throws Exception {
    Process peer = startPeer();
    try (BufferedReader said = peer.inputReader()) {
      connect(qp, PEER, Integer.parseInt(said.readLine()));
      qp.postSend(SendWr.send(0));
      assertThat(emulator.await(cq).status()).isEqualTo(WcStatus.SUCCESS);
      post(1, SENDS);
    } finally {
      peer.destroyForcibly();
    }
    peer.waitFor();
    post(SENDS, 2 * SENDS);

    List<WorkCompletion> done = new ArrayList<>();
    while (done.size() < 2 * SENDS - 1) {
      done.add(emulator.await(cq));
    }

    assertThat(done.stream().mapToLong(WorkCompletion::wrId))
        .containsExactlyElementsOf(LongStream.range(1, 2 * SENDS).boxed().toList());
    List<WorkCompletion> failed = done.stream().filter(wc -> !wc.isSuccess()).toList();
    assertThat(failed).hasSizeGreaterThanOrEqualTo(SENDS);
    assertThat(done).endsWith(failed.toArray(WorkCompletion[]::new));
    assertThat(failed.get(0).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    assertThat(failed.get(0).explain()).contains("no answer to PSN");
    assertThat(failed.subList(1, failed.size()))
        .allSatisfy(wc -> assertThat(wc.status()).isEqualTo(WcStatus.WR_FLUSH_ERR));
    assertThat(qp.query().qpState()).isEqualTo(QpState.ERR);
    assertThat(cq.poll(1)).isEmpty();
  }

  /**
   * The peer: connects, says the number of its queue pair, and receives until it is killed.
   *
   * @param args its address, that of the peer, the number of the peer's queue pair, the UDP port
   */
  public static void main(String[] args) throws IOException {
    UdpOptions options = UdpOptions.defaults().withPort(Integer.parseInt(args[3]));
    try (Emulator emulator = Emulator.on(UdpFabric.open(options))) {
      Context context = emulator.addDevice(args[0]).open();
      QueuePair qp =
          context
              .allocPd()
              .createQp(QpInitAttr.rc(context.createCq(2 * SENDS), QpCap.of(2 * SENDS)));
      connect(qp, args[1], Integer.parseInt(args[2]));
      for (int i = 0; i < 2 * SENDS; i++) {
        qp.postRecv(RecvWr.of(i));
      }
      System.out.println(qp.qpNum());
      int ended = System.in.read();
      assert ended < 0;
    }
  }

  static void connect(QueuePair qp, String peer, int peerQpn) throws IOException {
    qp.modify(Attributes.init(QpType.RC));
    qp.modify(Attributes.rtr(QpType.RC, Gid.of(InetAddress.getByName(peer)), peerQpn, 0));
    qp.modify(Attributes.rts(QpType.RC, 0).timeout(TIMEOUT).retryCnt(7));
  }
}
