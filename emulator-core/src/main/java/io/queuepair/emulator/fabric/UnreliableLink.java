package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.Packet;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** A link of an {@link UnreliableFabric}. */
final class UnreliableLink extends ForwardingLink {
  /** How long a packet waits for the one that overtakes it: the work may be over. */
  private static final long HELD_NANOS = 10_000;

  private final UnreliableFabric fabric;
  private final LateTraffic late;

  /** What waits for the next packet to overtake it, or null. */
  private final AtomicReference<Traffic> held = new AtomicReference<>();

  UnreliableLink(UnreliableFabric fabric, Link link, LateTraffic late) {
    super(link);
    this.fabric = fabric;
    this.late = late;
  }

  /** One datagram at a time: each has its own fate. */
  @Override
  public int maxSegments() {
    return 1;
  }

  @Override
  public void send(Traffic traffic) {
    Traffic overtaken = held.getAndSet(null);
    Set<Fault> faults = fabric.draw();
    if (faults.isEmpty()) {
      super.send(traffic);
    } else if (faults.contains(Fault.LOSS)) {
      giveBack(traffic);
    } else {
      send(own(traffic), faults);
    }
    if (overtaken != null) {
      late.forward(overtaken);
    }
  }

  private void send(Traffic own, Set<Fault> faults) {
    if (faults.contains(Fault.DUPLICATION)) {
      late.forward(own);
    }
    if (faults.contains(Fault.CORRUPTION)) {
      flipBit((Burst) own);
    }
    if (faults.contains(Fault.DELAY)) {
      after(fabric.drawDelayNanos(), () -> late.add(own));
    } else if (faults.contains(Fault.REORDERING)) {
      hold(own);
    } else {
      late.forward(own);
    }
  }

  private void hold(Traffic own) {
    held.set(own);
    after(
        HELD_NANOS,
        () -> {
          if (held.compareAndSet(own, null)) {
            late.add(own);
          }
        });
  }

  private void after(long nanos, Runnable task) {
    Scheduler scheduler = fabric.scheduler();
    scheduler.timer(task).arm(scheduler.nowNanos() + nanos);
  }

  private void flipBit(Burst own) {
    int bit = fabric.drawBit(own.bytes().remaining() * Byte.SIZE);
    int at = bit / Byte.SIZE;
    own.bytes().put(at, (byte) (own.bytes().get(at) ^ (1 << (bit % Byte.SIZE))));
  }

  /** Gives the buffer of what is lost back to the link that lent it. */
  private void giveBack(Traffic traffic) {
    if (traffic instanceof Burst burst) {
      burst.bytes().limit(burst.bytes().position());
      super.send(burst);
    }
  }

  /** A copy that nobody else can change, so that it may wait. */
  private Traffic own(Traffic traffic) {
    if (traffic instanceof Burst burst) {
      int length = burst.bytes().remaining();
      ByteBuffer bytes = ByteBuffer.allocate(length).put(burst.bytes().duplicate()).flip();
      giveBack(burst);
      return LateTraffic.with(burst, bytes);
    }
    Delivery delivery = (Delivery) traffic;
    Packet packet = ((Packet) delivery.packet()).withOwnPayload();
    return new Delivery(delivery.source(), delivery.destination(), packet);
  }

  @Override
  public void close() {
    late.cut();
    super.close();
  }
}
