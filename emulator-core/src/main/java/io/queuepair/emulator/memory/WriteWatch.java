package io.queuepair.emulator.memory;

import io.queuepair.emulator.wire.Payload;

/** Is told before the device changes memory. */
public interface WriteWatch {
  /** Nobody wants to know. */
  WriteWatch NONE = target -> {};

  /** The device is about to write there. */
  void writing(Payload target);
}
