// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.profile.Transition;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides whether one call of {@code ibv_modify_qp} is allowed; changes nothing. */
final class ModifyQpChecks {
  /** Attributes that do not apply to an XRC initiator; below, those of an XRC target. */
  private static final Set<QpAttrMask> NOT_OF_XRC_SEND =
      EnumSet.of(QpAttrMask.MAX_DEST_RD_ATOMIC, QpAttrMask.MIN_RNR_TIMER);

  private static final Set<QpAttrMask> NOT_OF_XRC_RECV =
      EnumSet.of(QpAttrMask.MAX_QP_RD_ATOMIC, QpAttrMask.RETRY_CNT, QpAttrMask.RNR_RETRY);

  private ModifyQpChecks() {}

  /**
   * Checks the call.
   *
   * @return the attributes of the mask that apply; those that the type has no use for are left out,
   *     as Linux ignores them
   * @throws VerbsException naming everything that is wrong
   */
  public static Set<QpAttrMask> check(
      QpContext qp, QpAttr attr, Set<QpAttrMask> mask, Ports ports) {
    if (qp.spreadsFrames()) {
      // The mlx5 driver of Linux refuses this, too, but with ENOSYS.
      throw new VerbsException(
          Errno.EOPNOTSUPP,
          "ibv_modify_qp",
          "a queue pair that spreads frames over work queues has nothing to modify");
    }
    DeviceProfile profile = ports.profile();
    Set<QpAttrMask> countedMask = counted(qp.type(), mask);
    if (countedMask.isEmpty() && !profile.has(Quirk.EMPTY_MASK_CHECKED)) {
      return countedMask;
    }
    boolean isBelieved =
        countedMask.contains(QpAttrMask.CUR_STATE) && profile.has(Quirk.TRUSTS_CUR_STATE);
    QpState from = isBelieved ? attr.curQpState() : qp.state();
    QpState to = countedMask.contains(QpAttrMask.STATE) ? attr.qpState() : from;
    ErrorCollector errors =
        new ErrorCollector("ibv_modify_qp", () -> from + " -> " + to + " (" + qp.type() + ")");
    if (countedMask.contains(QpAttrMask.RATE_LIMIT) && profile.has(Quirk.RATE_LIMIT_UNKNOWN)) {
      errors.add(Errno.EOPNOTSUPP, "RATE_LIMIT is not offered by this device");
    }
    AttributeRanges.check(qp, attr, countedMask, ports, errors);
    checkMask(
        profile.transitions().find(qp.type(), from, to),
        profile.has(Quirk.AV_BRINGS_PORT) ? withPortOfAddress(countedMask, to) : countedMask,
        errors);
    if (countedMask.contains(QpAttrMask.CUR_STATE) && attr.curQpState() != from) {
      errors.add("CUR_STATE says " + attr.curQpState() + ", but the queue pair is in " + from);
    }
    if (qp.isDraining() && !mayInterruptDraining(to, countedMask, profile)) {
      errors.add("sends that have started are still being finished (SQ_DRAINED tells)");
    }
    errors.throwIfAny();
    return countedMask;
  }

  private static Set<QpAttrMask> counted(QpType type, Set<QpAttrMask> mask) {
    Set<QpAttrMask> countedMask = EnumSet.noneOf(QpAttrMask.class);
    countedMask.addAll(mask);
    if (type == QpType.XRC_SEND) {
      countedMask.removeAll(NOT_OF_XRC_SEND);
    } else if (type == QpType.XRC_RECV) {
      countedMask.removeAll(NOT_OF_XRC_RECV);
    }
    return countedMask;
  }

  /** Adds PORT to a mask with AV: ib_uverbs takes the port from the address vector. */
  private static Set<QpAttrMask> withPortOfAddress(Set<QpAttrMask> mask, QpState to) {
    boolean isConnecting = mask.contains(QpAttrMask.STATE) && to == QpState.RTR;
    if (isConnecting || !mask.contains(QpAttrMask.AV)) {
      return mask;
    }
    Set<QpAttrMask> widerMask = EnumSet.copyOf(mask);
    widerMask.add(QpAttrMask.PORT);
    return widerMask;
  }

  private static void checkMask(
      Optional<Transition> transition, Set<QpAttrMask> mask, ErrorCollector errors) {
    if (transition.isEmpty()) {
      errors.objectToTransition();
      return;
    }
    Set<QpAttrMask> missingMask = EnumSet.noneOf(QpAttrMask.class);
    missingMask.addAll(transition.get().required());
    missingMask.removeAll(mask);
    Set<QpAttrMask> forbiddenMask = EnumSet.noneOf(QpAttrMask.class);
    forbiddenMask.addAll(mask);
    forbiddenMask.removeAll(transition.get().required());
    forbiddenMask.removeAll(transition.get().optional());
    forbiddenMask.remove(QpAttrMask.STATE);
    errors.objectToMask(missingMask, forbiddenMask);
  }

