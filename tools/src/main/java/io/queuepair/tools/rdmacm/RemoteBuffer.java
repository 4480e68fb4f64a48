// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import java.nio.ByteBuffer;

/**
 * Message of rping: the buffer that the peer reads or writes.
 *
 * @param size length in bytes, as an unsigned number
 */
record RemoteBuffer(long addr, int rkey, int size) {
  /** Length of the message: address, rkey and size, big-endian. */
  static final int BYTES = 16;

  static RemoteBuffer read(ByteBuffer message) {
    return new RemoteBuffer(message.getLong(0), message.getInt(8), message.getInt(12));
  }

  void write(ByteBuffer message) {
    message.putLong(0, addr).putInt(8, rkey).putInt(12, size);
  }
}
