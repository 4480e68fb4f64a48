// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.io.IOException;
import java.io.OutputStream;

/** Takes some bytes and refuses the rest. */
final class FullDisk extends OutputStream {
  private int bytesLeft;
  private int refusals;

  FullDisk(int bytesLeft) {
    this.bytesLeft = bytesLeft;
  }

  int refusals() {
    return refusals;
  }

  @Override
  public void write(int oneByte) throws IOException {
    if (bytesLeft == 0) {
      refusals++;
      throw new IOException("No space left on device");
    }
    bytesLeft--;
  }
}
