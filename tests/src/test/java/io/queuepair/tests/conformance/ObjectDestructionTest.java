// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Creating and destroying: arguments, limits, and who still needs whom. */
final class ObjectDestructionTest {
  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final ProtectionDomain pd = context.allocPd();

  private static void assertRefused(Errno errno, ThrowingCallable call) {
    VerbsException refusal = catchThrowableOfType(VerbsException.class, call);

    assertThat(refusal).isNotNull();
    assertThat(refusal.errno()).isEqualTo(errno);
  }

  private Context limited(DeviceLimit limit, long value) {
    return emulator.addDevice(DeviceProfile.standard().withLimit(limit, value), "10.0.1.1").open();
  }

  private static ByteBuffer memory() {
    return ByteBuffer.allocateDirect(64);
  }

  private static QpInitAttr rc(CompletionQueue cq) {
    return QpInitAttr.rc(cq, QpCap.of(2));
  }

  @Test
  void aDomainIsBusyWhileARegionUsesIt() {
    MemoryRegion region = pd.regMr(memory());

    assertRefused(Errno.EBUSY, pd::close);
    region.close();
    pd.close();
  }

  @Test
  void aDomainIsBusyWhileAQueuePairUsesIt() {
    CompletionQueue cq = context.createCq(4);
    QueuePair qp = pd.createQp(rc(cq));

    assertRefused(Errno.EBUSY, pd::close);
    qp.close();
    pd.close();
  }

