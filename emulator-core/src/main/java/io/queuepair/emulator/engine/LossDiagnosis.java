// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.engine.LossReport.LossFlow;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.Route;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says why a requester whose retries are exhausted got no answer, as far as that is known. */
final class LossDiagnosis {
  private final QpContext qp;
  private final SendWindow window;
  private final LossReport losses;
  private final UnexpectedResponses unexpected = new UnexpectedResponses();

  /** What was known when the connection began. */
  private long knownAtStart;

  /** Whether the peer has answered something that is outstanding, but did not take it. */
  private boolean isAnswered;

  LossDiagnosis(QpContext qp, SendWindow window, LossReport losses) {
    this.qp = qp;
    this.window = window;
    this.losses = losses;
  }

  void start() {
    knownAtStart = losses.known();
    progressed();
  }

  /** A response came that answers nothing that is outstanding. */
  void unexpected(Packet packet) {
    unexpected.add(packet);
  }

  /** The peer refused for now what is outstanding. */
  void refused() {
    isAnswered = true;
  }

  /** Something was acknowledged: what was lost until then has been made up for. */
  void progressed() {
    isAnswered = false;
    if (!unexpected.isEmpty()) {
      unexpected.clear();
    }
  }

  /** What became of the packets that are outstanding and of their answers, behind a sentence. */
  String sentences() {
    List<String> sentences =
        new ArrayList<>(unexpected.sentences(qp.attributes().sqPsn(), window.unackedPsn()));
    Route route = qp.path().route();
    int destQpn = qp.attributes().destQpNum();
    add(sentences, "packet", new LossFlow(route.source(), route.destination(), destQpn, false));
    add(sentences, "answer", new LossFlow(route.destination(), route.source(), qp.qpn(), true));
    if (sentences.isEmpty() && !isAnswered) {
      String peer = "queue pair " + destQpn + " of " + route.destination().getHostAddress();
      int gidIndex = qp.attributes().ahAttr().grh().sgidIndex();
      return ". Nothing came back from " + peer + "; own GID index " + gidIndex + ".";
    }
    return sentences.isEmpty() ? "" : ". " + String.join(" ", sentences);
  }

  /** Why the peer refused a request, if it is on the same network of this process; else null. */
  @Nullable String reasonOf(Packet nak) {
    Route route = nak.route();
    LossFlow flow = new LossFlow(route.source(), route.destination(), qp.qpn(), true);
    return nak.note() != null ? nak.note() : losses.refusalOf(flow, knownAtStart, nak.psn());
  }

  private void add(List<String> sentences, String noun, LossFlow flow) {
    int psns = Psn.distance(window.unackedPsn(), window.sentEndPsn());
    losses
        .of(flow, knownAtStart, window.unackedPsn(), psns)
        .forEach(
            (fate, packets) -> {
              String end = fate.endsWith(".") ? "" : ".";
              sentences.add(Quantity.of(packets, noun) + " " + fate + end);
            });
  }
}
