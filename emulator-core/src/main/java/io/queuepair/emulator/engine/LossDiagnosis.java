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

/** Explains why a requester with exhausted retries got no response, as far as known. */
final class LossDiagnosis {
  private static final int MAX_KINDS = 4;

  private final QpContext qp;
  private final SendWindow window;
  private final LossReport losses;

  /**
   * Counts of responses whose PSN is not in flight, since the last progress. A shared empty map
   * until the first one, as most queue pairs never get any.
   */
  private Map<ResponseKey, Integer> unexpectedByKey = Map.of();

  /** Value of {@link LossReport#known} at the start of the connection. */
  private long knownAtStart;

  /** Whether the peer has answered an outstanding request with a NAK. */
  private boolean isAnswered;

  /**
   * Key of unexpected responses that are counted together.
   *
   * @param expectedPsn PSN that the peer expects next, or -1 if the response does not tell
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

  /** Counts a response whose PSN is not in flight. */
  void unexpected(Packet packet) {
    ResponseKey key = ResponseKey.of(packet);
    if (unexpectedByKey.isEmpty()) {
      unexpectedByKey = new LinkedHashMap<>();
    }
    if (unexpectedByKey.size() < MAX_KINDS || unexpectedByKey.containsKey(key)) {
      unexpectedByKey.merge(key, 1, Integer::sum);
    }
  }

  /** Notes that the peer answered an outstanding request with a NAK. */
  void refused() {
    isAnswered = true;
  }

  /** Clears the record after an acknowledgement: earlier losses were recovered. */
  void progressed() {
    isAnswered = false;
    unexpectedByKey = Map.of();
  }

  /** Sentences on what happened to the outstanding packets and their responses. */
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

  /** Reason of a NAK; null unless the peer is on the same network of this process. */
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
