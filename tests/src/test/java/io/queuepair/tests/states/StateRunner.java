// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.tests.conformance.Errnos;
import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.suites.Script;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * Runs the steps of a script on the queue pair under test, or on its peer where {@code peer:}
 * stands before them. The peer is in RTS, the other one too unless the option {@code state} says
 * another one.
 */
final class StateRunner {
  private final QpKind kind;
  private final QpStateFixture bench;

  /** Memory that a script deregisters. */
  private MemoryRegion doomed;

  /** Last completions of sends or receives. */
  private List<WorkCompletion> completions = List.of();

  private AsyncEvent taken;
  private int requestsLost;

  private StateRunner(QpKind kind, QpStateFixture bench) {
    this.kind = kind;
    this.bench = bench;
  }

  static void run(Script script) {
    QpKind kind = QpKind.valueOf(script.variant());
    int cqe = Integer.parseInt(script.option("cqe", "256"));
    QpState state = QpState.valueOf(script.option("state", "RTS"));
    try (QpStateFixture bench = QpStateFixture.of(kind, cqe, script.has("shared"))) {
      bench.peer().connect();
      bench.bring(state);
      StateRunner runner = new StateRunner(kind, bench);
      for (String step : script.steps()) {
        try {
          runner.run(step);
        } catch (AssertionError | VerbsException e) {
          throw new AssertionError(step + ": " + e.getMessage(), e);
        }
      }
    }
  }

  private void run(String step) {
    List<String> words = new ArrayList<>(List.of(step.split(" ")));
    boolean isPeer = words.get(0).equals("peer:");
    if (isPeer) {
      words.remove(0);
    }
    TestSide side = isPeer ? bench.peer() : bench.subject();
    String verb = words.remove(0);
    String rest = String.join(" ", words);
    switch (verb) {
      case "recv" -> receive(side, Long.parseLong(words.get(0)), rest);
      case "stall" -> bench.fabric().stallAfter(Integer.parseInt(rest));
      case "flow" -> {
        bench.fabric().flow();
        bench.drain();
      }
      case "drain" -> bench.drain();
      case "run" -> bench.run(Duration.parse(rest));
      case "lose" -> lose(rest);
      case "modify" -> side.modifyTo(QpState.valueOf(rest));
      case "refused" -> {
        QpState before = side.state();
        assertThat(Errnos.of(() -> side.modifyTo(QpState.valueOf(rest)))).isEqualTo(Errno.EINVAL);
        assertThat(side.state()).isEqualTo(before);
      }
      case "drain_and_notify" -> side.qp().modify(QpAttr.to(QpState.SQD).enSqdAsyncNotify(true));
      case "set" -> set(side, words.get(0), Integer.parseInt(words.get(1)));
      case "connect" -> side.connect();
      case "register" -> doomed = side.end().register(Integer.parseInt(rest));
      case "deregister" -> doomed.close();
      case "srq_limit" ->
          side.end()
              .srq()
              .modify(new SrqAttr(0, 0, Integer.parseInt(rest)), EnumSet.of(SrqAttrMask.LIMIT));
      case "notify" -> side.end().sendCq().reqNotify(rest.equals("solicited"));
      case "close" -> close(side, rest);
      case "busy" -> {
        VerbsException refusal =
            catchThrowableOfType(VerbsException.class, () -> close(side, rest));
        assertThat(refusal.errno()).isEqualTo(Errno.EBUSY);
      }
      case "ack" -> side.end().context().ackAsyncEvent(taken);
      default -> {
        if (!verify(side, verb, rest)) {
          side.postSend(request(side, verb, words));
        }
      }
    }
  }

  private static void close(TestSide side, String object) {
    switch (object) {
      case "qp" -> side.qp().close();
      case "send_cq" -> side.end().sendCq().close();
      default -> side.end().srq().close();
    }
  }

  /** With room for the message, for four bytes, without a good key, or in memory that goes. */
  private void receive(TestSide side, long wrId, String words) {
    if (words.endsWith("small")) {
      side.postReceive(wrId, side.end().region().sge(0, 4));
    } else if (words.endsWith("bad_key")) {
      side.postReceive(wrId, new Sge(0, 4096, TestSide.BAD_LKEY));
    } else if (words.endsWith("registered")) {
      side.postReceive(wrId, doomed.sge());
    } else {
      side.postReceive(wrId);
    }
  }

  private SendWr request(TestSide side, String verb, List<String> words) {
    long wrId = Long.parseLong(words.get(0));
    boolean isDoomed = words.contains("registered");
    return switch (verb) {
      case "send" -> isDoomed ? side.send(wrId, doomed.sge()) : side.send(wrId);
      case "unsignaled" -> isDoomed ? side.unsignaled(wrId, doomed.sge()) : side.unsignaled(wrId);
      case "long_send" -> kind.segments() ? side.longSend(wrId) : side.send(wrId);
      case "bad_send" -> side.badSend(wrId);
      case "bad_write" -> side.writeWith(wrId, 0xbad);
      case "atomic" -> side.atomic(wrId);
      case "read" -> side.read(wrId);
      default -> throw new IllegalArgumentException("no step " + verb);
    };
  }

