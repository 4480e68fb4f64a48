// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.ReceivePoster;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/** Where a thread of a program leaves its calls: {@code struct mailbox} of {@code protocol.h}. */
final class Mailbox {
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final int EIO = 5;
  private static final int ENOMEM = 12;

  /** What a post that is refused counts for: such are made by mistake, and take long. */
  private static final int REFUSED_POSTS = 64;

  private final AttachedProgram program;
  private final ByteBuffer chunk;
  private final int at;
  private final ByteBuffer args;
  private final ByteBuffer posts;
  private final AtomicBoolean isWaiting = new AtomicBoolean();

  private final Window[] windows = new Window[Protocol.MAILBOX_QUEUES];

  /** Bytes of posts that were taken. */
  private int taken;

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
    Arrays.setAll(windows, Window::new);
  }

  /** How much the library may post to a queue without an answer. */
  private final class Window implements IntConsumer {
    private final int limitAt;
    private long queue;
    private int taken;

    /** Where receives are posted, which tells its room; or null. */
    private ReceivePoster receives;

    private Window(int place) {
      limitAt = at + Protocol.MAILBOX_LIMITS + place * Integer.BYTES;
    }

    /** A queue has room for so many more. */
    @Override
    public void accept(int room) {
      INT.setRelease(chunk, limitAt, taken + room);
    }

    /** Shows the room of a queue of receives from now on, or of none. */
    private void show(ReceivePoster newReceives) {
      if (receives != newReceives) {
        close();
        receives = newReceives;
      }
      if (receives != null) {
        receives.tellRoomTo(this);
      }
    }

    /** Lets the next post be awaited. */
    private void close() {
      if (receives != null) {
        receives.tellRoomTo(null);
        receives = null;
      }
      accept(0);
    }
  }

  private Window windowOf(long queue, boolean isOfReceives) {
    return windows[((int) queue * 2 + (isOfReceives ? 1 : 0)) & (Protocol.MAILBOX_QUEUES - 1)];
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
    boolean isOpen = result == 0 && about != null && !about.isShared;
    switch (entry) {
      case POST_SEND -> {
        Window sends = windowOf(handle, false);
        sends.queue = handle;
        sends.accept(isOpen ? Args.intSlot(args, 0) : 0);
      }
      case POST_RECV, POST_SRQ_RECV -> {
        Window receives = windowOf(handle, true);
        receives.queue = handle;
        receives.show(isOpen ? program.receivesOf(handle) : null);
      }
      default -> closeWindows(handle); // What it changes may be the room.
    }
    answer(result);
  }

  private void closeWindows(long queue) {
    for (Window window : windows) {
      if (window.queue == queue) {
        window.close();
      }
    }
  }

  /** Answers a call with a result. */
  void answer(long result) {
    chunk.putLong(at + Protocol.MAILBOX_RESULT, result);
    isWaiting.setRelease(false);
    int call = chunk.getInt(at + Protocol.MAILBOX_CALL);
    INT.setVolatile(chunk, at + Protocol.MAILBOX_ANSWERED, call);
    wake();
  }

  /** Takes all posts, and lets the next ones be awaited. */
  void endPosts() {
    takePosts(Integer.MAX_VALUE);
    for (Window window : windows) {
      window.close();
    }
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
   * @return how many less than that, or than one if there was none; one that is refused is many
   */
  int takePosts(int most) {
    int posted = posted();
    int left = most;
    isBroken |= Integer.compareUnsigned(posted - taken, Protocol.POSTS_BYTES) > 0;
    while (left > 0 && !isBroken && taken != posted) {
      left -= takePost(posted - taken) ? 1 : REFUSED_POSTS;
    }
    return Math.max(0, Math.min(left, most - 1));
  }

  /** Takes one post of some bytes; whether it was not refused. */
  private boolean takePost(int all) {
    int place = taken & (Protocol.POSTS_BYTES - 1);
    int toEnd = Protocol.POSTS_BYTES - place;
    int bytes = posts.getInt(place);
    long queue = posts.getLong(place + Protocol.POST_QUEUE);
    isBroken =
        bytes < Protocol.POST_RECORD
            || bytes % Protocol.POST_RECORD != 0
            || bytes > Math.min(all, toEnd)
            || (queue == 0 && bytes != toEnd);
    if (isBroken) {
      return false;
    }
    taken += bytes;
    boolean isRefused = queue != 0 && !post(queue, place);
    INT.setRelease(chunk, at + Protocol.MAILBOX_TAKEN, taken);
    return !isRefused;
  }

  /**
   * Posts a request. A receive changes no limit: it takes the room for one, and is one that was
   * taken.
   */
  private boolean post(long queue, int place) {
    boolean isReceive = posts.getInt(place + Protocol.POST_IS_RECEIVE) != 0;
    int room = program.post(queue, isReceive, posts, place + Protocol.POST_RECORD);
    Window window = windowOf(queue, isReceive);
    window.taken++;
    if (room < 0) {
      window.close();
    } else if (!isReceive) {
      window.accept(room);
    }
    return room >= 0;
  }

  /** Refuses a call that was not answered; there will be no other. */
  void close() {
    for (Window window : windows) {
      window.close();
    }
    answer(-EIO);
  }

  private void wake() {
    if ((int) INT.getVolatile(chunk, at + Protocol.MAILBOX_SLEEPS) != 0) {
      Kernel.futexWake(chunk, at + Protocol.MAILBOX_ANSWERED);
    }
  }
}
