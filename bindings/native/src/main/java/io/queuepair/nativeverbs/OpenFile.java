// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;

/**
 * An open file, of a device or the connection manager: one end of a pair of sockets. It ends, with
 * all objects in it, when no process has the other end any more.
 */
final class OpenFile {
  final AttachedProgram opener;
  final int end;
  final long cookie;

  /** Calls that other threads than the engine carry out, and the end, which awaits them. */
  final Phaser calls = new Phaser(1);

  /** Done when it has ended. */
  final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** Whether calls are refused; of the engine. */
  boolean isEnding;

  /** Whether more than one program has it; of the engine. */
  boolean isShared;

  private final HandleTable handles;
  private final Map<Long, EventSocket> sockets = new ConcurrentHashMap<>();
  private volatile long handle;

  /**
   * Takes over a descriptor.
   *
   * @param handles where its objects are
   * @param opener the program that has opened it
   * @param end of the service
   * @param cookie of the end of programs
   */
  OpenFile(HandleTable handles, AttachedProgram opener, int end, long cookie) {
    this.handles = handles;
    this.opener = opener;
    this.end = end;
    this.cookie = cookie;
  }

  static OpenFile current() {
    return ProgramThread.current().openFile();
  }

  /** Names the context, or the file of the connection manager, that this is the file of. */
  long open(AutoCloseable object) {
    handle = handles.add(this, object);
    return handle;
  }

  /** The handle of that, or 0. */
  long handle() {
    return handle;
  }

  /** Lets events of an object go through a socket, which is closed with it. */
  void attach(long object, EventSocket socket) {
    sockets.put(object, socket);
    handles.onRemove(
        object,
        () -> {
          sockets.remove(object);
          socket.close();
        });
  }

  /** The socket of an object's events, or null. */
  EventSocket socketOf(long object) {
    return sockets.get(object);
  }

  /**
   * Whether an object has events that some process can read still: the program has closed those.
   */
  boolean hasReaderOf(long object) {
    EventSocket socket = socketOf(object);
    return socket != null && !socket.isHungUp();
  }

  /** Passes an event of the device or a port to each context of the file. */
  void sendToAll(int type, int port) {
    sockets.forEach(
        (object, socket) -> {
          if (handles.find(object) == socket) { // The others are of channels.
            socket.send(type, port);
          }
        });
  }

  /**
   * Destroys all objects, as the kernel does when a file is closed: first what it is of, with all
   * in it. Called when the engine answers no call about it any more.
   */
  void destroy() {
    calls.arriveAndAwaitAdvance();
    ProgramThread thread = ProgramThread.current();
    thread.workFor(opener, this);
    try {
      for (int round = 0; round < 2; round++) { // What is in use by others goes after them.
        DeviceEntries.closeQuietly(handle);
        handles.latestFirst(this).forEach(DeviceEntries::closeQuietly);
      }
    } finally {
      thread.workFor(null, null);
      Kernel.close(end);
      ended.complete(null);
    }
  }
}
