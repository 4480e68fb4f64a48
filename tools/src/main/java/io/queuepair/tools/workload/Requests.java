package io.queuepair.tools.workload;

import io.queuepair.verbs.AtomicCmpAndSwp;
import io.queuepair.verbs.AtomicFetchAndAdd;
import io.queuepair.verbs.AtomicWrite;
import io.queuepair.verbs.Flush;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WrOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Gives {@link Work} its memory and makes the request of it. */
final class Requests {
  private static final int NO_SUCH_KEY = 0x7fff_ff00;

  private final Side side;

  Requests(Side side) {
    this.side = side;
  }

  /** A request, and what must come of it. */
  record Request(SendWr wr, Sent sent) {}

  /**
   * Makes the request.
   *
   * @param before the send posted before it if that is not known to be done, otherwise null
   * @return null if there is no memory for it
   */
  Request of(long wrId, Work work, Sent before) {
    boolean echoes = mayEcho(work, before);
    Sent sent = new Sent(wrId, work, echoes ? prefix(before, work) : data(work));
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
    return new Request(addressed(request(sent, sges)), sent);
  }

  /** Behind its fence, a SEND may send what the READ before it brings. */
  private static boolean mayEcho(Work work, Sent before) {
    return before != null
        && before.work().opcode() == WrOpcode.RDMA_READ
        && work.opcode() == WrOpcode.SEND
        && work.flags().contains(SendFlag.FENCE)
        && !work.isInline()
        && work.flaw() == Flaw.NONE
        && before.work().bytes() >= work.bytes();
  }

  private static byte[] prefix(Sent read, Work work) {
    return Arrays.copyOf(read.data(), work.bytes());
  }

  /** What it carries, or finds: a part of the memory that never changes, or a number. */
  private byte[] data(Work work) {
    if (work.isAtomic()) {
      boolean carriesNumber = work.opcode() == WrOpcode.ATOMIC_WRITE;
      return bytesOf(carriesNumber ? work.operand() : side.peer().word().predicted());
    }
    Host owner = work.fetchesData() ? side.peer().host() : side.host();
    return owner.source(sourceOffset(work), work.bytes());
  }

