// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * An event channel. The library needs it as long as ids are on it and threads wait at it, so it is
 * destroyed after the last of them.
 *
 * <p>An event is acknowledged to the library as soon as it is read: what the program has to
 * acknowledge is kept count of here, where the destruction of an id can be refused.
 */
final class NativeEventChannel implements RdmaEventChannel {
  private static final String GET = "rdma_get_cm_event";
  private static final int FD = VerbsAbi.offset("rdma_event_channel.fd");
  private static final int ID = VerbsAbi.offset("rdma_cm_event.id");
  private static final int LISTEN_ID = VerbsAbi.offset("rdma_cm_event.listen_id");
  private static final int EVENT = VerbsAbi.offset("rdma_cm_event.event");

  private final NativeRdmaCm host;
  private final long address;
  private final EventFile file;

  /** Ids on it, and threads that use it. */
  private int users;

  private boolean isClosed;

  NativeEventChannel(NativeRdmaCm host) {
    this.host = host;
    address = Librdmacm.CREATE_EVENT_CHANNEL.pointer();
    file = new EventFile(RawMemory.getInt(address + FD));
  }

  NativeRdmaCm host() {
    return host;
  }

  long address() {
    return address;
  }

  /** Keeps it until {@link #leave}; one that the program has closed is refused. */
  synchronized void enter(String verb) {
    check(verb);
    users++;
  }

  /** Keeps it for an id whose channel is not the program's, and may be closed for it. */
  private synchronized void enterAnyway() {
    users++;
  }

  synchronized void leave() {
    users--;
    destroyIfUnused();
  }

  private synchronized void check(String verb) {
    if (isClosed) {
      throw new VerbsException(Errno.EINVAL, verb, "the event channel was destroyed");
    }
  }

  private void destroyIfUnused() {
    if (isClosed && users == 0) {
      Librdmacm.DESTROY_EVENT_CHANNEL.value(address);
    }
  }

  @Override
  public RdmaCmId createId(RdmaPortSpace ps) {
    Objects.requireNonNull(ps, "ps");
    return createId(ps, false);
  }

  NativeRdmaCmId createId(RdmaPortSpace ps, boolean isSynchronous) {
    enter("rdma_create_id");
    boolean isMade = false;
    try (Arena arena = Arena.ofConfined()) {
      long pointer = RawMemory.allocate(arena, Long.BYTES);
      Librdmacm.CREATE_ID.status(address, pointer, 0L, ps.code());
      NativeRdmaCmId id = new NativeRdmaCmId(host, RawMemory.getLong(pointer), this, isSynchronous);
      isMade = true;
      return id;
    } finally {
      if (!isMade) {
        leave();
      }
    }
  }

  /** Takes over an id that the library has made in its synchronous mode. */
  NativeRdmaCmId adopt(long id) {
    enter("rdma_create_ep");
    boolean isMade = false;
    try {
      Librdmacm.MIGRATE_ID.status(id, address);
      NativeRdmaCmId adopted = new NativeRdmaCmId(host, id, this, true);
      isMade = true;
      return adopted;
    } finally {
      if (!isMade) {
        Librdmacm.DESTROY_EP.value(id);
        leave();
      }
    }
  }

  @Override
  public RdmaCmEvent getCmEvent() {
    return take(null, true).orElseThrow();
  }

  @Override
  public Optional<RdmaCmEvent> getCmEvent(Duration timeout) {
    return take(Objects.requireNonNull(timeout, "timeout"), true).map(event -> event);
  }

  /** The next event of an id in synchronous mode, whose channel is closed from the beginning. */
  NativeRdmaCmEvent awaitEvent() {
    return take(null, false).orElseThrow();
  }

  private Optional<NativeRdmaCmEvent> take(Duration timeout, boolean isPrograms) {
    if (isPrograms) {
      enter(GET);
    } else {
      enterAnyway();
    }
    Runnable check = isPrograms ? () -> check(GET) : () -> {};
    long end = EventFile.endOf(timeout);
    try (Arena arena = Arena.ofConfined()) {
      long pointer = RawMemory.allocate(arena, Long.BYTES);
      while (file.await(end, GET, check)) {
        if (Librdmacm.GET_CM_EVENT.value(address, pointer) == 0) {
          NativeRdmaCmEvent event = readAndAcknowledge(RawMemory.getLong(pointer));
          if (event != null) {
            return Optional.of(event);
          }
        } else if (ControlFunction.lastErrno() != Errno.EAGAIN.code()) {
          throw Librdmacm.GET_CM_EVENT.refusal(ControlFunction.lastErrno());
        }
      }
      return Optional.empty();
    } finally {
      leave();
    }
  }

  /** Null for an event that no program is to see: of an id that is being destroyed. */
  private NativeRdmaCmEvent readAndAcknowledge(long event) {
    long idAddress = RawMemory.getLong(event + ID);
    long listenerAddress = RawMemory.getLong(event + LISTEN_ID);
    Optional<RdmaCmEventType> type =
        VerbsConstant.of(RdmaCmEventType.class, RawMemory.getInt(event + EVENT));
    boolean isRequest = type.filter(t -> t == RdmaCmEventType.CONNECT_REQUEST).isPresent();
    NativeRdmaCmId listener = isRequest ? host.idAt(listenerAddress) : null;
    NativeRdmaCmId id = isRequest ? requestOf(idAddress, listener) : host.idAt(idAddress);
    NativeRdmaCmEvent read = null;
    if (id != null && type.isPresent()) {
      read = NativeRdmaCmEvent.read(event, type.get(), id, listener);
      read.take();
    }
    Librdmacm.ACK_CM_EVENT.value(event);
    if (isRequest && id == null) {
      Librdmacm.DESTROY_ID.value(idAddress);
    }
    return read;
  }

  /** The new id of a request, on this channel; null if no id listens any more. */
  private NativeRdmaCmId requestOf(long idAddress, NativeRdmaCmId listener) {
    if (listener == null) {
      return null;
    }
    enterAnyway();
    NativeRdmaCmId request = new NativeRdmaCmId(host, idAddress, this, false);
    request.setContext(listener.context());
    return request;
  }

  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      destroyIfUnused();
    }
  }

  @Override
  public synchronized String toString() {
    return "event channel" + (isClosed ? " (destroyed)" : "");
  }
}
