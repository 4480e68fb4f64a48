package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.Burst;
import io.queuepair.emulator.fabric.Delivery;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.RoutedTraffic;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.Packet;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;

/** A link of a {@link FaultFabric}. */
class FaultLink extends ForwardingLink {
  /** How long a packet waits for the one that overtakes it: the work may be over. */
  static final long HELD_NANOS = 10_000;

  private final FaultRun run;
  private final Link link;
  private final LateTraffic late;

  /** What waits for the next packet to overtake it, or null. */
  private final AtomicReference<LateTraffic.Noted> held = new AtomicReference<>();

  FaultLink(FaultRun run, Link link, LateTraffic late) {
    super(link);
    this.run = run;
    this.link = link;
    this.late = late;
  }

  /** One datagram at a time: each has its own fate. */
  @Override
  public int maxSegments() {
    return 1;
  }

  @Override
  public void send(Traffic traffic) {
    send(traffic, null);
  }

  @Override
  public void send(Traffic traffic, String before) {
    LateTraffic.Noted overtaken = held.getAndSet(null);
    Fate fate = run.fateOf(traffic);
    note(traffic, fate);
    if (fate.isUntouched()) {
      LateTraffic.send(link, traffic, before);
    } else if (fate.has(Effect.Drop.class)) {
      lose(traffic, fate.first(Effect.Drop.class).note());
    } else if (!answered(traffic, fate)) {
      carry(traffic, fate, before);
    }
    if (overtaken != null) {
      late.forward(overtaken);
    }
  }

  /** Whoever waits for an answer in vain may ask what was done. */
  private void note(Traffic traffic, Fate fate) {
    if (traffic instanceof RoutedTraffic routed) {
      int at = routed instanceof Burst burst ? burst.bytes().position() : 0;
      for (Fate.Taken fault : fate.taken()) {
        link.lostPackets().add(routed, at, fault.note());
      }
    }
  }

  @Override
  public void endTurn() {
    late.sendDue();
    super.endTurn();
  }

  /** A request that is answered by a forger goes no further. */
  private boolean answered(Traffic traffic, Fate fate) {
    Fate.Taken fault = fate.first(Effect.Forge.class);
    if (fault == null || !fate.passing().packet().opcode().isRequest()) {
      return false;
    }
    Packet request = fate.passing().packet();
    OptionalInt requester = late.requesterOf(request.route().destination(), request.destQpn());
    if (requester.isEmpty()) {
      return false;
    }
    Effect.Forge forge = (Effect.Forge) fault.effect();
    Packet answer = Answers.to(request, requester.getAsInt(), forge).withNote(fault.note());
    LateTraffic.Noted noted =
        new LateTraffic.Noted(new Tampering(form()).genuine(answer), fault.note());
    lose(traffic, "answered: " + forge);
    // Not now: this station holds its lock, and another one sends.
    after(0, () -> run.answer(noted, answer.route().source(), late));
    return true;
  }

  private void carry(Traffic traffic, Fate fate, String before) {
    Traffic own = own(traffic);
    Fate.Taken doubled = fate.first(Effect.Duplicate.class);
    if (doubled != null) {
      late.forward(new LateTraffic.Noted(own, joined(before, doubled.note())));
    }
    Traffic changed = new Tampering(form()).applied(own, fate);
    LateTraffic.Noted noted = new LateTraffic.Noted(changed, joined(before, fate.note()));
    long delayNanos = fate.delayNanos();
    if (delayNanos > 0) {
      keep(noted, delayNanos);
    } else if (fate.has(Effect.Reorder.class)) {
      hold(noted);
    } else {
      late.forward(noted);
    }
  }

  private static String joined(String before, String note) {
    return before == null || note == null ? (note == null ? before : note) : before + "; " + note;
  }

  private void keep(LateTraffic.Noted noted, long nanos) {
    if (!late.add(noted, run.scheduler().nowNanos() + nanos)) {
      String why = "dropped: " + LateTraffic.LIMIT + " packets are kept back already";
      link.report(noted.traffic(), why);
    }
  }

  private void hold(LateTraffic.Noted noted) {
    held.set(noted);
    after(
        HELD_NANOS,
        () -> {
          if (held.compareAndSet(noted, null)) {
            keep(noted, 0);
          }
        });
  }

  private void after(long nanos, Runnable task) {
    Scheduler scheduler = run.scheduler();
    scheduler.timer(task).arm(scheduler.nowNanos() + nanos);
  }

  private void lose(Traffic traffic, String note) {
    link.report(traffic, note);
    giveBack(traffic);
  }

  /** Gives the buffer of what goes no further back to the link that lent it. */
  private void giveBack(Traffic traffic) {
    if (traffic instanceof Burst burst) {
      burst.bytes().limit(burst.bytes().position());
      link.send(burst);
    }
  }

  /** A copy that nobody else can change, so that it may wait. */
  private Traffic own(Traffic traffic) {
    if (traffic instanceof Burst burst) {
      Burst copy = LateTraffic.with(burst, copy(burst.bytes()));
      giveBack(burst);
      return copy;
    }
    if (traffic instanceof Frame frame) {
      return new Frame(frame.source(), copy(frame.bytes()));
    }
    Delivery delivery = (Delivery) traffic;
    Packet packet = ((Packet) delivery.packet()).copy();
    return new Delivery(delivery.source(), delivery.destination(), packet);
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  @Override
  public void close() {
    late.cut();
    super.close();
  }
}
