// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/**
 * A frame on its way out.
 *
 * @param portNum the port that it leaves by, from 1: a frame does not say so itself
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
