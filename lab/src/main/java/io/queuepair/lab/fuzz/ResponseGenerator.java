// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes responses to what queue pairs under test have asked, as a peer would, or nearly so. */
final class ResponseGenerator {
  private static final int MTU = QpConfig.MTU.bytes();
  private static final int ACK = 0x1f;
  private static final int RNR_NAK = 0x20;
  private static final int NAK = 0x60;
  private static final int NAK_CODES = 5;
  private static final int RESERVED_NAK_CODES = 27;

  private final FuzzRandom random;

  ResponseGenerator(FuzzRandom random) {
    this.random = random;
  }

  /** Responses to one request of the queue pair under test, or to none if it asked nothing. */
  List<DatagramBuilder> answer(QpUnderTest subject) {
    Map<Integer, QpUnderTest.SentRequest> requests = subject.requests();
    if (requests.isEmpty()) {
      return List.of(acknowledgement(subject, subject.expectedPsn(), ACK));
    }
    QpUnderTest.SentRequest request = random.one(List.copyOf(requests.values()));
    if (random.of(60)) {
      request = requests.values().iterator().next();
    }
    if (random.of(10)) {
      return List.of(acknowledgement(subject, request.psn(), nak()));
    }
    if (random.of(3)) {
      return List.of(acknowledgement(subject, request.psn() + random.below(9) - 4, ACK));
    }
    subject.answered(request);
    return right(subject, request);
  }

  private int nak() {
    int choice = random.below(10);
    if (choice < 2) {
      return RNR_NAK | 1 + random.below(4);
    }
    if (choice < 9) {
      return NAK | random.below(NAK_CODES);
    }
    return random.of(50) ? random.below(256) : NAK | NAK_CODES + random.below(RESERVED_NAK_CODES);
  }

  private List<DatagramBuilder> right(QpUnderTest subject, QpUnderTest.SentRequest request) {
    String asked = request.opcode();
    if (asked.endsWith("RDMA_READ_REQUEST")) {
      return data(subject, request);
    }
    if (asked.endsWith("COMPARE_SWAP") || asked.endsWith("FETCH_ADD")) {
      DatagramBuilder draft =
          DatagramBuilder.of(subject.service() + "ATOMIC_ACKNOWLEDGE", new byte[0]);
      draft.put("AETH", 0, ACK << 24).put("ATOMIC_ACK_ETH", 0, random.anyLong());
      return List.of(draft.to(subject.qp().qpNum(), request.psn(), false));
    }
    if (asked.endsWith("FLUSH") || asked.endsWith("ATOMIC_WRITE")) {
      return List.of(part(subject, "ONLY", request.psn(), 0));
    }
    return List.of(acknowledgement(subject, request.psn(), ACK));
  }

  /** The packets of a READ response; rarely one of them is wrong. */
  private List<DatagramBuilder> data(QpUnderTest subject, QpUnderTest.SentRequest read) {
    int packets = Math.max(1, (read.length() + MTU - 1) / MTU);
    List<DatagramBuilder> drafts = new ArrayList<>();
    for (int i = 0; i < packets; i++) {
      boolean isLast = i == packets - 1;
      int bytes = isLast ? read.length() - i * MTU : MTU;
      String position = isLast ? "LAST" : i == 0 ? "FIRST" : "MIDDLE";
      if (packets == 1) {
        position = "ONLY";
      }
      if (random.of(2)) {
        position = random.one(List.of("FIRST", "MIDDLE", "LAST", "ONLY"));
      }
      int length = random.of(98) ? bytes : random.below(2 * MTU);
      drafts.add(part(subject, position, read.psn() + i, length));
    }
    return drafts;
  }

  private DatagramBuilder part(QpUnderTest subject, String position, int psn, int bytes) {
    String opcode = subject.service() + "RDMA_READ_RESPONSE_" + position;
    return DatagramBuilder.of(opcode, random.bytes(bytes))
        .put("AETH", 0, ACK << 24)
        .to(subject.qp().qpNum(), psn, false);
  }

  private DatagramBuilder acknowledgement(QpUnderTest subject, int psn, int syndrome) {
    return DatagramBuilder.of(subject.service() + "ACKNOWLEDGE", new byte[0])
        .put("AETH", 0, syndrome << 24 | random.below(64))
        .to(subject.qp().qpNum(), psn, false);
  }
}
