// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.wire.CmMessage;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection or of a service ID resolution ({@code struct ib_cm_id}). Only {@link
 * CmEngine} changes its state.
 */
public final class CmId {
  static final int NO_QPN = 0;

  private final int localCommId;
  private CmState state = CmState.IDLE;
  private @Nullable CmPeer peer;
  private int remoteCommId;
  private boolean knowsRemoteId;
  private long localCaGuid;
  private long remoteCaGuid;
  private int remoteQpn = NO_QPN;
  private int localQpn = NO_QPN;
  private boolean isXrc;
  private long transactionId;
  private long releaseTransaction;
  private boolean hasAnsweredDreq;
  private @Nullable CmListener listener;
  private boolean isDestroyed;

  /** Message to be sent again: one that is not answered, or an answer that may be lost. */
  private @Nullable CmMessage latestMessage;

  private int timesSent;
  private int retriesLeft;
  private int maxRetries = CmTimeouts.MAX_CM_RETRIES;
  private long intervalNanos = CmTimeouts.nanosOf(CmTimeouts.CM_RESPONSE_TIMEOUT);
  private long timewaitNanos = CmTimeouts.nanosOf(CmTimeouts.PACKET_LIFETIME + 1);
  private int packetLifetime = CmTimeouts.PACKET_LIFETIME;

  /** Time of the next timeout of this id; only if {@link #hasDeadline}. */
  private long deadlineNanos;

  private boolean hasDeadline;
  private long firstSentNanos;

  CmId(int localCommId) {
    this.localCommId = localCommId;
  }

  /** Communication ID by which the peer names this end. */
  public int localCommId() {
    return localCommId;
  }

  public CmState state() {
    return state;
  }

  /** Called by {@link CmEngine} only. */
  void enter(CmState next) {
    state = next;
  }

  /** Address of the peer; null before the first message. */
  public @Nullable CmPeer peer() {
    return peer;
  }

  void setPeer(CmPeer newPeer) {
    peer = newPeer;
  }

  /** Communication ID by which the peer names its own end; 0 until the peer has sent one. */
  public int remoteCommId() {
    return remoteCommId;
  }

  boolean knowsRemoteId() {
    return knowsRemoteId;
  }

  void setRemoteCommId(int id) {
    remoteCommId = id;
    knowsRemoteId = true;
  }

  long localCaGuid() {
    return localCaGuid;
  }

  /** Sets the GUID of the own device, which a REJ for reason Timeout carries. */
  void setLocalCaGuid(long guid) {
    localCaGuid = guid;
  }

  long remoteCaGuid() {
    return remoteCaGuid;
  }

  int remoteQpn() {
    return remoteQpn;
  }

  void setRemoteQp(long caGuid, int qpn) {
    remoteCaGuid = caGuid;
    remoteQpn = qpn;
  }

  /** Own QPN, by which a DREQ names this end; 0 if there is no queue pair. */
  public int localQpn() {
    return localQpn;
  }

  void setLocalQpn(int qpn) {
    localQpn = qpn;
  }

  /** Whether the connection joins an XRC initiator and an XRC target. */
  boolean isXrc() {
    return isXrc;
  }

  void setXrc(boolean value) {
    isXrc = value;
  }

  long transactionId() {
    return transactionId;
  }

  void setTransactionId(long id) {
    transactionId = id;
  }

  /** Transaction ID of the latest DREQ that was received. */
  long releaseTransaction() {
    return releaseTransaction;
  }

  void setReleaseTransaction(long id) {
    releaseTransaction = id;
  }

  boolean hasAnsweredDreq() {
    return hasAnsweredDreq;
  }

  void markDreqAnswered() {
    hasAnsweredDreq = true;
  }

  /** Listener whose backlog holds this id; null unless it is a request not taken yet. */
  @Nullable CmListener listener() {
    return listener;
  }

  void setListener(CmListener newListener) {
    listener = newListener;
    listener.add();
  }

  /** Frees the place in the backlog of the listener, if it has one. */
  void leaveBacklog() {
    if (listener != null) {
      listener.remove();
      listener = null;
    }
  }

  public boolean isDestroyed() {
    return isDestroyed;
  }

  void markDestroyed() {
    isDestroyed = true;
    leaveBacklog();
  }

  /** Sets the time in TIMEWAIT from the code of a local ACK timeout. */
  public void setAckTimeout(int code) {
    timewaitNanos = CmTimeouts.nanosOf(Math.min(code, CmTimeouts.LARGEST_CODE));
  }

  /** Sets the number of retransmissions, the nanoseconds between them, and the packet lifetime. */
  public void setRetries(int retries, long answerNanos, int lifetimeCode) {
    maxRetries = retries;
    intervalNanos = answerNanos;
    packetLifetime = lifetimeCode;
  }

  long timewaitNanos() {
    return timewaitNanos;
  }

  int packetLifetime() {
    return packetLifetime;
  }

  @Nullable CmMessage latestMessage() {
    return latestMessage;
  }

  /** Records the first transmission of a message that may have to be sent again. */
  void sent(CmMessage message, long nowNanos) {
    latestMessage = message;
    timesSent = 1;
    firstSentNanos = nowNanos;
    retriesLeft = maxRetries;
  }

  void sentAgain() {
    timesSent++;
  }

  boolean mayRetry() {
    return retriesLeft > 0;
  }

  void useRetry() {
    retriesLeft--;
  }

  int timesSent() {
    return timesSent;
  }

  long firstSentNanos() {
    return firstSentNanos;
  }

  long intervalNanos() {
    return intervalNanos;
  }

  boolean hasDeadline() {
    return hasDeadline;
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  void setDeadline(long nanos) {
    deadlineNanos = nanos;
    hasDeadline = true;
  }

  void clearDeadline() {
    hasDeadline = false;
  }

  /** Whether the QPNs of both sides may still be in use on the network. */
  public boolean holdsQpn() {
    return switch (state) {
      case REP_SENT,
          MRA_REP_RCVD,
          REP_RCVD,
          MRA_REP_SENT,
          ESTABLISHED,
          DREQ_SENT,
          DREQ_RCVD,
          TIMEWAIT ->
          true;
      case IDLE,
          REQ_SENT,
          REQ_RCVD,
          MRA_REQ_SENT,
          MRA_REQ_RCVD,
          REJ_SENT,
          SIDR_REQ_SENT,
          SIDR_REQ_RCVD,
          SIDR_REP_SENT ->
          false;
    };
  }

  /** Name of the message that would be sent again; "nothing" if there is none. */
  String latestInWords() {
    return latestMessage == null ? "nothing" : latestMessage.kind().toString();
  }

  @Override
  public String toString() {
    return String.format("CM id 0x%08x (%s)", localCommId, state);
  }
}
