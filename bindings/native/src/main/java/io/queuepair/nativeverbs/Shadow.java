// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Shadow memory of the AddressSanitizer in a program: which bytes may be used. The first access of
 * the device that it forbids is left where the library of the program looks for it: there the
 * report can have a stack.
 */
final class Shadow {
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final int MIN_SCALE = 3;
  private static final int MAX_SCALE = 7;

  private final int descriptor;
  private final long scale;
  private final long offset;
  private final ByteBuffer report;
  private boolean isEnded;

  /**
   * Of a program that has one.
   *
   * @param descriptor of the memory of the program
   * @param report gets what is found
   */
  Shadow(int descriptor, long scale, long offset, ByteBuffer report) {
    this.descriptor = descriptor;
    this.scale = scale;
    this.offset = offset;
    this.report = report;
  }

  /** Whether a scale is one of the sanitizer. */
  static boolean isScale(long scale) {
    return scale >= MIN_SCALE && scale <= MAX_SCALE;
  }

  /** Looks whether an access is allowed, before it happens. */
  synchronized void check(int kind, long address, long length) {
    if (isEnded || length <= 0) {
      return;
    }
    long found = Kernel.findPoison(descriptor, scale, offset, address, length);
    if (found != 0) {
      isEnded = true; // One is enough: the program ends with its report.
      report.putLong(Protocol.CHUNK_STRAY_ADDRESS, found);
      report.putLong(Protocol.CHUNK_STRAY_BYTES, length);
      INT.setRelease(report, Protocol.CHUNK_STRAY, kind);
    }
  }

  /** Reports nothing from now on. */
  synchronized void end() {
    isEnded = true;
  }
}
