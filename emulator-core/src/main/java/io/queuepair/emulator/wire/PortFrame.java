// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/**
 * Frame to be sent.
 *
 * @param portNum port that sends it, from 1, as the frame does not contain it
 */
public record PortFrame(RawFrame frame, int portNum) implements TransmitUnit {
  @Override
  public int payloadBytes() {
    return frame.bytes().length();
  }

  @Override
  public PortFrame copy() {
    return new PortFrame(new RawFrame(frame.bytes().copy()), portNum);
  }
}
