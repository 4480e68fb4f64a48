// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.HostMemory;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ReregMr;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
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

  private static AssertionError unexpected() {
    return new AssertionError("nothing of this program is needed");
  }

  @Override
  OpenFile openFile() {
    throw unexpected();
  }

  @Override
  EventSocket openEvents(OpenFile file) {
    throw unexpected();
  }

  @Override
  boolean has(OpenFile file) {
    return true;
  }

  @Override
  void closed(OpenFile file) {
    throw unexpected();
  }

  @Override
  void share(CompletionQueue cq, long handle, ByteBuffer args) {
    throw unexpected();
  }

  @Override
  HostMemory range(long address, long length, boolean isOnDemand) {
    throw unexpected();
  }

  @Override
  LongConsumer pin(long address, long length, boolean isOnDemand) {
    throw unexpected();
  }

  @Override
  void rereg(MemoryRegion region, ReregMr request, long length) {
    throw unexpected();
  }

  @Override
  ByteBuffer read(long address, long length) {
    throw unexpected();
  }

  @Override
  ByteBuffer room(long address, long length) {
    throw unexpected();
  }

  @Override
  void written(long address, ByteBuffer filled) {
    throw unexpected();
  }

  @Override
  long takeDrained() {
    return 0;
  }
}
