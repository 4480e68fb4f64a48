package io.queuepair.emulator.qp;

import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The range of each attribute of a queue pair. Stricter than Linux Soft-RoCE, which accepts any
 * P_Key index, RNR timer and retry count: hardware refuses them.
 */
final class QpAttributeRanges {
  private static final int MAX_QPN = 0xff_ffff;

  private QpAttributeRanges() {}

  /** A sentence for each attribute that is out of range. */
  static List<String> violations(QpContext qp, QpAttr attr, Set<QpAttrMask> mask, PortFacts port) {
    List<String> wrong = new ArrayList<>();
    for (QpAttrMask attribute : mask) {
      String violation = violation(attribute, attr, port);
      if (violation != null) {
        wrong.add(violation);
      }
    }
    if (mask.contains(QpAttrMask.AV) && attr.ahAttr() != null) {
      int expected = mask.contains(QpAttrMask.PORT) ? attr.portNum() : qp.attributes().portNum();
      if (attr.ahAttr().portNum() != expected) {
        wrong.add("AV port " + attr.ahAttr().portNum() + " is not the port " + expected);
      }
    }
    return wrong;
  }

  private static String violation(QpAttrMask attribute, QpAttr attr, PortFacts port) {
    return switch (attribute) {
      case STATE, CUR_STATE, EN_SQD_ASYNC_NOTIFY, ACCESS_FLAGS, QKEY, RATE_LIMIT -> null;
      // PSNs are cut to 24 bits, as Linux does.
      case RQ_PSN, SQ_PSN -> null;
      case CAP -> "CAP cannot be changed on this device";
      case ALT_PATH, PATH_MIG_STATE -> attribute + " needs path migration (AUTO_PATH_MIG)";
      case PKEY_INDEX -> range(attribute, attr.pkeyIndex(), port.pkeys().size() - 1L);
      case PORT ->
          attr.portNum() == PortFacts.PORT_NUM ? null : "PORT " + attr.portNum() + " is not 1";
      case AV -> AddressRules.violation("AV", attr.ahAttr(), port);
      case PATH_MTU -> mtuViolation(attr.pathMtu(), port.activeMtu());
      case TIMEOUT -> range(attribute, attr.timeout(), 31);
      case RETRY_CNT -> range(attribute, attr.retryCnt(), 7);
      case RNR_RETRY -> range(attribute, attr.rnrRetry(), 7);
      case MIN_RNR_TIMER -> range(attribute, attr.minRnrTimer(), 31);
      case MAX_QP_RD_ATOMIC -> range(attribute, attr.maxRdAtomic(), port.maxReadsAsRequester());
      case MAX_DEST_RD_ATOMIC ->
          range(attribute, attr.maxDestRdAtomic(), port.maxReadsAsResponder());
      case DEST_QPN -> range(attribute, attr.destQpNum(), MAX_QPN);
    };
  }

  private static String range(QpAttrMask attribute, int value, long max) {
    return value >= 0 && value <= max ? null : attribute + " " + value + " is not 0 to " + max;
  }

  private static String mtuViolation(Mtu mtu, Mtu active) {
    if (mtu == null) {
      return "PATH_MTU has no value";
    }
    return mtu.compareTo(active) <= 0
        ? null
        : "PATH_MTU " + mtu.bytes() + " is above the active MTU of the port, " + active.bytes();
  }
}
