// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.IpTraffic;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.PacketEnvelope;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.Packet;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A link of a {@link FaultFabric}. */
class FaultLink extends ForwardingLink {
  /** How long a packet waits for the one that overtakes it: the work may be over. */
  static final long HELD_NANOS = 10_000;

  private final FaultInjector run;
  private final Fabric fabric;
  private final Link link;
  private final DelayQueue late;

  /** Packet that waits for the next one to overtake it, or null. */
  private final AtomicReference<DelayQueue.@Nullable AnnotatedTraffic> held =
      new AtomicReference<>();

  /**
   * Injects faults into one link.
   *
   * @param fabric of the link
   */
  FaultLink(FaultInjector run, Fabric fabric, Link link, DelayQueue late) {
    super(link);
    this.run = run;
    this.fabric = fabric;
    this.link = link;
    this.late = late;
  }

  /** One datagram at a time: each has its own fate. */
  @Override
  public int maxSegments() {
    return 1;
  }

  @Override
  public void send(Traffic traffic, @Nullable String before) {
    DelayQueue.AnnotatedTraffic overtaken = held.getAndSet(null);
    FaultDecision decision = run.fateOf(traffic);
    note(traffic, decision);
    if (decision.isUntouched()) {
      link.send(traffic, before);
    } else if (decision.has(Effect.Drop.class)) {
      lose(traffic, decision.first(Effect.Drop.class).note());
    } else if (!answered(traffic, decision)) {
      transmit(traffic, decision, before);
    }
    if (overtaken != null) {
      late.forward(overtaken);
    }
  }

  /** The report of a deadlocked wait includes what was injected. */
  private void note(Traffic traffic, FaultDecision decision) {
    if (traffic instanceof IpTraffic routed) {
      int at = routed instanceof DatagramBurst burst ? burst.bytes().position() : 0;
      for (FaultDecision.AppliedFault fault : decision.applied()) {
        fabric.lostPackets().add(routed, at, fault.note());
      }
    }
  }

  @Override
  public void endTurn() {
    late.sendDue();
    super.endTurn();
  }

  /** A request that is answered by a forger goes no further. */
  private boolean answered(Traffic traffic, FaultDecision decision) {
    FaultDecision.AppliedFault fault = decision.first(Effect.Forge.class);
    if (fault == null || !decision.packetContext().packet().opcode().isRequest()) {
      return false;
    }
    Packet request = decision.packetContext().packet();
    OptionalInt requester = late.requesterOf(request.route().destination(), request.destQpn());
    if (requester.isEmpty()) {
      return false;
    }
    Effect.Forge forge = (Effect.Forge) fault.effect();
    Packet answer = ForgedResponses.to(request, requester.getAsInt(), forge).withNote(fault.note());
    DelayQueue.AnnotatedTraffic noted =
        new DelayQueue.AnnotatedTraffic(
            new PacketMutator(fabric.form()).genuine(answer), fault.note());
    lose(traffic, "answered: " + forge);
    // Not now: this station holds its lock, and another one sends.
    after(0, () -> run.answer(noted, answer.route().source(), late));
    return true;
  }

  private void transmit(Traffic traffic, FaultDecision decision, @Nullable String before) {
    Traffic own = own(traffic);
    FaultDecision.AppliedFault doubled = decision.first(Effect.Duplicate.class);
    if (doubled != null) {
      late.forward(new DelayQueue.AnnotatedTraffic(own, joined(before, doubled.note())));
    }
    Traffic changed = new PacketMutator(fabric.form()).applied(own, decision);
    DelayQueue.AnnotatedTraffic noted =
        new DelayQueue.AnnotatedTraffic(changed, joined(before, decision.note()));
    long delayNanos = decision.delayNanos();
    if (delayNanos > 0) {
      keep(noted, delayNanos);
    } else if (decision.has(Effect.Reorder.class)) {
      hold(noted);
    } else {
      late.forward(noted);
    }
  }

  private static @Nullable String joined(@Nullable String before, @Nullable String note) {
    return before == null || note == null ? (note == null ? before : note) : before + "; " + note;
  }

  private void keep(DelayQueue.AnnotatedTraffic noted, long nanos) {
    if (!late.add(noted, run.scheduler().nowNanos() + nanos)) {
      String why = "dropped: " + DelayQueue.LIMIT + " packets are kept back already";
      link.annotate(NoteSubject.LOST, noted.traffic(), 0, why);
    }
  }

  private void hold(DelayQueue.AnnotatedTraffic noted) {
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
    link.annotate(NoteSubject.LOST, traffic, 0, note);
    releaseBuffer(traffic);
  }

  /** Gives the buffer of what goes no further back to the link that lent it. */
  private void releaseBuffer(Traffic traffic) {
    if (traffic instanceof DatagramBurst burst) {
      burst.bytes().limit(burst.bytes().position());
      link.send(burst, null);
    }
  }

  /** A copy that no other code can change, so that it may wait. */
  private Traffic own(Traffic traffic) {
    if (traffic instanceof DatagramBurst burst) {
      DatagramBurst copy = DelayQueue.with(burst, copy(burst.bytes()));
      releaseBuffer(burst);
      return copy;
    }
    if (traffic instanceof Frame frame) {
      return new Frame(frame.source(), copy(frame.bytes()));
    }
    PacketEnvelope envelope = (PacketEnvelope) traffic;
    Packet packet = envelope.packet().copy();
    return new PacketEnvelope(envelope.source(), envelope.destination(), packet);
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  @Override
  public void close() {
    late.disconnect();
    super.close();
  }
}
