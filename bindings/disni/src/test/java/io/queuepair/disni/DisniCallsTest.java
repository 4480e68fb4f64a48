// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.util.NativeAffinity;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.IbvWC.IbvWcOpcode;
import com.ibm.disni.verbs.IbvWC.IbvWcStatus;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** DiSNI's calls, and what is particular to them. Devices come from the session listener. */
@Timeout(60)
final class DisniCallsTest {
  private static final int EBUSY = 16;
  private static final int SUCCESS = IbvWcStatus.IBV_WC_SUCCESS.ordinal();

  private final DisniConnection connection;
  private final DisniConnection.End client;
  private final DisniConnection.End server;

  DisniCallsTest() throws IOException {
    connection = new DisniConnection();
    client = connection.client;
    server = connection.server;
  }

  private IbvSendWR remote(int opcode, int offset, int length) {
    IbvSendWR request = client.send(opcode, 1, client.sge(0, length));
    request.getRdma().setRemote_addr(server.mr.getAddr() + offset);
    // Programs send the lkey of their memory, and use it as rkey.
    request.getRdma().setRkey(server.mr.getLkey());
    return request;
  }

  @Test
  void aPreparedCallIsPostedAgainAndAgain() throws IOException {
    SVCPostSend call =
        client.qp.postSend(List.of(client.send(IbvSendWR.IBV_WR_SEND, 10, client.sge(0, 8))), null);
    for (int round = 0; round < 3; round++) {
      server.postRecv(round, server.sge(8 * round, 8));
      client.memory.putLong(0, 100 + round);
      call.getWrMod(0).setWr_id(round);
      call.execute();

      assertThat(client.await().getWr_id()).isEqualTo(round);
      assertThat(server.await().getByte_len()).isEqualTo(8);
      assertThat(server.memory.getLong(8 * round)).isEqualTo(100 + round);
    }
    call.free();
    assertThat(call.isValid()).isFalse();
  }

  @Test
  void aCallCopiesItsRequestsWhenItIsMade() throws IOException {
    IbvSendWR request = remote(IbvSendWR.IBV_WR_RDMA_WRITE, 0, 8);
    SVCPostSend call = client.qp.postSend(List.of(request), null);
    client.memory.putLong(0, 42);
    request.setWr_id(77);
    request.getRdma().setRemote_addr(0);

    call.execute();

    assertThat(client.await().getWr_id()).isEqualTo(1);
    assertThat(server.memory.getLong(0)).isEqualTo(42);
  }

  @Test
  void everyFieldOfAPreparedCallCanBeChanged() throws IOException {
    SVCPostSend call = client.qp.postSend(List.of(remote(IbvSendWR.IBV_WR_RDMA_WRITE, 0, 8)), null);
    client.memory.putLong(64, 4711);
    SVCPostSend.SendWRMod request = call.getWrMod(0);
    request.getRdmaMod().setRemote_addr(server.mr.getAddr() + 128);
    request.getRdmaMod().setRkey(server.mr.getRkey());
    request.getSgeMod(0).setAddr(client.mr.getAddr() + 64);
    request.getSgeMod(0).setLength(4);
    request.getSgeMod(0).setLkey(client.mr.getLkey());
    call.execute();

    assertThat(client.await().getStatus()).isEqualTo(SUCCESS);
    assertThat(server.memory.getInt(128)).isEqualTo(4711);
    assertThat(request.getNum_sge()).isOne();
    assertThat(request.getOpcode()).isEqualTo(IbvSendWR.IBV_WR_RDMA_WRITE);
  }

  @Test
  void readsBringTheMemoryOfThePeer() throws IOException {
    server.memory.putLong(256, 99);

    client.post(remote(IbvSendWR.IBV_WR_RDMA_READ, 256, 8));

    assertThat(client.await().getOpcode()).isEqualTo(IbvWcOpcode.IBV_WC_RDMA_READ.getOpcode());
    assertThat(client.memory.getLong(0)).isEqualTo(99);
  }

