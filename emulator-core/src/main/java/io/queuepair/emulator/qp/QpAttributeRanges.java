package io.queuepair.emulator.qp;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The range of each attribute of a queue pair. Linux Soft-RoCE takes most values as they come;
 * hardware refuses them, and so does every device without {@link Quirk#VALUES_UNCHECKED}.
 */
final class QpAttributeRanges {
  private static final int MAX_QPN = 0xff_ffff;

  private static final int MAX_CODE = 31;
  private static final int MAX_RETRIES = 7;

  /** Largest value of a {@code uint8_t}, and of a {@code uint16_t}. */
  private static final int MAX_BYTE = 0xff;

  private static final int MAX_SHORT = 0xffff;

  /** Rights of memory that mean nothing to a queue pair (Linux 6.17). */
  private static final Set<AccessFlag> MEMORY_ONLY =
      EnumSet.of(AccessFlag.ZERO_BASED, AccessFlag.HUGETLB);

  private final QpContext qp;
  private final QpAttr attr;
  private final Set<QpAttrMask> mask;
  private final DeviceFacts device;
  private final DeviceProfile profile;
  private final Refusal refusal;

  /** Whether values are checked that Linux Soft-RoCE does not look at. */
  private final boolean isStrict;

  private QpAttributeRanges(
      QpContext qp, QpAttr attr, Set<QpAttrMask> mask, DeviceFacts device, Refusal refusal) {
    this.qp = qp;
    this.attr = attr;
    this.mask = mask;
    this.device = device;
    this.refusal = refusal;
    profile = device.profile();
    isStrict = !profile.has(Quirk.VALUES_UNCHECKED);
  }

  /** Objects to every value that is out of range: ports and addresses first, as Linux does. */
  static void check(
      QpContext qp, QpAttr attr, Set<QpAttrMask> mask, DeviceFacts device, Refusal refusal) {
    QpAttributeRanges ranges = new QpAttributeRanges(qp, attr, mask, device, refusal);
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
        refusal.object("AV has no value");
      } else {
        AddressRules.check("AV", attr.ahAttr(), portAfterwards(), device, refusal);
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
    if (!device.hasPort(port)) {
      refusal.object("PORT " + port + " is not " + device.portRange());
    } else if (qp.state() == QpState.SQD && port != qp.attributes().portNum()) {
      if (!profile.can(DeviceCapFlag.CHANGE_PHY_PORT)) {
        refusal.object("PORT cannot change in SQD on this device (CHANGE_PHY_PORT)");
      } else if (!mask.contains(QpAttrMask.AV)) {
        refusal.object("PORT " + port + " needs an AV of that port");
      }
    }
  }

  private void checkAlternatePath() {
    AlternatePath path = attr.altPath();
    if (!profile.can(DeviceCapFlag.AUTO_PATH_MIG)) {
      refusal.object("ALT_PATH needs a device with path migration (AUTO_PATH_MIG)");
    } else if (profile.has(Quirk.ALT_PATH_REFUSED)) {
      refusal.object("ALT_PATH is not taken by a RoCE port of Linux");
    } else if (path == null || path.ahAttr() == null) {
      refusal.object("ALT_PATH has no value");
    } else {
      if (!device.hasPort(path.portNum())) {
        refusal.object("ALT_PATH port " + path.portNum() + " is not " + device.portRange());
      }
      AddressRules.check("ALT_PATH", path.ahAttr(), path.portNum(), device, refusal);
      checkRange("ALT_PATH timeout", path.timeout(), MAX_CODE);
      checkPkeyIndex("ALT_PATH P_Key index", path.pkeyIndex(), path.portNum());
    }
  }

  private void check(QpAttrMask attribute) {
    switch (attribute) {
      // PSNs are cut to 24 bits, as Linux does.
      case STATE, CUR_STATE, EN_SQD_ASYNC_NOTIFY, QKEY, RATE_LIMIT, RQ_PSN, SQ_PSN -> {}
      case PORT, AV, ALT_PATH -> {} // Checked already.
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
    Set<AccessFlag> meaningless = attr.qpAccessFlags();
    meaningless.retainAll(MEMORY_ONLY);
    if (isStrict && !meaningless.isEmpty()) {
      refusal.object("ACCESS_FLAGS " + meaningless + " are rights of memory only");
    }
  }

  private void checkPkeyIndex(String name, int index, int portNum) {
    if (!isStrict) {
      checkRange(name, index, MAX_SHORT);
    } else {
      boolean hasPort = device.hasPort(portNum);
      List<Integer> pkeys = hasPort ? device.port(portNum).pkeys() : profile.pkeys();
      checkRange(name, index, pkeys.size() - 1L);
      if (index >= 0 && index < pkeys.size() && pkeys.get(index) == 0) {
        refusal.object(name + " " + index + " is an empty slot of the P_Key table");
      }
    }
  }

  private void checkPathMtu() {
    Mtu mtu = attr.pathMtu();
    if (!isStrict) {
      return;
    }
    if (mtu == null) {
      refusal.object("PATH_MTU has no value");
    } else if (device.hasPort(portAfterwards())) {
      Mtu active = device.port(portAfterwards()).activeMtu();
      if (mtu.compareTo(active) > 0) {
        refusal.object(
            "PATH_MTU " + mtu.bytes() + " is above the active MTU of the port, " + active.bytes());
      }
    }
  }

  /**
   * The device arms itself; software prepares for that, and migrates from there in RTS (InfiniBand
   * Network Architecture, "Automatic Path Migration"). To keep the state is no change.
   */
  private void checkMigrationState() {
    MigState from = qp.attributes().pathMigState();
    MigState to = attr.pathMigState();
    if (!profile.can(DeviceCapFlag.AUTO_PATH_MIG)) {
      refusal.object("PATH_MIG_STATE needs a device with path migration (AUTO_PATH_MIG)");
    } else if (isStrict && from != to) {
      boolean mayBeAsked =
          switch (to) {
            case ARMED -> false;
            case REARM -> from == MigState.MIGRATED;
            case MIGRATED -> from == MigState.ARMED && qp.state() == QpState.RTS;
          };
      if (!mayBeAsked) {
        refusal.object(
            "PATH_MIG_STATE cannot be changed from " + from + " to " + to + " in " + qp.state());
      }
    }
  }

  private void checkCapacities() {
    QpCap cap = attr.cap();
    if (!profile.can(DeviceCapFlag.RESIZE_MAX_WR)) {
      refusal.object("CAP needs a device that resizes queues (RESIZE_MAX_WR)");
    } else if (cap == null) {
      refusal.object("CAP has no value");
    } else {
      long maxWr = profile.limit(DeviceLimit.MAX_QP_WR);
      long maxSge = profile.limit(DeviceLimit.MAX_SGE);
      checkRange("CAP max_send_wr", cap.maxSendWr(), qp.sendQueue().size(), maxWr);
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
      refusal.object(name + " " + value + " is not " + min + " to " + max);
    }
  }
}
