// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Request for communication: the active side asks a service for a connection. Words like local and
 * remote are those of its sender.
 *
 * @param vendorId 24 bits, 0 without enhanced connection establishment
 * @param remoteCmResponseTimeout five bits, as {@code localCmResponseTimeout}
 * @param retryCount three bits
 * @param pathMtu the code of {@code enum ibv_mtu}
 * @param maxCmRetries four bits
 * @param extendedTransportType three bits, for {@link TransportService#EXTENDED}
 */
public record CmReq(
    int localCommId,
    int vendorId,
    long serviceId,
    long localCaGuid,
    int localQkey,
    int localQpn,
    int responderResources,
    int localEecn,
    int initiatorDepth,
    int remoteEecn,
    int remoteCmResponseTimeout,
    TransportService transportService,
    boolean endToEndFlowControl,
    int startingPsn,
    int localCmResponseTimeout,
    int retryCount,
    int pkey,
    int pathMtu,
    boolean rdcExists,
    int rnrRetryCount,
    int maxCmRetries,
    boolean srq,
    int extendedTransportType,
    CmPath primary,
    CmPath alternate,
    ImmutableBytes privateBytes)
    implements CmMessage {

  /** Bytes of private data. */
  public static final int PRIVATE_BYTES = CmField.REQ_PRIVATE_DATA.bytes();

  public CmReq {
    privateBytes = CmField.REQ_PRIVATE_DATA.filledWith(privateBytes);
  }

  static CmReq read(ByteBuffer mad) {
    return new CmReq(
        CmField.REQ_LOCAL_COMM_ID.intIn(mad),
        CmField.REQ_VENDOR_ID.intIn(mad),
        CmField.REQ_SERVICE_ID.longIn(mad),
        CmField.REQ_LOCAL_CA_GUID.longIn(mad),
        CmField.REQ_LOCAL_QKEY.intIn(mad),
        CmField.REQ_LOCAL_QPN.intIn(mad),
        CmField.REQ_RESPONDER_RESOURCES.intIn(mad),
        CmField.REQ_LOCAL_EECN.intIn(mad),
        CmField.REQ_INITIATOR_DEPTH.intIn(mad),
        CmField.REQ_REMOTE_EECN.intIn(mad),
        CmField.REQ_REMOTE_CM_RESPONSE_TIMEOUT.intIn(mad),
        TransportService.ofCode(CmField.REQ_TRANSPORT_SERVICE_TYPE.intIn(mad)),
        CmField.REQ_END_TO_END_FLOW_CONTROL.isSetIn(mad),
        CmField.REQ_STARTING_PSN.intIn(mad),
        CmField.REQ_LOCAL_CM_RESPONSE_TIMEOUT.intIn(mad),
        CmField.REQ_RETRY_COUNT.intIn(mad),
        CmField.REQ_PKEY.intIn(mad),
        CmField.REQ_PATH_MTU.intIn(mad),
        CmField.REQ_RDC_EXISTS.isSetIn(mad),
        CmField.REQ_RNR_RETRY_COUNT.intIn(mad),
        CmField.REQ_MAX_CM_RETRIES.intIn(mad),
        CmField.REQ_SRQ.isSetIn(mad),
        CmField.REQ_EXTENDED_TRANSPORT_TYPE.intIn(mad),
        CmPath.read(mad, CmPath.PRIMARY),
        CmPath.read(mad, CmPath.ALTERNATE),
        CmField.REQ_PRIVATE_DATA.bytesIn(mad));
  }

  @Override
  public void write(ByteBuffer mad) {
    CmField.REQ_LOCAL_COMM_ID.put(mad, localCommId);
    CmField.REQ_VENDOR_ID.put(mad, vendorId);
    CmField.REQ_SERVICE_ID.put(mad, serviceId);
    CmField.REQ_LOCAL_CA_GUID.put(mad, localCaGuid);
    CmField.REQ_LOCAL_QKEY.put(mad, localQkey);
    CmField.REQ_LOCAL_QPN.put(mad, localQpn);
    CmField.REQ_RESPONDER_RESOURCES.put(mad, responderResources);
    CmField.REQ_LOCAL_EECN.put(mad, localEecn);
    CmField.REQ_INITIATOR_DEPTH.put(mad, initiatorDepth);
    CmField.REQ_REMOTE_EECN.put(mad, remoteEecn);
    CmField.REQ_REMOTE_CM_RESPONSE_TIMEOUT.put(mad, remoteCmResponseTimeout);
    CmField.REQ_TRANSPORT_SERVICE_TYPE.put(mad, transportService.code());
    CmField.REQ_END_TO_END_FLOW_CONTROL.put(mad, endToEndFlowControl);
    CmField.REQ_STARTING_PSN.put(mad, startingPsn);
    CmField.REQ_LOCAL_CM_RESPONSE_TIMEOUT.put(mad, localCmResponseTimeout);
    CmField.REQ_RETRY_COUNT.put(mad, retryCount);
    CmField.REQ_PKEY.put(mad, pkey);
    CmField.REQ_PATH_MTU.put(mad, pathMtu);
    CmField.REQ_RDC_EXISTS.put(mad, rdcExists);
    CmField.REQ_RNR_RETRY_COUNT.put(mad, rnrRetryCount);
    CmField.REQ_MAX_CM_RETRIES.put(mad, maxCmRetries);
    CmField.REQ_SRQ.put(mad, srq);
    CmField.REQ_EXTENDED_TRANSPORT_TYPE.put(mad, extendedTransportType);
    primary.write(mad, CmPath.PRIMARY);
    alternate.write(mad, CmPath.ALTERNATE);
    CmField.REQ_PRIVATE_DATA.put(mad, privateBytes);
  }

  /** Copies the REQ with another path MTU, as a code. */
  public CmReq withPathMtu(int newMtu) {
    ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES);
    write(mad);
    CmField.REQ_PATH_MTU.replace(mad, newMtu);
    return read(mad);
  }

  /** Whether an initiator of XRC asks for a target. */
  public boolean isXrc() {
    return transportService == TransportService.EXTENDED
        && extendedTransportType == TransportService.XRC;
  }

  @Override
  public CmKind kind() {
    return CmKind.REQ;
  }

  @Override
  public String toString() {
    return String.format(
            "REQ local=0x%08x service=0x%016x qpn=0x%06x psn=%d",
            localCommId, serviceId, localQpn, startingPsn)
        + CmaHeader.textOf(serviceId, this);
  }

  /** Starts a message whose fields are all zero. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the fields. Not thread-safe. */
  public static final class Builder {
    private int localCommId;
    private int vendorId;
    private long serviceId;
    private long localCaGuid;
    private int localQkey;
    private int localQpn;
    private int responderResources;
    private int localEecn;
    private int initiatorDepth;
    private int remoteEecn;
    private int remoteCmResponseTimeout;
    private TransportService transportService = TransportService.RC;
    private boolean endToEndFlowControl;
    private int startingPsn;
    private int localCmResponseTimeout;
    private int retryCount;
    private int pkey;
    private int pathMtu;
    private boolean rdcExists;
    private int rnrRetryCount;
    private int maxCmRetries;
    private boolean srq;
    private int extendedTransportType;
    private CmPath primary = CmPath.NONE;
    private CmPath alternate = CmPath.NONE;
    private ImmutableBytes privateBytes = ImmutableBytes.EMPTY;

    private Builder() {}

    public Builder localCommId(int value) {
      localCommId = value;
      return this;
    }

    public Builder vendorId(int value) {
      vendorId = value;
      return this;
    }

    public Builder serviceId(long value) {
      serviceId = value;
      return this;
    }

    public Builder localCaGuid(long value) {
      localCaGuid = value;
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

    public Builder responderResources(int value) {
      responderResources = value;
      return this;
    }

    public Builder localEecn(int value) {
      localEecn = value;
      return this;
    }

    public Builder initiatorDepth(int value) {
      initiatorDepth = value;
      return this;
    }

    public Builder remoteEecn(int value) {
      remoteEecn = value;
      return this;
    }

    public Builder remoteCmResponseTimeout(int value) {
      remoteCmResponseTimeout = value;
      return this;
    }

    public Builder transportService(TransportService value) {
      transportService = value;
      return this;
    }

    public Builder endToEndFlowControl(boolean value) {
      endToEndFlowControl = value;
      return this;
    }

    public Builder startingPsn(int value) {
      startingPsn = value;
      return this;
    }

    public Builder localCmResponseTimeout(int value) {
      localCmResponseTimeout = value;
      return this;
    }

    public Builder retryCount(int value) {
      retryCount = value;
      return this;
    }

    public Builder pkey(int value) {
      pkey = value;
      return this;
    }

    public Builder pathMtu(int value) {
      pathMtu = value;
      return this;
    }

    public Builder rdcExists(boolean value) {
      rdcExists = value;
      return this;
    }

    public Builder rnrRetryCount(int value) {
      rnrRetryCount = value;
      return this;
    }

    public Builder maxCmRetries(int value) {
      maxCmRetries = value;
      return this;
    }

    public Builder srq(boolean value) {
      srq = value;
      return this;
    }

    public Builder extendedTransportType(int value) {
      extendedTransportType = value;
      return this;
    }

    public Builder primary(CmPath value) {
      primary = value;
      return this;
    }

    public Builder alternate(CmPath value) {
      alternate = value;
      return this;
    }

    public Builder privateBytes(ImmutableBytes value) {
      privateBytes = value;
      return this;
    }

    public CmReq build() {
      return new CmReq(
          localCommId,
          vendorId,
          serviceId,
          localCaGuid,
          localQkey,
          localQpn,
          responderResources,
          localEecn,
          initiatorDepth,
          remoteEecn,
          remoteCmResponseTimeout,
          transportService,
          endToEndFlowControl,
          startingPsn,
          localCmResponseTimeout,
          retryCount,
          pkey,
          pathMtu,
          rdcExists,
          rnrRetryCount,
          maxCmRetries,
          srq,
          extendedTransportType,
          primary,
          alternate,
          privateBytes);
    }
  }
}
