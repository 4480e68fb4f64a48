// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;

/** A listener that is called before the device writes memory. */
public interface WriteWatch {
  /** No listener. */
  WriteWatch NONE = target -> {};

  /** The device is about to write there. */
  void writing(Payload target);
}
