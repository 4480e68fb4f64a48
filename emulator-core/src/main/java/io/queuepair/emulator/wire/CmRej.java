// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Reject: there will be no connection, or no longer.
 *
 * @param localCommId 0 if the sender has none
 * @param reason the code, of {@link RejectReason} if it has a meaning
 * @param additionalInformation up to 72 bytes that go with the reason: for a timeout the CA GUID
 */
public record CmRej(
    int localCommId,
    int remoteCommId,
    AnsweredMessage messageRejected,
    int reason,
    ImmutableBytes additionalInformation,
    ImmutableBytes privateBytes)
    implements CmMessage {

  /** Bytes of private data. */
  public static final int PRIVATE_BYTES = CmField.REJ_PRIVATE_DATA.bytes();

  public CmRej {
    privateBytes = CmField.REJ_PRIVATE_DATA.filledWith(privateBytes);
  }

  static CmRej read(ByteBuffer mad) {
    int length =
        Math.min(
            CmField.REJ_REJECT_INFO_LENGTH.intIn(mad), CmField.REJ_ADDITIONAL_REJECT_INFO.bytes());
    return new CmRej(
        CmField.REJ_LOCAL_COMM_ID.intIn(mad),
        CmField.REJ_REMOTE_COMM_ID.intIn(mad),
        AnsweredMessage.ofCode(CmField.REJ_MESSAGE_REJECTED.intIn(mad)),
        CmField.REJ_REASON.intIn(mad),
        CmField.REJ_ADDITIONAL_REJECT_INFO.bytesIn(mad).first(length),
        CmField.REJ_PRIVATE_DATA.bytesIn(mad));
  }

  @Override
  public void write(ByteBuffer mad) {
    CmField.REJ_LOCAL_COMM_ID.put(mad, localCommId);
    CmField.REJ_REMOTE_COMM_ID.put(mad, remoteCommId);
    CmField.REJ_MESSAGE_REJECTED.put(mad, messageRejected.code());
    CmField.REJ_REASON.put(mad, reason);
    CmField.REJ_REJECT_INFO_LENGTH.put(mad, additionalInformation.length());
    CmField.REJ_ADDITIONAL_REJECT_INFO.put(mad, additionalInformation);
    CmField.REJ_PRIVATE_DATA.put(mad, privateBytes);
  }

  /** The path MTU, as a code, that the sender says it takes; 0 if it says none. */
  public int acceptableMtu() {
    boolean isOfMtu = reason == RejectReason.INVALID_MTU.code();
    return isOfMtu && additionalInformation.length() > 0
        ? additionalInformation.first(1).toArray()[0]
        : 0;
  }

  @Override
  public CmKind kind() {
    return CmKind.REJ;
  }

  @Override
  public String toString() {
    return String.format(
            "REJ local=0x%08x remote=0x%08x of=%s reason=%s",
            localCommId, remoteCommId, messageRejected, RejectReason.textOf(reason))
        + privateLength();
  }
}
