// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.faults.ExplainedHosts.Network;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
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

  /** Fault, and the words that only its explanation has. */
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
  private record Run(Random random, Cause cause, ExplainedHosts hosts) {
    void connect(QueuePair a, QueuePair b) {
      int psnOfA = random.nextBoolean() ? 0 : random.nextInt(PSNS);
      int psnOfB = random.nextInt(PSNS);
      int ahead = MANY_PSNS + random.nextInt(1_000);
      int wrongPsn = (psnOfA + (random.nextBoolean() ? ahead : -ahead)) & (PSNS - 1);
      int expectedPsn = cause == Cause.FIRST_PSN ? wrongPsn : psnOfA;
      int qpn = cause == Cause.DESTINATION ? b.qpNum() + 1 : b.qpNum();
      Mtu mtu = Mtu.values()[random.nextInt(3)];
      int retries = random.nextInt(8);
      connect(a, hosts.b(), qpn, mtu, psnOfA, psnOfB, retries);
      connect(b, hosts.a(), a.qpNum(), mtu, psnOfB, expectedPsn, retries);
      if (cause == Cause.PORT) {
        hosts.b().device().setPortUp(1, false);
      }
    }

    private static void connect(
        QueuePair qp,
        ExplainedHosts.Host peer,
        int qpn,
        Mtu mtu,
        int sqPsn,
        int rqPsn,
        int retries) {
      qp.modify(Attributes.init(QpType.RC));
      qp.modify(
          Attributes.rtr(QpType.RC, peer.context().queryGid(1, 0), qpn, rqPsn)
              .pathMtu(mtu)
              .minRnrTimer(1));
      qp.modify(
          Attributes.rts(QpType.RC, sqPsn).timeout(8).retryCnt(retries).rnrRetry(retries % 7));
    }

    void post(QueuePair a, QueuePair b) {
      int wrong = random.nextInt(MESSAGES);
      for (int i = 0; i < MESSAGES; i++) {
        boolean isWrong = i == wrong;
        boolean isTooLong = isWrong && cause == Cause.LENGTH;
        int bytes = isTooLong ? ROOM + 1 + random.nextInt(1_000) : random.nextInt(ROOM);
        if (isWrong && cause == Cause.LOSS) {
          hosts.injectFaults(LOSSES.get(random.nextInt(LOSSES.size())));
        }
        if (cause != Cause.NO_RECEIVE || i < wrong) {
          b.postRecv(RecvWr.of(i, hosts.b().region().sge(0, ROOM)));
        }
        a.postSend(message(i, bytes, isWrong));
      }
    }

    private SendWr message(int wrId, int bytes, boolean isWrong) {
      MemoryRegion own = hosts.a().region();
      MemoryRegion target = hosts.b().region();
      if (isWrong && cause == Cause.KEY) {
        return SendWr.rdmaWrite(wrId, target.addr(), target.rkey() + 1, own.sge(0, bytes + 1));
      }
      if (isWrong && cause == Cause.RANGE) {
        long last = target.addr() + 4096 - bytes;
        return SendWr.rdmaWrite(wrId, last, target.rkey(), own.sge(0, bytes + 1));
      }
      boolean needsReceive = cause == Cause.NO_RECEIVE || (isWrong && cause == Cause.LENGTH);
      return needsReceive || random.nextBoolean()
          ? SendWr.send(wrId, own.sge(0, bytes))
          : SendWr.rdmaWrite(wrId, target.addr(), target.rkey(), own.sge(0, bytes));
    }

    List<WorkCompletion> failed() {
      List<WorkCompletion> failed = new ArrayList<>();
      for (int i = 0; i < MESSAGES; i++) {
        WorkCompletion completion = hosts.await(hosts.a());
        if (!completion.isSuccess()) {
          failed.add(completion);
        }
      }
      return failed;
    }

    void sendDatagram() {
      QueuePair datagrams = hosts.b().datagrams(1);
      datagrams.postRecv(RecvWr.of(9, hosts.b().region().sge()));
      int qkey = cause == Cause.QKEY ? random.nextInt(ExplainedHosts.QKEY) : ExplainedHosts.QKEY;
      hosts.sendDatagram(random.nextInt(ROOM), datagrams.qpNum(), qkey);
      hosts.run();
    }
  }

  @Property(tries = 400, seed = "21", shrinking = ShrinkingMode.OFF)
  void everyExplanationNamesThePlantedCauseAndNoOther(
      @ForAll Cause cause, @ForAll boolean isWireExact, @ForAll long seed) {
    Network network = isWireExact ? Network.WIRE_EXACT : Network.OBJECTS;
    boolean allSucceed = cause == Cause.NOTHING || cause == Cause.QKEY;
    try (ExplainedHosts hosts = new ExplainedHosts(network, "")) {
      Run run = new Run(new Random(seed), cause, hosts);
      QueuePair a = hosts.a().create(QpType.RC);
      QueuePair b = hosts.b().create(QpType.RC);
      run.connect(a, b);
      run.post(a, b);
      List<WorkCompletion> failed = run.failed();
      if (allSucceed) {
        run.sendDatagram();
      }

      failed.forEach(completion -> assertNames(cause, completion.explain()));
      hosts.lines().forEach(line -> assertNames(cause, line));
      assertThat(failed.isEmpty()).isEqualTo(allSucceed);
      assertThat(hosts.lines()).hasSizeGreaterThanOrEqualTo(cause == Cause.QKEY ? 1 : 0);
    }
  }
}
