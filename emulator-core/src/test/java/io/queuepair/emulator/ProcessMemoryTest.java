// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.memory.FakeProcess;
import io.queuepair.emulator.memory.MovableRegion;
import io.queuepair.emulator.memory.ProcessMemory;
import io.queuepair.emulator.queue.CqBuffer;
import io.queuepair.emulator.queue.Cqe;
import io.queuepair.emulator.queue.MappableCq;
import io.queuepair.emulator.queue.SendPoster;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrFlag;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.UdWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WrOpcode;
import io.queuepair.verbs.XrcDomain;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two processes with a connected queue pair each on one device. */
final class ProcessMemoryTest {
  private static final long BASE = 0x7000_0000L;
  private static final int PAGE = FakeProcess.PAGE;
  private static final int PAGES = 256;
  private static final Set<AccessFlag> ALL =
      EnumSet.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC,
          AccessFlag.MW_BIND);

  /** All packets of a turn arrive together, as in real time. */
  private final Emulator emulator =
      Emulator.on(
          InMemoryFabric.create(
              InMemoryOptions.virtualTime().withBurstPackets(256).withPollRunsEvents(true)));

  private final ProtectionDomain pd = emulator.addDevice("10.0.0.1").open().allocPd();
  private final CompletionQueue cq = pd.context().createCq(256);
  private final CompletionQueue receives = pd.context().createCq(256);
  private final FakeProcess own = new FakeProcess().map(BASE, PAGES);
  private final FakeProcess other = new FakeProcess().map(BASE, PAGES);
  private final MemoryRegion source = register(own, BASE, PAGES * PAGE);
  private final MemoryRegion target = register(other, BASE, PAGES * PAGE);
  private final QueuePair qp = newQp(cq);
  private final QueuePair peer = newQp(receives);

  {
    Emulator.connect(qp, peer);
  }

  private MemoryRegion register(FakeProcess process, long address, long length) {
    return pd.regHostMemory(new ProcessMemory(process, address, length), address, ALL);
  }

  private QueuePair newQp(CompletionQueue completions) {
    return pd.createQp(QpInitAttr.rc(completions, new QpCap(128, 128, 3, 3, 0)));
  }

  @AfterEach
  void close() {
    emulator.close();
  }

  private static byte[] random(int length, int seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static Sge sge(MemoryRegion region, long offset, int length) {
    return new Sge(BASE + offset, length, region.lkey());
  }

  private SendWr write(long id, long from, long to, int length) {
    return SendWr.rdmaWrite(id, BASE + to, target.rkey(), sge(source, from, length));
  }

  private WcStatus status() {
    return emulator.await(cq).status();
  }

  @Test
  void aLongSendIsReadOnceAndWrittenOnce() {
    byte[] bytes = random(64 << 10, 1);
    own.put(BASE + 100, bytes);
    peer.postRecv(RecvWr.of(1, sge(target, 300, 64 << 10)));
    qp.postSend(SendWr.send(2, sge(source, 100, 64 << 10)));

    assertThat(emulator.await(receives).byteLen()).isEqualTo(64 << 10);
    assertThat(status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(other.bytes(BASE + 300, 64 << 10)).isEqualTo(bytes);
    assertThat(own.reads()).containsExactly(64 << 10);
    assertThat(other.writes()).containsExactly(List.of(64 << 10));
  }

  @Test
  void theLastAlignedWordOfAWriteIsWrittenLastAndByItself() {
    byte[] bytes = random(5000, 2);
    own.put(BASE, bytes);
    qp.postSend(write(1, 0, 3, 5000));

    assertThat(status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(other.bytes(BASE + 3, 5000)).isEqualTo(bytes);
    // It ends at 5003, the third byte of the word at 5000.
    assertThat(other.writes()).containsExactly(List.of(4997, 3));
  }

  @Test
  void aWriteWithinOneWordIsNotSplit() {
    qp.postSend(write(1, 0, 16, 8));

    assertThat(status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(other.writes()).containsExactly(List.of(8));
  }

  @Test
  void writesThatArriveTogetherAreWrittenByOneCall() {
    qp.postSend(
        List.of(write(1, 0, 0, 8), write(2, 8, 64, 8), write(3, 16, 128, 8), write(4, 24, 192, 8)));

    assertThat(List.of(status(), status(), status(), status())).containsOnly(WcStatus.SUCCESS);
    assertThat(other.writes()).containsExactly(List.of(8, 8, 8, 8));
  }

  @Test
  void aWriteToUnmappedMemoryFailsAsARemoteAccessError() {
    other.unmap(BASE + 2L * PAGE);
    own.put(BASE, random(24, 3));
    QueuePair bystander = newQp(cq);
    QueuePair itsPeer = newQp(receives);
    Emulator.connect(bystander, itsPeer);
    qp.postSend(List.of(write(1, 0, 0, 8), write(2, 8, 2 * PAGE, 8), write(3, 16, 3 * PAGE, 8)));
    bystander.postSend(write(4, 0, 4 * PAGE, 8));

    List<String> ends = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      var end = emulator.await(cq);
      ends.add(end.wrId() + " " + end.status());
    }
    assertThat(ends)
        .containsExactlyInAnyOrder("1 SUCCESS", "2 REM_ACCESS_ERR", "3 WR_FLUSH_ERR", "4 SUCCESS");
    assertThat(other.bytes(BASE, 8)).isEqualTo(own.bytes(BASE, 8));
    assertThat(other.bytes(BASE + 3L * PAGE, 8)).containsOnly(0);
    assertThat(other.bytes(BASE + 4L * PAGE, 8)).isEqualTo(own.bytes(BASE, 8));
  }

  @Test
  void aWriteToDeviceMemoryBehindOneToUnmappedMemoryIsNotExecuted() {
    other.unmap(BASE + 2L * PAGE);
    own.put(BASE, random(16, 3));
    DeviceMemory dm = pd.context().allocDm(AllocDmAttr.of(64));
    Set<AccessFlag> access =
        EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.ZERO_BASED);
    MemoryRegion region = pd.regDmMr(dm, 0, 64, access);
    SendWr toDevice = SendWr.rdmaWrite(2, 0, region.rkey(), sge(source, 8, 8));
    qp.postSend(List.of(write(1, 0, 2 * PAGE, 8), toDevice));

    assertThat(ends(cq, 2)).containsExactly("1 REM_ACCESS_ERR", "2 WR_FLUSH_ERR");
    ByteBuffer found = ByteBuffer.allocate(64);
    dm.copyFrom(found, 0);
    assertThat(found.array()).containsOnly(0);
  }

  @Test
  void aHoleInTheMiddleOfALongWriteFailsIt() {
    other.unmap(BASE + 100L * PAGE);
    qp.postSend(write(1, 0, 0, PAGES * PAGE));

    assertThat(status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
  }

  @Test
  void aWriteFailsThoughItsBeginningIsAcknowledged() {
    other.unmap(BASE + 250L * PAGE);
    qp.postSend(List.of(write(1, 0, 0, 200 * PAGE), write(2, 0, 0, PAGES * PAGE)));

    assertThat(ends(cq, 2)).containsExactly("1 SUCCESS", "2 REM_ACCESS_ERR");
  }

  @Test
  void aSendFromUnmappedMemoryFailsLocally() {
    own.unmap(BASE + 20L * PAGE);
    peer.postRecv(RecvWr.of(1, sge(target, 0, 30 * PAGE)));
    qp.postSend(SendWr.send(2, sge(source, 0, 30 * PAGE)));

    var end = emulator.await(cq);
    assertThat(end.status()).isEqualTo(WcStatus.LOC_PROT_ERR);
    assertThat(end.explanation()).contains("is not mapped in its process");
  }

  @Test
  void aReceiveIntoUnmappedMemoryFailsBothEnds() {
    other.unmap(BASE + PAGE);
    peer.postRecv(RecvWr.of(1, sge(target, 0, 2 * PAGE)));
    qp.postSend(SendWr.send(2, sge(source, 0, 2 * PAGE)));

    assertThat(status()).isEqualTo(WcStatus.REM_OP_ERR);
    assertThat(emulator.await(receives).status()).isEqualTo(WcStatus.LOC_PROT_ERR);
  }

  private void receiveAndSend(int... offsets) {
    List<SendWr> sends = new ArrayList<>();
    for (int i = 0; i < offsets.length; i++) {
      peer.postRecv(RecvWr.of(10 + i, sge(target, offsets[i], 8)));
      sends.add(SendWr.send(i, sge(source, 8L * i, i == 3 ? 16 : 8)));
    }
    qp.postSend(sends);
  }

  private List<String> ends(CompletionQueue completions, int count) {
    return Stream.generate(() -> emulator.await(completions))
        .limit(count)
        .map(end -> end.wrId() + " " + end.status())
        .toList();
  }

  @Test
  void sendsThatArriveTogetherAreWrittenByOneCall() {
    own.put(BASE, random(24, 12));
    receiveAndSend(0, 64, 128);

    assertThat(ends(receives, 3)).containsExactly("10 SUCCESS", "11 SUCCESS", "12 SUCCESS");
    assertThat(other.writes()).containsExactly(List.of(8, 8, 8));
    assertThat(other.bytes(BASE + 128, 8)).isEqualTo(own.bytes(BASE + 16, 8));
  }

  @Test
  void aReceiveIntoUnmappedMemoryFailsThoseAfterItButNoneBefore() {
    other.unmap(BASE + 2L * PAGE);
    own.put(BASE, random(24, 13));
    receiveAndSend(0, 2 * PAGE, 128);

    assertThat(ends(receives, 3))
        .containsExactly("10 SUCCESS", "11 LOC_PROT_ERR", "12 WR_FLUSH_ERR");
    assertThat(ends(cq, 3)).containsExactly("0 SUCCESS", "1 REM_OP_ERR", "2 WR_FLUSH_ERR");
    assertThat(other.bytes(BASE, 8)).isEqualTo(own.bytes(BASE, 8));
    assertThat(other.bytes(BASE + 128, 8)).containsOnly(0);
  }

  /** More than is gathered at once: what fails turns out while a later message is written. */
  @Test
  void nothingIsWrittenNorCompletedAfterAMessageForUnmappedMemory() {
    other.unmap(BASE + PAGE);
    List<SendWr> sends = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      peer.postRecv(RecvWr.of(i, sge(target, (long) i * PAGE, PAGE)));
      sends.add(SendWr.send(i, sge(source, 0, PAGE)));
    }
    qp.postSend(sends);

    assertThat(ends(receives, 100))
        .startsWith("0 SUCCESS", "1 LOC_PROT_ERR", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR")
        .endsWith("99 WR_FLUSH_ERR");
    assertThat(other.writes()).containsExactly(List.of(PAGE));
  }

  @Test
  void nothingIsAcknowledgedIfTheCompletionQueueOverruns() {
    CompletionQueue small = pd.context().createCq(1);
    QueuePair full = newQp(small);
    QueuePair sender = newQp(cq);
    Emulator.connect(sender, full);
    full.postRecv(RecvWr.of(1, sge(target, 0, 8)));
    full.postRecv(RecvWr.of(2, sge(target, 64, 8)));

    sender.postSend(List.of(SendWr.send(3, sge(source, 0, 8)), SendWr.send(4, sge(source, 0, 8))));

    assertThat(ends(cq, 2)).containsExactly("3 RETRY_EXC_ERR", "4 WR_FLUSH_ERR");
  }

  @Test
  void aSolicitedMessageAmongOthersIsAnnounced() {
    CompletionChannel channel = pd.context().createCompChannel();
    CompletionQueue armed = pd.context().createCq(16, channel);
    QueuePair receiver = newQp(armed);
    QueuePair sender = newQp(cq);
    Emulator.connect(sender, receiver);
    receiver.postRecv(RecvWr.of(1, sge(target, 0, 8)));
    receiver.postRecv(RecvWr.of(2, sge(target, 64, 8)));
    armed.reqNotify(true);

    SendWr send = SendWr.send(3, sge(source, 0, 8));
    sender.postSend(List.of(send, send.withFlags(SendFlag.SIGNALED, SendFlag.SOLICITED)));

    assertThat(channel.getCqEvent(Duration.ofMillis(1))).contains(armed);
  }

  private static QpAttr init() {
    return QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(Set.of());
  }

  private QpAttr rtr(QueuePair from) {
    return QpAttr.to(QpState.RTR)
        .ahAttr(AhAttr.to(pd.context().queryGid(1, 0)))
        .pathMtu(Mtu.MTU_1024)
        .destQpNum(from.qpNum())
        .rqPsn(0);
  }

  private QueuePair initiatorTo(QueuePair responder) {
    QpCap sendsOnly = new QpCap(16, 0, 1, 0, 0);
    QueuePair initiator = pd.createQp(QpInitAttr.of(QpType.XRC_SEND, cq, sendsOnly));
    responder.modify(init());
    responder.modify(rtr(initiator).minRnrTimer(12).maxDestRdAtomic(1));
    initiator.modify(init());
    initiator.modify(rtr(responder));
    initiator.modify(
        QpAttr.to(QpState.RTS).sqPsn(0).timeout(14).retryCnt(7).rnrRetry(7).maxRdAtomic(1));
    return initiator;
  }

  /** A buffer that was unmapped. */
  private record NoBuffer() implements CqBuffer {
    @Override
    public void produce(Cqe cqe) {
      throw new AssertionError("produced " + cqe.toRecord());
    }

    @Override
    public int consumed() {
      return 0;
    }

    @Override
    public void clean(int qpn) {
      throw new AssertionError("cleaned");
    }
  }

  @Test
  void aReceiveInUseOutlivesItsQueuesAndCompletesToNone() {
    XrcDomain domain = pd.context().openXrcd();
    CompletionQueue completions = pd.context().createCq(16);
    SharedReceiveQueue srq = domain.createSrq(pd, completions, SrqAttr.of(16, 1));
    QueuePair responder = domain.createQp();
    QueuePair initiator = initiatorTo(responder);
    srq.postRecv(RecvWr.of(1, sge(target, 0, PAGE)));
    emulator.injectFaults(FaultPlan.parse("drop 1st SEND_LAST"));
    initiator.postSend(SendWr.send(2, sge(source, 0, PAGE)).toSrq(srq.srqNum()));
    emulator.run(Duration.ofMillis(1));
    ((MappableCq) completions).map(new NoBuffer());
    srq.close();
    completions.close();

    responder.modify(QpAttr.to(QpState.ERR));

    assertThat(responder.query().qpState()).isEqualTo(QpState.ERR);
  }

  /** IBTA annex A14: a message completes to the queue of the shared receive queue it names. */
  @Test
  void aReceiveFailsOnTheQueueOfItsOwnSharedReceiveQueue() {
    other.unmap(BASE + 2L * PAGE);
    XrcDomain domain = pd.context().openXrcd();
    CompletionQueue later = pd.context().createCq(16);
    SharedReceiveQueue first = domain.createSrq(pd, receives, SrqAttr.of(16, 1));
    SharedReceiveQueue second = domain.createSrq(pd, later, SrqAttr.of(16, 1));
    QueuePair initiator = initiatorTo(domain.createQp());
    first.postRecv(RecvWr.of(1, sge(target, 2 * PAGE, 8)));
    second.postRecv(RecvWr.of(2, sge(target, 0, 8)));

    initiator.postSend(
        List.of(
            SendWr.send(3, sge(source, 0, 8)).toSrq(first.srqNum()),
            SendWr.send(4, sge(source, 0, 8)).toSrq(second.srqNum())));

    assertThat(ends(receives, 1)).containsExactly("1 LOC_PROT_ERR");
    assertThat(ends(later, 1)).containsExactly("2 WR_FLUSH_ERR");
  }

  @Test
  void aRefusedMessageCompletesAfterThoseBeforeIt() {
    receiveAndSend(0, 64, 128, 192); // The last one is too long.

    assertThat(ends(receives, 4))
        .containsExactly("10 SUCCESS", "11 SUCCESS", "12 SUCCESS", "13 LOC_LEN_ERR");
  }

  @Test
  void aRefusedMessageIsNoneAfterOneForUnmappedMemory() {
    other.unmap(BASE + 2L * PAGE);
    receiveAndSend(0, 64, 2 * PAGE, 192); // The last one is too long.

    assertThat(ends(receives, 4))
        .containsExactly("10 SUCCESS", "11 SUCCESS", "12 LOC_PROT_ERR", "13 WR_FLUSH_ERR");
  }

  @Test
  void aReadIsReadOnceAndWrittenOnce() {
    byte[] bytes = random(50_000, 4);
    other.put(BASE + 8, bytes);
    qp.postSend(SendWr.rdmaRead(1, BASE + 8, target.rkey(), sge(source, 40, 50_000)));

    assertThat(status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(own.bytes(BASE + 40, 50_000)).isEqualTo(bytes);
    assertThat(other.reads()).containsExactly(50_000);
    assertThat(own.writes()).containsExactly(List.of(50_000));
  }

  @Test
  void aReadOfUnmappedMemoryFailsAsARemoteAccessError() {
    other.unmap(BASE);
    qp.postSend(SendWr.rdmaRead(1, BASE, target.rkey(), sge(source, 0, 8)));

    assertThat(status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
  }

  @Test
  void aReadIntoUnmappedMemoryFailsLocally() {
    own.unmap(BASE);
    qp.postSend(SendWr.rdmaRead(1, BASE, target.rkey(), sge(source, 0, 8)));

    assertThat(status()).isEqualTo(WcStatus.LOC_PROT_ERR);
  }

  @Test
  void aReadSeesTheWriteBeforeIt() {
    own.put(BASE, random(8, 5));
    qp.postSend(
        List.of(write(1, 0, 0, 8), SendWr.rdmaRead(2, BASE, target.rkey(), sge(source, PAGE, 8))));

    assertThat(List.of(status(), status())).containsOnly(WcStatus.SUCCESS);
    assertThat(own.bytes(BASE + PAGE, 8)).isEqualTo(own.bytes(BASE, 8));
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putLong(0, value).array();
  }

  @Test
  void atomicsLoadAndStoreNumbers() {
    other.put(BASE + 64, number(40));
    SendWr.RemoteTarget word = new SendWr.RemoteTarget(BASE + 64, target.rkey());
    qp.postSend(
        List.of(
            SendWr.fetchAndAdd(1, word, 2, sge(source, 0, 8)),
            SendWr.compareAndSwap(2, word, 42, 7, sge(source, 8, 8)),
            SendWr.compareAndSwap(3, word, 42, 9, sge(source, 16, 8))));

    assertThat(List.of(status(), status(), status())).containsOnly(WcStatus.SUCCESS);
    assertThat(own.bytes(BASE, 8)).isEqualTo(number(40));
    assertThat(own.bytes(BASE + 8, 8)).isEqualTo(number(42));
    assertThat(own.bytes(BASE + 16, 8)).isEqualTo(number(7));
    assertThat(other.bytes(BASE + 64, 8)).isEqualTo(number(7));
  }

  @Test
  void anAtomicOnUnmappedMemoryFailsAsARemoteAccessError() {
    other.unmap(BASE);
    SendWr.RemoteTarget word = new SendWr.RemoteTarget(BASE, target.rkey());
    qp.postSend(SendWr.fetchAndAdd(1, word, 2, sge(source, 0, 8)));

    assertThat(status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
  }

  @Test
  void anAtomicAfterAWriteToUnmappedMemoryIsNotExecuted() {
    other.unmap(BASE + PAGE);
    SendWr.RemoteTarget word = new SendWr.RemoteTarget(BASE, target.rkey());
    qp.postSend(List.of(write(1, 0, PAGE, 8), SendWr.fetchAndAdd(2, word, 2, sge(source, 0, 8))));

    assertThat(ends(cq, 2)).containsExactly("1 REM_ACCESS_ERR", "2 WR_FLUSH_ERR");
    assertThat(other.bytes(BASE, 8)).isEqualTo(number(0));
  }

  @Test
  void entriesOfSeveralKindsAreOneMessage() {
    MemoryRegion plain = pd.regMr(ByteBuffer.allocateDirect(16).put(0, (byte) 9), ALL);
    own.put(BASE, new byte[] {1, 2, 3, 4});
    own.put(BASE + PAGE, new byte[] {5, 6});
    peer.postRecv(RecvWr.of(1, sge(target, 0, 3), sge(target, 100, 20)));
    qp.postSend(SendWr.send(2, sge(source, 0, 4), plain.sge(0, 2), sge(source, PAGE, 2)));

    assertThat(emulator.await(receives).byteLen()).isEqualTo(8);
    assertThat(other.bytes(BASE, 3)).containsExactly(1, 2, 3);
    assertThat(other.bytes(BASE + 100, 5)).containsExactly(4, 9, 0, 5, 6);
  }

  @Test
  void aWindowOpensMemoryOfAProcess() {
    MemoryWindow window = pd.allocMw(MwType.TYPE_1);
    MwBindInfo part = new MwBindInfo(target, BASE + 512, 64, ALL_OF_WINDOW);
    peer.bindMw(window, new MwBind(7, EnumSet.of(SendFlag.SIGNALED), part));
    assertThat(emulator.await(receives).status()).isEqualTo(WcStatus.SUCCESS);
    own.put(BASE, random(8, 6));

    qp.postSend(SendWr.rdmaWrite(1, BASE + 520, window.rkey(), sge(source, 0, 8)));

    assertThat(status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(other.bytes(BASE + 520, 8)).isEqualTo(own.bytes(BASE, 8));
  }

  private void postCopied(byte[] bytes) {
    ByteBuffer copy = ByteBuffer.wrap(bytes);
    ((SendPoster) qp)
        .postSend(
            1,
            bytes,
            (source, index, request) -> {
              request.begin(2, WrOpcode.RDMA_WRITE, EnumSet.of(SendFlag.SIGNALED));
              request.sges().add(BASE, bytes.length, this.source.lkey());
              request.remote(BASE, target.rkey()).copied(copy, 0, bytes.length);
            });
  }

  @Test
  void whatWasCopiedWhenItWasPostedIsNotRead() {
    byte[] bytes = random(100, 10);
    postCopied(bytes);

    assertThat(status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(other.bytes(BASE, 100)).isEqualTo(bytes);
    assertThat(own.reads()).isEmpty();
  }

  @Test
  void aRegionMovesToOtherMemoryOfAProcess() {
    own.put(BASE, random(8, 11));
    FakeProcess elsewhere = new FakeProcess().map(BASE + 4L * PAGE, 1);
    ReregMr change = new ReregMr(EnumSet.of(ReregMrFlag.CHANGE_TRANSLATION), null, null, Set.of());
    ((MovableRegion) target).rereg(change, new ProcessMemory(elsewhere, BASE + 4L * PAGE, PAGE));

    qp.postSend(write(1, 0, 4 * PAGE, 8));

    assertThat(status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(elsewhere.bytes(BASE + 4L * PAGE, 8)).isEqualTo(own.bytes(BASE, 8));
  }

  private QueuePair newQp(QpType type, CompletionQueue completions, QpAttr readyToReceive) {
    QueuePair made = pd.createQp(QpInitAttr.of(type, completions, QpCap.of(8)));
    QpAttr init = QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1);
    boolean isDatagram = type == QpType.UD;
    made.modify(isDatagram ? init.qkey(5) : init.qpAccessFlags(AccessFlag.REMOTE_WRITE));
    if (!isDatagram) {
      readyToReceive.destQpNum(made.qpNum()); // Connected to itself.
    }
    made.modify(readyToReceive);
    made.modify(QpAttr.to(QpState.RTS).sqPsn(0));
    return made;
  }

  private QueuePair datagrams() {
    return newQp(QpType.UD, cq, QpAttr.to(QpState.RTR));
  }

  private QueuePair unreliable() {
    QpAttr ready = QpAttr.to(QpState.RTR).pathMtu(Mtu.MTU_1024).rqPsn(0);
    return newQp(QpType.UC, cq, ready.ahAttr(AhAttr.to(pd.context().queryGid(1, 0))));
  }

  private SendWr datagram(QueuePair to, int length) {
    AddressHandle ah = pd.createAh(AhAttr.to(pd.context().queryGid(1, 0)));
    return new UdWr(SendWr.send(2, sge(source, 0, length)), ah, to.qpNum(), 5);
  }

  @Test
  void aDatagramIsWrittenBehindItsGrh() {
    byte[] bytes = random(100, 8);
    own.put(BASE, bytes);
    QueuePair ud = datagrams();
    ud.postRecv(RecvWr.of(1, sge(target, 0, 140)));
    ud.postSend(datagram(ud, 100));

    assertThat(status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(emulator.await(cq).byteLen()).isEqualTo(140);
    assertThat(other.bytes(BASE + 40, 100)).isEqualTo(bytes);
  }

  @Test
  void aDatagramIntoUnmappedMemoryFailsItsReceive() {
    other.unmap(BASE + PAGE);
    QueuePair ud = datagrams();
    ud.postRecv(RecvWr.of(1, sge(target, PAGE - 40, 140)));
    ud.postSend(datagram(ud, 100));

    assertThat(List.of(status(), status()))
        .containsExactly(WcStatus.SUCCESS, WcStatus.LOC_PROT_ERR);
  }

  @Test
  void anUnreliableWriteToUnmappedMemoryIsLost() {
    other.unmap(BASE);
    own.put(BASE, random(8, 9));
    QueuePair uc = unreliable();
    uc.postSend(List.of(write(1, 0, 0, 8), write(2, 0, PAGE, 8)));

    assertThat(List.of(status(), status())).containsOnly(WcStatus.SUCCESS);
    emulator.run(Duration.ofMillis(1));
    assertThat(other.bytes(BASE + PAGE, 8)).isEqualTo(own.bytes(BASE, 8));
  }

  @Test
  void anUnreliableSendIntoUnmappedMemoryFailsItsReceive() {
    other.unmap(BASE);
    QueuePair uc = unreliable();
    uc.postRecv(RecvWr.of(1, sge(target, 0, 2000)));
    uc.postSend(SendWr.send(2, sge(source, 0, 2000)));

    assertThat(List.of(status(), status()))
        .containsExactly(WcStatus.SUCCESS, WcStatus.LOC_PROT_ERR);
  }

  private static final Set<AccessFlag> ALL_OF_WINDOW =
      EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

  @Test
  void packetsOnTheirWayKeepTheirBytesWhenTheRingIsUsedAgain() {
    int length = PAGES * PAGE;
    List<SendWr> wrs = new ArrayList<>();
    List<QueuePair> pairs = new ArrayList<>();
    List<FakeProcess> receivers = new ArrayList<>();
    for (int i = 0; i < 12; i++) { // A window of 1 MiB each, 12 MiB; the ring has 8.
      FakeProcess sender = new FakeProcess().map(BASE, PAGES);
      sender.put(BASE, random(length, i));
      FakeProcess receiver = new FakeProcess().map(BASE, PAGES);
      receivers.add(receiver);
      Sge all = new Sge(BASE, length, register(sender, BASE, length).lkey());
      wrs.add(SendWr.rdmaWrite(i, BASE, register(receiver, BASE, length).rkey(), all));
      pairs.add(newQp(cq));
      Emulator.connect(pairs.get(i), newQp(receives));
    }
    for (int i = 0; i < 12; i++) {
      pairs.get(i).postSend(wrs.get(i));
    }

    for (int i = 0; i < 12; i++) {
      assertThat(status()).isEqualTo(WcStatus.SUCCESS);
    }
    for (int i = 0; i < 12; i++) {
      assertThat(receivers.get(i).bytes(BASE, length)).isEqualTo(random(length, i));
    }
  }
}
