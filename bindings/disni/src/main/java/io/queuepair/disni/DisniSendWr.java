// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import io.queuepair.verbs.AtomicCmpAndSwpWr;
import io.queuepair.verbs.AtomicFetchAndAddWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** A send request of a call, which the program may change between executions. */
final class DisniSendWr implements SVCPostSend.SendWRMod, SVCPostSend.RdmaMod {
  private static final String CALL = "postSend";

  private final int opcode;
  private final int immData;
  private final long compareAdd;
  private final long swap;
  private final List<DisniSge> sges;
  private long wrId;
  private int sendFlags;
  private long remoteAddr;
  private int rkey;
  private int reserved;

  DisniSendWr(IbvSendWR request) {
    wrId = request.getWr_id();
    opcode = request.getOpcode();
    sendFlags = request.getSend_flags();
    immData = request.getImm_data();
    sges = DisniSge.copyOf(request.getSg_list());
    compareAdd = request.getAtomic().getCompare_add();
    swap = request.getAtomic().getSwap();
    if (isAtomic()) {
      remoteAddr = request.getAtomic().getRemote_addr();
      rkey = request.getAtomic().getRkey();
    } else {
      remoteAddr = request.getRdma().getRemote_addr();
      rkey = request.getRdma().getRkey();
      reserved = request.getRdma().getReserved();
    }
  }

  private boolean isAtomic() {
    return opcode == IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP
        || opcode == IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD;
  }

  /** The request as it is now. */
  SendWr toSendWr() throws IOException {
    Set<SendFlag> flags = DisniFlags.many(SendFlag.class, sendFlags, CALL, "send_flags");
    List<Sge> list = DisniSge.toSges(sges);
    // DiSNI leaves immediates in the byte order of the host: in that of the wire for C.
    int imm = Integer.reverseBytes(immData);
    return switch (opcode) {
      case IbvSendWR.IBV_WR_SEND -> new SendWr.Send(wrId, list, flags);
      case IbvSendWR.IBV_WR_SEND_WITH_IMM -> new SendWr.SendWithImm(wrId, list, flags, imm);
      case IbvSendWR.IBV_WR_RDMA_WRITE -> new SendWr.RdmaWrite(wrId, list, flags, remoteAddr, rkey);
      case IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM ->
          new SendWr.RdmaWriteWithImm(wrId, list, flags, remoteAddr, rkey, imm);
      case IbvSendWR.IBV_WR_RDMA_READ -> new SendWr.RdmaRead(wrId, list, flags, remoteAddr, rkey);
      case IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP ->
          new AtomicCmpAndSwpWr(wrId, list, flags, remoteAddr, rkey, compareAdd, swap);
      case IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD ->
          new AtomicFetchAndAddWr(wrId, list, flags, remoteAddr, rkey, compareAdd);
      default -> throw new IOException("j2c::" + CALL + ": opcode " + opcode + " does not exist");
    };
  }

  @Override
  public void setWr_id(long newWrId) {
    wrId = newWrId;
  }

  @Override
  public void setSend_flags(int newSendFlags) {
    sendFlags = newSendFlags;
  }

  @Override
  public long getWr_id() {
    return wrId;
  }

  @Override
  public int getNum_sge() {
    return sges.size();
  }

  @Override
  public int getOpcode() {
    return opcode;
  }

  @Override
  public int getSend_flags() {
    return sendFlags;
  }

  @Override
  public SVCPostSend.RdmaMod getRdmaMod() {
    return this;
  }

  @Override
  public SVCPostSend.SgeMod getSgeMod(int index) {
    return sges.get(index);
  }

  @Override
  public void setRemote_addr(long newRemoteAddr) {
    remoteAddr = newRemoteAddr;
  }

  @Override
  public long getRemote_addr() {
    return remoteAddr;
  }

  @Override
  public void setRkey(int newRkey) {
    rkey = newRkey;
  }

  @Override
  public int getRkey() {
    return rkey;
  }

  @Override
  public void setReserved(int newReserved) {
    reserved = newReserved;
  }

  @Override
  public int getReserved() {
    return reserved;
  }
}
