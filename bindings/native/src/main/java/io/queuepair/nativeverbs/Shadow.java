// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Shadow memory of the AddressSanitizer in a program, which tells the bytes that may be used. The
 * first access of the device that the shadow forbids is stored where the library looks for it: the
 * program's own report can have a stack.
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
   * Checks accesses to a program.
   *
   * @param descriptor of the program's memory
   * @param report memory that gets the forbidden access
   */
  Shadow(int descriptor, long scale, long offset, ByteBuffer report) {
    this.descriptor = descriptor;
    this.scale = scale;
    this.offset = offset;
    this.report = report;
  }

  /** Whether a shadow scale is one that the sanitizer uses. */
  static boolean isScale(long scale) {
    return scale >= MIN_SCALE && scale <= MAX_SCALE;
  }

  /** Checks an access before it happens. */
  synchronized void check(int kind, long address, long length) {
    if (isEnded || length <= 0) {
      return;
    }
    long found = Kernel.findPoison(descriptor, scale, offset, address, length);
    if (found != 0) {
      isEnded = true; // One report is enough: the program ends with it.
      report.putLong(Protocol.CHUNK_STRAY_ADDRESS, found);
      report.putLong(Protocol.CHUNK_STRAY_BYTES, length);
      INT.setRelease(report, Protocol.CHUNK_STRAY, kind);
    }
  }

  /** Stops reporting. */
  synchronized void end() {
    isEnded = true;
  }
}
