// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.QpType;

/**
 * Makes requests that a queue pair under test may well accept: the next packet of what came before.
 */
final class RequestGenerator {
  private static final int MTU = QpConfig.MTU.bytes();
  private static final int WORD = 8;

  private final FuzzRandom random;
  private final DeviceUnderTest target;
  private final RemoteMemoryTargets aims;

  RequestGenerator(FuzzRandom random, DeviceUnderTest target) {
    this.random = random;
    this.target = target;
    aims = new RemoteMemoryTargets(random, target);
  }

  /**
   * A request.
   *
   * @param psns how many PSNs it takes, with its response
   */
  record GeneratedRequest(DatagramBuilder draft, int psns) {}

  /** The next request to a queue pair under test that takes some. */
  GeneratedRequest next(QpUnderTest subject, int psn) {
    GeneratedRequest forged = subject.type() == QpType.UD ? datagram() : connected(subject);
    boolean wantsAck = random.of(50) || psn == 0;
    forged.draft().to(subject.qp().qpNum(), psn, wantsAck);
    if (random.of(10)) {
      forged.draft().solicited();
    }
    int srqn = random.of(98) ? target.roles().srqNum() : random.any() & 0xff_ffff;
    forged.draft().put("XRCETH", 0, srqn).put("IMM_DT", 0, random.any());
    forged.draft().put("IETH", 0, aims.key());
    return forged;
  }

  private GeneratedRequest datagram() {
    int bytes = random.below(random.of(90) ? 300 : 1_100);
    String opcode = random.of(70) ? "UD_SEND_ONLY" : "UD_SEND_ONLY_WITH_IMM";
    int qkey = random.of(95) ? QpConfig.QKEY : random.any();
    return new GeneratedRequest(
        DatagramBuilder.of(opcode, random.bytes(bytes)).put("DETH", 0, qkey).put("DETH", 4, 0x11),
        1);
  }

  private GeneratedRequest connected(QpUnderTest subject) {
    if (subject.message() != null && random.of(97)) {
      return goOn(subject);
    }
    subject.nowIn(null, 0);
    int kind = random.below(12);
    return switch (kind) {
      case 0, 1 -> sendOnly(subject);
      case 2, 3 -> begin(subject, "SEND", new RemoteMemoryTarget(0, 0, 0));
      case 4, 5 -> writeOnly(subject);
      case 6 ->
          begin(subject, "RDMA_WRITE", aims.at(AccessFlag.REMOTE_WRITE, MTU + random.below(700)));
      default -> answered(subject, kind);
    };
  }

  private String opcode(QpUnderTest subject, String operation) {
    String opcode = subject.service() + operation;
    return DatagramBuilder.isOpcode(opcode) ? opcode : subject.service() + "SEND_ONLY";
  }

  private String ending(String operation) {
    if (random.of(25)) {
      return operation + "_WITH_IMM";
    }
    boolean mayInvalidate = operation.startsWith("SEND") && random.of(12);
    return mayInvalidate ? operation + "_WITH_INVALIDATE" : operation;
  }

  private GeneratedRequest sendOnly(QpUnderTest subject) {
    String opcode = opcode(subject, ending("SEND_ONLY"));
    return new GeneratedRequest(
        DatagramBuilder.of(opcode, random.bytes(spoilt(random.below(MTU + 1)))), 1);
  }

  private GeneratedRequest begin(QpUnderTest subject, String operation, RemoteMemoryTarget aim) {
    subject.nowIn(operation, aim.length() - MTU);
    String opcode = opcode(subject, operation + "_FIRST");
    return new GeneratedRequest(DatagramBuilder.of(opcode, random.bytes(spoilt(MTU))).aim(aim), 1);
  }

  private GeneratedRequest goOn(QpUnderTest subject) {
    String operation = subject.message();
    long missing = subject.missingBytes();
    boolean isWrite = operation.equals("RDMA_WRITE");
    boolean ends = isWrite ? missing <= MTU : random.of(80);
    if (!ends) {
      subject.nowIn(operation, missing - MTU);
      String middle = opcode(subject, operation + "_MIDDLE");
      return new GeneratedRequest(DatagramBuilder.of(middle, random.bytes(spoilt(MTU))), 1);
    }
    subject.nowIn(null, 0);
    int bytes = isWrite ? (int) Math.max(1, missing) : 1 + random.below(60);
    String last = opcode(subject, ending(operation + "_LAST"));
    return new GeneratedRequest(DatagramBuilder.of(last, random.bytes(spoilt(bytes))), 1);
  }

  private GeneratedRequest writeOnly(QpUnderTest subject) {
    int bytes = random.below(MTU + 1);
    String opcode = opcode(subject, ending("RDMA_WRITE_ONLY"));
    RemoteMemoryTarget aim = aims.at(AccessFlag.REMOTE_WRITE, bytes);
    return new GeneratedRequest(
        DatagramBuilder.of(opcode, random.bytes(spoilt(bytes))).aim(aim), 1);
  }

  /** Requests that want more than an acknowledgement. */
  private GeneratedRequest answered(QpUnderTest subject, int kind) {
    if (kind == 7 || kind == 8) {
      int bytes = random.below(900);
      RemoteMemoryTarget aim = aims.at(AccessFlag.REMOTE_READ, bytes);
      int psns = Math.max(1, (bytes + MTU - 1) / MTU);
      return new GeneratedRequest(single(subject, "RDMA_READ_REQUEST", 0).aim(aim), psns);
    }
    if (kind == 9 || kind == 10) {
      String operation = kind == 9 ? "FETCH_ADD" : "COMPARE_SWAP";
      RemoteMemoryTarget aim = aims.at(AccessFlag.REMOTE_ATOMIC, WORD);
      DatagramBuilder draft = single(subject, operation, 0).aim(aim);
      draft.put("ATOMIC_ETH", 12, random.anyLong()).put("ATOMIC_ETH", 20, random.anyLong());
      return new GeneratedRequest(draft, 1);
    }
    if (random.of(50)) {
      RemoteMemoryTarget aim = aims.at(AccessFlag.REMOTE_WRITE, WORD);
      return new GeneratedRequest(single(subject, "ATOMIC_WRITE", WORD).aim(aim), 1);
    }
    RemoteMemoryTarget aim = aims.at(AccessFlag.FLUSH_GLOBAL, random.below(300));
    int flags = random.of(90) ? 1 + random.below(3) | random.below(2) << 4 : random.any();
    return new GeneratedRequest(single(subject, "FLUSH", 0).put("FETH", 0, flags).aim(aim), 1);
  }

  private DatagramBuilder single(QpUnderTest subject, String operation, int bytes) {
    return DatagramBuilder.of(opcode(subject, operation), random.bytes(bytes));
  }

  /** A length, rarely another one than it should be. */
  private int spoilt(int length) {
    return random.of(98) ? length : random.below(2 * MTU);
  }
}
