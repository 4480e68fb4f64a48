// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;

/** Listener that is called before the device writes memory. */
public interface WriteWatch {
  /** Listener that does nothing. */
  WriteWatch NONE = target -> {};

  /** Called before the device writes to {@code target}. */
  void writing(Payload target);
}
