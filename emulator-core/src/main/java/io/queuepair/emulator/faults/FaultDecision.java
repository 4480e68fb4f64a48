// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The faults chosen for one packet, before they are applied. */
record FaultDecision(PacketContext packetContext, List<AppliedFault> applied) {
  /**
   * A fault to apply to the packet.
   *
   * @param note text for traces
   * @param dice random number that decides what the effect leaves open, such as which bit
   * @param nanos time of the decision, since its plan began
   */
  record AppliedFault(Effect effect, String note, long dice, long nanos) {
    /** Random number from 0 to a bound, which is excluded. */
    long choice(long bound) {
      return Long.remainderUnsigned(dice, bound);
    }

    /** Delay of the packet by one effect. */
    long delayNanos(Effect.Delay delay) {
      return delay.isLimit() ? 1 + choice(delay.nanos()) : delay.nanos();
    }
  }

  boolean isUntouched() {
    return applied.isEmpty();
  }

  /** The first fault of a kind; null if there is none. */
  @Nullable AppliedFault first(Class<? extends Effect> kind) {
    for (AppliedFault fault : applied) {
      if (kind.isInstance(fault.effect())) {
        return fault;
      }
    }
    return null;
  }

  boolean has(Class<? extends Effect> kind) {
    return first(kind) != null;
  }

  /** Delay of the packet by all its faults. */
  long delayNanos() {
    long nanos = 0;
    for (AppliedFault fault : applied) {
      if (fault.effect() instanceof Effect.Delay delay) {
        nanos += fault.delayNanos(delay);
      } else if (fault.effect() instanceof Effect.Wait wait) {
        nanos += wait.endNanos() - fault.nanos();
      }
    }
    return nanos;
  }

  /** Note on the packet for traces; null if there is none. */
  @Nullable String note() {
    StringJoiner notes = new StringJoiner("; ");
    for (AppliedFault fault : applied) {
      if (!(fault.effect() instanceof Effect.Duplicate)) {
        notes.add(fault.note());
      }
    }
    return notes.length() == 0 ? null : notes.toString();
  }
}
