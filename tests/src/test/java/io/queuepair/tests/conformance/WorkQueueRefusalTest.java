// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.RssCaps;
import io.queuepair.verbs.RwqIndTable;
import io.queuepair.verbs.RxHashConf;
import io.queuepair.verbs.RxHashField;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkQueue;
import io.queuepair.verbs.WqAttr;
import io.queuepair.verbs.WqFlag;
import io.queuepair.verbs.WqInitAttr;
import io.queuepair.verbs.WqState;
import io.queuepair.verbs.WqType;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the verbs on work queues refuse, and with which errno. */
final class WorkQueueRefusalTest {
  private static final int KEY_BYTES = 40;
  private static final QpCap NOTHING = new QpCap(0, 0, 0, 0, 0);

  @AutoClose private final Segment segment = new Segment();
  private final RawHost host = segment.b();
  private final Context context = host.context();
  private final CompletionQueue cq = context.createCq(16);
  private final WqInitAttr attr = WqInitAttr.of(host.pd(), cq, 4, 1);
  private final WorkQueue wq = context.createWq(attr);
  private final RssCaps caps = context.queryDeviceEx().rssCaps();

  private static void assertRefused(Errno errno, String message, ThrowingCallable verb) {
    VerbsException refusal = catchThrowableOfType(VerbsException.class, verb);
    assertThat(refusal).hasMessageContaining(message);
    assertThat(refusal.errno()).isEqualTo(errno);
  }

  private static QpInitAttr own(QpType type, CompletionQueue send, QpCap cap) {
    return new QpInitAttr(type, send, null, null, cap, false);
  }

  private QueuePair spreading(QpInitAttr base, RwqIndTable table, int keyBytes, RxHashField field) {
    RxHashConf hash = RxHashConf.toeplitz(new byte[keyBytes], field);
    return host.pd().createQpEx(QpInitAttrEx.of(base).withRss(table, hash));
  }