  @Test
  void anImmediateArrivesAsItWasSetWithoutAnyMemory() throws IOException {
    server.postRecv(5);
    IbvSendWR request = remote(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, 0, 0);
    request.setImm_data(0x01020304);
    client.post(request);

    IbvWC completion = server.await();

    assertThat(completion.getImm_data()).isEqualTo(0x01020304);
    assertThat(completion.getOpcode()).isEqualTo(IbvWcOpcode.IBV_WC_RECV_RDMA_WITH_IMM.getOpcode());
    assertThat(completion.getWr_id()).isEqualTo(5);
  }

  @Test
  void atomicsWorkAsLibdisniNeverDid() throws IOException {
    server.memory.putLong(0, 40);
    IbvSendWR request = client.send(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, 1, client.sge(0, 8));
    request.getAtomic().setRemote_addr(server.mr.getAddr());
    request.getAtomic().setRkey(server.mr.getRkey());
    request.getAtomic().setCompare_add(2);
    client.post(request);

    assertThat(client.await().getStatus()).isEqualTo(SUCCESS);
    assertThat(client.memory.getLong(0)).isEqualTo(40);
    assertThat(server.memory.getLong(0)).isEqualTo(42);
  }

  @Test
  void aFailedCompletionNamesItsQueuePair() throws IOException {
    IbvSendWR request = remote(IbvSendWR.IBV_WR_RDMA_WRITE, 0, 8);
    request.getRdma().setRkey(server.mr.getRkey() + 1);
    client.post(request);

    IbvWC completion = client.await();

    assertThat(completion.getStatus()).isEqualTo(IbvWcStatus.IBV_WC_REM_ACCESS_ERR.ordinal());
    assertThat(completion.getQp_num()).isEqualTo(client.qp.getQp_num());
  }

  @Test
  void receivesAreFlushedWhenThePeerDisconnects() throws IOException {
    server.postRecv(3, server.sge(0, 8));

    assertThat(client.id.disconnect()).isZero();
    DisniConnection.next(connection.serverEvents, EventType.RDMA_CM_EVENT_DISCONNECTED);
    server.id.disconnect();

    assertThat(server.await().getStatus()).isEqualTo(IbvWcStatus.IBV_WC_WR_FLUSH_ERR.ordinal());
  }

