package io.queuepair.emulator.fabric;

/** A frame on its way to the other stations of a segment: the event of its arrival. */
final class FrameTransit extends Event {
  private final InMemoryFabric fabric;
  private final Frame frame;
  private final InMemoryLink sender;

  FrameTransit(InMemoryFabric fabric, Frame frame, InMemoryLink sender) {
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
