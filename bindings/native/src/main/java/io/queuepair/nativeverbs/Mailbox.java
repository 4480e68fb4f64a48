// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;

/** Where a thread of a program leaves its calls: {@code struct mailbox} of {@code protocol.h}. */
final class Mailbox {
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final int EIO = 5;
  private static final int ENOMEM = 12;

  private final AttachedProgram program;
  private final ByteBuffer chunk;
  private final int at;
  private final ByteBuffer args;
  private final ByteBuffer posts;
  private final AtomicBoolean isWaiting = new AtomicBoolean();

  /** Bytes of posts that were taken, and how many posts. */
  private int taken;

  private int takenPosts;

  /** Whether the program has written what the library does not: its posts are taken no more. */
  private boolean isBroken;

  Mailbox(AttachedProgram program, ByteBuffer chunk, int index) {
    this.program = program;
    this.chunk = chunk;
    at = Protocol.FIRST_MAILBOX + index * Protocol.MAILBOX_BYTES;
    int room = Protocol.MAILBOX_POSTS - Protocol.MAILBOX_ARGS;
    args = chunk.slice(at + Protocol.MAILBOX_ARGS, room).order(ByteOrder.nativeOrder());
    posts =
        chunk
            .slice(at + Protocol.MAILBOX_POSTS, Protocol.POSTS_BYTES)
            .order(ByteOrder.nativeOrder());
  }

  ServiceEntry entry() {
    return ServiceEntry.of(chunk.getInt(at + Protocol.MAILBOX_ENTRY));
  }

  long handle() {
    return chunk.getLong(at + Protocol.MAILBOX_HANDLE);
  }

  /** Whether another thread than the engine may answer: one at a time, until it does. */
  boolean startWaiting() {
    return isWaiting.compareAndSet(false, true);
  }

  /** Carries out a call, by this thread, and answers. */
  void answer(ServiceEntry entry, long handle, OpenFile about) {
    ProgramThread thread = ProgramThread.current();
    thread.workFor(program, about);
    long result;
    try {
      result = entry.call(handle, args);
    } catch (RuntimeException | Error bug) { // The others must not suffer.
      System.err.println("queuepair: " + entry + " fails, which is a bug: " + bug);
      result = -EIO;
    }
    int file = thread.takeFile();
    if (file != 0) {
      boolean isPassed = result >= 0 && program.pass(file);
      Kernel.close(file);
      result = isPassed || result < 0 ? result : -ENOMEM;
    }
    if (entry == ServiceEntry.POST_SEND) {
      chunk.putLong(at + Protocol.MAILBOX_QUEUE, handle);
      putRoom(result == 0 && !about.isShared ? Args.intSlot(args, 0) : 0);
    } else if (handle == chunk.getLong(at + Protocol.MAILBOX_QUEUE)) {
      putRoom(0);
    }
    answer(result);
  }

  /** Answers a call with a result. */
  void answer(long result) {
    chunk.putLong(at + Protocol.MAILBOX_RESULT, result);
    isWaiting.setRelease(false);
    int call = chunk.getInt(at + Protocol.MAILBOX_CALL);
    INT.setVolatile(chunk, at + Protocol.MAILBOX_ANSWERED, call);
    wake();
  }

  private void putRoom(int requests) {
    long room = (long) takenPosts << Integer.SIZE | Integer.toUnsignedLong(requests);
    LONG.setRelease(chunk, at + Protocol.MAILBOX_ROOM, room);
  }

  /** Lets the next send be awaited. */
  void endRoom() {
    putRoom(0);
  }

  private int posted() {
    return (int) INT.getAcquire(chunk, at + Protocol.MAILBOX_POSTED);
  }

  /** Whether there are posts that were not taken. */
  boolean hasPosts() {
    return !isBroken && posted() != taken;
  }

  /**
   * Takes posts, in order.
   *
   * @param most how many
   * @return how many less than that, or than one if there was none
   */
  int takePosts(int most) {
    int posted = posted();
    int left = most;
    isBroken |= Integer.compareUnsigned(posted - taken, Protocol.POSTS_BYTES) > 0;
    while (left > 0 && !isBroken && taken != posted) {
      takePost(posted - taken);
      left--;
    }
    return Math.min(left, most - 1);
  }

  private void takePost(int all) {
    int place = taken & (Protocol.POSTS_BYTES - 1);
    int toEnd = Protocol.POSTS_BYTES - place;
    int bytes = posts.getInt(place);
    long queue = posts.getLong(place + Protocol.POST_QUEUE);
    isBroken =
        bytes < Protocol.POST_RECORD
            || bytes % Protocol.POST_RECORD != 0
            || bytes > Math.min(all, toEnd)
            || (queue == 0 && bytes != toEnd);
    if (!isBroken) {
      taken += bytes;
      if (queue != 0) {
        takenPosts++;
        putRoom(program.post(queue, posts, place + Protocol.POST_RECORD));
      }
      INT.setRelease(chunk, at + Protocol.MAILBOX_TAKEN, taken);
    }
  }

  /** Refuses a call that was not answered; there will be no other. */
  void close() {
    answer(-EIO);
  }

  private void wake() {
    if ((int) INT.getVolatile(chunk, at + Protocol.MAILBOX_SLEEPS) != 0) {
      Kernel.futexWake(chunk, at + Protocol.MAILBOX_ANSWERED);
    }
  }
}
