// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;

/** Listener that is called before the device writes memory. */
public interface WriteWatch {
  WriteWatch NONE = target -> {};

  void writing(Payload target);
}
