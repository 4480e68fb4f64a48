// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends that are put together call by call and posted at once ({@code ibv_wr_post(3)}). A builder
 * such as {@link #rdmaWrite} begins a request; the setters after it say what it carries and where
 * it goes.
 *
 * <pre>{@code
 * try (WrBatch wr = qp.wrStart()) {
 *   wr.wrFlags(SendFlag.SIGNALED);
 *   wr.wrId(1).rdmaWrite(rkey, address).setSge(sge);
 *   wr.wrId(2).sendImm(7).setInlineData(bytes);
 *   wr.complete();
 * }
 * }</pre>
 *
 * <p>Nothing runs before {@link #complete} returns. Builders and setters report nothing: the first
 * mistake fails the whole batch, which {@link #complete} says. A mistake is an operation that was
 * not asked for at creation, a setter that the operation does not have or has had already, or one
 * without a request, an address that is missing, and everything that {@link QueuePair#postSend}
 * refuses. So is null: no call here throws a NullPointerException. A request without data is a
 * message of length 0. Which setters an operation has depends on the type of the queue pair: {@link
 * #setUdAddr} is a must for UD, {@link #setXrcSrqn} for XRC_SEND.
 *
 * <p>A batch belongs to the thread that started it: every call by another one, or after its end,
 * throws a {@link VerbsException} with EINVAL.
 */
public interface WrBatch extends AutoCloseable {
  /**
   * Sets the identifier of the requests that are begun from now on. It stays until it is set again,
   * also in later batches.
   *
   * @param wrId returned in the completion
   * @return this batch
   */
  WrBatch wrId(long wrId);

  /**
   * Sets the flags of the requests that are begun from now on. They stay until they are set again,
   * also in later batches.
   *
   * @param flags all flags, without {@link SendFlag#INLINE}: {@link #setInlineData} stands for that
   * @return this batch
   */
  WrBatch wrFlags(@Nullable Set<SendFlag> flags);

  /**
   * Sets the flags of the requests that are begun from now on.
   *
   * @param flags as {@link #wrFlags(Set)}
   * @return this batch
   */
  default WrBatch wrFlags(SendFlag... flags) {
    boolean areGiven = flags != null && !Arrays.asList(flags).contains(null);
    return wrFlags(areGiven ? FlagSet.of("flags", flags) : null);
  }

  /**
   * Begins a SEND.
   *
   * @return this batch
   */
  @Verb("ibv_wr_send")
  WrBatch send();

  /**
   * Begins a SEND with immediate data.
   *
   * @param immData 32 bits whose big-endian bytes go on the wire
   * @return this batch
   */
  @Verb("ibv_wr_send_imm")
  WrBatch sendImm(int immData);

  /**
   * Begins a SEND that invalidates a memory window of type 2 of the peer: {@link SendWithInvWr}.
   *
   * @param invalidateRkey remote key of the window; that of a region is refused by the peer
   * @return this batch
   */
  @Verb("ibv_wr_send_inv")
  WrBatch sendInv(int invalidateRkey);

  /**
   * Begins a SEND that the device cuts into segments.
   *
   * @param hdr what each segment starts with, from the buffer's position to its limit; read now
   * @param mss most bytes of data in one segment
   * @return this batch
   */
  @Verb("ibv_wr_send_tso")
  WrBatch sendTso(ByteBuffer hdr, int mss);

  /**
   * Begins a READ.
   *
   * @param rkey key of the memory of the peer
   * @param remoteAddr address of the first byte, unsigned 64-bit
   * @return this batch
   */
  @Verb("ibv_wr_rdma_read")
  WrBatch rdmaRead(int rkey, long remoteAddr);

  /**
   * Begins a WRITE.
   *
   * @param rkey key of the memory of the peer
   * @param remoteAddr address of the first byte, unsigned 64-bit
   * @return this batch
   */
  @Verb("ibv_wr_rdma_write")
  WrBatch rdmaWrite(int rkey, long remoteAddr);

  /**
   * Begins a WRITE with immediate data.
   *
   * @param rkey key of the memory of the peer
   * @param remoteAddr address of the first byte, unsigned 64-bit
   * @param immData 32 bits whose big-endian bytes go on the wire
   * @return this batch
   */
  @Verb("ibv_wr_rdma_write_imm")
  WrBatch rdmaWriteImm(int rkey, long remoteAddr, int immData);

  /**
   * Begins an atomic compare and swap.
   *
   * @param rkey key of the memory of the peer
   * @param remoteAddr address of eight bytes, a multiple of 8
   * @param compare value that must be there
   * @param swap value to put there
   * @return this batch
   */
  @Verb("ibv_wr_atomic_cmp_swp")
  WrBatch atomicCmpSwp(int rkey, long remoteAddr, long compare, long swap);

  /**
   * Begins an atomic addition.
   *
   * @param rkey key of the memory of the peer
   * @param remoteAddr address of eight bytes, a multiple of 8
   * @param add what to add
   * @return this batch
   */
  @Verb("ibv_wr_atomic_fetch_add")
  WrBatch atomicFetchAdd(int rkey, long remoteAddr, long add);

  /**
   * Begins a write of eight bytes as one store.
   *
   * @param rkey key of the memory of the peer
   * @param remoteAddr address of eight bytes, a multiple of 8
   * @param value the eight bytes, from the buffer's position to its limit; read now
   * @return this batch
   */
  @Verb("ibv_wr_atomic_write")
  WrBatch atomicWrite(int rkey, long remoteAddr, ByteBuffer value);

  /**
   * Begins a FLUSH.
   *
   * @param rkey key of the memory of the peer
   * @param remoteAddr address of the first byte, unsigned 64-bit
   * @param length bytes, 0 to 2^32 - 1; not looked at for a whole region
   * @param placements what to wait for, at least one
   * @param level range or whole region
   * @return this batch
   */
  @Verb("ibv_wr_flush")
  WrBatch flush(
      int rkey,
      long remoteAddr,
      long length,
      Set<PlacementType> placements,
      SelectivityLevel level);

  /**
   * Begins a bind of a memory window of type 2.
   *
   * @param mw the window, unbound
   * @param rkey the key it shall have: that of the window, with any lower 8 bits
   * @param binding what it opens
   * @return this batch
   */
  @Verb("ibv_wr_bind_mw")
  WrBatch bindMw(MemoryWindow mw, int rkey, MwBindInfo binding);

  /**
   * Begins the invalidation of a key of this device.
   *
   * @param invalidateRkey key of a memory window of type 2 that is bound
   * @return this batch
   */
  @Verb("ibv_wr_local_inv")
  WrBatch localInv(int invalidateRkey);

  /**
   * Gives the request one range of registered memory.
   *
   * @param sge the range
   * @return this batch
   */
  @Verb("ibv_wr_set_sge")
  WrBatch setSge(Sge sge);

  /**
   * Gives the request ranges of registered memory, in order.
   *
   * @param sgList the ranges, possibly none
   * @return this batch
   */
  @Verb("ibv_wr_set_sge_list")
  WrBatch setSgeList(List<Sge> sgList);

  /**
   * Gives the request data by value, from any memory: what {@link Sge#inline} is to a posted
   * request with {@link SendFlag#INLINE}.
   *
   * @param bytes the data, from the buffer's position to its limit; copied now
   * @return this batch
   */
  @Verb("ibv_wr_set_inline_data")
  WrBatch setInlineData(ByteBuffer bytes);

  /**
   * Gives the request data by value, from several places.
   *
   * @param parts the data, each from its position to its limit; copied now
   * @return this batch
   */
  @Verb("ibv_wr_set_inline_data_list")
  WrBatch setInlineDataList(List<ByteBuffer> parts);

  /**
   * Says where a datagram goes.
   *
   * @param ah where to
   * @param remoteQpn queue pair number of the receiver, 24-bit; 0xFFFFFF for a multicast group
   * @param remoteQkey Q_Key the receiver checks; with the top bit set that of the sender is used
   * @return this batch
   */
  @Verb("ibv_wr_set_ud_addr")
  WrBatch setUdAddr(AddressHandle ah, int remoteQpn, int remoteQkey);

  /**
   * Says which shared receive queue of the peer the request is for.
   *
   * @param remoteSrqn its number, 24-bit
   * @return this batch
   */
  @Verb("ibv_wr_set_xrc_srqn")
  WrBatch setXrcSrqn(int remoteSrqn);

  /**
   * Posts all requests, or none, and ends the batch.
   *
   * @throws BadWorkRequestException for the first mistake; nothing was posted. EINVAL as {@link
   *     QueuePair#postSend} and for what the batch itself forbids; ENOMEM if the queue has no room
   *     for the requests up to this one. Devices with the quirks of Linux Soft-RoCE say ENOSPC to a
   *     full queue, too many entries and too much inline data
   */
  @Verb("ibv_wr_complete")
  void complete();

  /** Drops all requests and ends the batch; without effect after its end. */
  @Verb("ibv_wr_abort")
  default void abort() {
    close();
  }

  /** Ends the batch as {@link #abort} does, unless {@link #complete} has. */
  @Override
  @Verb("ibv_wr_abort")
  void close();
}
