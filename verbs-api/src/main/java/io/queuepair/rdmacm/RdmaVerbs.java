// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.Verb;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verbs objects of an id, and the short forms of {@code rdma/rdma_verbs.h} on them. A send gives a
 * completion only with SIGNALED, or if the queue pair signals all sends.
 */
public interface RdmaVerbs {
  /** {@return the queue pair of the id, or null} */
  @Nullable QueuePair qp();

  /** {@return the shared receive queue of the id, or null} */
  @Nullable SharedReceiveQueue srq();

  /** {@return the protection domain of the id; null before it is bound to a device} */
  @Nullable ProtectionDomain pd();

  /** {@return where sends complete; null before there is a queue pair} */
  @Nullable CompletionQueue sendCq();

  /** {@return where receives complete; null before there is a queue pair} */
  @Nullable CompletionQueue recvCq();

  /** {@return where the send queue announces completions; null unless it was made for the id} */
  @Nullable CompletionChannel sendCqChannel();

  /** {@return where the receive queue announces completions; null unless made for the id} */
  @Nullable CompletionChannel recvCqChannel();

  /**
   * Registers memory for messages.
   *
   * @param buffer direct memory, from position to limit
   * @return the region, with LOCAL_WRITE
   * @throws io.queuepair.verbs.VerbsException as {@link ProtectionDomain#regMr(ByteBuffer, Set)}
   */
  @Verb("rdma_reg_msgs")
  default MemoryRegion regMsgs(ByteBuffer buffer) {
    return pd().regMr(buffer, AccessFlag.LOCAL_WRITE);
  }

  /**
   * Registers memory that the peer may read.
   *
   * @param buffer direct memory, from position to limit
   * @return the region, with LOCAL_WRITE and REMOTE_READ
   * @throws io.queuepair.verbs.VerbsException as {@link ProtectionDomain#regMr(ByteBuffer, Set)}
   */
  @Verb("rdma_reg_read")
  default MemoryRegion regRead(ByteBuffer buffer) {
    return pd().regMr(buffer, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);
  }

