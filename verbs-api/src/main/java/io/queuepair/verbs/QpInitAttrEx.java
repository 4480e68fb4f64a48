// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attributes to create a queue pair with extended features with ({@code struct
 * ibv_qp_init_attr_ex}). Whatever is set with one of the {@code with} methods is in the mask.
 *
 * @param base type, completion queues and capacities
 * @param compMask which of the other fields count, and {@link QpInitAttrMask#PD}
 * @param sendOpsFlags operations of extended posting
 * @param createFlags what is special about the queue pair
 * @param maxTsoHeader bytes of the longest header in front of segmented data
 * @param rwqIndTbl the work queues that get its frames
 * @param rxHashConf how frames are spread over them
 */
public record QpInitAttrEx(
    QpInitAttr base,
    Set<QpInitAttrMask> compMask,
    Set<SendOpsFlag> sendOpsFlags,
    Set<QpCreateFlag> createFlags,
    int maxTsoHeader,
    @Nullable RwqIndTable rwqIndTbl,
    @Nullable RxHashConf rxHashConf) {
  /**
   * Copies the flags.
   *
   * @param base type, completion queues and capacities
   * @param compMask which of the other fields count, and {@link QpInitAttrMask#PD}
   * @param sendOpsFlags operations of extended posting
   * @param createFlags what is special about the queue pair
   * @param maxTsoHeader bytes of the longest header in front of segmented data
   * @param rwqIndTbl the work queues that get its frames
   * @param rxHashConf how frames are spread over them
   */
  public QpInitAttrEx {
    Objects.requireNonNull(base, "base");
    compMask = FlagSet.copyOf(compMask, "compMask");
    sendOpsFlags = FlagSet.copyOf(sendOpsFlags, "sendOpsFlags");
    createFlags = FlagSet.copyOf(createFlags, "createFlags");
  }

  /**
   * A queue pair without extended features.
   *
   * @param base type, completion queues and capacities
   * @return the attributes
   */
  public static QpInitAttrEx of(QpInitAttr base) {
    return new QpInitAttrEx(base, Set.of(QpInitAttrMask.PD), Set.of(), Set.of(), 0, null, null);
  }

  /**
   * A copy with another base.
   *
   * @param newBase type, completion queues and capacities
   * @return new attributes
   */
  public QpInitAttrEx withBase(QpInitAttr newBase) {
    return new QpInitAttrEx(
        newBase, compMask, sendOpsFlags, createFlags, maxTsoHeader, rwqIndTbl, rxHashConf);
  }

  /**
   * A copy with just these operations of extended posting.
   *
   * @param operations those that batches may have, possibly none
   * @return new attributes
   */
  public QpInitAttrEx withSendOps(SendOpsFlag... operations) {
    return withSendOps(FlagSet.of("operations", operations));
  }

  /**
   * A copy with just these operations of extended posting.
   *
   * @param operations those that batches may have, possibly none
   * @return new attributes
   */
  public QpInitAttrEx withSendOps(Set<SendOpsFlag> operations) {
    Set<QpInitAttrMask> mask = compMaskAnd(QpInitAttrMask.SEND_OPS_FLAGS);
    return new QpInitAttrEx(
        base, mask, operations, createFlags, maxTsoHeader, rwqIndTbl, rxHashConf);
  }

  /**
   * A copy with just these properties.
   *
   * @param properties those of the queue pair
   * @return new attributes
   */
  public QpInitAttrEx withCreateFlags(QpCreateFlag... properties) {
    Set<QpInitAttrMask> mask = compMaskAnd(QpInitAttrMask.CREATE_FLAGS);
    return new QpInitAttrEx(
        base,
        mask,
        sendOpsFlags,
        FlagSet.of("properties", properties),
        maxTsoHeader,
        rwqIndTbl,
        rxHashConf);
  }

  /**
   * A copy with headers of segmented data.
   *
   * @param bytes length of the longest header
   * @return new attributes
   */
  public QpInitAttrEx withMaxTsoHeader(int bytes) {
    Set<QpInitAttrMask> mask = compMaskAnd(QpInitAttrMask.MAX_TSO_HEADER);
    return new QpInitAttrEx(base, mask, sendOpsFlags, createFlags, bytes, rwqIndTbl, rxHashConf);
  }

  /**
   * A copy for a queue pair of type RAW_PACKET that has no queues of its own: it spreads frames
   * over work queues.
   *
   * @param table the work queues
   * @param hash how frames are spread over them
   * @return new attributes
   */
  public QpInitAttrEx withRss(RwqIndTable table, RxHashConf hash) {
    Set<QpInitAttrMask> mask = compMaskAnd(QpInitAttrMask.IND_TABLE);
    mask.add(QpInitAttrMask.RX_HASH);
    return new QpInitAttrEx(base, mask, sendOpsFlags, createFlags, maxTsoHeader, table, hash);
  }

  private Set<QpInitAttrMask> compMaskAnd(QpInitAttrMask bit) {
    Set<QpInitAttrMask> mask = EnumSet.of(bit);
    mask.addAll(compMask);
    return mask;
  }
}
