// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.posting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpCreateFlag;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.VerbsException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which extended features a queue pair can be created with. */
final class CreateQpExTest {
  private static final String NOT_SPREAD = "type RC does not spread frames on this device";

  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final ProtectionDomain pd = emulator.addDevice("10.0.0.1").open().allocPd();
  private final CompletionQueue cq = pd.context().createCq(8);

  private QpInitAttrEx attributes(QpType type) {
    return QpInitAttrEx.of(QpInitAttr.of(type, cq, QpCap.of(4)));
  }

  private static VerbsException refusalOf(ProtectionDomain pd, QpInitAttrEx attr) {
    return catchThrowableOfType(VerbsException.class, () -> pd.createQpEx(attr).close());
  }

  @Test
  void onlyQueuePairsWithSendOperationsHaveAnExtendedView() {
    ExtendedQueuePair asked =
        pd.createQpEx(attributes(QpType.RC).withSendOps(SendOpsFlag.WITH_SEND));
    ExtendedQueuePair none = pd.createQpEx(attributes(QpType.RC).withSendOps());
    ExtendedQueuePair notAsked = pd.createQpEx(attributes(QpType.RC));

    assertThat(asked.toQpEx()).containsSame(asked);
    assertThat(none.toQpEx()).containsSame(none);
    assertThat(notAsked.toQpEx()).isEmpty();
    assertThat(pd.createQp(attributes(QpType.RC).base()).toQpEx()).isEmpty();
    Errnos.assertRefused(Errno.EINVAL, "created without SEND_OPS_FLAGS", notAsked::wrStart);
  }

  @Test
  void theAttributesAreThoseGranted() {
    QpInitAttrEx asked = attributes(QpType.UD).withSendOps(SendOpsFlag.WITH_SEND).withCreateFlags();

    assertThat(pd.createQpEx(asked).initAttrEx()).isEqualTo(asked);
    assertThat(asked.compMask())
        .containsExactlyInAnyOrder(
            QpInitAttrMask.PD, QpInitAttrMask.SEND_OPS_FLAGS, QpInitAttrMask.CREATE_FLAGS);
  }

  static Stream<Arguments> unsupported() {
    Stream<Arguments> flags =
        Stream.of(QpCreateFlag.values())
            .map(flag -> row(flag.name(), QpType.UD, attr -> attr.withCreateFlags(flag)));
    return Stream.concat(
        flags,
        Stream.of(
            row("XRCD is not offered", QpType.RC, attr -> withMask(attr, QpInitAttrMask.XRCD)),
            row(NOT_SPREAD, QpType.RC, attr -> withMask(attr, QpInitAttrMask.IND_TABLE)),
            row(NOT_SPREAD, QpType.RC, attr -> withMask(attr, QpInitAttrMask.RX_HASH)),
            row(
                "type RC does not segment large sends on this device",
                QpType.RC,
                attr -> attr.withMaxTsoHeader(64)),
            row(
                "type UD does not have [WITH_RDMA_READ, WITH_FLUSH] on this device",
                QpType.UD,
                attr ->
                    attr.withSendOps(
                        SendOpsFlag.WITH_RDMA_READ,
                        SendOpsFlag.WITH_SEND,
                        SendOpsFlag.WITH_FLUSH))));
  }

  private static Arguments row(String words, QpType type, UnaryOperator<QpInitAttrEx> change) {
    return Arguments.of(words, type, change);
  }

  private static QpInitAttrEx withMask(QpInitAttrEx attr, QpInitAttrMask bit) {
    Set<QpInitAttrMask> mask = EnumSet.of(QpInitAttrMask.PD, bit);
    return new QpInitAttrEx(attr.base(), mask, Set.of(), Set.of(), 0, null, null);
  }

  @ParameterizedTest
  @MethodSource("unsupported")
  void whatTheDeviceDoesNotHaveIsNamed(
      String words, QpType type, UnaryOperator<QpInitAttrEx> change) {
    VerbsException refusal = refusalOf(pd, change.apply(attributes(type)));

    assertThat(refusal).hasMessageContaining(words);
    assertThat(refusal.errno()).isEqualTo(Errno.EOPNOTSUPP);
    assertThat(refusal.verb()).isEqualTo("ibv_create_qp_ex");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 513})
  void headersOfLargeSendsHaveALimit(int bytes) {
    VerbsException refusal = refusalOf(pd, attributes(QpType.UD).withMaxTsoHeader(bytes));

    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refusal).hasMessageContaining("max_tso_header " + bytes + " is not 0 to 512");
  }

  @Test
  void whatIsMissingOtherwiseIsRefusedAsUsual() {
    QpInitAttr without = new QpInitAttr(QpType.RC, null, cq, null, QpCap.of(4), false);
    VerbsException refusal = refusalOf(pd, QpInitAttrEx.of(without));

    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refusal.verb()).isEqualTo("ibv_create_qp_ex");
    assertThat(refusal).hasMessageContaining("no send completion queue");
  }

  /** From {@code check_qp_init_attr} of the provider of rdma-core 44. */
  @ParameterizedTest
  @CsvSource({
    "RC, RDMA_WRITE RDMA_WRITE_WITH_IMM SEND SEND_WITH_IMM RDMA_READ ATOMIC_CMP_AND_SWP"
        + " ATOMIC_FETCH_AND_ADD LOCAL_INV BIND_MW SEND_WITH_INV",
    "UC, RDMA_WRITE RDMA_WRITE_WITH_IMM SEND SEND_WITH_IMM BIND_MW SEND_WITH_INV",
    "UD, SEND SEND_WITH_IMM",
    "XRC_SEND, ''",
    "RAW_PACKET, ''"
  })
  void softRoceGrantsWhatItsProviderDoes(QpType type, String granted) {
    Set<SendOpsFlag> expected = EnumSet.noneOf(SendOpsFlag.class);
    Arrays.stream(granted.split(" "))
        .filter(name -> !name.isEmpty())
        .forEach(name -> expected.add(SendOpsFlag.valueOf("WITH_" + name)));
    ProtectionDomain linux =
        emulator.addDevice(DeviceProfile.softRoce(), "10.0.0.2").open().allocPd();
    CompletionQueue linuxCq = linux.context().createCq(8);
    QpInitAttr base = QpInitAttr.of(type, linuxCq, QpCap.of(4));
    Set<SendOpsFlag> actual = EnumSet.noneOf(SendOpsFlag.class);
    for (SendOpsFlag flag : SendOpsFlag.values()) {
      VerbsException refusal = refusalOf(linux, QpInitAttrEx.of(base).withSendOps(flag));
      assertThat(refusal == null ? Errno.EOPNOTSUPP : refusal.errno()).isEqualTo(Errno.EOPNOTSUPP);
      if (refusal == null) {
        actual.add(flag);
      }
    }

    assertThat(actual).isEqualTo(expected);
  }

  @Test
  void theMaskNamesTheDomain() {
    QpInitAttrEx without =
        new QpInitAttrEx(attributes(QpType.RC).base(), Set.of(), Set.of(), Set.of(), 0, null, null);

    assertThat(refusalOf(pd, without)).hasMessage("ibv_create_qp_ex: EINVAL: the mask has no PD");
  }
}
