// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static io.queuepair.nativeprovider.SystemHost.errnoOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.DeviceMemory;
import io.queuepair.verbs.DmaBuffer;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.QpOpenAttr;
import io.queuepair.verbs.QpRateLimitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.ReregMrFlag;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.TsoWr;
import io.queuepair.verbs.UdWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrBatch;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Arguments that the library would crash at, or take for others, are refused before. */
@Timeout(60)
class NativeArgumentsTest {
  private static final QpCap CAP = new QpCap(8, 8, 2, 2, 64);

  private Context context;
  private ProtectionDomain pd;
  private CompletionQueue cq;

  @BeforeEach
  void open() {
    List<Device> devices = new NativeVerbsProvider().devices();
    Assumptions.assumeFalse(devices.isEmpty(), "the system has no device");
    context = devices.get(0).open();
    pd = context.allocPd();
    cq = context.createCq(16);
  }

  @AfterEach
  void close() {
    if (context != null) {
      context.close();
    }
  }

  private QueuePair queuePair() {
    return pd.createQp(QpInitAttr.rc(cq, CAP));
  }

  private static QpAttr init() {
    return QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(AccessFlag.REMOTE_WRITE);
  }

  private QpAttr readyToReceive(QueuePair qp) {
    return QpAttr.to(QpState.RTR)
        .ahAttr(AhAttr.to(context.queryGid(1, 0)))
        .pathMtu(Mtu.MTU_1024)
        .destQpNum(qp.qpNum())
        .rqPsn(0)
        .maxDestRdAtomic(1)
        .minRnrTimer(12);
  }

  private static QpAttr readyToSend() {
    return QpAttr.to(QpState.RTS).sqPsn(0).timeout(14).retryCnt(7).rnrRetry(7).maxRdAtomic(1);
  }

  /** Connects a queue pair to itself. */
  private <T extends QueuePair> T connected(T qp) {
    qp.modify(init());
    qp.modify(readyToReceive(qp));
    qp.modify(readyToSend());
    return qp;
  }

  private ExtendedQueuePair extended(CompletionQueue cq) {
    QpInitAttrEx attr = QpInitAttrEx.of(QpInitAttr.rc(cq, CAP)).withSendOps(SendOpsFlag.WITH_SEND);
    return pd.createQpEx(attr);
  }

