// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Psn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Responses that answer nothing that is outstanding, since something was acknowledged last. */
final class UnexpectedResponses {
  /** Kinds that are distinguished; more would not be read. */
  private static final int MAX_KINDS = 4;

  /** Without any, one that all share: most queue pairs never meet one. */
  private Map<ResponseKey, Integer> counts = Map.of();

  /**
   * What answers have in common.
   *
   * @param expectedPsn what the peer expects next, as far as the answer says so; else -1
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

  void add(Packet packet) {
    ResponseKey kind = ResponseKey.of(packet);
    if (counts.isEmpty()) {
      counts = new LinkedHashMap<>();
    }
    if (counts.size() < MAX_KINDS || counts.containsKey(kind)) {
      counts.merge(kind, 1, Integer::sum);
    }
  }

  boolean isEmpty() {
    return counts.isEmpty();
  }

  void clear() {
    counts = Map.of();
  }

  /**
   * A sentence for each kind.
   *
   * @param sqPsn where the PSNs of the requester began
   * @param unackedPsn its oldest PSN that is not acknowledged
   */
  List<String> sentences(int sqPsn, int unackedPsn) {
    List<String> sentences = new ArrayList<>();
    counts.forEach(
        (kind, times) -> {
          String came = Quantity.of(times, kind.noun()) + " came, for PSN " + kind.psn();
          sentences.add(came + meaning(kind, sqPsn, unackedPsn) + ".");
        });
    return sentences;
  }

  private static String meaning(ResponseKey kind, int sqPsn, int unackedPsn) {
    if (sqPsn != unackedPsn) {
      return ", which is not outstanding";
    }
    if (kind.expectedPsn() == sqPsn) {
      return ", the one before the first: nothing was acknowledged yet";
    }
    String neverSent = ", which was never sent";
    return kind.expectedPsn() == ResponseKey.UNKNOWN
        ? neverSent
        : neverSent
            + (": rq_psn of the peer (" + kind.expectedPsn() + ")")
            + (" is not sq_psn (" + sqPsn + ")");
  }
}
