// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Reply to a request: the passive side accepts.
 *
 * @param vendorId 24 bits, in three pieces on the wire; 0 without enhanced connection establishment
 * @param targetAckDelay five bits
 * @param failoverAccepted two bits: 0 accepted, 1 not supported, 2 rejected
 * @param rnrRetryCount three bits
 */
public record CmRep(
    int localCommId,
    int remoteCommId,
    int localQkey,
    int localQpn,
    int vendorId,
    int localEecn,
    int startingPsn,
    int responderResources,
    int initiatorDepth,
    int targetAckDelay,
    int failoverAccepted,
    boolean endToEndFlowControl,
    int rnrRetryCount,
    boolean srq,
    long localCaGuid,
    ImmutableBytes privateBytes)
    implements CmMessage {

  /** Bytes of private data. */
  public static final int PRIVATE_BYTES = CmField.REP_PRIVATE_DATA.bytes();

  public CmRep {
    privateBytes = CmField.REP_PRIVATE_DATA.filledWith(privateBytes);
  }

  static CmRep read(ByteBuffer mad) {
    int vendorId =
        CmField.REP_VENDOR_ID_HIGH.intIn(mad) << 16
            | CmField.REP_VENDOR_ID_MIDDLE.intIn(mad) << 8
            | CmField.REP_VENDOR_ID_LOW.intIn(mad);
    return new CmRep(
        CmField.REP_LOCAL_COMM_ID.intIn(mad),
        CmField.REP_REMOTE_COMM_ID.intIn(mad),
        CmField.REP_LOCAL_QKEY.intIn(mad),
        CmField.REP_LOCAL_QPN.intIn(mad),
        vendorId,
        CmField.REP_LOCAL_EECN.intIn(mad),
        CmField.REP_STARTING_PSN.intIn(mad),
        CmField.REP_RESPONDER_RESOURCES.intIn(mad),
        CmField.REP_INITIATOR_DEPTH.intIn(mad),
        CmField.REP_TARGET_ACK_DELAY.intIn(mad),
        CmField.REP_FAILOVER_ACCEPTED.intIn(mad),
        CmField.REP_END_TO_END_FLOW_CONTROL.isSetIn(mad),
        CmField.REP_RNR_RETRY_COUNT.intIn(mad),
        CmField.REP_SRQ.isSetIn(mad),
        CmField.REP_LOCAL_CA_GUID.longIn(mad),
        CmField.REP_PRIVATE_DATA.bytesIn(mad));
  }

  @Override
  public void write(ByteBuffer mad) {
    CmField.REP_LOCAL_COMM_ID.put(mad, localCommId);
    CmField.REP_REMOTE_COMM_ID.put(mad, remoteCommId);
    CmField.REP_LOCAL_QKEY.put(mad, localQkey);
    CmField.REP_LOCAL_QPN.put(mad, localQpn);
    CmField.REP_VENDOR_ID_HIGH.put(mad, vendorId >>> 16);
    CmField.REP_VENDOR_ID_MIDDLE.put(mad, vendorId >>> 8 & 0xff);
    CmField.REP_VENDOR_ID_LOW.put(mad, vendorId & 0xff);
    CmField.REP_LOCAL_EECN.put(mad, localEecn);
    CmField.REP_STARTING_PSN.put(mad, startingPsn);
    CmField.REP_RESPONDER_RESOURCES.put(mad, responderResources);
    CmField.REP_INITIATOR_DEPTH.put(mad, initiatorDepth);
    CmField.REP_TARGET_ACK_DELAY.put(mad, targetAckDelay);
    CmField.REP_FAILOVER_ACCEPTED.put(mad, failoverAccepted);
    CmField.REP_END_TO_END_FLOW_CONTROL.put(mad, endToEndFlowControl);
    CmField.REP_RNR_RETRY_COUNT.put(mad, rnrRetryCount);
    CmField.REP_SRQ.put(mad, srq);
    CmField.REP_LOCAL_CA_GUID.put(mad, localCaGuid);
    CmField.REP_PRIVATE_DATA.put(mad, privateBytes);
  }

  /**
   * The queue pair of the sender. A target of XRC is named by the field of the end-to-end context,
   * as in {@code cm_rep_get_qpn} of Linux (IBA, annex A14).
   */
  public int qpn(boolean isXrc) {
    return isXrc ? localEecn : localQpn;
  }

  @Override
  public CmKind kind() {
    return CmKind.REP;
  }

  @Override
  public String toString() {
    return String.format(
            "REP local=0x%08x remote=0x%08x qpn=0x%06x psn=%d",
            localCommId, remoteCommId, localQpn, startingPsn)
        + privateLength();
  }

  /** Starts a message whose fields are all zero. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the fields. Not thread-safe. */
  public static final class Builder {
    private int localCommId;
    private int remoteCommId;
    private int localQkey;
    private int localQpn;
    private int vendorId;
    private int localEecn;
    private int startingPsn;
    private int responderResources;
    private int initiatorDepth;
    private int targetAckDelay;
    private int failoverAccepted;
    private boolean endToEndFlowControl;
    private int rnrRetryCount;
    private boolean srq;
    private long localCaGuid;
    private ImmutableBytes privateBytes = ImmutableBytes.EMPTY;

    private Builder() {}

    public Builder localCommId(int value) {
      localCommId = value;
      return this;
    }

    public Builder remoteCommId(int value) {
      remoteCommId = value;
      return this;
    }

    public Builder localQkey(int value) {
      localQkey = value;
      return this;
    }

    public Builder localQpn(int value) {
      localQpn = value;
      return this;
    }

    public Builder vendorId(int value) {
      vendorId = value;
      return this;
    }

    public Builder localEecn(int value) {
      localEecn = value;
      return this;
    }

    public Builder startingPsn(int value) {
      startingPsn = value;
      return this;
    }

    public Builder responderResources(int value) {
      responderResources = value;
      return this;
    }

    public Builder initiatorDepth(int value) {
      initiatorDepth = value;
      return this;
    }

    public Builder targetAckDelay(int value) {
      targetAckDelay = value;
      return this;
    }

    public Builder failoverAccepted(int value) {
      failoverAccepted = value;
      return this;
    }

    public Builder endToEndFlowControl(boolean value) {
      endToEndFlowControl = value;
      return this;
    }

    public Builder rnrRetryCount(int value) {
      rnrRetryCount = value;
      return this;
    }

    public Builder srq(boolean value) {
      srq = value;
      return this;
    }

    public Builder localCaGuid(long value) {
      localCaGuid = value;
      return this;
    }

    public Builder privateBytes(ImmutableBytes value) {
      privateBytes = value;
      return this;
    }

    public CmRep build() {
      return new CmRep(
          localCommId,
          remoteCommId,
          localQkey,
          localQpn,
          vendorId,
          localEecn,
          startingPsn,
          responderResources,
          initiatorDepth,
          targetAckDelay,
          failoverAccepted,
          endToEndFlowControl,
          rnrRetryCount,
          srq,
          localCaGuid,
          privateBytes);
    }
  }
}
