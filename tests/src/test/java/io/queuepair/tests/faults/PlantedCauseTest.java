// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.faults.ExplainedHosts.Host;
import io.queuepair.tests.faults.ExplainedHosts.Network;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Random messages of which some fail for one cause: every explanation, of completions and of
 * devices, names that cause and no other. A failure names the seed.
 */
final class PlantedCauseTest {
  /** With one datagram as many as a completion queue of {@link ExplainedHosts} holds. */
  private static final int MESSAGES = 3;

  private static final int ROOM = 3_000;

  /** The last keeps the beginnings of messages, which arrive again and again. */
  private static final List<String> LOSSES =
      List.of("drop REQUEST", "drop RESPONSE", "drop REQUEST where ackreq = 1");

  private static final int PSNS = 1 << 24;

  /** More than all messages have packets, so that none is taken for another. */
  private static final int MANY_PSNS = 64;

  /** What goes wrong, and the words that only it has. */
  private enum Cause {
    NOTHING("nothing goes wrong"),
    FIRST_PSN("is not sq_psn"),
    KEY("the key names no registered memory"),
    RANGE("the range is not inside the registered memory"),
    LENGTH("do not fit a receive of"),
    NO_RECEIVE("no receive posted", "needs a receive and none is posted"),
    QKEY("The Q_Key is not"),
    DESTINATION("No QP of this device has the destination number"),
    PORT("The port it would leave or arrive by is down"),
    LOSS("dropped: drop");

    private final List<String> words;

    Cause(String... words) {
      this.words = List.of(words);
    }

    private boolean isIn(String explanation) {
      return words.stream().anyMatch(explanation::contains);
    }
  }

  private static void assertNames(Cause cause, String explanation) {
    assertThat(Stream.of(Cause.values()).filter(each -> each.isIn(explanation)))
        .as(explanation)
        .containsExactly(cause);
  }

  /** One run: a connection, and messages of which one or all are wrong. */
  private static final class Run {
    private final Random random;
    private final Cause cause;
    private final ExplainedHosts hosts;
    private final QueuePair a;
    private final QueuePair b;
    private final int wrong;
    private final List<WorkCompletion> failed = new ArrayList<>();

    Run(Random random, Cause cause, ExplainedHosts hosts) {
      this.random = random;
      this.cause = cause;
      this.hosts = hosts;
      a = hosts.a().create(QpType.RC);
      b = hosts.b().create(QpType.RC);
      wrong = random.nextInt(MESSAGES);
    }

    void connect() {
      int psnOfA = random.nextBoolean() ? 0 : random.nextInt(PSNS);
      int psnOfB = random.nextInt(PSNS);
      int ahead = MANY_PSNS + random.nextInt(1_000);
      int wrongPsn = (psnOfA + (random.nextBoolean() ? ahead : -ahead)) & (PSNS - 1);
      int qpn = cause == Cause.DESTINATION ? b.qpNum() + 1 : b.qpNum();
      Mtu mtu = Mtu.values()[random.nextInt(3)];
      for (QueuePair qp : List.of(a, b)) {
        qp.modify(
            QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(AccessFlag.REMOTE_WRITE));
      }
      a.modify(rtr(hosts.b(), qpn, mtu, psnOfB));
      b.modify(rtr(hosts.a(), a.qpNum(), mtu, cause == Cause.FIRST_PSN ? wrongPsn : psnOfA));
      int retries = random.nextInt(8);
      for (QueuePair qp : List.of(a, b)) {
        qp.modify(
            QpAttr.to(QpState.RTS)
                .sqPsn(qp == a ? psnOfA : psnOfB)
                .timeout(8)
                .retryCnt(retries)
                .rnrRetry(retries % 7)
                .maxRdAtomic(1));
      }
      if (cause == Cause.PORT) {
        hosts.b().device().setPortUp(1, false);
      }
    }

