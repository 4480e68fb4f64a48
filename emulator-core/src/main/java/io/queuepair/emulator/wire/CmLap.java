// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Load alternate path. Linux ignores it over RoCE. */
public record CmLap(
    int localCommId,
    int remoteCommId,
    int remoteQpn,
    int remoteCmResponseTimeout,
    CmPath alternate,
    ImmutableBytes privateBytes)
    implements CmMessage {

  /** Bytes of private data. */
  public static final int PRIVATE_BYTES = CmField.LAP_PRIVATE_DATA.bytes();

  public CmLap {
    privateBytes = CmField.LAP_PRIVATE_DATA.filledWith(privateBytes);
  }

  static CmLap read(ByteBuffer mad) {
    return new CmLap(
        CmField.LAP_LOCAL_COMM_ID.intIn(mad),
        CmField.LAP_REMOTE_COMM_ID.intIn(mad),
        CmField.LAP_REMOTE_QPN.intIn(mad),
        CmField.LAP_REMOTE_CM_RESPONSE_TIMEOUT.intIn(mad),
        CmPath.read(mad, CmPath.LOADED),
        CmField.LAP_PRIVATE_DATA.bytesIn(mad));
  }

  @Override
  public void write(ByteBuffer mad) {
    CmField.LAP_LOCAL_COMM_ID.put(mad, localCommId);
    CmField.LAP_REMOTE_COMM_ID.put(mad, remoteCommId);
    CmField.LAP_REMOTE_QPN.put(mad, remoteQpn);
    CmField.LAP_REMOTE_CM_RESPONSE_TIMEOUT.put(mad, remoteCmResponseTimeout);
    alternate.write(mad, CmPath.LOADED);
    CmField.LAP_PRIVATE_DATA.put(mad, privateBytes);
  }

  @Override
  public CmKind kind() {
    return CmKind.LAP;
  }

  @Override
  public String toString() {
    return String.format(
            "LAP local=0x%08x remote=0x%08x qpn=0x%06x", localCommId, remoteCommId, remoteQpn)
        + privateLength();
  }
}
