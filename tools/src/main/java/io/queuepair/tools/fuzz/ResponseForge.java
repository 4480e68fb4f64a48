package io.queuepair.tools.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes responses to what victims have asked, as a peer would, or nearly so. */
final class ResponseForge {
  private static final int MTU = Hookup.MTU.bytes();
  private static final int ACK = 0x1f;
  private static final int RNR_NAK = 0x20;
  private static final int NAK = 0x60;
  private static final int NAK_CODES = 5;

  private final Chance chance;

  ResponseForge(Chance chance) {
    this.chance = chance;
  }

  /** Responses to one request of the victim, or to none if it asked nothing. */
  List<Draft> answer(Victim victim) {
    Map<Integer, Victim.Request> requests = victim.requests();
    if (requests.isEmpty()) {
      return List.of(acknowledgement(victim, victim.expectedPsn(), ACK));
    }
    Victim.Request request = chance.one(List.copyOf(requests.values()));
    if (chance.of(60)) {
      request = requests.values().iterator().next();
    }
    if (chance.of(10)) {
      return List.of(acknowledgement(victim, request.psn(), nak()));
    }
    if (chance.of(3)) {
      return List.of(acknowledgement(victim, request.psn() + chance.below(9) - 4, ACK));
    }
    victim.answered(request);
    return right(victim, request);
  }

  private int nak() {
    int choice = chance.below(10);
    if (choice < 2) {
      return RNR_NAK | 1 + chance.below(4);
    }
    return choice == 9 ? chance.below(256) : NAK | chance.below(NAK_CODES);
  }

  private List<Draft> right(Victim victim, Victim.Request request) {
    String asked = request.opcode();
    if (asked.endsWith("RDMA_READ_REQUEST")) {
      return data(victim, request);
    }
    if (asked.endsWith("COMPARE_SWAP") || asked.endsWith("FETCH_ADD")) {
      Draft draft = Draft.of(victim.service() + "ATOMIC_ACKNOWLEDGE", new byte[0]);
      draft.put("AETH", 0, ACK << 24).put("ATOMIC_ACK_ETH", 0, chance.anyLong());
      return List.of(draft.to(victim.qp().qpNum(), request.psn(), false));
    }
    if (asked.endsWith("FLUSH") || asked.endsWith("ATOMIC_WRITE")) {
      return List.of(part(victim, "ONLY", request.psn(), 0));
    }
    return List.of(acknowledgement(victim, request.psn(), ACK));
  }

  /** The packets of a READ response; rarely one of them is wrong. */
  private List<Draft> data(Victim victim, Victim.Request read) {
    int packets = Math.max(1, (read.length() + MTU - 1) / MTU);
    List<Draft> drafts = new ArrayList<>();
    for (int i = 0; i < packets; i++) {
      boolean isLast = i == packets - 1;
      int bytes = isLast ? read.length() - i * MTU : MTU;
      String position = isLast ? "LAST" : i == 0 ? "FIRST" : "MIDDLE";
      if (packets == 1) {
        position = "ONLY";
      }
      if (chance.of(2)) {
        position = chance.one(List.of("FIRST", "MIDDLE", "LAST", "ONLY"));
      }
      int length = chance.of(98) ? bytes : chance.below(2 * MTU);
      drafts.add(part(victim, position, read.psn() + i, length));
    }
    return drafts;
  }

  private Draft part(Victim victim, String position, int psn, int bytes) {
    String opcode = victim.service() + "RDMA_READ_RESPONSE_" + position;
    return Draft.of(opcode, chance.bytes(bytes))
        .put("AETH", 0, ACK << 24)
        .to(victim.qp().qpNum(), psn, false);
  }

  private Draft acknowledgement(Victim victim, int psn, int syndrome) {
    return Draft.of(victim.service() + "ACKNOWLEDGE", new byte[0])
        .put("AETH", 0, syndrome << 24 | chance.below(64))
        .to(victim.qp().qpNum(), psn, false);
  }
}
