// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Ready to use: the active side has the reply, the connection is established. */
public record CmRtu(int localCommId, int remoteCommId, ImmutableBytes privateBytes)
    implements CmMessage {

  /** Bytes of private data. */
  public static final int PRIVATE_BYTES = CmField.RTU_PRIVATE_DATA.bytes();

  public CmRtu {
    privateBytes = CmField.RTU_PRIVATE_DATA.filledWith(privateBytes);
  }

  static CmRtu read(ByteBuffer mad) {
    return new CmRtu(
        CmField.RTU_LOCAL_COMM_ID.intIn(mad),
        CmField.RTU_REMOTE_COMM_ID.intIn(mad),
        CmField.RTU_PRIVATE_DATA.bytesIn(mad));
  }

  @Override
  public void write(ByteBuffer mad) {
    CmField.RTU_LOCAL_COMM_ID.put(mad, localCommId);
    CmField.RTU_REMOTE_COMM_ID.put(mad, remoteCommId);
    CmField.RTU_PRIVATE_DATA.put(mad, privateBytes);
  }

  @Override
  public CmKind kind() {
    return CmKind.RTU;
  }

  @Override
  public String toString() {
    return String.format("RTU local=0x%08x remote=0x%08x", localCommId, remoteCommId)
        + privateLength();
  }
}
