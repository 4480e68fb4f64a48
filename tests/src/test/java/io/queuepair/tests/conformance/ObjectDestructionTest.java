// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Creating and destroying: arguments, limits, and who still needs whom. */
final class ObjectDestructionTest {
  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final ProtectionDomain pd = context.allocPd();

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
  void whatIsUsedIsBusy() {
    CompletionChannel channel = context.createCompChannel();
    CompletionQueue sendCq = context.createCq(4, channel);
    CompletionQueue recvCq = context.createCq(4);
    QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, sendCq, recvCq, null, QpCap.of(2), false));
    MemoryRegion region = pd.regMr(memory());

    assertRefused(Errno.EBUSY, sendCq::close);
    assertRefused(Errno.EBUSY, recvCq::close);
    assertRefused(Errno.EBUSY, channel::close);
    qp.modify(QpAttr.to(QpState.ERR));
    qp.postSend(SendWr.send(1));
    assertThat(sendCq.poll(4)).as("it works on").hasSize(1);
    qp.close();
    assertRefused(Errno.EBUSY, pd::close);
    region.close();
    for (AutoCloseable unused : List.of(pd, recvCq, sendCq, channel)) {
      assertThat(Errnos.of(unused::close)).isNull();
    }
  }

  /** Packets under way to it when it was destroyed must not reach another one. */
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
  void refusalsLeaveNothingBehind() {
    CompletionQueue cq = context.createCq(4);

    assertRefused(Errno.EINVAL, () -> pd.createQp(QpInitAttr.rc(cq, new QpCap(-1, 1, 1, 1, 0))));
    assertRefused(Errno.EINVAL, () -> pd.regMr(ByteBuffer.allocate(8)));

    cq.close();
    pd.close();
  }

  @Test
  void onlyLinuxRefusesEmptyMemory() {
    Context linux = emulator.addDevice(DeviceProfile.softRoce(), "10.0.1.1").open();

    assertThat(pd.regMr(ByteBuffer.allocateDirect(0)).length()).isZero();
    assertRefused(Errno.EINVAL, () -> linux.allocPd().regMr(ByteBuffer.allocateDirect(0)));
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
  void aClosedContextTakesItsObjectsWithItAndMakesNothingMore() {
    QueuePair qp = pd.createQp(rc(context.createCq(4)));
    pd.regMr(memory());

    context.close();

    assertRefused(Errno.EINVAL, qp::query);
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
