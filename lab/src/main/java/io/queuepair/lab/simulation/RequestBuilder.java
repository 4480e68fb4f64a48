// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.AtomicCmpAndSwpWr;
import io.queuepair.verbs.AtomicFetchAndAddWr;
import io.queuepair.verbs.AtomicWriteWr;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWithInvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WrOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Allocates the memory of a {@link WorkSpec} and builds its work request. */
final class RequestBuilder {
  private static final int NO_SUCH_KEY = 0x7fff_ff00;

  private static final int OWN_QKEY = 1 << 31;

  private final SimulatedQp side;

  RequestBuilder(SimulatedQp side) {
    this.side = side;
  }

  record BuiltRequest(SendWr wr, PendingSend sent) {}

  /**
   * Builds a work request.
   *
   * @param before the send posted before, if it is not known to be completed; otherwise null
   * @return null if there is no free memory
   */
  BuiltRequest of(long wrId, WorkSpec work, PendingSend before) {
    if (isForNoWindow(work)) {
      return null;
    }
    boolean echoes = mayEcho(work, before);
    PendingSend sent = new PendingSend(wrId, work, echoes ? prefix(before, work) : data(work));
    if (usesWindow(work) || work.opcode() == WrOpcode.SEND_WITH_INV) {
      sent.window = side.peer().window;
      sent.windowKey = sent.window.key();
    }
    if (!takeMemory(sent)) {
      return null;
    }
    if (echoes) {
      sent.local = before.local;
      sent.local.hold();
    }
    if (work.isAtomic()) {
      predict(sent);
    }
    List<Sge> sges = sges(sent, echoes);
    return new BuiltRequest(addressed(request(sent, sges), work), sent);
  }

  /** Whether the work needs a window in another state than the present one. */
  private boolean isForNoWindow(WorkSpec work) {
    if (work.isLocal()) {
      return side.window == null || !side.window.allows(work);
    }
    boolean closes = work.opcode() == WrOpcode.SEND_WITH_INV;
    return closes && (side.peer().window == null || !side.peer().window.allows(work));
  }

  /** Whether the request writes through the window of the peer. */
  private boolean usesWindow(WorkSpec work) {
    WindowModel window = side.peer().window;
    boolean mayUse =
        work.error() == InjectedError.NONE || work.error() == InjectedError.REMOTE_RANGE;
    return work.usesWindow() && work.isWrite() && mayUse && window != null && window.allows(work);
  }

  /** Whether a SEND may send the data of the READ before it, which a fence makes possible. */
  private static boolean mayEcho(WorkSpec work, PendingSend before) {
    return before != null
        && before.work.opcode() == WrOpcode.RDMA_READ
        && work.opcode() == WrOpcode.SEND
        && work.flags().contains(SendFlag.FENCE)
        && !work.isInline()
        && work.error() == InjectedError.NONE
        && before.work.bytes() >= work.bytes();
  }

  private static byte[] prefix(PendingSend read, WorkSpec work) {
    return Arrays.copyOf(read.data, work.bytes());
  }

  /** Data that the request carries or returns: a part of the constant memory, or a number. */
  private byte[] data(WorkSpec work) {
    if (work.isAtomic()) {
      boolean carriesNumber = work.opcode() == WrOpcode.ATOMIC_WRITE;
      return bytesOf(carriesNumber ? work.operand() : side.peer().word.predicted());
    }
    SimulatedHost owner = work.fetchesData() ? side.peer().host : side.host;
    return owner.source(sourceOffset(work), work.bytes());
  }

