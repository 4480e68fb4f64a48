// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;

/**
 * Open file of a device or of the connection manager: the service's end of a socket pair. It ends,
 * with all objects in it, when no process has the other end any more.
 */
final class OpenFile {
  final AttachedProgram opener;
  final int end;
  final long cookie;

  /** Calls that worker threads carry out; the end of the file waits for them. */
  final Phaser calls = new Phaser(1);

  /** Completed when the file has ended. */
  final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** Whether calls are refused; engine thread only. */
  boolean isEnding;

  /** Whether more than one program has the file; engine thread only. */
  boolean isShared;

  private final HandleTable handles;
  private final Map<Long, EventSocket> sockets = new ConcurrentHashMap<>();
  private volatile long handle;

  /**
   * Takes ownership of a descriptor.
   *
   * @param handles table of its objects
   * @param opener program that opened the file
   * @param end descriptor of the service's end
   * @param cookie socket cookie of the programs' end
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

  /** Adds the object of the file, a context or an {@link RdmaCmFile}; returns its handle. */
  long open(AutoCloseable object) {
    handle = handles.add(this, object);
    return handle;
  }

  /** Handle of the object of the file, or 0. */
  long handle() {
    return handle;
  }

  /** Sends events of an object through a socket, which is closed with the object. */
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

  /** Number of events for which its sockets have no room. */
  int unsentEvents() {
    return sockets.values().stream().mapToInt(EventSocket::waitingCount).sum();
  }

  /** Whether some process can read the events of an object, though this program has closed them. */
  boolean hasReaderOf(long object) {
    EventSocket socket = socketOf(object);
    return socket != null && !socket.isHungUp();
  }

  /** Sends an event of the device or of a port to each context of the file. */
  void sendToAll(int type, int port) {
    sockets.forEach(
        (object, socket) -> {
          if (handles.find(object) == socket) { // The other sockets are of channels.
            socket.send(type, port);
          }
        });
  }

  /**
   * Destroys all objects, as the kernel does when a file is closed: first the object that the file
   * is of, with all in it. Called after the engine has stopped answering calls about the file.
   */
  void destroy() {
    calls.arriveAndAwaitAdvance();
    ProgramThread thread = ProgramThread.current();
    thread.workFor(opener, this);
    try {
      for (int round = 0; round < 2; round++) { // Objects in use by others go second.
        DeviceEntries.closeQuietly(handle);
        handles.latestFirst(this).forEach(DeviceEntries::closeQuietly);
      }
    } finally {
      thread.workFor(null, null);
    }
    Kernel.close(end);
    ended.complete(null);
  }
}