    private static QpAttr rtr(Host peer, int qpn, Mtu mtu, int psn) {
      return QpAttr.to(QpState.RTR)
          .ahAttr(AhAttr.to(peer.context().queryGid(1, 0)))
          .pathMtu(mtu)
          .destQpNum(qpn)
          .rqPsn(psn)
          .minRnrTimer(1)
          .maxDestRdAtomic(1);
    }

    void post() {
      for (int i = 0; i < MESSAGES; i++) {
        boolean isWrong = i == wrong;
        int bytes = random.nextInt(ROOM);
        if (isWrong && cause == Cause.LENGTH) {
          bytes = ROOM + 1 + random.nextInt(1_000);
        }
        if (isWrong && cause == Cause.LOSS) {
          hosts.injectFaults(LOSSES.get(random.nextInt(LOSSES.size())));
        }
        if (cause != Cause.NO_RECEIVE || i < wrong) {
          b.postRecv(RecvWr.of(i, hosts.b().region().sge(0, ROOM)));
        }
        a.postSend(isWrong ? wrongMessage(i, bytes) : message(i, bytes));
      }
    }

    private SendWr message(int wrId, int bytes) {
      MemoryRegion target = hosts.b().region();
      return cause == Cause.NO_RECEIVE || random.nextBoolean()
          ? SendWr.send(wrId, hosts.a().region().sge(0, bytes))
          : SendWr.rdmaWrite(wrId, target.addr(), target.rkey(), hosts.a().region().sge(0, bytes));
    }

    private SendWr wrongMessage(int wrId, int bytes) {
      MemoryRegion own = hosts.a().region();
      MemoryRegion target = hosts.b().region();
      return switch (cause) {
        case KEY -> SendWr.rdmaWrite(wrId, target.addr(), target.rkey() + 1, own.sge(0, bytes + 1));
        case RANGE ->
            SendWr.rdmaWrite(
                wrId, target.addr() + 4096 - bytes, target.rkey(), own.sge(0, bytes + 1));
        case LENGTH, NO_RECEIVE -> SendWr.send(wrId, own.sge(0, bytes));
        case NOTHING, FIRST_PSN, QKEY, DESTINATION, PORT, LOSS -> message(wrId, bytes);
      };
    }

    void finish() {
      for (int i = 0; i < MESSAGES; i++) {
        WorkCompletion completion = hosts.await(hosts.a());
        if (!completion.isSuccess()) {
          failed.add(completion);
        }
      }
    }

    void sendDatagram() {
      QueuePair datagrams = hosts.b().datagrams(1);
      datagrams.postRecv(RecvWr.of(9, hosts.b().region().sge()));
      int qkey = cause == Cause.QKEY ? random.nextInt(ExplainedHosts.QKEY) : ExplainedHosts.QKEY;
      hosts.sendDatagram(random.nextInt(ROOM), datagrams.qpNum(), qkey);
    }
  }

  @Property(tries = 400, seed = "21", shrinking = ShrinkingMode.OFF)
  void everyExplanationNamesThePlantedCauseAndNoOther(
      @ForAll Cause cause, @ForAll boolean isWireExact, @ForAll long seed) {
    Random random = new Random(seed);
    Network network = isWireExact ? Network.WIRE_EXACT : Network.OBJECTS;
    try (ExplainedHosts hosts = new ExplainedHosts(network, "")) {
      Run run = new Run(random, cause, hosts);
      run.connect();
      run.post();
      run.finish();
      if (cause == Cause.QKEY || cause == Cause.NOTHING) {
        run.sendDatagram();
        hosts.run();
      }

      run.failed.forEach(completion -> assertNames(cause, completion.explain()));
      hosts.lines().forEach(line -> assertNames(cause, line));
      boolean allSucceed = cause == Cause.NOTHING || cause == Cause.QKEY;
      assertThat(run.failed.isEmpty()).isEqualTo(allSucceed);
      assertThat(hosts.lines()).hasSizeGreaterThanOrEqualTo(cause == Cause.QKEY ? 1 : 0);
    }
  }
}
