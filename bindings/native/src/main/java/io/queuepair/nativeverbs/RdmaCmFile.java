// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.internal.CProgramHost;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

/**
 * Open device file of the connection manager, an event channel of librdmacm: its ids, and its
 * unread events. One thread takes the events of all files, since programs wait in poll or read. One
 * lock guards all files, as ids move between them.
 */
final class RdmaCmFile implements AutoCloseable {
  /** Limit of unread events: a program that reads none must not fill the memory. */
  private static final int MAX_EVENTS = 1 << 16;

  private static final Object LOCK = new Object();

  /** Files with an event that is not taken yet, once for each. */
  private static final BlockingQueue<RdmaCmFile> ARRIVED = new LinkedBlockingQueue<>();

  private static final Map<Integer, RdmaCmObject> OBJECTS = new HashMap<>();
  private static final Map<RdmaCmId, RdmaCmObject> IDS = new HashMap<>();

  /** Whether the thread runs that takes events. */
  private static boolean areTaken;

  private final CProgramHost host;
  private final BooleanSupplier isOfCaller;
  private final RdmaEventChannel channel;
  private final IntConsumer readable;
  private final Deque<Queued> events = new ArrayDeque<>();
  private boolean isClosed;

  /** Number of its ids and memberships. */
  private int objectCount;

  /** An event, its copy, the id it is reported to, and its object: for a request, the new id. */
  private record Queued(
      RdmaCmObject about, RdmaCmObject object, RdmaCmEvent event, RdmaCmEventStruct copy) {
    boolean isRequest() {
      return object != about;
    }
  }

  /**
   * Opens a file.
   *
   * @param devices places of the devices that the program may see
   * @param isOfCaller whether the calling program has the file: ids move only between files of one
   *     program
   * @param readable makes its descriptor readable (1) when there are events, or not (0)
   */
  RdmaCmFile(
      CProgramHost host, List<Integer> devices, BooleanSupplier isOfCaller, IntConsumer readable) {
    this.host = host;
    this.isOfCaller = isOfCaller;
    this.readable = readable;
    channel = host.createReadAheadChannel(devices, () -> ARRIVED.add(this));
    startTaking();
  }

  private static void startTaking() {
    synchronized (LOCK) {
      if (!areTaken) {
        Thread events = new Thread(RdmaCmFile::takeEvents, "queuepair-rdma-cm");
        events.setDaemon(true);
        events.start();
        areTaken = true;
      }
    }
  }

  RdmaEventChannel channel() {
    return channel;
  }

  private static void takeEvents() {
    try {
      while (true) {
        ARRIVED.take().takeEvent();
      }
    } catch (InterruptedException never) {
      Thread.currentThread().interrupt();
    }
  }

  private void takeEvent() {
    try {
      channel.getCmEvent(Duration.ZERO).ifPresent(this::add);
    } catch (VerbsException ended) {
      return; // The channel was destroyed, with its file or with the device.
    } catch (RuntimeException | Error bug) { // The thread takes the events of other files, too.
      System.err.println("queuepair: rdma_cm continues after " + bug);
    }
  }

  private void add(RdmaCmEvent event) {
    boolean isRequest = event.event() == RdmaCmEventType.CONNECT_REQUEST;
    if (event.status() != 0 && !event.event().isWritten()) {
      Refusals.explain("RDMA_CM_EVENT_" + event + ": " + event.explain());
    }
    synchronized (LOCK) {
      RdmaCmEventStruct copy = RdmaCmEventStruct.of(event);
      RdmaCmObject about = about(event);
      RdmaCmObject object = isRequest && about != null ? addId(about.file, event.id(), 0) : about;
      event.ack(); // At once, as librdmacm counts acknowledgements of its program.
      if (about != null && (object.uid != 0 || object != about)) {
        about.file.enqueue(new Queued(about, object, event, copy));
        return;
      }
    }
    // Its id is destroyed, or not accepted yet: the kernel drops it, too, and rejects a request.
    if (isRequest) {
      close(event.id());
    }
  }

  private static RdmaCmObject about(RdmaCmEvent event) {
    if (event.event() == RdmaCmEventType.CONNECT_REQUEST) {
      return IDS.get(event.listenId());
    }
    if (event.arg() instanceof RdmaCmObject membership) {
      return OBJECTS.get(membership.number);
    }
    return IDS.get(event.id());
  }

  private void enqueue(Queued event) {
    if (isClosed || events.size() >= MAX_EVENTS) {
      return;
    }
    events.add(event);
    if (events.size() == 1) {
      readable.accept(1);
    }
  }

  private void removeEventsOf(RdmaCmObject object) {
    boolean hadSome = !events.isEmpty();
    events.removeIf(queued -> queued.about == object || queued.object == object);
    if (hadSome && events.isEmpty() && !isClosed) {
      readable.accept(0);
    }
  }

  /** Takes the oldest unread event; null if there is none. */
  RdmaCmEventStruct.Reported nextEvent() {
    synchronized (LOCK) {
      Queued next = events.poll();
      if (next == null) {
        return null;
      }
      if (events.isEmpty() && !isClosed) {
        readable.accept(0);
      }
      if (next.isRequest()) {
        host.read(next.event);
      }
      next.about.eventsReported++;
      return next.copy.about(next.about.uid, next.object.number);
    }
  }

  /** Gives a number to an id of a file. */
  RdmaCmObject addId(RdmaCmFile file, RdmaCmId id, long uid) {
    synchronized (LOCK) {
      RdmaCmObject object = new RdmaCmObject(file, id, null, uid);
      file.put(object);
      IDS.put(id, object);
      return object;
    }
  }

