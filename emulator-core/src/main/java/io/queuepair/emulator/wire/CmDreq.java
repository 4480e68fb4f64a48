// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * Request for release: the sender ends the connection.
 *
 * @param remoteQpn the queue pair of the receiver
 */
public record CmDreq(int localCommId, int remoteCommId, int remoteQpn, ImmutableBytes privateBytes)
    implements CmMessage {

  /** Bytes of private data. */
  public static final int PRIVATE_BYTES = CmField.DREQ_PRIVATE_DATA.bytes();

  public CmDreq {
    privateBytes = CmField.DREQ_PRIVATE_DATA.filledWith(privateBytes);
  }

  static CmDreq read(ByteBuffer mad) {
    return new CmDreq(
        CmField.DREQ_LOCAL_COMM_ID.intIn(mad),
        CmField.DREQ_REMOTE_COMM_ID.intIn(mad),
        CmField.DREQ_REMOTE_QPN.intIn(mad),
        CmField.DREQ_PRIVATE_DATA.bytesIn(mad));
  }

  @Override
  public void write(ByteBuffer mad) {
    CmField.DREQ_LOCAL_COMM_ID.put(mad, localCommId);
    CmField.DREQ_REMOTE_COMM_ID.put(mad, remoteCommId);
    CmField.DREQ_REMOTE_QPN.put(mad, remoteQpn);
    CmField.DREQ_PRIVATE_DATA.put(mad, privateBytes);
  }

  @Override
  public CmKind kind() {
    return CmKind.DREQ;
  }

  @Override
  public String toString() {
    return String.format(
            "DREQ local=0x%08x remote=0x%08x qpn=0x%06x", localCommId, remoteCommId, remoteQpn)
        + privateLength();
  }
}
