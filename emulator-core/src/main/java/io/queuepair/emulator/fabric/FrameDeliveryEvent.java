// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

/** The arrival of a frame at the other stations of a segment. */
final class FrameDeliveryEvent extends Event {
  private final InMemoryFabric fabric;
  private final Frame frame;
  private final InMemoryLink sender;

  FrameDeliveryEvent(InMemoryFabric fabric, Frame frame, InMemoryLink sender) {
    this.fabric = fabric;
    this.frame = frame;
    this.sender = sender;
  }

  @Override
  void run() {
    try {
      fabric.deliver(frame, sender);
    } finally {
      // A receiver's bug must not leave the sender waiting for room.
      sender.arrived(1);
    }
  }
}
