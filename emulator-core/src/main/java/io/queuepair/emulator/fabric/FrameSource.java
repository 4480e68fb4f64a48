package io.queuepair.emulator.fabric;

/** The frames of a capture file, whatever its format. */
interface FrameSource {
  /**
   * The next frame.
   *
   * @return null at the end of the file
   * @throws FabricException if the file is broken here; there is nothing behind that
   */
  CapturedFrame next();
}