  private QueuePair spreading() {
    RwqIndTable table = context.createRwqIndTable(List.of(wq));
    QpInitAttr base = own(QpType.RAW_PACKET, null, NOTHING);
    return spreading(base, table, KEY_BYTES, RxHashField.SRC_IPV4);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, max_wr 0 is not 1 to 1048576",
    "1048577, 1, max_wr 1048577 is not 1 to 1048576",
    "1, -1, max_sge -1 is not 0 to 32",
    "1, 33, max_sge 33 is not 0 to 32"
  })
  void capacitiesHaveLimits(int maxWr, int maxSge, String message) {
    WqInitAttr wrong = WqInitAttr.of(host.pd(), cq, maxWr, maxSge);

    assertRefused(Errno.EINVAL, message, () -> context.createWq(wrong));
  }

  @Test
  void oneEntryIsGrantedAtLeast() {
    assertThat(context.createWq(WqInitAttr.of(host.pd(), cq, 1, 0)).initAttr().maxSge()).isOne();
  }

  @ParameterizedTest
  @EnumSource(
      value = WqFlag.class,
      names = {"SCATTER_FCS", "DELAY_DROP", "PCI_WRITE_END_PADDING"})
  void otherFlagsAreNotOffered(WqFlag flag) {
    String message = "flag " + flag + " is not offered";

    assertRefused(Errno.EOPNOTSUPP, message, () -> context.createWq(attr.withCreateFlags(flag)));
    assertRefused(
        Errno.EOPNOTSUPP, message, () -> wq.modify(WqAttr.ofFlags(Set.of(), Set.of(flag))));
  }

  @Test
  void domainAndCompletionQueueAreOfTheContext() {
    Context other = host.device().open();
    String message = "must be there and of the context";

    assertRefused(
        Errno.EINVAL, message, () -> context.createWq(WqInitAttr.of(other.allocPd(), cq, 1, 1)));
    assertRefused(
        Errno.EINVAL,
        message,
        () -> context.createWq(WqInitAttr.of(host.pd(), other.createCq(1), 1, 1)));
    assertRefused(
        Errno.EINVAL,
        message,
        () -> context.createWq(new WqInitAttr(WqType.RQ, 1, 1, null, null, Set.of())));
    assertRefused(
        Errno.EINVAL,
        "a work queue belongs to another context",
        () -> other.createRwqIndTable(List.of(wq)));
    assertRefused(
        Errno.EINVAL,
        "the indirection table belongs to another context",
        () ->
            other
                .allocPd()
                .createQpEx(
                    QpInitAttrEx.of(own(QpType.RAW_PACKET, null, NOTHING))
                        .withRss(
                            context.createRwqIndTable(List.of(wq)),
                            RxHashConf.toeplitz(new byte[KEY_BYTES]))));
  }

  @Test
  void readyComesFromResetOnly() {
    assertRefused(
        Errno.EINVAL, "from RESET to UNKNOWN", () -> wq.modify(WqAttr.to(WqState.UNKNOWN)));
    wq.modify(WqAttr.to(WqState.ERR));

    assertRefused(Errno.EINVAL, "from ERR to RDY", () -> wq.modify(WqAttr.to(WqState.RDY)));
  }

  @Test
  void theAssumedStateIsTheRealOne() {
    assertRefused(
        Errno.EINVAL,
        "the state is RESET, not RDY",
        () -> wq.modify(WqAttr.to(WqState.ERR).from(WqState.RDY)));
    assertThat(wq.state()).isEqualTo(WqState.RESET);
  }

  @Test
  void somethingIsModified() {
    WqAttr nothing = new WqAttr(Set.of(), WqState.RDY, null, Set.of(), Set.of());

    assertRefused(Errno.EINVAL, "the mask is empty", () -> wq.modify(nothing));
  }

  @Test
  void receivesArePostedToWhatIsReadyAndHasRoom() {
    RecvWr receive = RecvWr.of(1, host.region().sge(0, 8));
    assertRefused(Errno.EINVAL, "not accepted in state RESET", () -> wq.postRecv(receive));
    wq.modify(WqAttr.to(WqState.RDY));
    wq.postRecv(Collections.nCopies(4, receive));

    assertRefused(Errno.ENOMEM, "ibv_post_wq_recv", () -> wq.postRecv(receive));
    wq.modify(WqAttr.to(WqState.RESET));
    wq.modify(WqAttr.to(WqState.RDY));
    Sge[] two = {host.region().sge(0, 8), host.region().sge(8, 8)};
    assertRefused(Errno.EINVAL, "ibv_post_wq_recv", () -> wq.postRecv(RecvWr.of(1, two)));
  }

  @ParameterizedTest
  @CsvSource({
    "0, the number of places 0 is not 1 to 512",
    "3, 3 places are not a power of two",
    "1024, the number of places 1024 is not 1 to 512"
  })
  void theNumberOfPlacesIsAPowerOfTwoWithinTheLimit(int places, String message) {
    List<WorkQueue> table = Collections.nCopies(places, wq);

    assertThat(caps.maxRwqIndirectionTableSize()).isEqualTo(512);
    assertRefused(Errno.EINVAL, message, () -> context.createRwqIndTable(table));
  }

  /** As {@code create_qp} of uverbs_cmd.c in Linux, and its mlx5 driver. */
  @Test
  void theQueuePairHasNoQueuesOfItsOwn() {
    RwqIndTable table = context.createRwqIndTable(List.of(wq));
    String message = "beside work queues there are no queues of its own";

    for (QpInitAttr wrong :
        List.of(
            own(QpType.RAW_PACKET, cq, NOTHING),
            new QpInitAttr(QpType.RAW_PACKET, null, cq, null, NOTHING, false),
            own(QpType.RAW_PACKET, null, new QpCap(1, 0, 0, 0, 0)),
            own(QpType.RAW_PACKET, null, new QpCap(0, 1, 0, 0, 0)))) {
      assertRefused(
          Errno.EINVAL, message, () -> spreading(wrong, table, KEY_BYTES, RxHashField.SRC_IPV4));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = QpInitAttrMask.class,
      names = {"IND_TABLE", "RX_HASH"})
  void tableAndHashGoTogether(QpInitAttrMask alone) {
    Set<QpInitAttrMask> mask = EnumSet.of(QpInitAttrMask.PD, alone);
    QpInitAttrEx half =
        new QpInitAttrEx(
            own(QpType.RAW_PACKET, null, NOTHING),
            mask,
            Set.of(),
            Set.of(),
            0,
            context.createRwqIndTable(List.of(wq)),
            RxHashConf.toeplitz(new byte[KEY_BYTES]));

    assertRefused(Errno.EINVAL, "go together", () -> host.pd().createQpEx(half));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 39, 41})
  void theKeyHasFortyBytes(int bytes) {
    RwqIndTable table = context.createRwqIndTable(List.of(wq));
    QpInitAttr base = own(QpType.RAW_PACKET, null, NOTHING);

    assertRefused(
        Errno.EINVAL,
        "a key of " + bytes + " bytes is not of 40",
        () -> spreading(base, table, bytes, RxHashField.SRC_IPV4));
  }

  @ParameterizedTest
  @EnumSource(RxHashField.class)
  void theFieldsHashedAreThoseNamed(RxHashField field) {
    RwqIndTable table = context.createRwqIndTable(List.of(wq));
    QpInitAttr base = own(QpType.RAW_PACKET, null, NOTHING);
    boolean isNamed = caps.rxHashFields().contains(field);

    assertThat(isNamed).isEqualTo(field != RxHashField.IPSEC_SPI && field != RxHashField.INNER);
    assertThat(Errnos.of(() -> spreading(base, table, KEY_BYTES, field)))
        .isEqualTo(isNamed ? null : Errno.EOPNOTSUPP);
  }

  @Test
  void aQueuePairThatSpreadsFramesNeitherChangesNorTakesRequests() {
    QueuePair qp = spreading();

    assertRefused(
        Errno.EOPNOTSUPP, "has nothing to modify", () -> qp.modify(QpAttr.to(QpState.RTS)));
    assertRefused(
        Errno.EINVAL, "post them there", () -> qp.postRecv(RecvWr.of(1, host.region().sge(0, 8))));
    assertRefused(Errno.EINVAL, "RTR", () -> qp.postSend(SendWr.send(1, host.region().sge(0, 8))));
  }

  @Test
  void softRoceHasNoWorkQueues() {
    try (Emulator emulator = Emulator.inMemory()) {
      Context linux = emulator.addDevice(DeviceProfile.softRoce(), "10.0.0.1").open();
      WqInitAttr asked = WqInitAttr.of(linux.allocPd(), linux.createCq(1), 1, 1);
      String message = "the device has no work queues";

      assertThat(linux.queryDeviceEx().rssCaps()).isEqualTo(RssCaps.NONE);
      assertThat(linux.queryDeviceEx().maxWqTypeRq()).isZero();
      assertRefused(Errno.EOPNOTSUPP, message, () -> linux.createWq(asked));
      assertRefused(Errno.EOPNOTSUPP, message, () -> linux.createRwqIndTable(List.of()));
    }
  }
}
