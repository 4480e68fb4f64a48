// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.HostMemory;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ReregMr;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** A program that calls verbs. */
abstract class Program {
  private final HandleTable handles;

  /** Calls verbs about objects of a table, as far as they are of files that it has. */
  Program(HandleTable handles) {
    this.handles = handles;
  }

  /** The program for which this thread works. */
  static Program current() {
    return ProgramThread.current().program();
  }

  final HandleTable handles() {
    return handles;
  }

  /** Opens a file, which the present call is about from now on; the program gets a descriptor. */
  abstract OpenFile openFile();

  /**
   * Makes a socket for events, whose other end the program gets.
   *
   * @param file whose own descriptor it is to be, or null
   */
  abstract EventSocket openEvents(OpenFile file);

  /** Whether the program has a descriptor of a file, as far as is known. */
  abstract boolean has(OpenFile file);

  /**
   * Awaits the end of a file of which the program has closed a descriptor, if that was the last.
   */
  abstract void closed(OpenFile file);

  /** Lets the program poll a completion queue by itself. */
  abstract void share(CompletionQueue cq, long handle, ByteBuffer args);

  /**
   * A range of memory for a region.
   *
   * @param isOnDemand whether each access asks what the program may do then; otherwise its pages
   *     are as good as pinned, and what it protects later stays accessible
   */
  abstract HostMemory range(long address, long length, boolean isOnDemand);

  /**
   * Pins the memory of a region, until its handle is removed; its memory before is pinned no more.
   *
   * @param isOnDemand whether that is the way to the memory only, which outlives the program
   * @return what pins it, when the region has its handle
   * @throws VerbsException ENOMEM if the program may not pin so much
   */
  abstract LongConsumer pin(long address, long length, boolean isOnDemand);

  /**
   * Changes a region.
   *
   * @param request without a buffer; its address, if it moves, is where the memory begins
   * @param length of the memory it moves to
   */
  abstract void rereg(MemoryRegion region, ReregMr request, long length);

  /** A copy of memory. */
  abstract ByteBuffer read(long address, long length);

  /** Memory to be filled: {@link #written} tells that it is. */
  abstract ByteBuffer room(long address, long length);

  /** Puts what {@link #room} gave to where it belongs. */
  abstract void written(long address, ByteBuffer filled);

  /** The descriptor that was drained since the last call: its handle, or 0. */
  abstract long takeDrained();
}