  private static boolean mayInterruptDraining(
      QpState to, Set<QpAttrMask> mask, DeviceProfile profile) {
    if (profile.has(Quirk.DRAINING_HOLDS_RESET)) {
      return to == QpState.ERR || !mask.contains(QpAttrMask.STATE);
    }
    return to == QpState.ERR || to == QpState.RESET;
  }

  /**
   * Checks the range of each attribute of a queue pair. Linux Soft-RoCE takes most values
   * unchecked; hardware refuses them, and so does every device without {@link
   * Quirk#VALUES_UNCHECKED}.
   */
  private static final class AttributeRanges {
    private static final int MAX_QPN = 0xff_ffff;

    private static final int MAX_CODE = 31;
    private static final int MAX_RETRIES = 7;

    /** Largest value of a {@code uint8_t}, and of a {@code uint16_t}. */
    private static final int MAX_BYTE = 0xff;

    private static final int MAX_SHORT = 0xffff;

    /** Rights of memory regions that mean nothing to a queue pair (Linux 6.17). */
    private static final Set<AccessFlag> MEMORY_ONLY =
        EnumSet.of(AccessFlag.ZERO_BASED, AccessFlag.HUGETLB);

    private final QpContext qp;
    private final QpAttr attr;
    private final Set<QpAttrMask> mask;
    private final Ports ports;
    private final DeviceProfile profile;
    private final ErrorCollector errors;

    /** Whether values are checked that Linux Soft-RoCE does not look at. */
    private final boolean isStrict;

    private AttributeRanges(
        QpContext qp, QpAttr attr, Set<QpAttrMask> mask, Ports ports, ErrorCollector errors) {
      this.qp = qp;
      this.attr = attr;
      this.mask = mask;
      this.ports = ports;
      this.errors = errors;
      profile = ports.profile();
      isStrict = !profile.has(Quirk.VALUES_UNCHECKED);
    }

    /** Adds an error for every value out of range: ports and addresses first, as in Linux. */
    static void check(
        QpContext qp, QpAttr attr, Set<QpAttrMask> mask, Ports ports, ErrorCollector errors) {
      AttributeRanges ranges = new AttributeRanges(qp, attr, mask, ports, errors);
      ranges.checkPorts();
      for (QpAttrMask attribute : mask) {
        ranges.check(attribute);
      }
    }

    private void checkPorts() {
      if (mask.contains(QpAttrMask.PORT)) {
        checkPort();
      }
      if (mask.contains(QpAttrMask.AV)) {
        if (attr.ahAttr() == null) {
          errors.add("AV has no value");
        } else {
          AddressRules.check("AV", attr.ahAttr(), portAfterwards(), ports, errors);
        }
      }
      if (mask.contains(QpAttrMask.ALT_PATH)) {
        checkAlternatePath();
      }
    }

    private int portAfterwards() {
      return mask.contains(QpAttrMask.PORT) ? attr.portNum() : qp.attributes().portNum();
    }

    private void checkPort() {
      int port = attr.portNum();
      if (!ports.hasPort(port)) {
        errors.add("PORT " + port + " is not " + ports.portRange());
      } else if (qp.state() == QpState.SQD && port != qp.attributes().portNum()) {
        if (!profile.can(DeviceCapFlag.CHANGE_PHY_PORT)) {
          errors.add("PORT cannot change in SQD on this device (CHANGE_PHY_PORT)");
        } else if (!mask.contains(QpAttrMask.AV)) {
          errors.add("PORT " + port + " needs an AV of that port");
        }
      }
    }

    private void checkAlternatePath() {
      AlternatePath path = attr.altPath();
      if (!profile.can(DeviceCapFlag.AUTO_PATH_MIG)) {
        errors.add("ALT_PATH needs a device with path migration (AUTO_PATH_MIG)");
      } else if (profile.has(Quirk.ALT_PATH_REFUSED)) {
        errors.add("ALT_PATH is not taken by a RoCE port of Linux");
      } else if (path == null || path.ahAttr() == null) {
        errors.add("ALT_PATH has no value");
      } else {
        if (!ports.hasPort(path.portNum())) {
          errors.add("ALT_PATH port " + path.portNum() + " is not " + ports.portRange());
        }
        AddressRules.check("ALT_PATH", path.ahAttr(), path.portNum(), ports, errors);
        checkRange("ALT_PATH timeout", path.timeout(), MAX_CODE);
        checkPkeyIndex("ALT_PATH P_Key index", path.pkeyIndex(), path.portNum());
      }
    }