  private void lose(String which) {
    bench.fates(
        datagram -> {
          boolean isResponse = QpStateFixture.isResponse(datagram);
          boolean isLost =
              switch (which) {
                case "all" -> true;
                case "responses" -> isResponse;
                case "second_request" ->
                    !isResponse && datagram.psn() == TestSide.PSN + 1 && requestsLost++ == 0;
                default -> false;
              };
          return isLost ? DatagramFate.DROP : DatagramFate.PASS;
        });
  }

  /** Sets an attribute in SQD, and goes back to RTS. */
  private static void set(TestSide side, String attribute, int value) {
    side.modifyTo(QpState.SQD);
    QpAttr attr = new QpAttr().qpState(QpState.SQD);
    switch (attribute) {
      case "retry_cnt" -> attr.retryCnt(value);
      case "rnr_retry" -> attr.rnrRetry(value);
      default -> attr.timeout(value);
    }
    side.qp().modify(attr);
    side.modifyTo(QpState.RTS);
  }

  private boolean verify(TestSide side, String verb, String rest) {
    switch (verb) {
      case "sends" -> {
        completions = side.sendCompletions();
        assertThat(Outcomes.of(completions)).isEqualTo(outcomes(rest));
      }
      case "receives" -> {
        completions = side.receiveCompletions();
        assertThat(Outcomes.of(completions)).isEqualTo(outcomes(rest));
      }
      case "because" -> {
        int index = Integer.parseInt(rest.substring(0, 1));
        String cause = rest.substring(2);
        assertThat(completions.get(index).explain())
            .contains(cause.equals("FIRST") ? completions.get(0).explain() : cause);
      }
      case "of_this_qp" ->
          assertThat(completions)
              .allMatch(wc -> wc.qpNum() == side.qp().qpNum() && wc.vendorErr() == 0);
      case "state" -> assertThat(side.state()).isEqualTo(QpState.valueOf(rest));
      case "draining" -> assertThat(side.qp().query().sqDraining()).isEqualTo(rest.equals("yes"));
      case "untouched" -> assertThat(side.isUntouched()).isEqualTo(rest.equals("yes"));
      case "requests" -> assertThat(bench.requests()).hasSize(Integer.parseInt(rest));
      case "psns" ->
          assertThat(bench.requests().stream().map(each -> "" + each.psn()).toList())
              .isEqualTo(list(rest));
      case "sq_psn" -> assertThat(side.qp().query().sqPsn()).isEqualTo(Integer.parseInt(rest));
      case "time" ->
          assertThat(bench.fabric().scheduler().nowNanos()).isEqualTo(Long.parseLong(rest));
      case "announced" -> {
        CompletionQueue cq = side.end().sendCq();
        assertThat(side.end().channel().getCqEvent()).isSameAs(cq);
        cq.ackEvents(1);
      }
      case "events" ->
          assertThat(side.asyncEvents()).containsExactlyInAnyOrderElementsOf(events(side, rest));
      case "event_once" -> assertThat(side.events()).containsOnlyOnce(EventType.valueOf(rest));
      case "event_never" -> assertThat(side.events()).doesNotContain(EventType.valueOf(rest));
      case "take" -> take(side, events(side, rest).get(0));
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Takes events up to the one that is kept, and acknowledges the others. */
  private void take(TestSide side, AsyncEvent wanted) {
    taken = null;
    for (var next = side.end().context().getAsyncEvent(Duration.ZERO);
        next.isPresent();
        next = side.end().context().getAsyncEvent(Duration.ZERO)) {
      if (next.get().equals(wanted)) {
        taken = next.get();
      } else {
        side.end().context().ackAsyncEvent(next.get());
      }
    }
    assertThat(taken).isEqualTo(wanted);
  }

  /** The events with the object that each is about. */
  private static List<AsyncEvent> events(TestSide side, String names) {
    return list(names).stream()
        .map(
            name ->
                switch (name) {
                  case "CQ_ERR" -> AsyncEvent.of(EventType.CQ_ERR, side.end().sendCq());
                  case "CQ_ERR_OF_RECEIVES" -> AsyncEvent.of(EventType.CQ_ERR, side.end().recvCq());
                  case "SRQ_LIMIT_REACHED" ->
                      AsyncEvent.of(EventType.SRQ_LIMIT_REACHED, side.end().srq());
                  default -> AsyncEvent.of(EventType.valueOf(name), side.qp());
                })
        .toList();
  }

  /** Of a datagram, RECV has the header of 40 bytes besides what a script says. */
  private List<String> outcomes(String words) {
    List<String> outcomes = new ArrayList<>();
    for (String outcome : words.split(", ", -1)) {
      String[] parts = outcome.split(" ", -1);
      boolean isReceive = parts.length > 2 && parts[1].equals("RECV");
      outcomes.add(
          isReceive
              ? kind.received(Long.parseLong(parts[0]), Integer.parseInt(parts[2]))
              : outcome);
    }
    return words.isEmpty() ? List.of() : outcomes;
  }

  private static List<String> list(String words) {
    return words.isEmpty() ? List.of() : List.of(words.split(", ", -1));
  }
}
