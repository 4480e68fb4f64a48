// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.util.function.LongSupplier;

/** A program that calls, but has neither memory nor descriptors. */
final class ProgramWithoutMemory extends Program {
  ProgramWithoutMemory() {
    super(new HandleTable());
  }

  /** Calls for the program, by a thread of the service. */
  long call(LongSupplier call) {
    long[] result = new long[1];
    ProgramThread thread =
        new ProgramThread(
            () -> {
              ProgramThread.current().workFor(this, null);
              result[0] = call.getAsLong();
            },
            "call");
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    return result[0];
  }
}