  private static WorkCompletion await(CompletionQueue cq) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    WorkCompletion[] one = new WorkCompletion[1];
    while (cq.poll(one) == 0) {
      assertThat(System.nanoTime()).isLessThan(end);
    }
    return one[0];
  }

  @Test
  void aQueuePairNeedsTheQueuesOfItsType() {
    for (QpType type : List.of(QpType.RC, QpType.UC, QpType.UD)) {
      QpInitAttr without = new QpInitAttr(type, null, null, null, CAP, false);
      QpInitAttr receives = new QpInitAttr(type, null, cq, null, CAP, false);
      QpInitAttr sends = new QpInitAttr(type, cq, null, null, CAP, false);
      for (QpInitAttr attr : List.of(without, receives, sends)) {
        assertThat(errnoOf(() -> pd.createQp(attr))).isEqualTo(Errno.EINVAL);
        assertThat(errnoOf(() -> pd.createQpEx(QpInitAttrEx.of(attr)))).isEqualTo(Errno.EINVAL);
      }
    }
  }

  @Test
  void whatItHasNoPointerForIsNotOffered() {
    for (QpInitAttrMask bit :
        List.of(QpInitAttrMask.XRCD, QpInitAttrMask.IND_TABLE, QpInitAttrMask.RX_HASH)) {
      Set<QpInitAttrMask> mask = EnumSet.of(QpInitAttrMask.PD, bit);
      QpInitAttr base = QpInitAttr.of(QpType.RAW_PACKET, cq, CAP);
      QpInitAttrEx attr = new QpInitAttrEx(base, mask, Set.of(), Set.of(), 0, null, null);

      assertThat(errnoOf(() -> pd.createQpEx(attr))).isEqualTo(Errno.EOPNOTSUPP);
    }
  }

  @Test
  void aTargetIsOpenedOfADomain() {
    assertThat(errnoOf(() -> context.openQp(new QpOpenAttr(null, 17, QpType.XRC_RECV))))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  void aRegionIsMovedToADomainOfItsContext() {
    MemoryRegion region = pd.regMr(ByteBuffer.allocateDirect(64), AccessFlag.LOCAL_WRITE);
    try (Context other = context.device().open()) {
      ReregMr toNone = new ReregMr(EnumSet.of(ReregMrFlag.CHANGE_PD), null, null, Set.of());
      for (ReregMr change : List.of(toNone, ReregMr.nothing().withPd(other.allocPd()))) {
        ReregMrException refusal =
            catchThrowableOfType(ReregMrException.class, () -> region.rereg(change));

        assertThat(refusal.code()).isEqualTo(ReregMrErrCode.CMD);
        assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
      }
    }
  }

  @Test
  void objectsOfAnotherContextAreRefused() {
    try (Context other = context.device().open()) {
      ProtectionDomain foreign = other.allocPd();
      CompletionQueue own = other.createCq(4, other.createCompChannel());

      assertThat(errnoOf(() -> foreign.createQp(QpInitAttr.rc(cq, CAP)))).isEqualTo(Errno.EINVAL);
      assertThat(errnoOf(() -> context.createCq(4, other.createCompChannel())))
          .isEqualTo(Errno.EINVAL);
      assertThat(errnoOf(() -> pd.createQp(QpInitAttr.rc(own, CAP)))).isEqualTo(Errno.EINVAL);
      MemoryWindow window = foreign.allocMw(MwType.TYPE_1);
      MwBindInfo nothing = new MwBindInfo(null, 0, 0, Set.of());
      assertThat(errnoOf(() -> queuePair().bindMw(window, new MwBind(1, Set.of(), nothing))))
          .isEqualTo(Errno.EINVAL);
    }
  }

  /** Each would be another value in the bits that the structure has for it. */
  @Test
  void numbersThatTheStructuresHaveNoRoomForAreRefused() {
    QueuePair qp = queuePair();
    for (QpAttr attr : List.of(init().pkeyIndex(1 << 16), init().portNum(257))) {
      assertThat(errnoOf(() -> qp.modify(attr))).isEqualTo(Errno.EINVAL);
    }
    qp.modify(init());
    Gid gid = context.queryGid(1, 0);
    for (AhAttr vector :
        List.of(
            AhAttr.to(gid).fromPort(257),
            new AhAttr(GlobalRoute.to(gid, 0), 256, 1),
            new AhAttr(GlobalRoute.to(gid, 256), 0, 1),
            new AhAttr(new GlobalRoute(gid, 0, 0, 256, 0), 0, 1),
            new AhAttr(new GlobalRoute(gid, 0, 0, 64, -1), 0, 1))) {
      assertThat(errnoOf(() -> qp.modify(readyToReceive(qp).ahAttr(vector))))
          .isEqualTo(Errno.EINVAL);
      assertThat(errnoOf(() -> pd.createAh(vector))).isEqualTo(Errno.EINVAL);
    }
    for (QpAttr attr :
        List.of(
            readyToReceive(qp).maxDestRdAtomic(257), readyToReceive(qp).minRnrTimer(256 + 12))) {
      assertThat(errnoOf(() -> qp.modify(attr))).isEqualTo(Errno.EINVAL);
    }
    qp.modify(readyToReceive(qp));
    for (QpAttr attr :
        List.of(
            readyToSend().timeout(256 + 14),
            readyToSend().retryCnt(256 + 7),
            readyToSend().rnrRetry(-249),
            readyToSend().maxRdAtomic(257))) {
      assertThat(errnoOf(() -> qp.modify(attr))).isEqualTo(Errno.EINVAL);
    }
    qp.modify(readyToSend().timeout(14), readyToSend().mask());
    assertThat(errnoOf(() -> qp.modifyRateLimit(new QpRateLimitAttr(1, 1, 65_537))))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  void theRequestsBeforeAMistakeArePosted() {
    QueuePair qp = connected(queuePair());
    Sge own = Sge.inline(new byte[] {1});

    BadWorkRequestException receive =
        catchThrowableOfType(
            BadWorkRequestException.class,
            () -> qp.postRecv(List.of(RecvWr.of(1), RecvWr.of(2, own), RecvWr.of(3))));
    BadWorkRequestException send =
        catchThrowableOfType(
            BadWorkRequestException.class,
            () -> qp.postSend(List.of(SendWr.send(4), SendWr.send(5, own), SendWr.send(6))));

    assertThat(receive.index()).isEqualTo(1);
    assertThat(send.index()).isEqualTo(1);
    assertThat(send).hasMessage("ibv_post_send: EINVAL: work request 1: own bytes without INLINE");
    assertThat(List.of(await(cq).wrId(), await(cq).wrId())).containsExactlyInAnyOrder(1L, 4L);
  }

  /** The driver reads it by a pointer: of such an address there may be nothing in the process. */
  @Test
  void inlineDataIsThatOfItsRegion() {
    QueuePair qp = connected(queuePair());
    ByteBuffer bytes = ByteBuffer.allocateDirect(64);
    MemoryRegion zeroBased = pd.regMr(bytes, AccessFlag.LOCAL_WRITE, AccessFlag.ZERO_BASED);
    MemoryRegion to = pd.regMr(ByteBuffer.allocateDirect(8), AccessFlag.LOCAL_WRITE);
    zeroBased.buffer().put(8, (byte) 42);
    qp.postRecv(RecvWr.of(1, to.sge()));
    qp.postSend(inline(zeroBased.sge(8, 8)));

    assertThat(await(cq).status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(await(cq).status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(to.buffer().get(0)).isEqualTo((byte) 42);
    Sge nowhere = new Sge(4096, 8, zeroBased.lkey());
    assertThat(errnoOf(() -> qp.postSend(inline(nowhere)))).isEqualTo(Errno.EINVAL);
  }

  private static SendWr inline(Sge sge) {
    return SendWr.send(1, sge).withFlags(SendFlag.SIGNALED, SendFlag.INLINE);
  }

  /** Some of the lists fill the memory that a queue pair has for requests from the beginning. */
  @Test
  void listsOfSegmentedDatagramsHaveRoom() {
    QueuePair qp = pd.createQp(QpInitAttr.of(QpType.UD, cq, CAP));
    AddressHandle to = pd.createAh(AhAttr.to(context.queryGid(1, 0)));
    for (int mss : List.of(1024, 1 << 16)) {
      SendWr segmented = new TsoWr(1, List.of(), Set.of(), ByteBuffer.allocate(54), mss);
      for (int count = 1; count < 64; count++) {
        List<SendWr> list = Collections.nCopies(count, new UdWr(segmented, to, 17, 17));
        BadWorkRequestException refusal =
            catchThrowableOfType(BadWorkRequestException.class, () -> qp.postSend(list));

        assertThat(refusal.errno()).as(refusal.getMessage()).isEqualTo(Errno.EINVAL);
        assertThat(refusal.index()).isZero();
      }
    }
  }

  @Test
  void theFirstMistakeOfABatchIsNamed() {
    ExtendedQueuePair qp = connected(extended(cq));
    WrBatch batch = qp.wrStart();
    batch.send().setSgeList(List.of(Sge.inline(new byte[] {1})));
    batch.send();

    BadWorkRequestException refusal =
        catchThrowableOfType(BadWorkRequestException.class, batch::complete);
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refusal.index()).isZero();
  }

  @Test
  void aQueueStaysWhileABatchOfPollsIsOpen() {
    ExtendedCompletionQueue queue = context.createCqEx(CqInitAttrEx.of(16));
    QueuePair qp = connected(extended(queue));
    qp.postRecv(RecvWr.of(1));
    qp.postSend(SendWr.send(2));
    PollBatch batch = started(queue);
    qp.close();

    assertThat(errnoOf(queue::close)).isEqualTo(Errno.EBUSY);
    assertThat(errnoOf(() -> queue.poll(new WorkCompletion[1]))).isEqualTo(Errno.EINVAL);
    batch.close();
    assertThat(errnoOf(batch::nextPoll)).isEqualTo(Errno.EINVAL);
    queue.close();
  }

  private static PollBatch started(ExtendedCompletionQueue queue) {
    while (true) {
      PollBatch batch = queue.startPoll();
      if (batch.nextPoll()) {
        return batch;
      }
    }
  }

  @Test
  void anEmptyBatchStaysEmptyWhenAnotherThreadPolls() {
    ExtendedCompletionQueue queue = context.createCqEx(CqInitAttrEx.of(16));
    QueuePair qp = connected(extended(queue));
    try (PollBatch empty = queue.startPoll()) {
      qp.postRecv(RecvWr.of(1));
      qp.postSend(SendWr.send(2));
      CompletableFuture<WcStatus> other =
          CompletableFuture.supplyAsync(
              () -> {
                try (PollBatch batch = started(queue)) {
                  return batch.status();
                }
              });

      assertThat(other.join()).isEqualTo(WcStatus.SUCCESS);
      assertThat(empty.nextPoll()).isFalse();
    }
  }

  @Test
  void aContextIsClosedWithWhatIsOnIt() {
    Context own = context.device().open();
    ProtectionDomain first = own.allocPd();
    ExtendedCompletionQueue queue = own.createCqEx(CqInitAttrEx.of(16));
    MemoryWindow window = first.allocMw(MwType.TYPE_1);
    MemoryRegion moved = first.regMr(ByteBuffer.allocateDirect(64), AccessFlag.LOCAL_WRITE);
    ExtendedQueuePair qp =
        first.createQpEx(
            QpInitAttrEx.of(QpInitAttr.rc(queue, CAP)).withSendOps(SendOpsFlag.WITH_SEND));
    connected(qp);
    MemoryRegion bound =
        first.regMr(
            ByteBuffer.allocateDirect(64),
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_WRITE,
            AccessFlag.MW_BIND);
    MwBindInfo all = new MwBindInfo(bound, bound.addr(), 64, Set.of(AccessFlag.REMOTE_WRITE));
    qp.bindMw(window, new MwBind(1, Set.of(SendFlag.SIGNALED), all));
    assertThat(await(queue).status()).isEqualTo(WcStatus.SUCCESS);
    ProtectionDomain second = own.allocPd();
    moved.rereg(ReregMr.nothing().withPd(second));
    qp.postRecv(RecvWr.of(1));
    qp.postSend(SendWr.send(2));
    started(queue);
    qp.wrStart();

    own.close();

    assertThatExceptionOfType(VerbsException.class).isThrownBy(own::queryDevice);
  }

  @Test
  void aContextIsClosedWithAQueuePairInAGroup() {
    Context own = context.device().open();
    QpInitAttr attr = QpInitAttr.of(QpType.UD, own.createCq(4), CAP);
    QueuePair qp = own.allocPd().createQp(attr);
    qp.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qkey(17));
    try {
      qp.attachMcast(Gid.of(InetAddress.ofLiteral("239.1.2.3")));
    } catch (VerbsException refused) {
      assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
      own.close();
      Assumptions.abort("no interface has multicast");
    }
    assertThat(errnoOf(qp::close)).isEqualTo(Errno.EBUSY);

    own.close();
  }

  @Test
  void regionsWithoutAddressOfTheHostBeginAtZero() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(64);
    MemoryRegion region = pd.regMr(bytes, AccessFlag.LOCAL_WRITE, AccessFlag.ZERO_BASED);

    assertThat(region.addr()).isZero();
    try {
      MemoryRegion zeros = pd.allocNullMr();
      assertThat(zeros.length()).isZero();
      assertThat(zeros.sge().length()).isZero();
    } catch (VerbsException refused) {
      assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
    }
  }

  @Test
  void aRegionOfDeviceMemoryIsInsideIt() {
    DeviceMemory memory;
    try {
      memory = context.allocDm(AllocDmAttr.of(64));
    } catch (VerbsException refused) {
      Assumptions.abort("the device has no memory");
      return;
    }
    Set<AccessFlag> access = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.ZERO_BASED);
    MemoryRegion region = pd.regDmMr(memory, 16, 32, access);

    assertThat(region.length()).isEqualTo(32);
    assertThatThrownBy(() -> region.sge(8, 32)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(errnoOf(() -> pd.regDmMr(memory, -8, 16, access))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> pd.regDmMr(memory, 8, -4, access))).isEqualTo(Errno.EINVAL);
    assertThat(errnoOf(() -> pd.regDmMr(memory, 60, 8, access))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void aTableMayHaveAsManyEntriesAsThereAre() {
    assertThat(context.queryGidTable(Integer.MAX_VALUE)).isEqualTo(context.queryGidTable(4096));
    assertThat(errnoOf(() -> context.queryGidTable(0))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void bytesThatWereFreedAreRefused() {
    DmaBuffer buffer;
    try {
      buffer = pd.allocBuf(4096);
    } catch (VerbsException refused) {
      Assumptions.abort("the library has no ibv_alloc_buf");
      return;
    }
    ByteBuffer bytes = buffer.bytes();
    bytes.put(0, (byte) 1);
    buffer.close();

    assertThatThrownBy(() -> bytes.get(0)).isInstanceOf(IllegalStateException.class);
    assertThat(errnoOf(() -> pd.regMr(bytes))).isEqualTo(Errno.EFAULT);
  }
}
