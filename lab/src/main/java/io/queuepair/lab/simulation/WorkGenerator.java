// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Generates the work of one seed. */
final class WorkGenerator {
  /** Excess length that makes a message longer than any receive and any datagram. */
  static final int EXCESS_BYTES = 1_200;

  private static final int ATOMIC_BYTES = 8;
  private static final int ACTIONS = 90;
  private static final int LONG_ONE_IN = 8;
  private static final int MOST_FIRST_RECEIVES = 6;
  private static final int RNR_TIMER_CODES = 32;
  private static final int NEAR_WRAP = 0xff_ffe0;

  /** Time after which no earlier packet is in flight, besides the delays of the fault plan. */
  private static final long QUIET_NANOS = 50_000;

  private static final long SHORT_NANOS = 6_000;
  private static final long LONG_NANOS = 300_000;
  private static final Mtu[] MTUS = {Mtu.MTU_256, Mtu.MTU_512, Mtu.MTU_1024};

  private static final List<InjectedError> OF_WINDOWS = List.of(InjectedError.REMOTE_RANGE);
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
          WrOpcode.FLUSH,
          WrOpcode.BIND_MW,
          WrOpcode.BIND_MW,
          WrOpcode.LOCAL_INV,
          WrOpcode.SEND_WITH_INV);

  private final long seed;
  private final Random random;
  private final SimulationOptions options;
  private final List<ConnectionConfig> configs = new ArrayList<>();
  private final List<Action> actions = new ArrayList<>();
  private final long quietNanos;

  /** Whether the work has no injected errors, and no calls that make other work fail. */
  private final boolean isCalm;

  WorkGenerator(long seed, SimulationOptions options) {
    random = new Random(seed);
    this.seed = seed;
    this.options = options;
    quietNanos = QUIET_NANOS + options.faults().longestDelayNanos();
    isCalm = random.nextInt(3) == 0;
  }

  WorkTestCase testCase() {
    for (int i = 0; i < options.connections(); i++) {
      QpType type = options.types().get(i % options.types().size());
      configs.add(plan(type));
    }
    for (int qp = 0; qp < 2 * configs.size(); qp++) {
      int receives = random.nextInt(MOST_FIRST_RECEIVES + 1);
      actions.add(new Action.PostReceives(qp, receives, 1));
    }
    int phases = 1 + random.nextInt(3);
    for (int phase = 0; phase < phases; phase++) {
      for (int i = 0; i < ACTIONS / phases; i++) {
        addAction();
      }
      settle();
    }
    return new WorkTestCase(seed, configs, actions, options.faults());
  }

  private ConnectionConfig plan(QpType type) {
    Mtu mtu = MTUS[random.nextInt(MTUS.length)];
    int reads = 1 + random.nextInt(4);
    return new ConnectionConfig(type, mtu, reads, psn(), retry(), membership(), traits(type));
  }

  private Set<Trait> traits(QpType type) {
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    if (type == QpType.RC && random.nextInt(4) == 0) {
      traits.add(Trait.SHARED_RECEIVES);
    }
    if (type != QpType.UD && !isCalm && random.nextInt(4) == 0) {
      traits.add(Trait.STAYS_IN_RTR);
    }
    return traits;
  }

  private RetryAttributes retry() {
    RetryAttributes usual = RetryAttributes.DEFAULT;
    int timeout = random.nextInt(8) == 0 ? 1 + random.nextInt(10) : usual.timeout();
    int retries = random.nextInt(8) == 0 ? 3 + random.nextInt(4) : usual.retryCnt();
    int refusals = !isCalm && random.nextInt(3) == 0 ? random.nextInt(7) : usual.rnrRetry();
    int timer = random.nextBoolean() ? random.nextInt(RNR_TIMER_CODES) : usual.minRnrTimer();
    return new RetryAttributes(timeout, retries, refusals, timer);
  }

  private Membership membership() {
    Membership[] all = Membership.values();
    boolean isUsual = random.nextInt(6) > 0;
    Membership chosen = isUsual ? Membership.DEFAULT : all[random.nextInt(all.length)];
    return isCalm && !chosen.isConnected() ? Membership.DEFAULT : chosen;
  }

  /** Ends with a signaled request on every queue pair, which shows that all is completed. */
  private void settle() {
    for (int i = 0; i < configs.size(); i++) {
      actions.add(new Action.Reconnect(i, psn(), quietNanos, true));
    }
    for (int qp = 0; qp < 2 * configs.size(); qp++) {
      actions.add(new Action.Resume(qp));
      WrOpcode last = configs.get(qp / 2).type() == QpType.UD ? WrOpcode.SEND : WrOpcode.RDMA_WRITE;
      Set<SendFlag> signaled = EnumSet.of(SendFlag.SIGNALED);
      actions.add(new Action.Post(qp, new WorkSpec(last, 0, 1, signaled, InjectedError.NONE, 0)));
    }
    actions.add(new Action.Settle());
  }

  private int psn() {
    return random.nextInt(3) == 0 ? NEAR_WRAP + random.nextInt(32) : random.nextInt(1 << 24);
  }

  /** Adds an action, sometimes two: ERR again, or a reset before completions are polled. */
  private void addAction() {
    Action action = action();
    actions.add(action);
    boolean isFollowed = random.nextInt(3) == 0;
    if (isFollowed && action instanceof Action.Fail) {
      actions.add(action);
    } else if (isFollowed && action instanceof Action.RunUnpolled && !isCalm) {
      actions.add(new Action.Reconnect(random.nextInt(configs.size()), psn(), quietNanos, false));
    }
  }

  private Action action() {
    int qp = random.nextInt(2 * configs.size());
    int choice = random.nextInt(100);
    if (choice < 50) {
      return new Action.Post(qp, work(configs.get(qp / 2)));
    }
    if (choice < 65) {
      return new Action.PostReceives(
          qp, 1 + random.nextInt(3), 1 + random.nextInt(WorkSpec.MAX_PIECES));
    }
    if (choice < 82 || isCalm) {
      long most = random.nextInt(8) == 0 ? LONG_NANOS : SHORT_NANOS;
      long nanos = 1 + (long) (random.nextDouble() * most);
      return random.nextInt(8) == 0 ? new Action.RunUnpolled(nanos) : new Action.Run(nanos);
    }
    if (choice < 85) {
      return new Action.ForgeResponse(qp, random.nextBoolean());
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

  private WorkSpec work(ConnectionConfig config) {
    List<WrOpcode> opcodes =
        switch (config.type()) {
          case UC -> OF_UC;
          case UD -> OF_UD;
          case RC, RAW_PACKET, XRC_SEND, XRC_RECV, DRIVER -> OF_RC;
        };
    WrOpcode opcode = opcodes.get(random.nextInt(opcodes.size()));
    WorkSpec work = new WorkSpec(opcode, 0, 1, flags(), InjectedError.NONE, random.nextInt());
    if (work.isLocal()) {
      boolean isFlawed = !isCalm && opcode == WrOpcode.BIND_MW && random.nextInt(20) == 0;
      Set<SendFlag> signaled = EnumSet.of(SendFlag.SIGNALED);
      InjectedError error = isFlawed ? InjectedError.BOUND_WINDOW : InjectedError.NONE;
      return new WorkSpec(opcode, 0, 1, signaled, error, 0);
    }
    if (work.isAtomic()) {
      return flawed(
          new WorkSpec(opcode, ATOMIC_BYTES, 1, flags(), InjectedError.NONE, random.nextInt()),
          config.type());
    }
    int bytes = opcode == WrOpcode.FLUSH ? random.nextInt(200) : bytes(config);
    Set<SendFlag> flags = flags();
    if (work.sendsData() && bytes <= WorkSpec.MAX_INLINE && random.nextBoolean()) {
      flags.add(SendFlag.INLINE);
    }
    int pieces = 1 + random.nextInt(WorkSpec.MAX_PIECES);
    boolean usesWindow = work.isWrite() && bytes > 0 && random.nextInt(3) == 0;
    return flawed(
        new WorkSpec(
            opcode, bytes, pieces, flags, InjectedError.NONE, random.nextInt(), usesWindow),
        config.type());
  }

  private int bytes(ConnectionConfig config) {
    boolean mayBeLong = options.largestBytes() > WorkSpec.MAX_BYTES && config.type() != QpType.UD;
    if (mayBeLong && random.nextInt(LONG_ONE_IN) == 0) {
      // Uniform in the logarithm: long messages take many packets, so they are rare.
      double share = (double) options.largestBytes() / WorkSpec.MAX_BYTES;
      return (int) (WorkSpec.MAX_BYTES * Math.pow(share, 1 - random.nextDouble()));
    }
    int mtu = config.mtu().bytes();
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> 1 + random.nextInt(16);
      case 2 -> Math.min(WorkSpec.MAX_BYTES, mtu * (1 + random.nextInt(4)));
      case 3 -> random.nextInt(mtu);
      default -> random.nextInt(WorkSpec.MAX_BYTES);
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

  private WorkSpec flawed(WorkSpec work, QpType type) {
    boolean isTried = random.nextInt(work.usesWindow() ? 10 : 40) == 0;
    if (isCalm || !isTried) {
      return work;
    }
    List<InjectedError> errors = work.usesWindow() ? OF_WINDOWS : flawsOf(work);
    if (errors.isEmpty()) {
      return work;
    }
    InjectedError error = errors.get(random.nextInt(errors.size()));
    // A receive buffer is a little shorter than the longest datagram.
    boolean mayFit = type == QpType.UD || random.nextBoolean();
    int excess = mayFit ? EXCESS_BYTES : MemoryPool.EXTRA_BYTES + 1;
    int tooLong = options.largestBytes() + excess;
    return work.with(error == InjectedError.TOO_LONG ? tooLong : work.bytes(), error);
  }

  /** Errors that can be injected into a request: without data no key is checked. */
  private static List<InjectedError> flawsOf(WorkSpec work) {
    List<InjectedError> errors = new ArrayList<>();
    boolean isSend = work.kind() == WirePacket.PacketRole.SEND;
    if (work.bytes() > 0) {
      if (!work.isInline() && work.opcode() != WrOpcode.FLUSH) {
        errors.add(InjectedError.LOCAL_KEY);
      }
      if (!isSend) {
        errors.add(InjectedError.REMOTE_KEY);
      }
      if (!isSend && work.opcode() != WrOpcode.FLUSH) {
        errors.add(InjectedError.REMOTE_RIGHT);
        errors.add(InjectedError.REMOTE_DOMAIN);
      }
      if (!isSend && !work.isAtomic() && work.opcode() != WrOpcode.FLUSH) {
        errors.add(InjectedError.REMOTE_RANGE);
      }
      if (work.isWrite()) {
        errors.add(InjectedError.REMOTE_WINDOW);
      }
    }
    if (work.isAtomic()) {
      errors.add(InjectedError.MISALIGNED);
    }
    if (work.opcode() == WrOpcode.SEND && !work.isInline()) {
      errors.add(InjectedError.TOO_LONG);
    }
    return errors;
  }
}
