// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Service ID resolution request: which queue pair serves datagrams of a service? */
public record CmSidrReq(int requestId, int pkey, long serviceId, ImmutableBytes privateBytes)
    implements CmMessage {

  /** Bytes of private data. */
  public static final int PRIVATE_BYTES = CmField.SIDR_REQ_PRIVATE_DATA.bytes();

  public CmSidrReq {
    privateBytes = CmField.SIDR_REQ_PRIVATE_DATA.filledWith(privateBytes);
  }

  static CmSidrReq read(ByteBuffer mad) {
    return new CmSidrReq(
        CmField.SIDR_REQ_REQUEST_ID.intIn(mad),
        CmField.SIDR_REQ_PKEY.intIn(mad),
        CmField.SIDR_REQ_SERVICE_ID.longIn(mad),
        CmField.SIDR_REQ_PRIVATE_DATA.bytesIn(mad));
  }

  @Override
  public void write(ByteBuffer mad) {
    CmField.SIDR_REQ_REQUEST_ID.put(mad, requestId);
    CmField.SIDR_REQ_PKEY.put(mad, pkey);
    CmField.SIDR_REQ_SERVICE_ID.put(mad, serviceId);
    CmField.SIDR_REQ_PRIVATE_DATA.put(mad, privateBytes);
  }

  @Override
  public CmKind kind() {
    return CmKind.SIDR_REQ;
  }

  @Override
  public String toString() {
    return String.format("SIDR_REQ id=0x%08x service=0x%016x", requestId, serviceId)
        + CmaHeader.textOf(serviceId, this);
  }
}