  @Test
  void aCompletionQueueIsBusyWhileAQueuePairSendsToIt() {
    CompletionQueue sendCq = context.createCq(4);
    CompletionQueue recvCq = context.createCq(4);
    QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, sendCq, recvCq, null, QpCap.of(2), false));

    assertRefused(Errno.EBUSY, sendCq::close);
    assertRefused(Errno.EBUSY, recvCq::close);
    qp.close();
    sendCq.close();
    recvCq.close();
  }

  @Test
  void aChannelIsBusyWhileAQueueUsesIt() {
    CompletionChannel channel = context.createCompChannel();
    CompletionQueue cq = context.createCq(4, channel);

    assertRefused(Errno.EBUSY, channel::close);
    cq.close();
    channel.close();
  }

  @Test
  void worksOnAfterARefusedDestruction() {
    CompletionQueue cq = context.createCq(4);
    QueuePair qp = pd.createQp(rc(cq));
    assertRefused(Errno.EBUSY, cq::close);
    qp.modify(QpAttr.to(QpState.ERR));
    qp.postSend(SendWr.send(1));

    assertThat(cq.poll(4)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"RESET", "INIT", "RTR", "RTS", "ERR"})
  void aQueuePairIsDestroyedInAnyState(QpState state) {
    try (Pair pair = QpAttributeSamples.pairIn(state)) {
      pair.a().qp().close();

      assertRefused(Errno.EINVAL, () -> pair.a().qp().query());
    }
  }

  @Test
  void aQueuePairIsBornInReset() {
    QueuePair qp = pd.createQp(rc(context.createCq(4)));

    assertThat(qp.query().qpState()).isEqualTo(QpState.RESET);
  }

  @Test
  void numbersZeroAndOneAreNobodys() {
    QueuePair qp = pd.createQp(rc(context.createCq(4)));

    assertThat(qp.qpNum()).isBetween(2, 0xff_fffe);
  }

  /** What was under way to it when it was destroyed must not reach another one. */
  @Test
  void aNumberRestsWhileTheNext64QueuePairsComeAndGo() {
    CompletionQueue cq = context.createCq(4);
    Set<Integer> numbers = new HashSet<>();

    for (int created = 1; created <= 65; created++) {
      QueuePair qp = pd.createQp(rc(cq));
      numbers.add(qp.qpNum());
      qp.close();
      assertThat(numbers).hasSize(created);
    }
  }

  @Test
  void queuePairsHaveDifferentNumbers() {
    CompletionQueue cq = context.createCq(4);

    assertThat(pd.createQp(rc(cq)).qpNum()).isNotEqualTo(pd.createQp(rc(cq)).qpNum());
  }

  @Test
  void aQueuePairGetsAtLeastWhatItAskedFor() {
    QpCap asked = new QpCap(5, 6, 3, 2, 100);
    QpCap granted = pd.createQp(QpInitAttr.rc(context.createCq(4), asked)).initAttr().cap();

    assertThat(granted.maxSendWr()).isGreaterThanOrEqualTo(5);
    assertThat(granted.maxRecvWr()).isGreaterThanOrEqualTo(6);
    assertThat(granted.maxSendSge()).isGreaterThanOrEqualTo(3);
    assertThat(granted.maxRecvSge()).isGreaterThanOrEqualTo(2);
    assertThat(granted.maxInlineData()).isGreaterThanOrEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 1, 1, 1, 0",
    "1, -1, 1, 1, 0",
    "1, 1, -1, 1, 0",
    "1, 1, 1, -1, 0",
    "1, 1, 1, 1, -1",
    "2147483647, 1, 1, 1, 0",
    "1, 2147483647, 1, 1, 0",
    "1, 1, 2147483647, 1, 0",
    "1, 1, 1, 2147483647, 0",
    "1, 1, 1, 1, 2147483647"
  })
  void refusesCapacitiesThatNoDeviceHas(int sends, int receives, int sge, int recvSge, int inl) {
    CompletionQueue cq = context.createCq(4);
    QpCap cap = new QpCap(sends, receives, sge, recvSge, inl);

    assertRefused(Errno.EINVAL, () -> pd.createQp(QpInitAttr.rc(cq, cap)));
  }

  @Test
  void takesTheLargestCapacitiesTheDeviceNames() {
    int maxWr = (int) context.queryDevice().limit(DeviceLimit.MAX_QP_WR);
    int maxSge = (int) context.queryDevice().limit(DeviceLimit.MAX_SGE);
    CompletionQueue cq = context.createCq(4);

    QueuePair qp = pd.createQp(QpInitAttr.rc(cq, new QpCap(maxWr, maxWr, maxSge, maxSge, 0)));

    assertThat(qp.query().qpState()).isEqualTo(QpState.RESET);
    assertRefused(
        Errno.EINVAL, () -> pd.createQp(QpInitAttr.rc(cq, new QpCap(maxWr + 1, 1, 1, 1, 0))));
    assertRefused(
        Errno.EINVAL, () -> pd.createQp(QpInitAttr.rc(cq, new QpCap(1, 1, maxSge + 1, 1, 0))));
  }

  @Test
  void refusesAQueuePairWithoutCompletionQueue() {
    CompletionQueue cq = context.createCq(4);

    assertRefused(
        Errno.EINVAL,
        () -> pd.createQp(new QpInitAttr(QpType.RC, null, cq, null, QpCap.of(1), false)));
    assertRefused(
        Errno.EINVAL,
        () -> pd.createQp(new QpInitAttr(QpType.RC, cq, null, null, QpCap.of(1), false)));
  }

  @Test
  void refusesACompletionQueueOfAnotherContext() {
    CompletionQueue foreign = emulator.devices().get(0).open().createCq(4);

    assertRefused(Errno.EINVAL, () -> pd.createQp(rc(foreign)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void refusesACompletionQueueOfImpossibleSize(int entries) {
    assertRefused(Errno.EINVAL, () -> context.createCq(entries));
  }

  @Test
  void takesACompletionQueueOfTheLargestSize() {
    int max = (int) context.queryDevice().limit(DeviceLimit.MAX_CQE);

    assertThat(context.createCq(max).cqe()).isGreaterThanOrEqualTo(max);
    assertRefused(Errno.EINVAL, () -> context.createCq(max + 1));
  }

  @Test
  void runsOutOfDomains() {
    Context small = limited(DeviceLimit.MAX_PD, 1);
    ProtectionDomain only = small.allocPd();

    assertRefused(Errno.ENOMEM, small::allocPd);
    only.close();
    small.allocPd();
  }

  @Test
  void runsOutOfCompletionQueues() {
    Context small = limited(DeviceLimit.MAX_CQ, 1);
    CompletionQueue only = small.createCq(1);

    assertRefused(Errno.ENOMEM, () -> small.createCq(1));
    only.close();
    small.createCq(1);
  }

  @Test
  void runsOutOfRegions() {
    ProtectionDomain small = limited(DeviceLimit.MAX_MR, 1).allocPd();
    MemoryRegion only = small.regMr(memory());

    assertRefused(Errno.ENOMEM, () -> small.regMr(memory()));
    only.close();
    small.regMr(memory());
  }

  @Test
  void runsOutOfQueuePairs() {
    Context small = limited(DeviceLimit.MAX_QP, 1);
    ProtectionDomain domain = small.allocPd();
    CompletionQueue cq = small.createCq(1);
    QueuePair only = domain.createQp(rc(cq));

    assertRefused(Errno.ENOMEM, () -> domain.createQp(rc(cq)));
    only.close();
    domain.createQp(rc(cq));
  }

  @Test
  void refusalsLeaveNothingBehind() {
    CompletionQueue cq = context.createCq(4);

    assertRefused(Errno.EINVAL, () -> pd.createQp(QpInitAttr.rc(cq, new QpCap(-1, 1, 1, 1, 0))));

    cq.close();
    pd.close();
  }

  @Test
  void registersDirectMemoryOnly() {
    assertRefused(Errno.EINVAL, () -> pd.regMr(ByteBuffer.allocate(8)));
  }

  @Test
  void onlyLinuxRefusesEmptyMemory() {
    Context linux = emulator.addDevice(DeviceProfile.softRoce(), "10.0.1.1").open();

    assertThat(pd.regMr(ByteBuffer.allocateDirect(0)).length()).isZero();
    assertRefused(Errno.EINVAL, () -> linux.allocPd().regMr(ByteBuffer.allocateDirect(0)));
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"REMOTE_WRITE", "REMOTE_ATOMIC"})
  void remoteWritingNeedsLocalWrite(AccessFlag right) {
    assertRefused(Errno.EINVAL, () -> pd.regMr(memory(), EnumSet.of(right)));
    pd.regMr(memory(), EnumSet.of(right, AccessFlag.LOCAL_WRITE));
  }

  @Test
  void readOnlyMemoryTakesNoLocalWrite() {
    ByteBuffer readOnly = memory().asReadOnlyBuffer();

    assertRefused(Errno.EFAULT, () -> pd.regMr(readOnly, AccessFlag.LOCAL_WRITE));
    pd.regMr(readOnly, Set.of(AccessFlag.REMOTE_READ));
  }

  @Test
  void registersFromPositionToLimit() {
    ByteBuffer buffer = memory().position(8).limit(24);
    MemoryRegion region = pd.regMr(buffer, AccessFlag.LOCAL_WRITE);

    region.buffer().put(0, (byte) 7);

    assertThat(region.length()).isEqualTo(16);
    assertThat(buffer.get(8)).isEqualTo((byte) 7);
  }

  @Test
  void regionsDoNotOverlap() {
    MemoryRegion one = pd.regMr(ByteBuffer.allocateDirect(10_000));
    MemoryRegion two = pd.regMr(ByteBuffer.allocateDirect(10_000));

    assertThat(two.addr()).isGreaterThanOrEqualTo(one.addr() + one.length());
    assertThat(two.lkey()).isNotEqualTo(one.lkey());
  }

  @Test
  void aContextTakesItsObjectsWithIt() {
    CompletionQueue cq = context.createCq(4);
    QueuePair qp = pd.createQp(rc(cq));
    pd.regMr(memory());

    context.close();

    assertRefused(Errno.EINVAL, qp::query);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, -1})
  void refusesAPortThatDoesNotExist(int port) {
    assertRefused(Errno.EINVAL, () -> context.queryPort(port));
    assertRefused(Errno.EINVAL, () -> context.queryGid(port, 0));
    assertRefused(Errno.EINVAL, () -> context.queryPkey(port, 0));
  }

  @Test
  void aQueueOnADestroyedChannelIsRefusedAndLeavesNothingBehind() {
    Context small = limited(DeviceLimit.MAX_CQ, 1);
    CompletionChannel gone = small.createCompChannel();
    gone.close();

    assertRefused(Errno.EINVAL, () -> small.createCq(1, gone));

    small.createCq(1);
  }

  @Test
  void aClosedContextMakesNothingMore() {
    context.close();

    assertRefused(Errno.EINVAL, context::allocPd);
    assertRefused(Errno.EINVAL, () -> context.createCq(1));
    assertRefused(Errno.EINVAL, context::createCompChannel);
    assertRefused(Errno.EINVAL, context::queryDevice);
    assertRefused(Errno.EINVAL, () -> context.getAsyncEvent(Duration.ZERO));
    context.close();
  }

  @Test
  void completionsAreTakenByTheNumber() {
    CompletionQueue cq = context.createCq(4);

    assertThat(cq.poll(Integer.MAX_VALUE)).isEmpty();
    assertThat(cq.poll(0)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cq.poll(-1))
        .withMessage("-1 completions cannot be taken");
  }
}
