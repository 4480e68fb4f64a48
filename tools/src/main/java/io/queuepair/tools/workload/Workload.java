package io.queuepair.tools.workload;

import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Everything that one seed does.
 *
 * @param seed of the work, and of the faults
 * @param plans the connections
 * @param actions what happens, in order
 */
public record Workload(long seed, List<Plan> plans, List<Action> actions) {
  /** Longest message that is not too long. */
  static final int MAX_BYTES = 3_000;

  /** Longer than any receive, and than any datagram. */
  static final int TOO_LONG_BYTES = 4_200;

  static final int MAX_PIECES = 3;
  static final int MAX_INLINE = 128;

  private static final int ATOMIC_BYTES = 8;
  private static final int ACTIONS = 90;
  private static final int NEAR_WRAP = 0xff_ffe0;

  /** After so long nothing that was sent before is under way, beyond the delays of the network. */
  private static final long QUIET_NANOS = 50_000;

  private static final long SHORT_NANOS = 6_000;
  private static final long LONG_NANOS = 300_000;
  private static final Mtu[] MTUS = {Mtu.MTU_256, Mtu.MTU_512, Mtu.MTU_1024};

  private static final List<WrOpcode> OF_UD = List.of(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM);
  private static final List<WrOpcode> OF_UC =
      List.of(
          WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM);
  private static final List<WrOpcode> OF_RC =
      List.of(
          WrOpcode.SEND,
          WrOpcode.SEND_WITH_IMM,
          WrOpcode.RDMA_WRITE,
          WrOpcode.RDMA_WRITE_WITH_IMM,
          WrOpcode.RDMA_READ,
          WrOpcode.RDMA_READ,
          WrOpcode.ATOMIC_CMP_AND_SWP,
          WrOpcode.ATOMIC_FETCH_AND_ADD,
          WrOpcode.ATOMIC_WRITE,
          WrOpcode.FLUSH);

  /**
   * The work of a seed.
   *
   * @param seed any number
   * @param options what all seeds have in common
   * @return the same for the same arguments
   */
  public static Workload of(long seed, SimulationOptions options) {
    return new Generator(new Random(seed), options).workload(seed);
  }

  /** Makes the work of one seed. */
  private static final class Generator {
    private final Random random;
    private final SimulationOptions options;
    private final List<Plan> plans = new ArrayList<>();
    private final List<Action> actions = new ArrayList<>();
    private final long quietNanos;

    /** Whether nothing goes wrong on purpose. */
    private final boolean isCalm;

    private Generator(Random random, SimulationOptions options) {
      this.random = random;
      this.options = options;
      quietNanos = QUIET_NANOS + options.faults().longestDelayNanos();
      isCalm = random.nextInt(3) == 0;
    }

    private Workload workload(long seed) {
      for (int i = 0; i < options.connections(); i++) {
        QpType type = options.types().get(i % options.types().size());
        plans.add(new Plan(type, MTUS[random.nextInt(MTUS.length)], 1 + random.nextInt(4), psn()));
      }
      for (int qp = 0; qp < 2 * plans.size(); qp++) {
        actions.add(new Action.PostReceives(qp, 6, 1));
      }
      int phases = 1 + random.nextInt(3);
      for (int phase = 0; phase < phases; phase++) {
        for (int i = 0; i < ACTIONS / phases; i++) {
          actions.add(action());
        }
        settle();
      }
      return new Workload(seed, List.copyOf(plans), List.copyOf(actions));
    }

    /** Ends on a signaled request everywhere, so that all others are known to be done. */
    private void settle() {
      for (int i = 0; i < plans.size(); i++) {
        actions.add(new Action.Reconnect(i, psn(), quietNanos, true));
      }
      for (int qp = 0; qp < 2 * plans.size(); qp++) {
        actions.add(new Action.Resume(qp));
        WrOpcode last = plans.get(qp / 2).type() == QpType.UD ? WrOpcode.SEND : WrOpcode.RDMA_WRITE;
        Set<SendFlag> signaled = EnumSet.of(SendFlag.SIGNALED);
        actions.add(new Action.Post(qp, new Work(last, 0, 1, signaled, Flaw.NONE, 0)));
      }
      actions.add(new Action.Settle());
    }

    private int psn() {
      return random.nextInt(3) == 0 ? NEAR_WRAP + random.nextInt(32) : random.nextInt(1 << 24);
    }

