// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Reply to a request for release: the connection has ended. */
public record CmDrep(int localCommId, int remoteCommId, ImmutableBytes privateBytes)
    implements CmMessage {

  /** Bytes of private data. */
  public static final int PRIVATE_BYTES = CmField.DREP_PRIVATE_DATA.bytes();

  public CmDrep {
    privateBytes = CmField.DREP_PRIVATE_DATA.filledWith(privateBytes);
  }

  static CmDrep read(ByteBuffer mad) {
    return new CmDrep(
        CmField.DREP_LOCAL_COMM_ID.intIn(mad),
        CmField.DREP_REMOTE_COMM_ID.intIn(mad),
        CmField.DREP_PRIVATE_DATA.bytesIn(mad));
  }

  @Override
  public void write(ByteBuffer mad) {
    CmField.DREP_LOCAL_COMM_ID.put(mad, localCommId);
    CmField.DREP_REMOTE_COMM_ID.put(mad, remoteCommId);
    CmField.DREP_PRIVATE_DATA.put(mad, privateBytes);
  }

  @Override
  public CmKind kind() {
    return CmKind.DREP;
  }

  @Override
  public String toString() {
    return String.format("DREP local=0x%08x remote=0x%08x", localCommId, remoteCommId)
        + privateLength();
  }
}
