// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Message receipt acknowledgement: an answer will take longer.
 *
 * @param serviceTimeout five bits: how much longer
 */
public record CmMra(
    int localCommId,
    int remoteCommId,
    AnsweredMessage messageMraed,
    int serviceTimeout,
    ImmutableBytes privateBytes)
    implements CmMessage {

  /** Bytes of private data. */
  public static final int PRIVATE_BYTES = CmField.MRA_PRIVATE_DATA.bytes();

  public CmMra {
    privateBytes = CmField.MRA_PRIVATE_DATA.filledWith(privateBytes);
  }

  static CmMra read(ByteBuffer mad) {
    return new CmMra(
        CmField.MRA_LOCAL_COMM_ID.intIn(mad),
        CmField.MRA_REMOTE_COMM_ID.intIn(mad),
        AnsweredMessage.ofCode(CmField.MRA_MESSAGE_MRAED.intIn(mad)),
        CmField.MRA_SERVICE_TIMEOUT.intIn(mad),
        CmField.MRA_PRIVATE_DATA.bytesIn(mad));
  }

  @Override
  public void write(ByteBuffer mad) {
    CmField.MRA_LOCAL_COMM_ID.put(mad, localCommId);
    CmField.MRA_REMOTE_COMM_ID.put(mad, remoteCommId);
    CmField.MRA_MESSAGE_MRAED.put(mad, messageMraed.code());
    CmField.MRA_SERVICE_TIMEOUT.put(mad, serviceTimeout);
    CmField.MRA_PRIVATE_DATA.put(mad, privateBytes);
  }

  @Override
  public CmKind kind() {
    return CmKind.MRA;
  }

  @Override
  public String toString() {
    return String.format(
            "MRA local=0x%08x remote=0x%08x of=%s timeout=%d",
            localCommId, remoteCommId, messageMraed, serviceTimeout)
        + privateLength();
  }
}
