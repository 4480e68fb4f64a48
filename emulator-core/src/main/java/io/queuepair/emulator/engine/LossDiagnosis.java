// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.engine.LossReport.LossFlow;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says why a requester whose retries are exhausted got no answer, as far as that is known. */
final class LossDiagnosis {
  /** Kinds of unexpected responses that are distinguished; more would not be read. */
  private static final int MAX_KINDS = 4;

  private final QpContext qp;
  private final SendWindow window;
  private final LossReport losses;

  /**
   * Responses that answer nothing that is outstanding, since something was acknowledged last. One
   * empty map that all share without any: most queue pairs never meet one.
   */
  private Map<ResponseKey, Integer> unexpectedByKey = Map.of();

  /** Knowledge at the beginning of the connection. */
  private long knownAtStart;

  /** Whether the peer has answered something that is outstanding, but did not take it. */
  private boolean isAnswered;

  /**
   * Key of unexpected responses that are counted together.
   *
   * @param expectedPsn what the peer expects next, as far as the response says so; else -1
   */
  private record ResponseKey(String noun, int psn, int expectedPsn) {
    private static final int UNKNOWN = -1;

    private static ResponseKey of(Packet packet) {
      Operation operation = packet.opcode().operation();
      if (operation != Operation.ACKNOWLEDGE) {
        boolean isRead = operation == Operation.RDMA_READ_RESPONSE;
        return new ResponseKey(isRead ? "READ response" : "atomic response", packet.psn(), UNKNOWN);
      }
      Aeth aeth = packet.aeth();
      return aeth.isAck()
          ? new ResponseKey("acknowledgement", packet.psn(), Psn.next(packet.psn()))
          : new ResponseKey(aeth.isRnrNak() ? "RNR NAK" : "NAK", packet.psn(), packet.psn());
    }
  }

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
    ResponseKey key = ResponseKey.of(packet);
    if (unexpectedByKey.isEmpty()) {
      unexpectedByKey = new LinkedHashMap<>();
    }
    if (unexpectedByKey.size() < MAX_KINDS || unexpectedByKey.containsKey(key)) {
      unexpectedByKey.merge(key, 1, Integer::sum);
    }
  }

  /** The peer refused for now what is outstanding. */
  void refused() {
    isAnswered = true;
  }

  /** Something was acknowledged: what was lost until then has been made up for. */
  void progressed() {
    isAnswered = false;
    unexpectedByKey = Map.of();
  }

  /** Fate of the outstanding packets and of their answers, as sentences. */
  String sentences() {
    List<String> sentences = new ArrayList<>();
    unexpectedByKey.forEach(
        (key, times) -> {
          String came = Quantity.of(times, key.noun()) + " came, for PSN " + key.psn();
          sentences.add(came + meaning(key) + ".");
        });
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

  private String meaning(ResponseKey key) {
    int sqPsn = qp.attributes().sqPsn();
    if (sqPsn != window.unackedPsn()) {
      return ", which is not outstanding";
    }
    if (key.expectedPsn() == sqPsn) {
      return ", the one before the first: nothing was acknowledged yet";
    }
    String neverSent = ", which was never sent";
    return key.expectedPsn() == ResponseKey.UNKNOWN
        ? neverSent
        : neverSent
            + (": rq_psn of the peer (" + key.expectedPsn() + ")")
            + (" is not sq_psn (" + sqPsn + ")");
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
