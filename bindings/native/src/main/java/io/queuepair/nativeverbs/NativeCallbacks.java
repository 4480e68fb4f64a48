// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.nio.ByteBuffer;

/** Functions of C for Java; defined by the library when it starts the JVM. */
final class NativeCallbacks {
  private NativeCallbacks() {}

  /**
   * Memory of the process.
   *
   * @param address of the first byte
   * @param bytes 0 to 2^31-1
   * @return a view that does not keep the memory
   */
  static native ByteBuffer memoryAt(long address, long bytes);

  /**
   * Whether memory of the process is mapped, with the rights that an access needs.
   *
   * @param address of the first byte
   * @param bytes from 1 on
   * @param isWritten 1 if it is to be written, otherwise 0
   * @return true if it is
   */
  static native boolean isAccessible(long address, long bytes, int isWritten);

  /**
   * Puts a notification into the pipe of a channel.
   *
   * @param channel where its structure is
   * @param cq where that of the completion queue is
   */
  static native void completionEvent(long channel, long cq);

  /**
   * Puts an asynchronous event into the pipe of a context.
   *
   * @param context where its structure is
   * @param type as in C
   * @param element where the structure is that it is about, or the number of a port
   */
  static native void asyncEvent(long context, int type, long element);

  /**
   * Makes a descriptor of the connection manager readable, or unreadable.
   *
   * @param file where its structure is
   * @param isReadable 1 after there were no events, 0 after there were some
   */
  static native void rdmaCmReadable(long file, int isReadable);
}