  private static byte[] bytesOf(long number) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    return bytes.putLong(0, number).array();
  }

  private static int sourceOffset(Work work) {
    return Math.floorMod(work.operand(), Host.SOURCE_BYTES - Workload.TOO_LONG_BYTES);
  }

  private boolean takeMemory(Sent sent) {
    Work work = sent.work();
    if (work.fetchesData() || work.isInline() || work.opcode() == WrOpcode.ATOMIC_WRITE) {
      sent.local = side.local().take();
      if (sent.local == null) {
        return false;
      }
      sent.local.expect(sent.data());
    }
    if (work.isWrite()) {
      sent.remote = side.peer().remote().take();
      if (sent.remote == null) {
        if (sent.local != null) {
          sent.local.release();
        }
        return false;
      }
      sent.remote.expect(sent.data());
    }
    return true;
  }

  /** Says what the atomic leaves behind; one that the peer refuses nothing new. */
  private void predict(Sent sent) {
    Work work = sent.work();
    if (addsToTally(work)) {
      sent.tally = side.peer().host().tally();
      sent.tally.posted();
      sent.local.open(Long.BYTES);
      return;
    }
    sent.word = side.peer().word();
    long found = sent.word.predicted();
    long left =
        switch (work.opcode()) {
          case ATOMIC_WRITE -> work.operand();
          case ATOMIC_FETCH_AND_ADD -> found + work.operand();
          default -> comparesWell(work) ? work.operand() : found;
        };
    // Whether its answer can be placed here does not matter to the peer.
    boolean reachesPeer = work.flaw() == Flaw.NONE || work.flaw() == Flaw.LOCAL_KEY;
    sent.word.posted(reachesPeer ? left : found);
  }

  /** One addition in four is to the number that all have in common. */
  private static boolean addsToTally(Work work) {
    return work.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD && work.operand() % 4 == 0;
  }

  private static boolean comparesWell(Work work) {
    return work.operand() % 4 != 0;
  }

  private List<Sge> sges(Sent sent, boolean echoes) {
    Work work = sent.work();
    if (work.opcode() == WrOpcode.FLUSH) {
      return List.of();
    }
    MemoryRegion source = side.host().sourceRegion();
    List<Sge> sges =
        sent.local == null
            ? Slot.sges(
                source.addr() + sourceOffset(work), work.bytes(), work.pieces(), source.lkey())
            : sent.local.sges(work.bytes(), work.pieces());
    if (sent.local != null && work.sendsData() && !echoes) {
      sent.local.put(sent.data());
    }
    return work.flaw() == Flaw.LOCAL_KEY ? unknown(sges) : sges;
  }

  private static List<Sge> unknown(List<Sge> sges) {
    return sges.stream().map(sge -> new Sge(sge.addr(), sge.length(), NO_SUCH_KEY)).toList();
  }

  private SendWr request(Sent sent, List<Sge> sges) {
    Work work = sent.work();
    long id = sent.wrId();
    Set<SendFlag> flags = work.flags();
    return switch (work.opcode()) {
      case SEND -> new SendWr.Send(id, sges, flags);
      case SEND_WITH_IMM -> new SendWr.SendWithImm(id, sges, flags, work.operand());
      case RDMA_WRITE -> new SendWr.RdmaWrite(id, sges, flags, sent.remote.addr(), rkey(sent));
      case RDMA_WRITE_WITH_IMM ->
          new SendWr.RdmaWriteWithImm(
              id, sges, flags, sent.remote.addr(), rkey(sent), work.operand());
      case RDMA_READ -> {
        long addr = side.peer().host().sourceRegion().addr() + sourceOffset(work);
        yield new SendWr.RdmaRead(id, sges, flags, addr, rkey(sent));
      }
      case ATOMIC_CMP_AND_SWP -> {
        long compare = sent.word.predictedBeforeLast() + (comparesWell(work) ? 0 : 1);
        yield new AtomicCmpAndSwp(
            id, sges, flags, atomicAddr(sent), rkey(sent), compare, work.operand());
      }
      case ATOMIC_FETCH_AND_ADD ->
          new AtomicFetchAndAdd(
              id,
              sges,
              flags,
              atomicAddr(sent),
              rkey(sent),
              sent.tally == null ? work.operand() : 1);
      case ATOMIC_WRITE -> new AtomicWrite(id, sges, flags, atomicAddr(sent), rkey(sent));
      case FLUSH -> {
        MemoryRegion words = side.peer().host().wordsRegion();
        Set<PlacementType> global = Set.of(PlacementType.GLOBAL);
        SelectivityLevel level = SelectivityLevel.values()[Math.floorMod(work.operand(), 2)];
        yield new Flush(id, flags, words.addr(), rkey(sent), work.bytes(), global, level);
      }
      case SEND_WITH_INV, LOCAL_INV, BIND_MW, TSO, DRIVER1 ->
          throw new IllegalArgumentException(work.opcode() + " is not simulated");
    };
  }

  private int rkey(Sent sent) {
    Work work = sent.work();
    if (work.flaw() == Flaw.REMOTE_KEY) {
      return NO_SUCH_KEY;
    }
    if (sent.remote != null) {
      return sent.remote.rkey();
    }
    Host peer = side.peer().host();
    boolean reads = work.opcode() == WrOpcode.RDMA_READ;
    return reads ? peer.sourceRegion().rkey() : peer.wordsRegion().rkey();
  }

  private static long atomicAddr(Sent sent) {
    long addr = sent.tally == null ? sent.word.addr() : sent.tally.addr();
    return sent.work().flaw() == Flaw.MISALIGNED ? addr + 1 : addr;
  }

  private SendWr addressed(SendWr wr) {
    return side.plan().type() == QpType.UD
        ? wr.to(side.addressOfPeer(), side.peer().qp().qpNum(), Side.QKEY)
        : wr;
  }
}
