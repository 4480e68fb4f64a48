// SPDX-License-Identifier: Apache-2.0
import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Does twice what {@code Trace} follows, the second time from one breakpoint to the next. */
final class Walks {
  private static boolean isWarm;

  public static void main(String[] args) {
    for (int round = 0; round < 2; round++) {
      isWarm = round > 0;
      try (Emulator emulator = Emulator.inMemory()) {
        EmulatedDevice client = emulator.addDevice("10.0.0.1");
        EmulatedDevice server = emulator.addDevice("10.0.0.2");
        walkVerbs(client, server);
        walkConnection(emulator, client, server);
      }
    }
  }

  private static void walkVerbs(EmulatedDevice client, EmulatedDevice server) {
    var pd = client.open().allocPd();
    var peerPd = server.open().allocPd();
    var cq = pd.context().createCq(8);
    var qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
    var peer = peerPd.createQp(QpInitAttr.rc(peerPd.context().createCq(8), QpCap.of(8)));
    Emulator.connect(qp, peer);
    var from = pd.regMr(ByteBuffer.allocateDirect(64));
    var to = peerPd.regMr(ByteBuffer.allocateDirect(64), AccessFlag.LOCAL_WRITE);
    peer.postRecv(RecvWr.of(1, to.sge()));

    begin("SEND and ACK");
    qp.postSend(SendWr.send(1, from.sge()));
    Object sendStatus = await(cq);
    end(sendStatus, "SUCCESS");

    begin("WRITE and NAK");
    qp.postSend(SendWr.rdmaWrite(2, to.addr(), to.rkey() ^ 0x100, from.sge()));
    Object writeStatus = await(cq);
    end(writeStatus, "REM_ACCESS_ERR");

    var fresh = pd.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
    QpAttr init = QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).noAccess();
    begin("modify_qp");
    fresh.modify(init);
    end("INIT", "INIT");
  }

  private static void walkConnection(
      Emulator emulator, EmulatedDevice client, EmulatedDevice server) {
    var activeEvents = emulator.rdmaCm(client).createEventChannel();
    var passiveEvents = emulator.rdmaCm(server).createEventChannel();
    RdmaCmId listener = passiveEvents.createId(RdmaPortSpace.TCP);
    listener.bindAddr(new InetSocketAddress("0.0.0.0", 7174));
    listener.listen(1);
    RdmaCmId active = activeEvents.createId(RdmaPortSpace.TCP);
    active.resolveAddr(null, new InetSocketAddress("10.0.0.2", 7174), Duration.ofSeconds(2));
    activeEvents.getCmEvent().close();
    active.resolveRoute(Duration.ofSeconds(2));
    activeEvents.getCmEvent().close();
    createQp(active);

    begin("connect to request");
    active.connect(RdmaConnParam.of(1, 1));
    var request = passiveEvents.getCmEvent();
    RdmaCmId passive = request.id();
    request.close();
    end(request.event(), "CONNECT_REQUEST");

    createQp(passive);
    begin("accept to established");
    passive.accept(RdmaConnParam.of(1, 1));
    activeEvents.getCmEvent().close();
    var established = passiveEvents.getCmEvent();
    end(established.event(), "ESTABLISHED");
  }

  private static void createQp(RdmaCmId id) {
    id.createQp(null, new QpInitAttr(QpType.RC, null, null, null, QpCap.of(1), false));
  }

  private static Object await(CompletionQueue cq) {
    WorkCompletion[] completions = new WorkCompletion[1];
    while (cq.poll(completions) == 0) {}
    return completions[0].status();
  }

  private static void begin(String walk) {
    if (isWarm) traced(walk);
  }

  private static void end(Object found, String expected) {
    if (isWarm) traced(null);
    if (!found.toString().equals(expected))
      throw new IllegalStateException(expected + ": " + found);
  }

  /** The breakpoint: a walk begins, or ends if there is none. */
  private static void traced(String walk) {}
}
