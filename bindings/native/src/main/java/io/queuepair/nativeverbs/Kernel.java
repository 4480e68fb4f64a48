// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * System calls that Java lacks, by the C library that the service has loaded. What fails returns a
 * negated errno. Buffers are direct.
 */
final class Kernel {
  /** Events of epoll(7). */
  static final int READABLE = 1;

  static final int WRITABLE = 4;
  static final int EDGE_TRIGGERED = 1 << 31;

  static final int EAGAIN = 11;

  private Kernel() {}

  /**
   * The result of a call that makes a descriptor.
   *
   * @throws VerbsException ENOMEM if there is none: a limit of the service is reached
   */
  static int required(int descriptor) {
    if (descriptor < 0) {
      throw new VerbsException(
          Errno.ENOMEM, Refusals.UNKNOWN_VERB, "the service has no descriptor: " + -descriptor);
    }
    return descriptor;
  }

  /** Memory in the byte order of the machine. */
  static ByteBuffer mapped(int descriptor, long bytes) {
    ByteBuffer memory = map(descriptor, bytes);
    if (memory == null) {
      throw new VerbsException(
          Errno.ENOMEM, Refusals.UNKNOWN_VERB, "the service cannot map memory");
    }
    return memory.order(ByteOrder.nativeOrder());
  }

  /** A file in memory whose length is sealed. */
  static native int createShared(long bytes);

  static native ByteBuffer map(int descriptor, long bytes);

  static native void unmap(ByteBuffer memory, long bytes);

  /** Forbids further seals, and if it is not 0 writing by all who have not mapped it yet. */
  static native int seal(int descriptor, int isReadOnly);

  /** Makes the first word of a page tell when this thread is dead; it must never end. */
  static native int lockForLife(ByteBuffer page);

  /** Listens to an abstract name. */
  static native int listen(ByteBuffer name, int length);

  static native int connect(ByteBuffer name, int length);

  static native int accept(int socket);

  /** The process at the other end, above the number of its user. */
  static native long peer(int socket);

  static native int user();

  /**
   * Receives a message.
   *
   * @param room bytes for it; behind them go two descriptors that came with it, or -1
   * @return how many bytes it has
   */
  static native int receive(int socket, ByteBuffer into, int room);

  /** Sends a message, with up to three descriptors, 0 for none, without waiting. */
  static native int send(
      int socket, ByteBuffer from, int offset, int bytes, int first, int second, int third);

  /** A socket of netlink that other processes can send to: its port, above its descriptor. */
  static native long netlink();

  /** Receives a message of netlink; behind the room for it goes the port of the sender. */
  static native int receiveNetlink(int socket, ByteBuffer into, int room);

  /** Sends a message of netlink; waits a while for room. */
  static native int sendNetlink(int socket, ByteBuffer from, int bytes, int port);

  /** Two descriptors, one above the other. */
  static native long socketPair();

  /** Number of a socket, which no other ever gets; 0 if it is none. */
  static native long cookieOf(int socket);

  /** Not 0 if no process has the other end of a socket any more. */
  static native int isHungUp(int socket);

  static native int duplicate(int descriptor);

  static native int eventFd();

  static native void ring(int eventFd);

  static native int pidFd(int process);

  static native int epoll();

  static native int watch(int epoll, int descriptor, int events, long id);

  static native int unwatch(int epoll, int descriptor);

  /** The id of what has happened, or -1 after some time; -1 milliseconds are for ever. */
  static native long await(int epoll, int millis);

  /** Waits for one of the event descriptors that are watched, edge-triggered. */
  static native void awaitBells(int epoll, long nanos);

  static native void close(int descriptor);

  /** Number of the file that a descriptor is of. */
  static native long fileOf(int descriptor);

  /** Writes bytes, if that is possible without waiting; otherwise the result is not above 0. */
  static native int writeIfReady(int descriptor, ByteBuffer from, int bytes);

  static native void futexWake(ByteBuffer memory, int offset);

  static native void schedYield();

  /** Asks for turns of the processor of that length for the calling thread. */
  static native void setSlice(long nanos);

  /** Leaves the session of the caller; what is made from now on may be read by all. */
  static native int newSession();

  /**
   * Leaves the directory and the standard files of the process that started this one.
   *
   * @param error becomes standard error, and is closed
   */
  static native int detach(int error);

  /** Opens a file to append to, made now unless it is there; its name ends with a zero byte. */
  static native int openLog(ByteBuffer path);

  /** Not 0 if a descriptor is of the memory of a process. */
  static native int isMemory(int descriptor);

  /** Not 0 if memory of a process can also be read and written by its number. */
  static native int isReachable(int process);

  /**
   * Finds what the AddressSanitizer of a program forbids.
   *
   * @param memory of the program
   * @param scale of the shadow
   * @param offset of the shadow
   * @return the first such address of a range, or 0
   */
  static native long findPoison(int memory, long scale, long offset, long address, long length);

  /** Not 0 if all was read. */
  static native int readMemory(
      int memory,
      int process,
      int isForced,
      long address,
      ByteBuffer target,
      int offset,
      int length);

  /** How many pieces, from the first on, were written. */
  static native int writeMemory(
      int memory,
      int process,
      int isForced,
      ByteBuffer source,
      ByteBuffer pieces,
      int first,
      int count);
}