  /**
   * Registers memory that the peer may write.
   *
   * @param buffer direct memory, from position to limit
   * @return the region, with LOCAL_WRITE and REMOTE_WRITE
   * @throws io.queuepair.verbs.VerbsException as {@link ProtectionDomain#regMr(ByteBuffer, Set)}
   */
  @Verb("rdma_reg_write")
  default MemoryRegion regWrite(ByteBuffer buffer) {
    return pd().regMr(buffer, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
  }

  /**
   * Posts a receive into several ranges, to the shared receive queue if the id has one.
   *
   * @param wrId returned in the completion
   * @param sgl where the message is scattered
   * @throws io.queuepair.verbs.BadWorkRequestException as {@link QueuePair#postRecv(List)}
   */
  @Verb("rdma_post_recvv")
  default void postRecvv(long wrId, List<Sge> sgl) {
    RecvWr wr = new RecvWr(wrId, sgl);
    if (srq() != null) {
      srq().postRecv(wr);
    } else {
      qp().postRecv(wr);
    }
  }

  /**
   * Posts a receive.
   *
   * @param wrId returned in the completion
   * @param sge where the message goes
   * @throws io.queuepair.verbs.BadWorkRequestException as {@link QueuePair#postRecv(List)}
   */
  @Verb("rdma_post_recv")
  default void postRecv(long wrId, Sge sge) {
    postRecvv(wrId, List.of(sge));
  }

  /**
   * Posts a SEND of several ranges.
   *
   * @param wrId returned in the completion
   * @param sgl what is sent
   * @param flags flags, or none
   * @throws io.queuepair.verbs.BadWorkRequestException as {@link QueuePair#postSend(List)}
   */
  @Verb("rdma_post_sendv")
  default void postSendv(long wrId, List<Sge> sgl, SendFlag... flags) {
    qp().postSend(new SendWr.Send(wrId, sgl, setOf(flags)));
  }

  /**
   * Posts a SEND.
   *
   * @param wrId returned in the completion
   * @param sge what is sent; own bytes with INLINE
   * @param flags flags, or none
   * @throws io.queuepair.verbs.BadWorkRequestException as {@link QueuePair#postSend(List)}
   */
  @Verb("rdma_post_send")
  default void postSend(long wrId, Sge sge, SendFlag... flags) {
    postSendv(wrId, List.of(sge), flags);
  }

  /**
   * Posts a READ into several ranges.
   *
   * @param wrId returned in the completion
   * @param sgl where the bytes go
   * @param remoteAddr address of the first byte at the peer
   * @param rkey what allows it
   * @param flags flags, or none
   * @throws io.queuepair.verbs.BadWorkRequestException as {@link QueuePair#postSend(List)}
   */
  @Verb("rdma_post_readv")
  default void postReadv(long wrId, List<Sge> sgl, long remoteAddr, int rkey, SendFlag... flags) {
    qp().postSend(new SendWr.RdmaRead(wrId, sgl, setOf(flags), remoteAddr, rkey));
  }

  /**
   * Posts a READ.
   *
   * @param wrId returned in the completion
   * @param sge where the bytes go
   * @param remoteAddr address of the first byte at the peer
   * @param rkey what allows it
   * @param flags flags, or none
   * @throws io.queuepair.verbs.BadWorkRequestException as {@link QueuePair#postSend(List)}
   */
  @Verb("rdma_post_read")
  default void postRead(long wrId, Sge sge, long remoteAddr, int rkey, SendFlag... flags) {
    postReadv(wrId, List.of(sge), remoteAddr, rkey, flags);
  }

  /**
   * Posts a WRITE of several ranges.
   *
   * @param wrId returned in the completion
   * @param sgl what is written
   * @param remoteAddr address of the first byte at the peer
   * @param rkey what allows it
   * @param flags flags, or none
   * @throws io.queuepair.verbs.BadWorkRequestException as {@link QueuePair#postSend(List)}
   */
  @Verb("rdma_post_writev")
  default void postWritev(long wrId, List<Sge> sgl, long remoteAddr, int rkey, SendFlag... flags) {
    qp().postSend(new SendWr.RdmaWrite(wrId, sgl, setOf(flags), remoteAddr, rkey));
  }

  /**
   * Posts a WRITE.
   *
   * @param wrId returned in the completion
   * @param sge what is written; own bytes with INLINE
   * @param remoteAddr address of the first byte at the peer
   * @param rkey what allows it
   * @param flags flags, or none
   * @throws io.queuepair.verbs.BadWorkRequestException as {@link QueuePair#postSend(List)}
   */
  @Verb("rdma_post_write")
  default void postWrite(long wrId, Sge sge, long remoteAddr, int rkey, SendFlag... flags) {
    postWritev(wrId, List.of(sge), remoteAddr, rkey, flags);
  }

  /**
   * Posts a datagram, with the Q_Key of port space UDP.
   *
   * @param wrId returned in the completion
   * @param sge what is sent; own bytes with INLINE
   * @param ah where it goes
   * @param remoteQpn queue pair number of the receiver, 24-bit
   * @param flags flags, or none
   * @throws io.queuepair.verbs.BadWorkRequestException as {@link QueuePair#postSend(List)}
   */
  @Verb("rdma_post_ud_send")
  default void postUdSend(long wrId, Sge sge, AddressHandle ah, int remoteQpn, SendFlag... flags) {
    SendWr send = new SendWr.Send(wrId, List.of(sge), setOf(flags));
    qp().postSend(send.to(ah, remoteQpn, RdmaUdParam.UDP_QKEY));
  }

  /**
   * Waits for the next completion of a send: polls, asks for a notification, polls again, and waits
   * for it.
   *
   * @return the completion, successful or not
   * @throws io.queuepair.verbs.VerbsException EINVAL if no completion queue was made for the id; as
   *     {@link CompletionChannel#getCqEvent()} and {@link CompletionQueue#poll(WorkCompletion[])}
   */
  @Verb("rdma_get_send_comp")
  default WorkCompletion getSendComp() {
    return getComp("rdma_get_send_comp", sendCq(), sendCqChannel());
  }

  /**
   * Waits for the next completion of a receive.
   *
   * @return the completion, successful or not
   * @throws io.queuepair.verbs.VerbsException EINVAL if no completion queue was made for the id; as
   *     {@link CompletionChannel#getCqEvent()} and {@link CompletionQueue#poll(WorkCompletion[])}
   */
  @Verb("rdma_get_recv_comp")
  default WorkCompletion getRecvComp() {
    return getComp("rdma_get_recv_comp", recvCq(), recvCqChannel());
  }

  private static WorkCompletion getComp(
      String verb, CompletionQueue cq, CompletionChannel channel) {
    if (cq == null || channel == null) {
      throw new VerbsException(Errno.EINVAL, verb, "no completion queue was made for the id");
    }
    WorkCompletion[] completion = new WorkCompletion[1];
    while (cq.poll(completion) == 0) {
      cq.reqNotify(false);
      if (cq.poll(completion) > 0) {
        break;
      }
      channel.getCqEvent().ackEvents(1);
    }
    return completion[0];
  }

  private static Set<SendFlag> setOf(SendFlag... flags) {
    Set<SendFlag> set = EnumSet.noneOf(SendFlag.class);
    set.addAll(List.of(flags));
    return set;
  }
}
