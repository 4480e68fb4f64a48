// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.EventType;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** A completion ring whose entries a program polls in a buffer. */
final class MappedCompletionsTest {
  private static final int QPN = 17;

  private final List<EventType> events = new ArrayList<>();
  private final Buffer buffer = new Buffer();
  private final SendSlots slots = new SendSlots();
  private final Queue<CompletionRing> announced = new ArrayDeque<>();
  private final CompletionRing ring = newRing(4, false);

  /** Notes ids; those that were cleaned are negative. */
  private static final class Buffer implements CqBuffer {
    private final List<Long> ids = new ArrayList<>();
    private final List<Integer> qpns = new ArrayList<>();
    private int consumed;

    @Override
    public void produce(Cqe cqe) {
      ids.add(cqe.wrId());
      qpns.add(cqe.qpNum());
    }

    @Override
    public int consumed() {
      int now = consumed;
      consumed = 0;
      return now;
    }

    @Override
    public void clean(int qpn) {
      for (int i = 0; i < ids.size(); i++) {
        if (qpns.get(i) == qpn) {
          ids.set(i, -ids.get(i));
        }
      }
    }
  }

  private CompletionRing newRing(int capacity, boolean ignoresOverrun) {
    return new CompletionRing(capacity, ignoresOverrun, new CqModerator(), announced, events::add);
  }

  private static boolean add(CompletionRing to, long id, int qpn) {
    return to.add(new Cqe().begin(id, WcStatus.SUCCESS, WcOpcode.SEND, qpn), false);
  }

  private void send(long id) {
    SendWqe wqe = new SendWqe();
    wqe.accept(0, null, true);
    wqe.takeSlot(slots);
    Cqe cqe = new Cqe().begin(id, WcStatus.SUCCESS, WcOpcode.SEND, QPN);
    ring.add(cqe.ofSend(wqe), false);
  }

  @Test
  void whatIsThereIsProducedFirst() {
    add(ring, 1, QPN);
    ring.map(buffer);
    add(ring, 2, QPN);

    assertThat(buffer.ids).containsExactly(1L, 2L);
  }

  @Test
  void aSlotIsFreeWhenItsCompletionWasConsumed() {
    ring.map(buffer);
    send(1);
    send(2);

    buffer.consumed = 1;
    ring.reap();

    assertThat(slots.inUse()).isEqualTo(1);
    assertThat(ring.size()).isEqualTo(1);
  }

  @Test
  void aFullRingLooksWhatWasConsumed() {
    ring.map(buffer);
    for (long id = 1; id <= 4; id++) {
      add(ring, id, QPN);
    }
    buffer.consumed = 1;

    assertThat(add(ring, 5, QPN)).isTrue();
    assertThat(ring.isOverrun()).isFalse();
    assertThat(add(ring, 6, QPN)).isFalse();
    assertThat(ring.isOverrun()).isTrue();
    assertThat(events).containsExactly(EventType.CQ_ERR);
    assertThat(buffer.ids).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void aProgramThatConsumesMoreThanThereIsHarmsNobody() {
    ring.map(buffer);
    add(ring, 1, QPN);
    buffer.consumed = Integer.MAX_VALUE;
    ring.reap();
    buffer.consumed = -5;
    ring.reap();

    assertThat(ring.isEmpty()).isTrue();
    assertThat(add(ring, 2, QPN)).isTrue();
  }

  @Test
  void completionsOfAQueuePairThatWasResetAreCleanedAndStillCount() {
    ring.map(buffer);
    add(ring, 1, QPN);
    add(ring, 2, QPN + 1);
    ring.removeCompletionsOf(QPN);

    assertThat(buffer.ids).containsExactly(-1L, 2L);
    assertThat(ring.size()).isEqualTo(2);
    assertThat(ring.completions()).hasSize(1);
    Buffer other = new Buffer();
    ring.map(other);
    assertThat(other.ids).containsExactly(2L);
  }

  @Test
  void aLargerBufferGetsWhatWasNotConsumed() {
    ring.map(buffer);
    add(ring, 1, QPN);
    add(ring, 2, QPN);
    buffer.consumed = 1;
    ring.reap();
    ring.resize(8);
    Buffer larger = new Buffer();
    ring.map(larger);
    add(ring, 3, QPN);

    assertThat(larger.ids).containsExactly(2L, 3L);
    assertThat(buffer.ids).containsExactly(1L, 2L);
  }

  @Test
  void whatIsOverwrittenIsNotTakenForConsumed() {
    CompletionRing lossy = newRing(2, true);
    lossy.map(buffer);
    for (long id = 1; id <= 4; id++) {
      add(lossy, id, QPN); // 1 and 2 are lost.
    }
    buffer.consumed = 3;
    lossy.reap();

    assertThat(lossy.completions()).extracting(completion -> completion.wrId()).containsExactly(4L);
  }

  @Test
  void armingAnnouncesWhatCameAfterTheLastPoll() {
    ring.map(buffer);
    add(ring, 1, QPN);
    buffer.consumed = 1;
    arm(false);
    assertThat(announced).isEmpty();

    add(ring, 2, QPN);
    assertThat(announced).containsExactly(ring);
    announced.clear();
    arm(false);
    assertThat(announced).as("it has raised an event").isEmpty();

    ring.disarm();
    add(ring, 3, QPN);
    arm(true);
    assertThat(announced).as("it is not solicited").isEmpty();
    arm(false);
    assertThat(announced).containsExactly(ring);
    assertThat(ring.isArmed()).isFalse();
  }

  @Test
  void armingForSolicitedOnesAnnouncesThoseThatAreNotPolled() {
    ring.map(buffer);
    ring.add(new Cqe().begin(1, WcStatus.SUCCESS, WcOpcode.RECV, QPN), true);
    add(ring, 2, QPN);
    arm(true);
    assertThat(announced).containsExactly(ring);
    announced.clear();

    ring.add(new Cqe().begin(3, WcStatus.SUCCESS, WcOpcode.RECV, QPN), true);
    add(ring, 4, QPN);
    buffer.consumed = 3;
    arm(true);
    assertThat(announced).isEmpty();
  }

  private void arm(boolean solicitedOnly) {
    ring.arm(solicitedOnly);
    ring.announceUnpolled();
  }
}