    private void check(QpAttrMask attribute) {
      switch (attribute) {
        // PSNs are cut to 24 bits, as in Linux.
        case STATE, CUR_STATE, EN_SQD_ASYNC_NOTIFY, QKEY, RATE_LIMIT, RQ_PSN, SQ_PSN -> {}
        case PORT, AV, ALT_PATH -> {} // Checked by checkPorts.
        case ACCESS_FLAGS -> checkAccessFlags();
        case PKEY_INDEX -> checkPkeyIndex("PKEY_INDEX", attr.pkeyIndex(), portAfterwards());
        case PATH_MTU -> checkPathMtu();
        case TIMEOUT -> checkRange("TIMEOUT", attr.timeout(), MAX_CODE);
        case RETRY_CNT -> checkByte("RETRY_CNT", attr.retryCnt(), MAX_RETRIES);
        case RNR_RETRY -> checkByte("RNR_RETRY", attr.rnrRetry(), MAX_RETRIES);
        case MIN_RNR_TIMER -> checkByte("MIN_RNR_TIMER", attr.minRnrTimer(), MAX_CODE);
        case MAX_QP_RD_ATOMIC ->
            checkRange(
                "MAX_QP_RD_ATOMIC",
                attr.maxRdAtomic(),
                profile.limit(DeviceLimit.MAX_QP_INIT_RD_ATOM));
        case MAX_DEST_RD_ATOMIC ->
            checkByte(
                "MAX_DEST_RD_ATOMIC",
                attr.maxDestRdAtomic(),
                profile.limit(DeviceLimit.MAX_QP_RD_ATOM));
        case PATH_MIG_STATE -> checkMigrationState();
        case CAP -> checkCapacities();
        case DEST_QPN -> {
          if (isStrict) {
            checkRange("DEST_QPN", attr.destQpNum(), MAX_QPN);
          }
        }
      }
    }

    private void checkAccessFlags() {
      Set<AccessFlag> meaninglessFlags = attr.qpAccessFlags();
      meaninglessFlags.retainAll(MEMORY_ONLY);
      if (isStrict && !meaninglessFlags.isEmpty()) {
        errors.add("ACCESS_FLAGS " + meaninglessFlags + " are rights of memory only");
      }
    }

    private void checkPkeyIndex(String name, int index, int portNum) {
      if (!isStrict) {
        checkRange(name, index, MAX_SHORT);
      } else {
        boolean hasPort = ports.hasPort(portNum);
        List<Integer> pkeys = hasPort ? ports.at(portNum).pkeys() : profile.pkeys();
        checkRange(name, index, pkeys.size() - 1L);
        if (index >= 0 && index < pkeys.size() && pkeys.get(index) == 0) {
          errors.add(name + " " + index + " is an empty slot of the P_Key table");
        }
      }
    }

    private void checkPathMtu() {
      Mtu mtu = attr.pathMtu();
      if (!isStrict) {
        return;
      }
      if (mtu == null) {
        errors.add("PATH_MTU has no value");
      } else if (ports.hasPort(portAfterwards())) {
        Mtu activeMtu = ports.at(portAfterwards()).activeMtu();
        if (mtu.compareTo(activeMtu) > 0) {
          errors.add(
              "PATH_MTU "
                  + mtu.bytes()
                  + " is above the active MTU of the port, "
                  + activeMtu.bytes());
        }
      }
    }

    /**
     * Checks the migration state. ARMED is set by the device only; software asks for REARM in
     * MIGRATED, and for MIGRATED in ARMED and RTS (InfiniBand Network Architecture, "Automatic Path
     * Migration"). The current state is always allowed.
     */
    private void checkMigrationState() {
      MigState from = qp.attributes().pathMigState();
      MigState to = attr.pathMigState();
      if (!profile.can(DeviceCapFlag.AUTO_PATH_MIG)) {
        errors.add("PATH_MIG_STATE needs a device with path migration (AUTO_PATH_MIG)");
      } else if (isStrict && from != to) {
        boolean mayBeAsked =
            switch (to) {
              case ARMED -> false;
              case REARM -> from == MigState.MIGRATED;
              case MIGRATED -> from == MigState.ARMED && qp.state() == QpState.RTS;
            };
        if (!mayBeAsked) {
          errors.add(
              "PATH_MIG_STATE cannot be changed from " + from + " to " + to + " in " + qp.state());
        }
      }
    }

    private void checkCapacities() {
      QpCap cap = attr.cap();
      if (!profile.can(DeviceCapFlag.RESIZE_MAX_WR)) {
        errors.add("CAP needs a device that resizes queues (RESIZE_MAX_WR)");
      } else if (cap == null) {
        errors.add("CAP has no value");
      } else {
        long maxWr = profile.limit(DeviceLimit.MAX_QP_WR);
        long maxSge = profile.limit(DeviceLimit.MAX_SGE);
        checkRange("CAP max_send_wr", cap.maxSendWr(), qp.sendSlots().inUse(), maxWr);
        checkRange("CAP max_recv_wr", cap.maxRecvWr(), qp.receiveQueue().outstanding(), maxWr);
        checkRange("CAP max_send_sge", cap.maxSendSge(), maxSge);
        checkRange("CAP max_recv_sge", cap.maxRecvSge(), maxSge);
        checkRange("CAP max_inline_data", cap.maxInlineData(), profile.maxInlineData());
      }
    }

    private void checkByte(String name, int value, long max) {
      checkRange(name, value, isStrict ? max : MAX_BYTE);
    }

    private void checkRange(String name, int value, long max) {
      checkRange(name, value, 0, max);
    }

    private void checkRange(String name, int value, int min, long max) {
      if (value < min || value > max) {
        errors.add(name + " " + value + " is not " + min + " to " + max);
      }
    }
  }
}
