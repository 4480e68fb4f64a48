// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.queue.ReceivePoster;
import io.queuepair.verbs.Errno;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/** Mailbox of a thread, for calls and posts: {@code struct mailbox} of {@code protocol.h}. */
final class Mailbox {
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  /** Posts that a refused one counts for: refusals are mistakes of the program, and take long. */
  private static final int REFUSED_POSTS = 64;

  /** Maximum number of requests that are posted together. */
  private static final int MAX_TOGETHER = 64;

  private final AttachedProgram program;
  private final Poster poster;
  private final ByteBuffer chunk;
  private final int at;
  private final ByteBuffer args;
  private final ByteBuffer posts;
  private final AtomicBoolean isWaiting = new AtomicBoolean();

  private final Window[] windows = new Window[Protocol.MAILBOX_QUEUES];

  /** Offsets of the records of posts that are posted together. */
  private final int[] places = new int[MAX_TOGETHER];

  /** Bytes of posts taken so far, modulo 2^32. */
  private int taken;

  /** Whether the program has written what the library never writes; no posts are taken any more. */
  private boolean isBroken;

  /** Posts requests of a program. */
  interface Poster {
    /**
     * Posts requests without an answer.
     *
     * @param places offset of each record
     * @return the room for further sends, or {@code -1 - n} if request n was refused and those
     *     after it are not posted
     */
    int post(long queue, boolean isReceive, ByteBuffer posts, int[] places, int count);
  }

  Mailbox(AttachedProgram program, Poster poster, ByteBuffer chunk, int index) {
    this.program = program;
    this.poster = poster;
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

  /**
   * Limit of posts that the library may make to one queue without an answer. A worker may close it
   * while the engine shows the room of its queue.
   */
  final class Window implements IntConsumer {
    private final int limitAt;
    private long queue;
    private int taken;

    /** Queue that reports its room for receives, or null. */
    private ReceivePoster receives;

    Window(int place) {
      limitAt = at + Protocol.MAILBOX_LIMITS + place * Integer.BYTES;
    }

    /** Lets the library post {@code room} more requests. */
    @Override
    public void accept(int room) {
      INT.setRelease(chunk, limitAt, taken + room);
    }

    /** Reports the room of a queue for receives from now on; null for none. */
    synchronized void show(ReceivePoster newReceives) {
      if (receives != newReceives) {
        close();
        receives = newReceives;
      }
      if (receives != null) {
        receives.tellRoomTo(this);
      }
    }

    /** Sets the limit so that the next post needs a call. */
    synchronized void close() {
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

  /** Marks the call as given to a worker; false if a worker has not answered an earlier one. */
  boolean startWaiting() {
    return isWaiting.compareAndSet(false, true);
  }

  /** Carries out a call on this thread, and answers it. */
  void answer(ServiceEntry entry, long handle, OpenFile about) {
    ProgramThread thread = ProgramThread.current();
    thread.workFor(program, about);
    long result;
    try {
      result = entry.call(handle, args);
    } catch (RuntimeException | Error bug) { // Other programs must not suffer.
      System.err.println("queuepair: " + entry + " fails, which is a bug: " + bug);
      result = -Kernel.EIO;
    }
    int file = thread.takeFile();
    if (file != 0) {
      boolean isPassed = result >= 0 && program.pass(file);
      Kernel.close(file);
      result = isPassed || result < 0 ? result : -Errno.ENOMEM.code();
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
      default -> closeWindows(handle); // The call may change the room of the queue.
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

  void answer(long result) {
    chunk.putLong(at + Protocol.MAILBOX_RESULT, result);
    isWaiting.setRelease(false);
    int call = chunk.getInt(at + Protocol.MAILBOX_CALL);
    INT.setVolatile(chunk, at + Protocol.MAILBOX_ANSWERED, call);
    wake();
  }

  /** Takes all posts; the next post to each queue needs a call. */
  void endPosts() {
    takePosts(Integer.MAX_VALUE);
    for (Window window : windows) {
      window.close();
    }
  }

  private int posted() {
    return (int) INT.getAcquire(chunk, at + Protocol.MAILBOX_POSTED);
  }

  boolean hasPosts() {
    return !isBroken && posted() != taken;
  }

  /**
   * Takes posts in order.
   *
   * @param most posts to take
   * @return what is left of {@code most}: each call costs at least 1, a refused post {@link
   *     #REFUSED_POSTS}
   */
  int takePosts(int most) {
    int posted = posted();
    int left = most;
    isBroken |= Integer.compareUnsigned(posted - taken, Protocol.POSTS_BYTES) > 0;
    while (left > 0 && !isBroken && taken != posted) {
      left -= takeTogether(posted, Math.min(left, places.length));
    }
    return Math.max(0, Math.min(left, most - 1));
  }

  /**
   * Takes consecutive posts of one kind to one queue, and posts them together, up to a refused one.
   *
   * @param posted end of the posts that are not taken yet
   * @return what they count for
   */
  private int takeTogether(int posted, int most) {
    int first = taken & (Protocol.POSTS_BYTES - 1);
    int end = Math.min(first + posted - taken, Protocol.POSTS_BYTES);
    int next = first;
    long queue = posts.getLong(next + Protocol.POST_QUEUE);
    int isReceive = posts.getInt(next + Protocol.POST_IS_RECEIVE);
    int count = 0;
    do {
      int bytes = posts.getInt(next);
      isBroken =
          bytes < Protocol.POST_RECORD
              || bytes % Protocol.POST_RECORD != 0
              || bytes > end - next
              || (queue == 0 && bytes != Protocol.POSTS_BYTES - next);
      if (isBroken) {
        break;
      }
      places[count] = next + Protocol.POST_RECORD;
      count++;
      next += bytes;
    } while (count < most
        && next < end
        && posts.getLong(next + Protocol.POST_QUEUE) == queue
        && posts.getInt(next + Protocol.POST_IS_RECEIVE) == isReceive);
    int accepted = queue == 0 ? count : post(queue, isReceive != 0, count);
    boolean isRefused = accepted < count;
    boolean areSomeLeft = accepted + 1 < count; // Behind the refused one.
    taken += (areSomeLeft ? places[accepted + 1] - Protocol.POST_RECORD : next) - first;
    INT.setRelease(chunk, at + Protocol.MAILBOX_TAKEN, taken);
    return accepted + (isRefused ? REFUSED_POSTS : 0);
  }

  /**
   * Posts the requests at the first {@link #places}; returns how many were accepted before the
   * first refused one. A receive leaves the limit as it is: it uses room for one, and counts as one
   * taken.
   */
  private int post(long queue, boolean isReceive, int count) {
    if (count == 0) {
      return 0;
    }
    int room = poster.post(queue, isReceive, posts, places, count);
    Window window = windowOf(queue, isReceive);
    window.taken += room < 0 ? -room : count;
    if (room < 0) {
      window.close();
    } else if (!isReceive) {
      window.accept(room);
    }
    return room < 0 ? -1 - room : count;
  }

  /** Answers a pending call with EIO; no further calls are taken. */
  void close() {
    for (Window window : windows) {
      window.close();
    }
    answer(-Kernel.EIO);
  }

  private void wake() {
    if ((int) INT.getVolatile(chunk, at + Protocol.MAILBOX_SLEEPS) != 0) {
      Kernel.futexWake(chunk, at + Protocol.MAILBOX_ANSWERED);
    }
  }
}
