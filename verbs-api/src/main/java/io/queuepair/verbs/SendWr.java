// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A send work request ({@code struct ibv_send_wr}): one record for each operation, with just the
 * fields that the operation has. Posting reads the request once and keeps nothing of it.
 */
public sealed interface SendWr
    permits SendWr.Send,
        SendWr.SendWithImm,
        SendWr.RdmaWrite,
        SendWr.RdmaWriteWithImm,
        SendWr.RdmaRead,
        SendWithInvWr,
        AtomicCmpAndSwpWr,
        AtomicFetchAndAddWr,
        AtomicWriteWr,
        FlushWr,
        LocalInvWr,
        BindMwWr,
        TsoWr,
        UdWr,
        XrcWr {
  /**
   * Identifier returned in the completion.
   *
   * @return any value
   */
  long wrId();

  /**
   * The local memory, gathered (or, for a READ, scattered) in order.
   *
   * @return scatter/gather entries, possibly none
   */
  List<Sge> sgList();

  /**
   * The flags.
   *
   * @return a set, possibly empty
   */
  Set<SendFlag> flags();

  /**
   * The operation.
   *
   * @return its C constant
   */
  WrOpcode opcode();

  /**
   * A copy with other flags, which replace those it has: without {@link SendFlag#SIGNALED} it
   * completes without a completion. {@link #plusFlags} keeps them.
   *
   * @param newFlags all flags of the new request
   * @return a new request
   */
  SendWr withFlags(SendFlag... newFlags);

  /**
   * A copy with more flags.
   *
   * @param more flags besides those it has
   * @return a new request
   */
  default SendWr plusFlags(SendFlag... more) {
    Set<SendFlag> all = EnumSet.noneOf(SendFlag.class);
    all.addAll(flags());
    all.addAll(FlagSet.of("more", more));
    return withFlags(all.toArray(new SendFlag[0]));
  }

  /**
   * A copy without {@link SendFlag#SIGNALED}: only its failure gives a completion, unless the queue
   * pair signals all sends.
   *
   * @return a new request
   */
  default SendWr unsignaled() {
    Set<SendFlag> others = EnumSet.noneOf(SendFlag.class);
    others.addAll(flags());
    others.remove(SendFlag.SIGNALED);
    return withFlags(others.toArray(new SendFlag[0]));
  }

  /**
   * A copy with a destination: queue pairs of type UD need an address for every request.
   *
   * @param ah where the message goes
   * @param remoteQpn queue pair number of the receiver, 24-bit; 0xFFFFFF for a multicast group
   * @param remoteQkey Q_Key the receiver checks; with the top bit set that of the sender is used
   * @return a new request
   */
  default UdWr to(AddressHandle ah, int remoteQpn, int remoteQkey) {
    return new UdWr(this, ah, remoteQpn, remoteQkey);
  }

  /**
   * A copy for a shared receive queue of the peer: queue pairs of type XRC_SEND need one for every
   * request.
   *
   * @param remoteSrqn number of the shared receive queue, 24-bit
   * @return a new request
   */
  default XrcWr toSrq(int remoteSrqn) {
    return new XrcWr(this, remoteSrqn);
  }

  /** A request that names memory of the peer. */
  interface RemoteAccess {
    /**
     * Where the access starts.
     *
     * @return address of the first byte at the peer, unsigned 64-bit
     */
    long remoteAddr();

    /**
     * Key that allows the access.
     *
     * @return remote key of the region or window
     */
    int rkey();
  }

  /** A request that carries immediate data. */
  interface WithImmediate {
    /**
     * The immediate data.
     *
     * @return 32 bits whose big-endian bytes go on the wire
     */
    int immData();
  }

  /**
   * A SEND into a receive that the peer posted.
   *
   * @param wrId returned in the completion
   * @param sgList local memory
   * @param flags the flags
   */
  record Send(long wrId, List<Sge> sgList, Set<SendFlag> flags) implements SendWr {
    /**
     * Copies the list and the flags.
     *
     * @param wrId returned in the completion
     * @param sgList local memory
     * @param flags the flags
     */
    public Send {
      sgList = Sge.copyOf(sgList, "sgList");
      flags = FlagSet.copyOf(flags, "flags");
    }

    @Override
    public WrOpcode opcode() {
      return WrOpcode.SEND;
    }

    @Override
    public Send withFlags(SendFlag... newFlags) {
      return new Send(wrId, sgList, FlagSet.of("newFlags", newFlags));
    }
  }

  /**
   * A SEND with four bytes of immediate data.
   *
   * @param wrId returned in the completion
   * @param sgList local memory
   * @param flags the flags
   * @param immData immediate data; its big-endian bytes go on the wire
   */
  record SendWithImm(long wrId, List<Sge> sgList, Set<SendFlag> flags, int immData)
      implements SendWr, WithImmediate {
    /**
     * Copies the list and the flags.
     *
     * @param wrId returned in the completion
     * @param sgList local memory
     * @param flags the flags
     * @param immData immediate data; its big-endian bytes go on the wire
     */
    public SendWithImm {
      sgList = Sge.copyOf(sgList, "sgList");
      flags = FlagSet.copyOf(flags, "flags");
    }

    @Override
    public WrOpcode opcode() {
      return WrOpcode.SEND_WITH_IMM;
    }

    @Override
    public SendWithImm withFlags(SendFlag... newFlags) {
      return new SendWithImm(wrId, sgList, FlagSet.of("newFlags", newFlags), immData);
    }
  }

  /**
   * A write into remote memory.
   *
   * @param wrId returned in the completion
   * @param sgList local memory
   * @param flags the flags
   * @param remoteAddr address of the first byte at the peer
   * @param rkey remote key of the region or window
   */
  record RdmaWrite(long wrId, List<Sge> sgList, Set<SendFlag> flags, long remoteAddr, int rkey)
      implements SendWr, RemoteAccess {
    /**
     * Copies the list and the flags.
     *
     * @param wrId returned in the completion
     * @param sgList local memory
     * @param flags the flags
     * @param remoteAddr address of the first byte at the peer
     * @param rkey remote key of the region or window
     */
    public RdmaWrite {
      sgList = Sge.copyOf(sgList, "sgList");
      flags = FlagSet.copyOf(flags, "flags");
    }

    @Override
    public WrOpcode opcode() {
      return WrOpcode.RDMA_WRITE;
    }

    @Override
    public RdmaWrite withFlags(SendFlag... newFlags) {
      return new RdmaWrite(wrId, sgList, FlagSet.of("newFlags", newFlags), remoteAddr, rkey);
    }
  }

  /**
   * A write into remote memory that also consumes a receive of the peer.
   *
   * @param wrId returned in the completion
   * @param sgList local memory
   * @param flags the flags
   * @param remoteAddr address of the first byte at the peer
   * @param rkey remote key of the region or window
   * @param immData immediate data; its big-endian bytes go on the wire
   */
  record RdmaWriteWithImm(
      long wrId, List<Sge> sgList, Set<SendFlag> flags, long remoteAddr, int rkey, int immData)
      implements SendWr, RemoteAccess, WithImmediate {
    /**
     * Copies the list and the flags.
     *
     * @param wrId returned in the completion
     * @param sgList local memory
     * @param flags the flags
     * @param remoteAddr address of the first byte at the peer
     * @param rkey remote key of the region or window
     * @param immData immediate data; its big-endian bytes go on the wire
     */
    public RdmaWriteWithImm {
      sgList = Sge.copyOf(sgList, "sgList");
      flags = FlagSet.copyOf(flags, "flags");
    }

    @Override
    public WrOpcode opcode() {
      return WrOpcode.RDMA_WRITE_WITH_IMM;
    }

    @Override
    public RdmaWriteWithImm withFlags(SendFlag... newFlags) {
      return new RdmaWriteWithImm(
          wrId, sgList, FlagSet.of("newFlags", newFlags), remoteAddr, rkey, immData);
    }
  }

  /**
   * A read of remote memory into the local ranges, which need {@link AccessFlag#LOCAL_WRITE}.
   *
   * @param wrId returned in the completion
   * @param sgList local memory
   * @param flags the flags
   * @param remoteAddr address of the first byte at the peer
   * @param rkey remote key of the region or window
   */
  record RdmaRead(long wrId, List<Sge> sgList, Set<SendFlag> flags, long remoteAddr, int rkey)
      implements SendWr, RemoteAccess {
    /**
     * Copies the list and the flags.
     *
     * @param wrId returned in the completion
     * @param sgList local memory
     * @param flags the flags
     * @param remoteAddr address of the first byte at the peer
     * @param rkey remote key of the region or window
     */
    public RdmaRead {
      sgList = Sge.copyOf(sgList, "sgList");
      flags = FlagSet.copyOf(flags, "flags");
    }

    @Override
    public WrOpcode opcode() {
      return WrOpcode.RDMA_READ;
    }

    @Override
    public RdmaRead withFlags(SendFlag... newFlags) {
      return new RdmaRead(wrId, sgList, FlagSet.of("newFlags", newFlags), remoteAddr, rkey);
    }
  }

  /**
   * A SEND into a receive that the peer posted; signaled.
   *
   * @param wrId returned in the completion
   * @param sges local memory
   * @return the request
   */
  static Send send(long wrId, Sge... sges) {
    return new Send(wrId, Sge.listOf("sges", sges), FlagSet.SIGNALED);
  }

  /**
   * A SEND with four bytes of immediate data; signaled.
   *
   * @param wrId returned in the completion
   * @param immData immediate data; its big-endian bytes go on the wire
   * @param sges local memory
   * @return the request
   */
  static SendWithImm sendWithImm(long wrId, int immData, Sge... sges) {
    return new SendWithImm(wrId, Sge.listOf("sges", sges), FlagSet.SIGNALED, immData);
  }

  /**
   * A write into remote memory; signaled.
   *
   * @param wrId returned in the completion
   * @param remoteAddr address of the first byte at the peer
   * @param rkey remote key of the region or window
   * @param sges local memory
   * @return the request
   */
  static RdmaWrite rdmaWrite(long wrId, long remoteAddr, int rkey, Sge... sges) {
    return new RdmaWrite(wrId, Sge.listOf("sges", sges), FlagSet.SIGNALED, remoteAddr, rkey);
  }

  /**
   * A write into remote memory that also consumes a receive of the peer; signaled.
   *
   * @param wrId returned in the completion
   * @param remoteAddr address of the first byte at the peer
   * @param rkey remote key of the region or window
   * @param immData immediate data; its big-endian bytes go on the wire
   * @param sges local memory
   * @return the request
   */
  static RdmaWriteWithImm rdmaWriteWithImm(
      long wrId, long remoteAddr, int rkey, int immData, Sge... sges) {
    return new RdmaWriteWithImm(
        wrId, Sge.listOf("sges", sges), FlagSet.SIGNALED, remoteAddr, rkey, immData);
  }

  /**
   * A read of remote memory into the local ranges, which need {@link AccessFlag#LOCAL_WRITE};
   * signaled.
   *
   * @param wrId returned in the completion
   * @param remoteAddr address of the first byte at the peer
   * @param rkey remote key of the region or window
   * @param sges local memory
   * @return the request
   */
  static RdmaRead rdmaRead(long wrId, long remoteAddr, int rkey, Sge... sges) {
    return new RdmaRead(wrId, Sge.listOf("sges", sges), FlagSet.SIGNALED, remoteAddr, rkey);
  }

  /**
   * A SEND that also invalidates a key of the peer; signaled.
   *
   * @param wrId returned in the completion
   * @param invalidateRkey remote key that the peer shall invalidate
   * @param sges local memory
   * @return the request
   */
  static SendWithInvWr sendWithInv(long wrId, int invalidateRkey, Sge... sges) {
    return new SendWithInvWr(wrId, Sge.listOf("sges", sges), FlagSet.SIGNALED, invalidateRkey);
  }

  /**
   * Replaces eight bytes of remote memory if they hold a given value; signaled. All values are in
   * the byte order of the host, {@link java.nio.ByteOrder#nativeOrder}: that of remote memory, and
   * of the eight bytes that come back.
   *
   * @param wrId returned in the completion
   * @param target address and key at the peer
   * @param compare value that must be there
   * @param swap value to put there
   * @param sge eight bytes for the value that was there
   * @return the request
   */
  static AtomicCmpAndSwpWr compareAndSwap(
      long wrId, RemoteTarget target, long compare, long swap, Sge sge) {
    return new AtomicCmpAndSwpWr(
        wrId,
        Sge.listOf("sge", sge),
        FlagSet.SIGNALED,
        target.addr(),
        target.rkey(),
        compare,
        swap);
  }

  /**
   * Adds to eight bytes of remote memory; signaled. All values are in the byte order of the host,
   * {@link java.nio.ByteOrder#nativeOrder}: that of remote memory, and of the eight bytes that come
   * back.
   *
   * @param wrId returned in the completion
   * @param target address and key at the peer
   * @param add what to add, modulo 2^64
   * @param sge eight bytes for the value that was there
   * @return the request
   */
  static AtomicFetchAndAddWr fetchAndAdd(long wrId, RemoteTarget target, long add, Sge sge) {
    return new AtomicFetchAndAddWr(
        wrId, Sge.listOf("sge", sge), FlagSet.SIGNALED, target.addr(), target.rkey(), add);
  }

  /**
   * Address and key of memory at the peer.
   *
   * @param addr address of the first byte, unsigned 64-bit
   * @param rkey remote key of the region or window
   */
  record RemoteTarget(long addr, int rkey) {}
}
