// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of a queue pair ({@code struct ibv_qp_attr}) that remembers which of them were set, so
 * that {@link QueuePair#modify(QpAttr)} can derive the mask. Every setter returns this object. An
 * attribute that was not set reads as zero, false, empty or null, as in a C struct of zeros. Not
 * thread-safe.
 */
public final class QpAttr {
  private final Map<QpAttrMask, Object> values = new EnumMap<>(QpAttrMask.class);
  private boolean isDraining;

  /** Creates attributes of which none is set. */
  public QpAttr() {}

  /**
   * Attributes that ask for a transition.
   *
   * @param state the state to move to
   * @return new attributes with only the state set
   */
  public static QpAttr to(QpState state) {
    return new QpAttr().qpState(state);
  }

  /** {@return the mask: which attributes were set, as a new set} */
  public Set<QpAttrMask> mask() {
    Set<QpAttrMask> mask = EnumSet.noneOf(QpAttrMask.class);
    mask.addAll(values.keySet());
    return mask;
  }

  private QpAttr set(QpAttrMask attribute, Object value) {
    values.put(attribute, value);
    return this;
  }

  private <T extends @Nullable Object> T get(
      Class<? extends T> type, QpAttrMask attribute, T ifUnset) {
    Object value = values.get(attribute);
    return value == null ? ifUnset : type.cast(value);
  }

  private int number(QpAttrMask attribute) {
    return get(Integer.class, attribute, 0);
  }

  /**
   * {@return this, with the state to move to}
   *
   * @param state the new state
   */
  public QpAttr qpState(QpState state) {
    return set(QpAttrMask.STATE, Objects.requireNonNull(state, "state"));
  }

  /** {@return the state to move to; RESET if not set} */
  public QpState qpState() {
    return get(QpState.class, QpAttrMask.STATE, QpState.RESET);
  }

  /**
   * {@return this, with the state the caller believes the queue pair to be in}
   *
   * @param state the believed state
   */
  public QpAttr curQpState(QpState state) {
    return set(QpAttrMask.CUR_STATE, Objects.requireNonNull(state, "state"));
  }

  /** {@return the state the caller believes the queue pair to be in; RESET if not set} */
  public QpState curQpState() {
    return get(QpState.class, QpAttrMask.CUR_STATE, QpState.RESET);
  }

  /**
   * {@return this, with a wish about the SQ_DRAINED event}
   *
   * @param notify whether it is wanted
   */
  public QpAttr enSqdAsyncNotify(boolean notify) {
    return set(QpAttrMask.EN_SQD_ASYNC_NOTIFY, notify);
  }

  /** {@return whether the SQ_DRAINED event is wanted} */
  public boolean enSqdAsyncNotify() {
    return get(Boolean.class, QpAttrMask.EN_SQD_ASYNC_NOTIFY, false);
  }

  /**
   * {@return this, with the remote operations the queue pair accepts}
   *
   * @param access the rights; may be none
   */
  public QpAttr qpAccessFlags(Set<AccessFlag> access) {
    return set(QpAttrMask.ACCESS_FLAGS, FlagSet.copyOf(access, "access"));
  }

  /**
   * {@return this, with the remote operations the queue pair accepts}
   *
   * @param first one right; without any it is {@link #noAccess}
   * @param more further rights
   */
  public QpAttr qpAccessFlags(AccessFlag first, AccessFlag... more) {
    Set<AccessFlag> access = EnumSet.of(Objects.requireNonNull(first, "first"));
    access.addAll(FlagSet.of("more", more));
    return qpAccessFlags(access);
  }

  /** {@return this, with no remote operations that the queue pair accepts} */
  public QpAttr noAccess() {
    return qpAccessFlags(Set.of());
  }

  /**
   * {@return the remote operations the queue pair accepts ({@code qp_access_flags}); none if not
   * set}
   */
  public Set<AccessFlag> qpAccessFlags() {
    Set<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
    for (Object flag : get(Set.class, QpAttrMask.ACCESS_FLAGS, Set.of())) {
      flags.add((AccessFlag) flag);
    }
    return flags;
  }

  /**
   * {@return this, with an index into the P_Key table}
   *
   * @param index slot of the table, from 0
   */
  public QpAttr pkeyIndex(int index) {
    return set(QpAttrMask.PKEY_INDEX, index);
  }

  /** {@return the index into the P_Key table} */
  public int pkeyIndex() {
    return number(QpAttrMask.PKEY_INDEX);
  }

  /**
   * {@return this, with a physical port}
   *
   * @param port number of the port, from 1
   */
  public QpAttr portNum(int port) {
    return set(QpAttrMask.PORT, port);
  }

  /** {@return the physical port, from 1; 0 if not set} */
  public int portNum() {
    return number(QpAttrMask.PORT);
  }

  /**
   * {@return this, with a Q_Key}
   *
   * @param qkey unsigned 32-bit
   */
  public QpAttr qkey(int qkey) {
    return set(QpAttrMask.QKEY, qkey);
  }

  /** {@return the Q_Key, unsigned 32-bit} */
  public int qkey() {
    return number(QpAttrMask.QKEY);
  }

  /**
   * {@return this, with the address vector of the peer}
   *
   * @param address the primary path
   */
  public QpAttr ahAttr(AhAttr address) {
    return set(QpAttrMask.AV, address);
  }

  /** {@return the address vector of the peer; null if not set} */
  public @Nullable AhAttr ahAttr() {
    return get(AhAttr.class, QpAttrMask.AV, null);
  }

  /**
   * {@return this, with the largest payload of a packet}
   *
   * @param mtu at most the active MTU of the port
   */
  public QpAttr pathMtu(Mtu mtu) {
    return set(QpAttrMask.PATH_MTU, mtu);
  }

  /** {@return the largest payload of a packet; null if not set} */
  public @Nullable Mtu pathMtu() {
    return get(Mtu.class, QpAttrMask.PATH_MTU, null);
  }

  /**
   * {@return this, with the local ACK timeout}
   *
   * @param code 0 to 31: 4.096 microseconds times 2 to that power; 0 waits for ever
   */
  public QpAttr timeout(int code) {
    return set(QpAttrMask.TIMEOUT, code);
  }

  /** {@return the local ACK timeout code, 0 to 31; 0 waits for ever} */
  public int timeout() {
    return number(QpAttrMask.TIMEOUT);
  }

  /**
   * {@return this, with the retransmissions before RETRY_EXC_ERR}
   *
   * @param count 0 to 7
   */
  public QpAttr retryCnt(int count) {
    return set(QpAttrMask.RETRY_CNT, count);
  }

  /** {@return the retransmissions before RETRY_EXC_ERR, 0 to 7} */
  public int retryCnt() {
    return number(QpAttrMask.RETRY_CNT);
  }

  /**
   * {@return this, with the RNR NAKs tolerated}
   *
   * @param count 0 to 7; 7 is without limit
   */
  public QpAttr rnrRetry(int count) {
    return set(QpAttrMask.RNR_RETRY, count);
  }

  /** {@return the RNR NAKs tolerated, 0 to 7; 7 is without limit} */
  public int rnrRetry() {
    return number(QpAttrMask.RNR_RETRY);
  }

  /**
   * {@return this, with the first PSN expected}
   *
   * @param psn of which 24 bits count
   */
  public QpAttr rqPsn(int psn) {
    return set(QpAttrMask.RQ_PSN, psn);
  }

  /** {@return the first PSN expected, 24-bit} */
  public int rqPsn() {
    return number(QpAttrMask.RQ_PSN);
  }

  /**
   * {@return this, with the READs and atomics outstanding as requester}
   *
   * @param count 0 to {@link DeviceLimit#MAX_QP_INIT_RD_ATOM}
   */
  public QpAttr maxRdAtomic(int count) {
    return set(QpAttrMask.MAX_QP_RD_ATOMIC, count);
  }

  /** {@return the READs and atomics outstanding as requester} */
  public int maxRdAtomic() {
    return number(QpAttrMask.MAX_QP_RD_ATOMIC);
  }

  /**
   * {@return this, with a path to migrate to}
   *
   * @param path the alternate path
   */
  public QpAttr altPath(AlternatePath path) {
    return set(QpAttrMask.ALT_PATH, path);
  }

  /** {@return the path to migrate to; null if not set} */
  public @Nullable AlternatePath altPath() {
    return get(AlternatePath.class, QpAttrMask.ALT_PATH, null);
  }

  /**
   * {@return this, with the RNR timer code put into RNR NAKs}
   *
   * @param code 0 to 31
   */
  public QpAttr minRnrTimer(int code) {
    return set(QpAttrMask.MIN_RNR_TIMER, code);
  }

  /** {@return the RNR timer code put into RNR NAKs, 0 to 31} */
  public int minRnrTimer() {
    return number(QpAttrMask.MIN_RNR_TIMER);
  }

  /**
   * {@return this, with the first PSN sent}
   *
   * @param psn of which 24 bits count
   */
  public QpAttr sqPsn(int psn) {
    return set(QpAttrMask.SQ_PSN, psn);
  }

  /** {@return the first PSN sent, 24-bit} */
  public int sqPsn() {
    return number(QpAttrMask.SQ_PSN);
  }

  /**
   * {@return this, with the READs and atomics outstanding as responder}
   *
   * @param count 0 to {@link DeviceLimit#MAX_QP_RD_ATOM}
   */
  public QpAttr maxDestRdAtomic(int count) {
    return set(QpAttrMask.MAX_DEST_RD_ATOMIC, count);
  }

  /** {@return the READs and atomics outstanding as responder} */
  public int maxDestRdAtomic() {
    return number(QpAttrMask.MAX_DEST_RD_ATOMIC);
  }

  /**
   * {@return this, with the path migration state}
   *
   * @param state the new state
   */
  public QpAttr pathMigState(MigState state) {
    return set(QpAttrMask.PATH_MIG_STATE, Objects.requireNonNull(state, "state"));
  }

  /** {@return the path migration state; MIGRATED if not set} */
  public MigState pathMigState() {
    return get(MigState.class, QpAttrMask.PATH_MIG_STATE, MigState.MIGRATED);
  }

  /**
   * {@return this, with the capacities of the queues}
   *
   * @param capacities what they are resized to
   */
  public QpAttr cap(QpCap capacities) {
    return set(QpAttrMask.CAP, capacities);
  }

  /** {@return the capacities of the queues; null if not set} */
  public @Nullable QpCap cap() {
    return get(QpCap.class, QpAttrMask.CAP, null);
  }

  /**
   * {@return this, with the queue pair number of the peer}
   *
   * @param qpn 24-bit
   */
  public QpAttr destQpNum(int qpn) {
    return set(QpAttrMask.DEST_QPN, qpn);
  }

  /** {@return the queue pair number of the peer, 24-bit} */
  public int destQpNum() {
    return number(QpAttrMask.DEST_QPN);
  }

  /**
   * {@return this, with the rate at which packets leave}
   *
   * @param kbitPerSecond in kbit/s, unsigned 32-bit; 0 is without limit
   */
  public QpAttr rateLimit(int kbitPerSecond) {
    return set(QpAttrMask.RATE_LIMIT, kbitPerSecond);
  }

  /** {@return the rate at which packets leave, in kbit/s, unsigned 32-bit} */
  public int rateLimit() {
    return number(QpAttrMask.RATE_LIMIT);
  }

  /**
   * {@return this, with the answer of a query; means nothing to modify}
   *
   * @param draining whether sends that have started are being finished
   */
  public QpAttr sqDraining(boolean draining) {
    isDraining = draining;
    return this;
  }

  /** {@return whether the queue pair is in SQD and sends that have started are being finished} */
  public boolean sqDraining() {
    return isDraining;
  }

  /** The attributes that were set, by name, in the order of their bits. */
  @Override
  public String toString() {
    return "QpAttr" + values + (isDraining ? " draining" : "");
  }
}