  @Test
  void aChannelIsDestroyedBeforeItsQueueWithoutAnException() throws IOException {
    assertThat(client.channel.destroyCompChannel()).isEqualTo(EBUSY);
    assertThat(client.id.destroyQP()).isZero();
    assertThat(client.cq.destroyCQ()).isZero();
    assertThatThrownBy(() -> client.cq.destroyCQ()).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> client.channel.getCqEvent(client.cq, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("completion channel is closed");
  }

  @Test
  void waitsEndWithTheirTimeout() throws IOException {
    assertThat(client.channel.getCqEvent(client.cq, 1)).isFalse();
    assertThat(connection.clientEvents.getCmEvent(1)).isNull();
  }

  @Test
  void anArmedQueueGivesOneEvent() throws IOException {
    client.cq.reqNotification(false).execute().free();
    client.post(remote(IbvSendWR.IBV_WR_RDMA_WRITE, 0, 8));

    assertThat(client.channel.getCqEvent(client.cq, -1)).isTrue();
    assertThat(client.cq.ackEvents(1)).isZero();
    assertThat(client.await().getStatus()).isEqualTo(SUCCESS);
    assertThat(client.channel.getCqEvent(client.cq, 1)).isFalse();
  }

  @Test
  void aRefusalSaysWhichCallAndWhy() {
    IbvSendWR request = remote(IbvSendWR.IBV_WR_SEND, 0, 8);
    request.setSend_flags(1 << 20);

    assertThatThrownBy(() -> client.post(request))
        .isInstanceOf(IOException.class)
        .hasMessage("j2c::postSend: send_flags has the unknown bits 0x100000");
    assertThatThrownBy(() -> client.pd.regMr(0x1000, -1, 1).execute())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("-1 bytes");
    assertThatThrownBy(() -> client.pd.regMr(0, 8, 0).execute())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("EFAULT", "8 bytes at 0x0");
    assertThatThrownBy(() -> client.pd.regMr(-8, 16, 0).execute()).hasMessageContaining("EFAULT");
    assertThatThrownBy(() -> client.pd.regMr(client.mr.getAddr(), Integer.MAX_VALUE, 0).execute())
        .hasMessageContaining("EFAULT");
    assertThatThrownBy(() -> client.pd.regMr(client.memory, 1 << 30).execute())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("access");
  }

  @Test
  void aPortWithoutServerIsRejected() throws IOException {
    RdmaCmId id = connection.clientEvents.createId(RdmaCm.RDMA_PS_TCP);
    id.resolveAddr(null, new InetSocketAddress("10.0.0.2", 1), 1_000);
    DisniConnection.next(connection.clientEvents, EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
    id.resolveRoute(1_000);
    DisniConnection.next(connection.clientEvents, EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
    id.connect(new com.ibm.disni.verbs.RdmaConnParam());

    RdmaCmEvent event =
        DisniConnection.next(connection.clientEvents, EventType.RDMA_CM_EVENT_REJECTED);

    assertThat(event.getConnIdPriv()).isSameAs(id);
    assertThat(id.destroyId()).isZero();
  }

  @Test
  void contextsAndDomainsHaveNumbersOfTheirOwn() throws IOException {
    assertThat(client.id.getVerbs()).isSameAs(client.id.getVerbs());
    assertThat(client.id.getVerbs().getCmd_fd()).isPositive();
    assertThat(client.id.getVerbs().getNumCompVectors()).isPositive();
    assertThat(client.pd.getHandle()).isNotEqualTo(server.pd.getHandle());
    assertThat(client.id.getVerbs().queryOdpSupport()).isEqualTo(-1);
    assertThat(client.mr.expPrefetchMr(client.mr.getAddr(), 8)).isEqualTo(-1);
  }

  /** Crail's storage server drops the region, too, whose key its clients have. */
  @Test
  void aRegionKeepsABufferThatTheProgramHasDropped() throws IOException {
    ByteBuffer dropped = ByteBuffer.allocateDirect(64);
    ByteBuffer droppedWithItsRegion = ByteBuffer.allocateDirect(64);
    List<WeakReference<ByteBuffer>> references =
        List.of(new WeakReference<>(dropped), new WeakReference<>(droppedWithItsRegion));
    long address = MemoryUtils.getAddress(dropped);
    IbvMr mr = client.pd.regMr(dropped, DisniConnection.ALL_ACCESS).execute().free().getMr();
    client.pd.regMr(droppedWithItsRegion, DisniConnection.ALL_ACCESS).execute().free();
    dropped = null;
    droppedWithItsRegion = null;

    System.gc();

    assertThat(references).extracting(WeakReference::get).doesNotContainNull();
    assertThat(mr.getAddr()).isEqualTo(address);
    mr.deregMr().execute().free();
    assertThatThrownBy(() -> mr.deregMr().execute()).isInstanceOf(IOException.class);
  }

  @Test
  void memoryIsRegisteredByItsAddressAlone() throws IOException {
    IbvMr mr =
        client.pd.regMr(client.mr.getAddr() + 3, 10, DisniConnection.ALL_ACCESS).execute().getMr();
    client.memory.put(3, (byte) 9);
    IbvSendWR request = remote(IbvSendWR.IBV_WR_RDMA_WRITE, 0, 1);
    request.getSge(0).setAddr(mr.getAddr());
    request.getSge(0).setLkey(mr.getLkey());
    client.post(request);

    assertThat(client.await().getStatus()).isEqualTo(SUCCESS);
    assertThat(server.memory.get(0)).isEqualTo((byte) 9);
  }

  @Test
  void threadsRunWhereTheyLike() {
    NativeAffinity.setAffinity(1);

    assertThat(NativeAffinity.getAffinity()).isZero();
  }
}
