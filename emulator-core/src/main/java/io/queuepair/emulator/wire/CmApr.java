// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Alternate path response. Linux ignores it over RoCE.
 *
 * @param apStatus 0 if the path was loaded
 * @param additionalInformation up to 72 bytes that go with the status
 */
public record CmApr(
    int localCommId,
    int remoteCommId,
    int apStatus,
    ImmutableBytes additionalInformation,
    ImmutableBytes privateBytes)
    implements CmMessage {

  /** Bytes of private data. */
  public static final int PRIVATE_BYTES = CmField.APR_PRIVATE_DATA.bytes();

  public CmApr {
    privateBytes = CmField.APR_PRIVATE_DATA.filledWith(privateBytes);
  }

  static CmApr read(ByteBuffer mad) {
    int length =
        Math.min(
            CmField.APR_ADDITIONAL_INFO_LENGTH.intIn(mad), CmField.APR_ADDITIONAL_INFO.bytes());
    return new CmApr(
        CmField.APR_LOCAL_COMM_ID.intIn(mad),
        CmField.APR_REMOTE_COMM_ID.intIn(mad),
        CmField.APR_AP_STATUS.intIn(mad),
        CmField.APR_ADDITIONAL_INFO.bytesIn(mad).first(length),
        CmField.APR_PRIVATE_DATA.bytesIn(mad));
  }

  @Override
  public void write(ByteBuffer mad) {
    CmField.APR_LOCAL_COMM_ID.put(mad, localCommId);
    CmField.APR_REMOTE_COMM_ID.put(mad, remoteCommId);
    CmField.APR_AP_STATUS.put(mad, apStatus);
    CmField.APR_ADDITIONAL_INFO_LENGTH.put(mad, additionalInformation.length());
    CmField.APR_ADDITIONAL_INFO.put(mad, additionalInformation);
    CmField.APR_PRIVATE_DATA.put(mad, privateBytes);
  }

  @Override
  public CmKind kind() {
    return CmKind.APR;
  }

  @Override
  public String toString() {
    return String.format(
            "APR local=0x%08x remote=0x%08x status=%d", localCommId, remoteCommId, apStatus)
        + privateLength();
  }
}
