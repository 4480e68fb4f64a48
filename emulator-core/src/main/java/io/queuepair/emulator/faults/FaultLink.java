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
  /** Longest wait of a packet for the one that overtakes it, as no further packet may be sent. */
  static final long HELD_NANOS = 10_000;

  private final FaultInjector injector;
  private final Fabric fabric;
  private final Link link;
  private final DelayQueue delayQueue;

  /** Packet that waits for the next one to overtake it, or null. */
  private final AtomicReference<DelayQueue.@Nullable AnnotatedTraffic> heldTraffic =
      new AtomicReference<>();

  /**
   * Injects faults into one link.
   *
   * @param fabric of the link
   */
  FaultLink(FaultInjector injector, Fabric fabric, Link link, DelayQueue delayQueue) {
    super(link);
    this.injector = injector;
    this.fabric = fabric;
    this.link = link;
    this.delayQueue = delayQueue;
  }

  /** Returns 1, as faults are decided for each datagram. */
  @Override
  public int maxSegments() {
    return 1;
  }

  @Override
  public void send(Traffic traffic, @Nullable String before) {
    DelayQueue.AnnotatedTraffic overtakenTraffic = heldTraffic.getAndSet(null);
    FaultDecision decision = injector.fateOf(traffic);
    note(traffic, decision);
    if (decision.isUntouched()) {
      link.send(traffic, before);
    } else if (decision.has(Effect.Drop.class)) {
      lose(traffic, decision.first(Effect.Drop.class).note());
    } else if (!answered(traffic, decision)) {
      transmit(traffic, decision, before);
    }
    if (overtakenTraffic != null) {
      delayQueue.forward(overtakenTraffic);
    }
  }

  /** Records the injected faults, for the report of a deadlocked wait. */
  private void note(Traffic traffic, FaultDecision decision) {
    if (traffic instanceof IpTraffic ipTraffic) {
      int at = ipTraffic instanceof DatagramBurst burst ? burst.bytes().position() : 0;
      for (FaultDecision.AppliedFault fault : decision.applied()) {
        fabric.lostPackets().add(ipTraffic, at, fault.note());
      }
    }
  }

  @Override
  public void endTurn() {
    delayQueue.sendDue();
    super.endTurn();
  }

  /** Answers a request by a forged response, if the plan says so; it goes no further then. */
  private boolean answered(Traffic traffic, FaultDecision decision) {
    FaultDecision.AppliedFault fault = decision.first(Effect.Forge.class);
    if (fault == null || !decision.packetContext().packet().opcode().isRequest()) {
      return false;
    }
    Packet requestPacket = decision.packetContext().packet();
    OptionalInt requester =
        delayQueue.requesterOf(requestPacket.route().destination(), requestPacket.destQpn());
    if (requester.isEmpty()) {
      return false;
    }
    Effect.Forge forge = (Effect.Forge) fault.effect();
    Packet responsePacket =
        ForgedResponses.to(requestPacket, requester.getAsInt(), forge).withNote(fault.note());
    DelayQueue.AnnotatedTraffic annotated =
        new DelayQueue.AnnotatedTraffic(
            new PacketMutator(fabric.form()).genuine(responsePacket), fault.note());
    lose(traffic, "answered: " + forge);
    // Later, as this station holds its lock and another station sends the response.
    after(0, () -> injector.answer(annotated, responsePacket.route().source(), delayQueue));
    return true;
  }

  private void transmit(Traffic traffic, FaultDecision decision, @Nullable String before) {
    Traffic ownTraffic = own(traffic);
    FaultDecision.AppliedFault duplicateFault = decision.first(Effect.Duplicate.class);
    if (duplicateFault != null) {
      delayQueue.forward(
          new DelayQueue.AnnotatedTraffic(ownTraffic, joined(before, duplicateFault.note())));
    }
    Traffic changedTraffic = new PacketMutator(fabric.form()).applied(ownTraffic, decision);
    DelayQueue.AnnotatedTraffic annotated =
        new DelayQueue.AnnotatedTraffic(changedTraffic, joined(before, decision.note()));
    long delayNanos = decision.delayNanos();
    if (delayNanos > 0) {
      keep(annotated, delayNanos);
    } else if (decision.has(Effect.Reorder.class)) {
      hold(annotated);
    } else {
      delayQueue.forward(annotated);
    }
  }

  private static @Nullable String joined(@Nullable String before, @Nullable String note) {
    return before == null || note == null ? (note == null ? before : note) : before + "; " + note;
  }

  private void keep(DelayQueue.AnnotatedTraffic annotated, long nanos) {
    if (!delayQueue.add(annotated, injector.scheduler().nowNanos() + nanos)) {
      String why = "dropped: " + DelayQueue.LIMIT + " packets are kept back already";
      link.annotate(NoteSubject.LOST, annotated.traffic(), 0, why);
    }
  }

  private void hold(DelayQueue.AnnotatedTraffic annotated) {
    heldTraffic.set(annotated);
    after(
        HELD_NANOS,
        () -> {
          if (heldTraffic.compareAndSet(annotated, null)) {
            keep(annotated, 0);
          }
        });
  }

  private void after(long nanos, Runnable task) {
    Scheduler scheduler = injector.scheduler();
    scheduler.timer(task).arm(scheduler.nowNanos() + nanos);
  }

  private void lose(Traffic traffic, String note) {
    link.annotate(NoteSubject.LOST, traffic, 0, note);
    releaseBuffer(traffic);
  }

  /** Returns the buffer of dropped traffic to the link that lent it. */
  private void releaseBuffer(Traffic traffic) {
    if (traffic instanceof DatagramBurst burst) {
      burst.bytes().limit(burst.bytes().position());
      link.send(burst, null);
    }
  }

  /** Copies traffic, so that no other code can change it while it waits. */
  private Traffic own(Traffic traffic) {
    if (traffic instanceof DatagramBurst burst) {
      DatagramBurst burstCopy = DelayQueue.with(burst, copy(burst.bytes()));
      releaseBuffer(burst);
      return burstCopy;
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
    delayQueue.disconnect();
    super.close();
  }
}
