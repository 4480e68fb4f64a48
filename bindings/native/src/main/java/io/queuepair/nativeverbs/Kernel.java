// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * System calls that Java lacks, made by {@code kernel.c}. Failures are negated errnos. Buffers are
 * direct.
 */
final class Kernel {
  /** Events of epoll(7). */
  static final int READABLE = 1;

  static final int WRITABLE = 4;
  static final int EDGE_TRIGGERED = 1 << 31;

  /** Values of errno that verbs do not have. */
  static final int EIO = 5;

  static final int EBADF = 9;
  static final int EACCES = 13;

  private Kernel() {}

  /**
   * Checks the result of a call that makes a descriptor.
   *
   * @throws VerbsException ENOMEM if it failed, as a limit of the service is reached
   */
  static int required(int descriptor) {
    if (descriptor < 0) {
      throw new VerbsException(
          Errno.ENOMEM, Refusals.UNKNOWN_VERB, "the service has no descriptor: " + -descriptor);
    }
    return descriptor;
  }

  /** Maps shared memory, in native byte order; if that fails, closes it and refuses with ENOMEM. */
  static ByteBuffer mapped(int descriptor, long bytes) {
    ByteBuffer memory = map(descriptor, bytes);
    if (memory == null) {
      close(descriptor);
      throw new VerbsException(
          Errno.ENOMEM, Refusals.UNKNOWN_VERB, "the service cannot map memory");
    }
    return memory.order(ByteOrder.nativeOrder());
  }

  /** Creates a memfd whose length is sealed. */
  static native int createShared(long bytes);

  static native ByteBuffer map(int descriptor, long bytes);

  static native void unmap(ByteBuffer memory, long bytes);

  /**
   * Seals a memfd: no seal can be added any more (F_SEAL_SEAL). If {@code isReadOnly} is not 0,
   * mappings made from now on cannot be written either (F_SEAL_FUTURE_WRITE).
   */
  static native int seal(int descriptor, int isReadOnly);

  /** Makes the first word of a page tell when this thread is dead; the thread must never end. */
  static native int lockForLife(ByteBuffer page);

  /** Listens on an abstract Unix socket. */
  static native int listen(ByteBuffer name, int length);

  static native int connect(ByteBuffer name, int length);

  static native int accept(int socket);

  /** Process id of the peer in the upper 32 bits, its user id in the lower. */
  static native long peer(int socket);

  static native int user();

  /**
   * Receives a message.
   *
   * @param room bytes for it; two descriptors that came with it, or -1, follow them
   * @return bytes of the message
   */
  static native int receive(int socket, ByteBuffer into, int room);

  /** Sends a message without waiting, with up to three descriptors; 0 stands for none. */
  static native int send(
      int socket, ByteBuffer from, int offset, int bytes, int first, int second, int third);

  /** Opens a netlink socket for other processes: port above, descriptor in the lower 32 bits. */
  static native long netlink();

  /** Receives a netlink message; the sender's port follows {@code room} bytes for it. */
  static native int receiveNetlink(int socket, ByteBuffer into, int room);

  /** Sends a netlink message; waits up to 1 s for room. */
  static native int sendNetlink(int socket, ByteBuffer from, int bytes, int port);

  /** Creates a socket pair, one descriptor in the upper 32 bits, the other in the lower. */
  static native long socketPair();

  /** Socket cookie, which no other socket ever gets; 0 if the descriptor is no socket. */
  static native long cookieOf(int socket);

  /** Not 0 if no process has the other end of a socket any more. */
  static native int isHungUp(int socket);

  static native int duplicate(int descriptor);

  /** Number of descriptors that this process may have. */
  static native int descriptorLimit();

  static native int eventFd();

  static native void ring(int eventFd);

  static native int pidFd(int process);

  static native int epoll();

  static native int watch(int epoll, int descriptor, int events, long id);

  static native int unwatch(int epoll, int descriptor);

  /** Id of a descriptor with an event, or -1 after the time limit; -1 milliseconds are for ever. */
  static native long await(int epoll, int millis);

  /** Waits for watched eventfds, which are edge-triggered; returns 0 after the time limit. */
  static native int awaitBells(int epoll, long nanos);

  static native void close(int descriptor);

  /** Number that identifies the file of a descriptor. */
  static native long fileOf(int descriptor);

  /** Writes bytes if that is possible without waiting; otherwise the result is not above 0. */
  static native int writeIfReady(int descriptor, ByteBuffer from, int bytes);

  static native void futexWake(ByteBuffer memory, int offset);

  static native void schedYield();

  /** Asks for time slices of that length for the calling thread; 0 for those of the system. */
  static native void setSlice(long nanos);

  /** Begins a new session; files created from now on are readable by all. */
  static native int newSession();

  /**
   * Leaves the directory and the standard files of the process that started this one.
   *
   * @param error descriptor that becomes standard error, and is closed
   */
  static native int detach(int error);

  /** Opens a file to append to, created if needed; its path ends with a zero byte. */
  static native int openLog(ByteBuffer path);

  /** Not 0 if a descriptor is of {@code /proc/PID/mem}. */
  static native int isMemory(int descriptor);

  /** Not 0 if process_vm_readv(2) can access the memory of a process. */
  static native int isReachable(int process);

  /**
   * Finds the first byte of a range that the AddressSanitizer of a program forbids.
   *
   * @param memory descriptor of the program's memory
   * @param scale of the shadow
   * @param offset of the shadow
   * @return its address, or 0
   */
  static native long findPoison(int memory, long scale, long offset, long address, long length);

  /** Not 0 if all bytes were read. */
  static native int readMemory(
      int memory,
      int process,
      int isForced,
      long address,
      ByteBuffer target,
      int offset,
      int length);

  /** Number of pieces written, counted from {@code first} on. */
  static native int writeMemory(
      int memory,
      int process,
      int isForced,
      ByteBuffer source,
      ByteBuffer pieces,
      int first,
      int count);
}
