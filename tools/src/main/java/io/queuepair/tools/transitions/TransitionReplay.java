// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.transitions;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Calls {@code ibv_modify_qp}, each on a new queue pair and with valid values. */
public final class TransitionReplay implements AutoCloseable {
  private static final QpCap CAPACITIES = QpCap.of(4);

  private final DeviceProfile profile;
  private final Emulator emulator = Emulator.inMemory();
  private final ProtectionDomain pd;
  private final CompletionQueue cq;
  private final AhAttr peer;

  public TransitionReplay(DeviceProfile profile) {
    this.profile = profile;
    Context context = emulator.addDevice(profile, "10.0.0.1").open();
    pd = context.allocPd();
    cq = context.createCq(1);
    peer = AhAttr.to(emulator.addDevice(profile, "10.0.0.2").open().queryGid(1, 0));
  }

  /** Result of a call: its errno, empty for success, and the state afterwards. */
  public record Answer(Optional<Errno> errno, QpState after) {
    private static Answer refusal(Errno errno, QpState after) {
      return new Answer(Optional.of(errno), after);
    }

    private static Answer success(QpState after) {
      return new Answer(Optional.empty(), after);
    }

    public boolean isSuccess() {
      return errno.isEmpty();
    }

    @Override
    public String toString() {
      return errno.map(Errno::name).orElse("0") + ", then " + after;
    }
  }

  /** Result of a call on this device; the sentence explains a refusal, and is empty for success. */
  public record DeviceAnswer(Answer answer, String sentence) {}

  /** Calls {@code ibv_modify_qp}, with valid values, from a state that calls can reach. */
  public DeviceAnswer ask(QpType type, QpState from, QpState to, Set<QpAttrMask> mask) {
    return ask(type, from, valid().curQpState(from).qpState(to), mask);
  }

  /** Reason why a call is refused, with its errno; empty if it succeeds. */
  public String refusal(QpType type, QpState from, QpState to, Set<QpAttrMask> mask) {
    return ask(type, from, to, mask).sentence();
  }

  private DeviceAnswer ask(QpType type, QpState from, QpAttr attr, Set<QpAttrMask> mask) {
    try (QueuePair qp = create(type)) {
      for (QpState step : wayTo(from)) {
        qp.modify(valid().qpState(step), required(type, qp.query().qpState(), step));
      }
      try {
        qp.modify(attr, mask);
      } catch (VerbsException refusal) {
        Answer answer = Answer.refusal(refusal.errno(), qp.query().qpState());
        return new DeviceAnswer(answer, refusal.getMessage());
      }
      return new DeviceAnswer(Answer.success(qp.query().qpState()), "");
    }
  }

  private QueuePair create(QpType type) {
    return type == QpType.XRC_RECV
        ? pd.context().openXrcd().createQp()
        : pd.createQp(QpInitAttr.of(type, cq, CAPACITIES));
  }

  /** Whether calls alone can move a queue pair to a state; SQE needs a failed send. */
  public static boolean canReach(QpState state) {
    return state != QpState.SQE && state != QpState.UNKNOWN;
  }

  private static List<QpState> wayTo(QpState state) {
    return switch (state) {
      case RESET, SQE, UNKNOWN -> List.of();
      case INIT -> List.of(QpState.INIT);
      case RTR -> List.of(QpState.INIT, QpState.RTR);
      case RTS -> List.of(QpState.INIT, QpState.RTR, QpState.RTS);
      case SQD -> List.of(QpState.INIT, QpState.RTR, QpState.RTS, QpState.SQD);
      case ERR -> List.of(QpState.INIT, QpState.ERR);
    };
  }

  private Set<QpAttrMask> required(QpType type, QpState from, QpState to) {
    Set<QpAttrMask> mask = EnumSet.of(QpAttrMask.STATE);
    mask.addAll(profile.transitions().find(type, from, to).orElseThrow().required());
    return mask;
  }

  private QpAttr valid() {
    return new QpAttr()
        .enSqdAsyncNotify(true)
        .qpAccessFlags(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)
        .pkeyIndex(0)
        .portNum(1)
        .qkey(0x1111_1111)
        .ahAttr(peer)
        .pathMtu(Mtu.MTU_1024)
        .timeout(14)
        .retryCnt(3)
        .rnrRetry(3)
        .rqPsn(100)
        .maxRdAtomic(4)
        .altPath(AlternatePath.to(peer, 14))
        .minRnrTimer(12)
        .sqPsn(200)
        .maxDestRdAtomic(4)
        .pathMigState(MigState.MIGRATED)
        .cap(CAPACITIES)
        .destQpNum(0x12)
        .rateLimit(1000);
  }

  @Override
  public void close() {
    emulator.close();
  }
}
