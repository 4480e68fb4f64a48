// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.HostMemory;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** The program of this process: its memory is here, and C passes its events. */
final class OwnProgram extends Program {
  static final OwnProgram INSTANCE = new OwnProgram();

  private OwnProgram() {}

  @Override
  AsyncEventOutput openAsyncEvents(long context, long handle) {
    return (type, element) -> NativeCallbacks.asyncEvent(context, type, element);
  }

  @Override
  LongConsumer openCompletionEvents(long channel, long handle) {
    return target -> NativeCallbacks.completionEvent(channel, target);
  }

  @Override
  RdmaCmDescriptor openRdmaCm(long file) {
    return new RdmaCmDescriptor() {
      @Override
      public void accept(int isReadable) {
        NativeCallbacks.rdmaCmReadable(file, isReadable);
      }

      @Override
      public void attachTo(long handle) {}
    };
  }

  @Override
  void putBack(long handle, ByteBuffer events, int at, int bytes) {
    throw new VerbsException(Errno.EOPNOTSUPP, Refusals.UNKNOWN_VERB, "C has the events");
  }

  @Override
  void share(CompletionQueue cq, long handle, ByteBuffer args) {}

  @Override
  HostMemory range(long address, long length, boolean isOnDemand) {
    if (length > ProgramMemory.MAX_BYTES) {
      return new ProgramRange(address, length, length == Long.MAX_VALUE);
    }
    return null;
  }

  @Override
  void rereg(MemoryRegion region, ReregMr request, long length) {
    if (request.iova().isEmpty()) {
      region.rereg(request);
      return;
    }
    ByteBuffer memory = ProgramMemory.at(request.iova().getAsLong(), length);
    region.rereg(
        new ReregMr(request.flags(), request.pd(), memory, request.access(), request.iova()));
  }

  @Override
  ByteBuffer read(long address, long length) {
    return ProgramMemory.at(address, length);
  }

  @Override
  ByteBuffer room(long address, long length) {
    return ProgramMemory.at(address, length);
  }

  @Override
  void written(long address, ByteBuffer filled) {}

  @Override
  long takeDrained() {
    return 0;
  }
}