  private static byte[] bytesOf(long number) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    return bytes.putLong(0, number).array();
  }

  private static int sourceOffset(WorkSpec work) {
    return Math.floorMod(work.operand(), SimulatedHost.SOURCE_OFFSETS);
  }

  private boolean takeMemory(PendingSend sent) {
    WorkSpec work = sent.work;
    if (work.fetchesData() || work.isInline() || work.opcode() == WrOpcode.ATOMIC_WRITE) {
      sent.local = side.local.take();
      if (sent.local == null) {
        return false;
      }
      sent.local.expect(sent.data);
    }
    if (work.isWrite() && !work.error().isOfRemoteMemory()) {
      sent.remote = sent.window == null ? side.peer().remote.take() : sent.window.slot;
      if (sent.remote == null) {
        if (sent.local != null) {
          sent.local.release();
        }
        return false;
      }
      sent.remote.expect(sent.data);
    }
    return true;
  }

  /** Records the value that an atomic leaves; a refused one changes nothing. */
  private void predict(PendingSend sent) {
    WorkSpec work = sent.work;
    if (addsToTally(work)) {
      sent.counter = side.peer().host.counter;
      sent.counter.posted();
      sent.local.open(Long.BYTES);
      return;
    }
    sent.word = side.peer().word;
    long found = sent.word.predicted();
    long left =
        switch (work.opcode()) {
          case ATOMIC_WRITE -> work.operand();
          case ATOMIC_FETCH_AND_ADD -> found + work.operand();
          default -> comparesWell(work) ? work.operand() : found;
        };
    // An invalid local key does not prevent execution by the peer.
    boolean reachesPeer =
        work.error() == InjectedError.NONE || work.error() == InjectedError.LOCAL_KEY;
    sent.word.posted(reachesPeer ? left : found);
  }

  /** Whether a fetch-and-add targets the counter shared by all queue pairs, as one in four does. */
  private static boolean addsToTally(WorkSpec work) {
    return work.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD && work.operand() % 4 == 0;
  }

  private static boolean comparesWell(WorkSpec work) {
    return work.operand() % 4 != 0;
  }

  private List<Sge> sges(PendingSend sent, boolean echoes) {
    WorkSpec work = sent.work;
    if (work.opcode() == WrOpcode.FLUSH || work.isLocal()) {
      return List.of();
    }
    MemoryRegion source = side.host.sourceRegion;
    List<Sge> sges =
        sent.local == null
            ? GuardedBuffer.sges(
                source.addr() + sourceOffset(work), work.bytes(), work.pieces(), source.lkey())
            : sent.local.sges(work.bytes(), work.pieces());
    if (sent.local != null && work.sendsData() && !echoes) {
      sent.local.put(sent.data);
    }
    return work.error() == InjectedError.LOCAL_KEY ? unknown(sges) : sges;
  }

  private static List<Sge> unknown(List<Sge> sges) {
    return sges.stream().map(sge -> new Sge(sge.addr(), sge.length(), NO_SUCH_KEY)).toList();
  }

  private SendWr request(PendingSend sent, List<Sge> sges) {
    WorkSpec work = sent.work;
    long id = sent.wrId;
    Set<SendFlag> flags = work.flags();
    if (work.opcode() == WrOpcode.BIND_MW) {
      return side.window.bind(sent);
    }
    if (work.opcode() == WrOpcode.LOCAL_INV) {
      return side.window.invalidate(sent);
    }
    if (work.opcode() == WrOpcode.SEND_WITH_INV) {
      sent.window.closingByPeer();
      return new SendWithInvWr(id, sges, flags, sent.window.key());
    }
    RemoteLocation remote = remote(sent);
    return switch (work.opcode()) {
      case SEND -> new SendWr.Send(id, sges, flags);
      case SEND_WITH_IMM -> new SendWr.SendWithImm(id, sges, flags, work.operand());
      case RDMA_WRITE -> new SendWr.RdmaWrite(id, sges, flags, remote.addr, remote.rkey);
      case RDMA_WRITE_WITH_IMM ->
          new SendWr.RdmaWriteWithImm(id, sges, flags, remote.addr, remote.rkey, work.operand());
      case RDMA_READ -> new SendWr.RdmaRead(id, sges, flags, remote.addr, remote.rkey);
      case ATOMIC_CMP_AND_SWP -> {
        long compare = sent.word.predictedBeforeLast() + (comparesWell(work) ? 0 : 1);
        yield new AtomicCmpAndSwpWr(
            id, sges, flags, remote.addr, remote.rkey, compare, work.operand());
      }
      case ATOMIC_FETCH_AND_ADD ->
          new AtomicFetchAndAddWr(
              id, sges, flags, remote.addr, remote.rkey, sent.counter == null ? work.operand() : 1);
      case ATOMIC_WRITE -> new AtomicWriteWr(id, sges, flags, remote.addr, remote.rkey);
      case FLUSH -> {
        Set<PlacementType> global = Set.of(PlacementType.GLOBAL);
        SelectivityLevel level = SelectivityLevel.values()[Math.floorMod(work.operand(), 2)];
        yield new FlushWr(id, flags, remote.addr, remote.rkey, work.bytes(), global, level);
      }
      case SEND_WITH_INV, LOCAL_INV, BIND_MW, TSO, DRIVER1 ->
          throw new IllegalArgumentException(work.opcode() + " is not simulated");
    };
  }

  /** Address and key of peer memory in a request. */
  private record RemoteLocation(long addr, int rkey) {
    static RemoteLocation in(MemoryRegion region, long offset) {
      return new RemoteLocation(region.addr() + offset, region.rkey());
    }
  }

  /** Memory that a request names; with an injected error the request must not reach it. */
  private RemoteLocation remote(PendingSend sent) {
    WorkSpec work = sent.work;
    SimulatedHost peer = side.peer().host;
    MemoryRegion right = regionOf(sent);
    if (sent.window != null) {
      WindowModel window = sent.window;
      boolean isTooFar = work.error() == InjectedError.REMOTE_RANGE;
      long offset = isTooFar ? window.bytes() - work.bytes() + 1 : 0;
      return new RemoteLocation(window.slot.addr() + offset, window.key());
    }
    return switch (work.error()) {
      case NONE, LOCAL_KEY, TOO_LONG, BOUND_WINDOW ->
          new RemoteLocation(addrOf(sent), right.rkey());
      case MISALIGNED -> new RemoteLocation(addrOf(sent) + 1, right.rkey());
      case REMOTE_KEY -> new RemoteLocation(addrOf(sent), NO_SUCH_KEY);
      case REMOTE_WINDOW -> {
        WindowModel other = peer.openWindow(side.peer());
        yield other == null
            ? new RemoteLocation(addrOf(sent), NO_SUCH_KEY)
            : new RemoteLocation(other.slot.addr(), other.key());
      }
      case REMOTE_DOMAIN -> RemoteLocation.in(peer.foreignRegion, 0);
      case REMOTE_RANGE -> RemoteLocation.in(right, right.length() - work.bytes() + 1);
      case REMOTE_RIGHT ->
          work.isWrite() || work.opcode() == WrOpcode.ATOMIC_WRITE
              ? RemoteLocation.in(peer.sourceRegion, sourceOffset(work) & -Long.BYTES)
              : RemoteLocation.in(side.peer().remote.region, 0);
    };
  }

  /** Memory region of the peer for requests of this kind. */
  private MemoryRegion regionOf(PendingSend sent) {
    WorkSpec work = sent.work;
    SimulatedQp peer = side.peer();
    if (work.isWrite()) {
      return peer.remote.region;
    }
    return work.opcode() == WrOpcode.RDMA_READ ? peer.host.sourceRegion : peer.host.wordsRegion;
  }

  private long addrOf(PendingSend sent) {
    WorkSpec work = sent.work;
    if (sent.remote != null) {
      return sent.remote.addr();
    }
    if (sent.counter != null) {
      return sent.counter.addr();
    }
    if (sent.word != null) {
      return sent.word.addr();
    }
    boolean reads = work.opcode() == WrOpcode.RDMA_READ;
    return regionOf(sent).addr() + (reads ? sourceOffset(work) : 0);
  }

  /**
   * Addresses a datagram with the common Q_Key, or with a Q_Key whose highest bit is set, so that
   * the device uses that of the queue pair.
   */
  private SendWr addressed(SendWr wr, WorkSpec work) {
    int qkey = work.operand() % 2 == 0 ? SimulatedQp.QKEY : OWN_QKEY;
    return side.config.type() == QpType.UD
        ? wr.to(side.addressOfPeer(), side.peer().qp().qpNum(), qkey)
        : wr;
  }
}