  /** Gives a number to a membership of a multicast group. */
  RdmaCmObject addMembership(RdmaCmId id, InetSocketAddress group, long uid) {
    synchronized (LOCK) {
      RdmaCmObject object = new RdmaCmObject(this, id, group, uid);
      put(object);
      return object;
    }
  }

  private void put(RdmaCmObject object) {
    OBJECTS.put(object.number, object);
    objectCount++;
  }

  /** Number of its ids, memberships and unread events. */
  int size() {
    synchronized (LOCK) {
      return objectCount + events.size();
    }
  }

  /**
   * Object of a number.
   *
   * @throws VerbsException ENOENT if there is none; EINVAL if it is of another file
   */
  RdmaCmObject object(int number) {
    synchronized (LOCK) {
      RdmaCmObject object = OBJECTS.get(number);
      if (object == null) {
        throw new VerbsException(Errno.ENOENT, "rdma_cm", "there is no id " + number);
      }
      if (object.file != this) {
        throw new VerbsException(
            Errno.EINVAL, "rdma_cm", "id " + number + " is of another event channel");
      }
      return object;
    }
  }

  /** Sets the uid by which librdmacm knows an id, from the time that it accepts the request. */
  static void setUid(RdmaCmObject object, long uid) {
    synchronized (LOCK) {
      object.uid = uid;
    }
  }

  /**
   * Removes an object with its unread events. Unread connection requests to it are rejected, and
   * their ids destroyed.
   *
   * @return how many of its events were read
   */
  int remove(RdmaCmObject object) {
    List<RdmaCmObject> requests;
    int reported;
    synchronized (LOCK) {
      requests = object.file.requestsOf(object);
      forget(object);
      requests.forEach(RdmaCmFile::forget);
      object.file.removeEventsOf(object);
      reported = object.eventsReported;
    }
    requests.forEach(request -> close(request.id));
    return reported;
  }

  /** New ids of unread connection requests. */
  private List<RdmaCmObject> requestsOf(RdmaCmObject listener) {
    return events.stream()
        .filter(queued -> queued.about == listener && queued.isRequest())
        .map(queued -> queued.object)
        .toList();
  }

  private static void forget(RdmaCmObject object) {
    if (OBJECTS.remove(object.number) != null) {
      object.file.objectCount--;
    }
    if (object.group == null) {
      IDS.remove(object.id);
    }
  }

  /**
   * Moves an id, with its unread events, to this file.
   *
   * @return how many of its events were read
   */
  int take(RdmaCmObject object) {
    RdmaCmFile from;
    synchronized (LOCK) {
      from = object.file;
    }
    migrate(object.id);
    synchronized (LOCK) {
      List<Queued> moved = new ArrayList<>();
      for (Queued queued : from.events) {
        if (queued.about == object) {
          moved.add(queued);
        }
      }
      from.removeEventsOf(object);
      from.objectCount--;
      object.file = this;
      objectCount++;
      moved.forEach(this::enqueue);
      return object.eventsReported;
    }
  }

  /** Retries on EBUSY: the thread of events is about to acknowledge one of the id. */
  private void migrate(RdmaCmId id) {
    while (true) {
      try {
        id.migrate(channel);
        return;
      } catch (VerbsException refused) {
        if (refused.errno() != Errno.EBUSY) {
          throw refused;
        }
        Thread.onSpinWait();
      }
    }
  }

  /**
   * An id of any file of the calling program, to be moved.
   *
   * @throws VerbsException ENOENT if there is none
   */
  RdmaCmObject anywhere(int number) {
    synchronized (LOCK) {
      RdmaCmObject object = OBJECTS.get(number);
      if (object == null || object.group != null || !object.file.isOfCaller.getAsBoolean()) {
        throw new VerbsException(Errno.ENOENT, "rdma_migrate_id", "there is no id " + number);
      }
      return object;
    }
  }

  /** Destroys the ids of the file. */
  @Override
  public void close() {
    synchronized (LOCK) {
      isClosed = true;
    }
    destroy(idsOf(object -> object.file == this));
    channel.close();
  }

  /** Destroys the ids of all files, as at the end of a process: their peers are disconnected. */
  static void destroyAll() {
    destroy(idsOf(object -> true));
  }

  List<RdmaCmObject> ids() {
    return idsOf(object -> object.file == this && object.group == null);
  }

  /** State of an id: a number of {@code enum rdma_cm_state}. */
  int stateOf(RdmaCmObject object) {
    return host.stateOf(object.id);
  }

  /** Texts that identify lines about its ids in a report. */
  List<String> names() {
    return ids().stream()
        .map(object -> "rdma_cm: %s port %d (".formatted(host(object.id), object.id.srcPort()))
        .toList();
  }

  private static String host(RdmaCmId id) {
    InetSocketAddress local = id.localAddr();
    return local == null ? "?" : local.getAddress().getHostAddress();
  }

  private static List<RdmaCmObject> idsOf(Predicate<RdmaCmObject> wanted) {
    synchronized (LOCK) {
      return OBJECTS.values().stream().filter(wanted).toList();
    }
  }

  private static void destroy(List<RdmaCmObject> objects) {
    for (RdmaCmObject object : objects) {
      object.file.remove(object);
      if (object.group == null) {
        close(object.id);
      }
    }
  }

  /** Closes an id; one that is busy does not keep the others open. */
  private static void close(RdmaCmId id) {
    try {
      id.close();
    } catch (VerbsException refused) {
      Refusals.explain(refused.getMessage());
    }
  }
}
