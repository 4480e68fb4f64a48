// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Service ID resolution response: the queue pair that serves datagrams of a service, or why not.
 *
 * @param status the code, of {@link SidrStatus} if it has a meaning
 * @param vendorId 24 bits, in two pieces on the wire; 0 without enhanced connection establishment
 * @param additionalInformation up to 72 bytes that go with the status
 */
public record CmSidrRep(
    int requestId,
    int status,
    int vendorId,
    int qpn,
    long serviceId,
    int qkey,
    ImmutableBytes additionalInformation,
    ImmutableBytes privateBytes)
    implements CmMessage {

  /** Bytes of private data. */
  public static final int PRIVATE_BYTES = CmField.SIDR_REP_PRIVATE_DATA.bytes();

  public CmSidrRep {
    privateBytes = CmField.SIDR_REP_PRIVATE_DATA.filledWith(privateBytes);
  }

  static CmSidrRep read(ByteBuffer mad) {
    int length =
        Math.min(
            CmField.SIDR_REP_ADDITIONAL_INFO_LENGTH.intIn(mad),
            CmField.SIDR_REP_ADDITIONAL_INFO.bytes());
    int vendorId =
        CmField.SIDR_REP_VENDOR_ID_HIGH.intIn(mad) << 8 | CmField.SIDR_REP_VENDOR_ID_LOW.intIn(mad);
    return new CmSidrRep(
        CmField.SIDR_REP_REQUEST_ID.intIn(mad),
        CmField.SIDR_REP_STATUS.intIn(mad),
        vendorId,
        CmField.SIDR_REP_QPN.intIn(mad),
        CmField.SIDR_REP_SERVICE_ID.longIn(mad),
        CmField.SIDR_REP_QKEY.intIn(mad),
        CmField.SIDR_REP_ADDITIONAL_INFO.bytesIn(mad).first(length),
        CmField.SIDR_REP_PRIVATE_DATA.bytesIn(mad));
  }

  @Override
  public void write(ByteBuffer mad) {
    CmField.SIDR_REP_REQUEST_ID.put(mad, requestId);
    CmField.SIDR_REP_STATUS.put(mad, status);
    CmField.SIDR_REP_VENDOR_ID_HIGH.put(mad, vendorId >>> 8);
    CmField.SIDR_REP_VENDOR_ID_LOW.put(mad, vendorId & 0xff);
    CmField.SIDR_REP_QPN.put(mad, qpn);
    CmField.SIDR_REP_SERVICE_ID.put(mad, serviceId);
    CmField.SIDR_REP_QKEY.put(mad, qkey);
    CmField.SIDR_REP_ADDITIONAL_INFO_LENGTH.put(mad, additionalInformation.length());
    CmField.SIDR_REP_ADDITIONAL_INFO.put(mad, additionalInformation);
    CmField.SIDR_REP_PRIVATE_DATA.put(mad, privateBytes);
  }

  @Override
  public CmKind kind() {
    return CmKind.SIDR_REP;
  }

  @Override
  public String toString() {
    return String.format(
            "SIDR_REP id=0x%08x status=%s qpn=0x%06x qkey=0x%08x",
            requestId, SidrStatus.textOf(status), qpn, qkey)
        + privateLength();
  }
}