    private Action action() {
      int qp = random.nextInt(2 * plans.size());
      int choice = random.nextInt(100);
      if (choice < 50) {
        return new Action.Post(qp, work(plans.get(qp / 2)));
      }
      if (choice < 65) {
        return new Action.PostReceives(qp, 1 + random.nextInt(3), 1 + random.nextInt(MAX_PIECES));
      }
      if (choice < 85 || isCalm) {
        return new Action.Run(
            1 + (long) (random.nextDouble() * (random.nextInt(8) == 0 ? LONG_NANOS : SHORT_NANOS)));
      }
      if (choice < 89) {
        return new Action.Suspend(qp);
      }
      if (choice < 94) {
        return new Action.Resume(qp);
      }
      if (choice < 95) {
        return new Action.Fail(qp);
      }
      return new Action.Reconnect(qp / 2, psn(), quietNanos, choice < 99);
    }

    private Work work(Plan plan) {
      List<WrOpcode> opcodes =
          switch (plan.type()) {
            case UC -> OF_UC;
            case UD -> OF_UD;
            case RC, RAW_PACKET, XRC_SEND, XRC_RECV, DRIVER -> OF_RC;
          };
      WrOpcode opcode = opcodes.get(random.nextInt(opcodes.size()));
      Work work = new Work(opcode, 0, 1, flags(), Flaw.NONE, random.nextInt());
      if (work.isAtomic()) {
        return flawed(new Work(opcode, ATOMIC_BYTES, 1, flags(), Flaw.NONE, random.nextInt()));
      }
      int bytes = opcode == WrOpcode.FLUSH ? random.nextInt(200) : bytes(plan.mtu().bytes());
      Set<SendFlag> flags = flags();
      if (work.sendsData() && bytes <= MAX_INLINE && random.nextBoolean()) {
        flags.add(SendFlag.INLINE);
      }
      int pieces = 1 + random.nextInt(MAX_PIECES);
      return flawed(new Work(opcode, bytes, pieces, flags, Flaw.NONE, random.nextInt()));
    }

    private int bytes(int mtu) {
      return switch (random.nextInt(6)) {
        case 0 -> 0;
        case 1 -> 1 + random.nextInt(16);
        case 2 -> Math.min(MAX_BYTES, mtu * (1 + random.nextInt(4)));
        case 3 -> random.nextInt(mtu);
        default -> random.nextInt(MAX_BYTES);
      };
    }

    private Set<SendFlag> flags() {
      Set<SendFlag> flags = EnumSet.noneOf(SendFlag.class);
      add(flags, SendFlag.SIGNALED, 3, 4);
      add(flags, SendFlag.FENCE, 1, 4);
      add(flags, SendFlag.SOLICITED, 1, 4);
      return flags;
    }

    private void add(Set<SendFlag> flags, SendFlag flag, int times, int of) {
      if (random.nextInt(of) < times) {
        flags.add(flag);
      }
    }

    private Work flawed(Work work) {
      if (isCalm || random.nextInt(40) > 0) {
        return work;
      }
      Flaw flaw =
          switch (random.nextInt(4)) {
            case 0 ->
                work.isInline() || work.opcode() == WrOpcode.FLUSH ? Flaw.NONE : Flaw.LOCAL_KEY;
            case 1 -> work.opcode() == WrOpcode.SEND ? Flaw.NONE : Flaw.REMOTE_KEY;
            case 2 -> work.isAtomic() ? Flaw.MISALIGNED : Flaw.NONE;
            default ->
                work.opcode() == WrOpcode.SEND && !work.isInline() ? Flaw.TOO_LONG : Flaw.NONE;
          };
      boolean needsBytes = flaw == Flaw.LOCAL_KEY || flaw == Flaw.REMOTE_KEY;
      boolean hasRemoteKey = work.opcode() != WrOpcode.SEND_WITH_IMM;
      if ((flaw == Flaw.REMOTE_KEY && !hasRemoteKey) || (needsBytes && work.bytes() == 0)) {
        return work; // Without data no key is looked at.
      }
      int bytes = flaw == Flaw.TOO_LONG ? TOO_LONG_BYTES : work.bytes();
      return new Work(work.opcode(), bytes, work.pieces(), work.flags(), flaw, work.operand());
    }
  }
}
