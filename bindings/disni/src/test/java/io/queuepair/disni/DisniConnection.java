// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Two connected queue pairs in one process, made with DiSNI's API alone. */
@SuppressWarnings("JdkObsolete") // DiSNI asks for a LinkedList.
final class DisniConnection {
  static final int BYTES = 4_096;
  static final int ALL_ACCESS =
      IbvMr.IBV_ACCESS_LOCAL_WRITE
          | IbvMr.IBV_ACCESS_REMOTE_WRITE
          | IbvMr.IBV_ACCESS_REMOTE_READ
          | IbvMr.IBV_ACCESS_REMOTE_ATOMIC;
  private static final int TIMEOUT_MILLIS = 20_000;
  private static final AtomicInteger PORTS = new AtomicInteger(7_000);

  /** One end. */
  static final class End {
    final RdmaCmId id;
    final IbvPd pd;
    final IbvCompChannel channel;
    final IbvCQ cq;
    final IbvQP qp;
    final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
    final IbvMr mr;

    private End(RdmaCmId id) throws IOException {
      this.id = id;
      pd = id.getVerbs().allocPd();
      channel = id.getVerbs().createCompChannel();
      cq = id.getVerbs().createCQ(channel, 64, 0);
      IbvQPInitAttr attr = new IbvQPInitAttr();
      attr.setQp_type(IbvQP.IBV_QPT_RC);
      attr.setSend_cq(cq);
      attr.setRecv_cq(cq);
      attr.cap().setMax_send_wr(16);
      attr.cap().setMax_recv_wr(16);
      qp = id.createQP(pd, attr);
      mr = pd.regMr(memory, ALL_ACCESS).execute().free().getMr();
    }

    IbvSge sge(int offset, int length) {
      IbvSge sge = new IbvSge();
      sge.setAddr(MemoryUtils.getAddress(memory) + offset);
      sge.setLength(length);
      sge.setLkey(mr.getLkey());
      return sge;
    }

    IbvSendWR send(int opcode, long wrId, IbvSge... sges) {
      IbvSendWR request = new IbvSendWR();
      request.setOpcode(opcode);
      request.setWr_id(wrId);
      request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
      request.setSg_list(new LinkedList<>(List.of(sges)));
      return request;
    }

    void postRecv(long wrId, IbvSge... sges) throws IOException {
      IbvRecvWR request = new IbvRecvWR();
      request.setWr_id(wrId);
      request.setSg_list(new LinkedList<>(List.of(sges)));
      qp.postRecv(List.of(request), null).execute().free();
    }

    void post(IbvSendWR... requests) throws IOException {
      qp.postSend(List.of(requests), null).execute().free();
    }

    /** The next completion, of which there is one soon. */
    IbvWC await() throws IOException {
      IbvWC[] completions = {new IbvWC()};
      while (cq.poll(completions, 1).execute().free().getPolls() == 0) {
        Thread.onSpinWait();
      }
      return completions[0];
    }
  }

  final RdmaEventChannel serverEvents = RdmaEventChannel.createEventChannel();
  final RdmaEventChannel clientEvents = RdmaEventChannel.createEventChannel();
  final End server;
  final End client;

  DisniConnection() throws IOException {
    InetSocketAddress address = new InetSocketAddress("10.0.0.2", PORTS.incrementAndGet());
    RdmaCmId listener = serverEvents.createId(RdmaCm.RDMA_PS_TCP);
    listener.bindAddr(address);
    listener.listen(4);
    RdmaCmId id = clientEvents.createId(RdmaCm.RDMA_PS_TCP);
    id.resolveAddr(null, address, TIMEOUT_MILLIS);
    next(clientEvents, EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
    id.resolveRoute(TIMEOUT_MILLIS);
    next(clientEvents, EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
    client = new End(id);
    id.connect(retrying());
    RdmaCmEvent request = next(serverEvents, EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
    assertThat(request.getListenIdPriv()).isSameAs(listener);
    server = new End(request.getConnIdPriv());
    server.id.accept(retrying());
    next(clientEvents, EventType.RDMA_CM_EVENT_ESTABLISHED);
    next(serverEvents, EventType.RDMA_CM_EVENT_ESTABLISHED);
  }

  private static RdmaConnParam retrying() throws IOException {
    RdmaConnParam param = new RdmaConnParam();
    param.setRetry_count((byte) 7);
    param.setRnr_retry_count((byte) 7);
    return param;
  }

  static RdmaCmEvent next(RdmaEventChannel channel, EventType expected) throws IOException {
    RdmaCmEvent event = channel.getCmEvent(TIMEOUT_MILLIS);
    assertThat(event).isNotNull();
    assertThat(EventType.values()[event.getEvent()]).isEqualTo(expected);
    event.ackEvent();
    return event;
  }
}
