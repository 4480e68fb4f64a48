package io.queuepair.tools.fuzz;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.QpType;

/** Makes requests that a victim may well accept: the next packet of what came before. */
final class RequestForge {
  private static final int MTU = Hookup.MTU.bytes();
  private static final int WORD = 8;

  private final Chance chance;
  private final Target target;
  private final Aims aims;

  RequestForge(Chance chance, Target target) {
    this.chance = chance;
    this.target = target;
    aims = new Aims(chance, target);
  }

  /**
   * A request.
   *
   * @param psns how many PSNs it takes, with its response
   */
  record Forged(Draft draft, int psns) {}

  /** The next request to a victim that takes some. */
  Forged next(Victim victim, int psn) {
    Forged forged = victim.type() == QpType.UD ? datagram() : connected(victim);
    boolean wantsAck = chance.of(50) || psn == 0;
    forged.draft().to(victim.qp().qpNum(), psn, wantsAck);
    if (chance.of(10)) {
      forged.draft().solicited();
    }
    int srqn = chance.of(98) ? target.roles().srqNum() : chance.any() & 0xff_ffff;
    forged.draft().put("XRCETH", 0, srqn).put("IMM_DT", 0, chance.any());
    forged.draft().put("IETH", 0, aims.key());
    return forged;
  }

  private Forged datagram() {
    int bytes = chance.below(chance.of(90) ? 300 : 1_100);
    String opcode = chance.of(70) ? "UD_SEND_ONLY" : "UD_SEND_ONLY_WITH_IMM";
    int qkey = chance.of(95) ? Hookup.QKEY : chance.any();
    return new Forged(
        Draft.of(opcode, chance.bytes(bytes)).put("DETH", 0, qkey).put("DETH", 4, 0x11), 1);
  }

  private Forged connected(Victim victim) {
    if (victim.message() != null && chance.of(97)) {
      return goOn(victim);
    }
    victim.nowIn(null, 0);
    int kind = chance.below(12);
    return switch (kind) {
      case 0, 1 -> sendOnly(victim);
      case 2, 3 -> begin(victim, "SEND", new Aim(0, 0, 0));
      case 4, 5 -> writeOnly(victim);
      case 6 ->
          begin(victim, "RDMA_WRITE", aims.at(AccessFlag.REMOTE_WRITE, MTU + chance.below(700)));
      default -> answered(victim, kind);
    };
  }

  private String opcode(Victim victim, String operation) {
    String opcode = victim.service() + operation;
    return Draft.isOpcode(opcode) ? opcode : victim.service() + "SEND_ONLY";
  }

  private String ending(String operation) {
    if (chance.of(25)) {
      return operation + "_WITH_IMM";
    }
    boolean mayInvalidate = operation.startsWith("SEND") && chance.of(12);
    return mayInvalidate ? operation + "_WITH_INVALIDATE" : operation;
  }

  private Forged sendOnly(Victim victim) {
    String opcode = opcode(victim, ending("SEND_ONLY"));
    return new Forged(Draft.of(opcode, chance.bytes(spoilt(chance.below(MTU + 1)))), 1);
  }

  private Forged begin(Victim victim, String operation, Aim aim) {
    victim.nowIn(operation, aim.length() - MTU);
    String opcode = opcode(victim, operation + "_FIRST");
    return new Forged(Draft.of(opcode, chance.bytes(spoilt(MTU))).aim(aim), 1);
  }

  private Forged goOn(Victim victim) {
    String operation = victim.message();
    long missing = victim.missingBytes();
    boolean isWrite = operation.equals("RDMA_WRITE");
    boolean ends = isWrite ? missing <= MTU : chance.of(80);
    if (!ends) {
      victim.nowIn(operation, missing - MTU);
      String middle = opcode(victim, operation + "_MIDDLE");
      return new Forged(Draft.of(middle, chance.bytes(spoilt(MTU))), 1);
    }
    victim.nowIn(null, 0);
    int bytes = isWrite ? (int) Math.max(1, missing) : 1 + chance.below(60);
    String last = opcode(victim, ending(operation + "_LAST"));
    return new Forged(Draft.of(last, chance.bytes(spoilt(bytes))), 1);
  }

  private Forged writeOnly(Victim victim) {
    int bytes = chance.below(MTU + 1);
    String opcode = opcode(victim, ending("RDMA_WRITE_ONLY"));
    Aim aim = aims.at(AccessFlag.REMOTE_WRITE, bytes);
    return new Forged(Draft.of(opcode, chance.bytes(spoilt(bytes))).aim(aim), 1);
  }

  /** Requests that want more than an acknowledgement. */
  private Forged answered(Victim victim, int kind) {
    if (kind == 7 || kind == 8) {
      int bytes = chance.below(900);
      Aim aim = aims.at(AccessFlag.REMOTE_READ, bytes);
      int psns = Math.max(1, (bytes + MTU - 1) / MTU);
      return new Forged(single(victim, "RDMA_READ_REQUEST", 0).aim(aim), psns);
    }
    if (kind == 9 || kind == 10) {
      String operation = kind == 9 ? "FETCH_ADD" : "COMPARE_SWAP";
      Aim aim = aims.at(AccessFlag.REMOTE_ATOMIC, WORD);
      Draft draft = single(victim, operation, 0).aim(aim);
      draft.put("ATOMIC_ETH", 12, chance.anyLong()).put("ATOMIC_ETH", 20, chance.anyLong());
      return new Forged(draft, 1);
    }
    if (chance.of(50)) {
      Aim aim = aims.at(AccessFlag.REMOTE_WRITE, WORD);
      return new Forged(single(victim, "ATOMIC_WRITE", WORD).aim(aim), 1);
    }
    Aim aim = aims.at(AccessFlag.FLUSH_GLOBAL, chance.below(300));
    int flags = chance.of(90) ? 1 + chance.below(3) | chance.below(2) << 4 : chance.any();
    return new Forged(single(victim, "FLUSH", 0).put("FETH", 0, flags).aim(aim), 1);
  }

  private Draft single(Victim victim, String operation, int bytes) {
    return Draft.of(opcode(victim, operation), chance.bytes(bytes));
  }

  /** A length, rarely another one than it should be. */
  private int spoilt(int length) {
    return chance.of(98) ? length : chance.below(2 * MTU);
  }
}
