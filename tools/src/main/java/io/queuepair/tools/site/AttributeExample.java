// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.verbs.QpAttrMask;

/**
 * A value of an attribute, as a program writes it.
 *
 * @param c behind the field of {@code struct ibv_qp_attr} and an equals sign
 * @param java the arguments of the setter
 */
record AttributeExample(String c, String java) {
  static AttributeExample of(QpAttrMask mask) {
    return switch (mask) {
      case STATE -> same("");
      case CUR_STATE -> new AttributeExample("IBV_QPS_RTS", "QpState.RTS");
      case EN_SQD_ASYNC_NOTIFY -> new AttributeExample("1", "true");
      case ACCESS_FLAGS ->
          new AttributeExample(
              "IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ",
              "AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ");
      case PKEY_INDEX -> same("0");
      case PORT -> same("1");
      case QKEY -> same("0x1111");
      case AV ->
          new AttributeExample(
              "{ .is_global = 1, .port_num = 1,\n"
                  + "        .grh = { .dgid = peer_gid, .sgid_index = 0, .hop_limit = 64 } }",
              "AhAttr.to(peerGid)");
      case PATH_MTU -> new AttributeExample("IBV_MTU_1024", "Mtu.MTU_1024");
      case TIMEOUT -> same("14");
      case RETRY_CNT, RNR_RETRY -> same("7");
      case RQ_PSN -> new AttributeExample("peer_sq_psn", "peerSqPsn");
      case SQ_PSN -> new AttributeExample("my_sq_psn", "mySqPsn");
      case MAX_QP_RD_ATOMIC, MAX_DEST_RD_ATOMIC -> same("4");
      case ALT_PATH ->
          new AttributeExample(
              "{ .is_global = 1, .port_num = 2,\n"
                  + "        .grh = { .dgid = peer_gid2, .sgid_index = 0, .hop_limit = 64 } }",
              "AlternatePath.to(AhAttr.to(peerGid2), 14)");
      case MIN_RNR_TIMER -> same("12");
      case PATH_MIG_STATE -> new AttributeExample("IBV_MIG_REARM", "MigState.REARM");
      case CAP ->
          new AttributeExample(
              "{ .max_send_wr = 64, .max_recv_wr = 64,\n"
                  + "        .max_send_sge = 1, .max_recv_sge = 1 }",
              "QpCap.of(64)");
      case DEST_QPN -> new AttributeExample("peer_qpn", "peerQpn");
      case RATE_LIMIT -> same("1000000");
    };
  }

  private static AttributeExample same(String value) {
    return new AttributeExample(value, value);
  }
}
