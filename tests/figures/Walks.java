// SPDX-License-Identifier: Apache-2.0
import io.queuepair.emulator.Emulator;
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

/** Does twice what {@code Trace} follows the second time. */
final class Walks {
  private static boolean isWarm;

  public static void main(String[] args) {
    for (int round = 0; round < 2; round++) {
      isWarm = round > 0;
      try (Emulator emulator = Emulator.inMemory()) {
        walk(emulator);
      }
    }
  }

  private static void walk(Emulator emulator) {
    var client = emulator.addDevice("10.0.0.1");
    var server = emulator.addDevice("10.0.0.2");
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
    var init = QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).noAccess();
    begin("modify_qp");
    fresh.modify(init);
    end(init.qpState(), "INIT");

    var events = emulator.rdmaCm(client).createEventChannel();
    var peerEvents = emulator.rdmaCm(server).createEventChannel();
    var listener = peerEvents.createId(RdmaPortSpace.TCP);
    listener.bindAddr(new InetSocketAddress("10.0.0.2", 7174));
    listener.listen(1);
    var active = events.createId(RdmaPortSpace.TCP);
    active.resolveAddr(null, new InetSocketAddress("10.0.0.2", 7174), Duration.ofSeconds(2));
    events.getCmEvent().close();
    active.resolveRoute(Duration.ofSeconds(2));
    events.getCmEvent().close();
    var cmQp = new QpInitAttr(QpType.RC, null, null, null, QpCap.of(1), false);
    active.createQp(null, cmQp);

    begin("connect to request");
    active.connect(RdmaConnParam.of(1, 1));
    var request = peerEvents.getCmEvent();
    var passive = request.id();
    request.close();
    end(request.event(), "CONNECT_REQUEST");

    passive.createQp(null, cmQp);
    begin("accept to established");
    passive.accept(RdmaConnParam.of(1, 1));
    events.getCmEvent().close();
    var established = peerEvents.getCmEvent();
    end(established.event(), "ESTABLISHED");
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

  /** Entered where a walk begins, or ends if there is none. */
  private static void traced(String walk) {}
}
