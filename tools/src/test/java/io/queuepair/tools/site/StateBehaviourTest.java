// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.tools.site.StateFacts.Fact;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The device does what the page about states says of the functions that post. */
final class StateBehaviourTest {
  private static final int NO_KEY = 0xbad;

  private final StateFacts facts = new StateFacts();
  private final Emulator emulator = Emulator.inMemory();
  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionQueue cq = context.createCq(16);
  private final ByteBuffer memory = ByteBuffer.allocateDirect(64);
  private final MemoryRegion region =
      pd.regMr(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
  private final QueuePair qp = create();
  private final QueuePair peer = create();

  private QueuePair create() {
    return pd.createQp(QpInitAttr.of(QpType.UC, cq, QpCap.of(8)));
  }

  @AfterEach
  void close() {
    emulator.close();
  }

  private void bringTo(QpState state, QueuePair qp, QueuePair other) {
    QpAttr init = QpAttr.to(QpState.INIT).portNum(1).pkeyIndex(0);
    QpAttr rtr = QpAttr.to(QpState.RTR).ahAttr(AhAttr.to(context.queryGid(1, 0)));
    List.of(
            init.qpAccessFlags(AccessFlag.REMOTE_WRITE),
            rtr.pathMtu(Mtu.MTU_1024).destQpNum(other.qpNum()).rqPsn(0),
            QpAttr.to(QpState.RTS).sqPsn(0))
        .stream()
        .filter(step -> step.qpState().compareTo(state) <= 0)
        .forEach(qp::modify);
    if (state == QpState.SQE) {
      qp.postSend(SendWr.send(1, new Sge(0, 8, NO_KEY)));
      emulator.await(cq);
    } else if (state.compareTo(QpState.RTS) > 0) {
      qp.modify(QpAttr.to(state));
    }
  }

  private String fact(QpState state, String name) {
    return facts.of(state).stream()
        .filter(fact -> fact.name().equals(name))
        .map(Fact::text)
        .findFirst()
        .orElseThrow();
  }

  /** Outcome of a request, in the words of the page. */
  private String outcome(Runnable post) {
    try {
      post.run();
    } catch (VerbsException refusal) {
      return "refused: " + refusal.errno();
    }
    emulator.run(Duration.ofSeconds(1));
    List<WorkCompletion> completions = cq.poll(16);
    if (completions.isEmpty()) {
      return "accepted; it waits";
    }
    boolean isFlushed = completions.get(0).status() == WcStatus.WR_FLUSH_ERR;
    return isFlushed ? "accepted, and flushed at once" : "accepted";
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
  void requestsArePostedAsThePageSays(QpState state) {
    bringTo(state, qp, peer);

    String send = outcome(() -> qp.postSend(SendWr.send(2, region.sge())));
    assertThat(qp.query().qpState()).isEqualTo(state);
    assertThat(fact(state, "ibv_post_send")).matches(send + "( until .*)?");
    String receive = outcome(() -> qp.postRecv(RecvWr.of(3, region.sge())));
    // A receive that is accepted waits for a message.
    assertThat(fact(state, "ibv_post_recv"))
        .matches(receive.replace("; it waits", "(; it waits in the queue)?"));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
  void requestsThatArriveAreTakenAsThePageSays(QpState state) {
    bringTo(state, qp, peer);
    bringTo(QpState.RTS, peer, qp);
    memory.put(0, (byte) 7);

    peer.postSend(SendWr.rdmaWrite(4, region.addr() + 8, region.rkey(), region.sge(0, 1)));
    emulator.run(Duration.ofSeconds(1));

    boolean isDropped = fact(state, "packets that arrive").startsWith("dropped in silence");
    assertThat(memory.get(8)).isEqualTo((byte) (isDropped ? 0 : 7));
    assertThat(qp.query().qpState()).isEqualTo(state);
  }
}
