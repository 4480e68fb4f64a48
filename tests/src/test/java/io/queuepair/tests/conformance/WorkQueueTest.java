// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.FlowAttr;
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
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WorkQueue;
import io.queuepair.verbs.WqAttr;
import io.queuepair.verbs.WqFlag;
import io.queuepair.verbs.WqInitAttr;
import io.queuepair.verbs.WqState;
import io.queuepair.verbs.WqType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queue pairs that spread frames over work queues: ibv_create_wq(3), ibv_create_qp_ex(3). */
final class WorkQueueTest {
  /** Key of the suite which the hashes below are from, see ToeplitzHashTest. */
  private static final byte[] KEY =
      HexFormat.of()
          .parseHex(
              "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c"
                  + "6a42b73bbeac01fa");

  private static final int PLACES = 8;
  private static final int RECEIVES = 4;

  @AutoClose private final Segment segment = new Segment();
  private final RawHost b = segment.b();
  private final Context context = b.context();
  private final CompletionQueue cq = context.createCq(PLACES * RECEIVES);
  private final List<WorkQueue> wqs = new ArrayList<>();

  private WorkQueue createWq(WqFlag... flags) {
    WqInitAttr attr = WqInitAttr.of(b.pd(), cq, RECEIVES, 1).withCreateFlags(flags);
    WorkQueue wq = context.createWq(attr);
    wqs.add(wq);
    return wq;
  }

  private WorkQueue ready(WqFlag... flags) {
    WorkQueue wq = createWq(flags);
    wq.modify(WqAttr.to(WqState.RDY));
    return wq;
  }

  private QueuePair spreading(RxHashField... fields) {
    return spreading(context.createRwqIndTable(wqs), fields);
  }

  private QueuePair spreading(RwqIndTable table, RxHashField... fields) {
    QpInitAttr base =
        new QpInitAttr(QpType.RAW_PACKET, null, null, null, new QpCap(0, 0, 0, 0, 0), false);
    QueuePair qp =
        b.pd().createQpEx(QpInitAttrEx.of(base).withRss(table, RxHashConf.toeplitz(KEY, fields)));
    qp.createFlow(FlowAttr.normal());
    return qp;
  }

  private void post(WorkQueue wq, long wrId) {
    wq.postRecv(RecvWr.of(wrId, slot()));
  }

  private Sge slot() {
    return b.region().sge(0, RawHost.SLOT_BYTES);
  }

  private List<WorkCompletion> arrived(byte[] frame) {
    segment.a().send(1, frame);
    segment.drain();
    return cq.poll(PLACES);
  }

  private AsyncEvent event() {
    AsyncEvent event = context.getAsyncEvent(Duration.ZERO).orElseThrow();
    context.ackAsyncEvent(event);
    return event;
  }

  /** The lowest three bits of the hash of addresses and ports are the place. */
  @ParameterizedTest
  @CsvSource({
    "4209 95bb, a18e 6450, 0aea 06e6, 0", // 66.9.149.187:2794 to 161.142.100.80:1766, 51ccc178
    "c75c 6f02, 4145 8c53, 3796 1283, 2", // 199.92.111.2:14230 to 65.69.140.83:4739, c626b0ea
    "261b cd1e, d18e a306, bc64 08a9, 7" // 38.27.205.30:48228 to 209.142.163.6:2217, afc7327f
  })
  void theHashOfAFrameIsItsPlaceInTheTable(String from, String to, String ports, int place) {
    for (int i = 0; i < PLACES; i++) {
      post(ready(), i);
    }
    spreading(
        RxHashField.SRC_IPV4,
        RxHashField.DST_IPV4,
        RxHashField.SRC_PORT_TCP,
        RxHashField.DST_PORT_TCP);
    byte[] frame =
        Bytes.ofHex(
            "02000a000002 02000a000001 0800 45000028 00004000 40060000 "
                + (from + to + ports)
                + "00000000 00000000 50020000 00000000");

    List<WorkCompletion> completions = arrived(frame);

    assertThat(Outcomes.of(completions)).containsExactly(place + " RECV 54");
    assertThat(completions.get(0).qpNum()).isEqualTo(wqs.get(place).wqNum());
    assertThat(b.slot(0, frame.length)).isEqualTo(frame);
  }

  @Test
  void errorFlushesWhatIsPostedThenAndLater() {
    WorkQueue wq = ready();
    post(wq, 1);

    wq.modify(WqAttr.to(WqState.ERR).from(WqState.RDY));
    post(wq, 2);

    assertThat(wq.state()).isEqualTo(WqState.ERR);
    assertThat(cq.poll(PLACES))
        .extracting(WorkCompletion::wrId, WorkCompletion::status, WorkCompletion::qpNum)
        .containsExactly(
            tuple(1L, WcStatus.WR_FLUSH_ERR, wq.wqNum()),
            tuple(2L, WcStatus.WR_FLUSH_ERR, wq.wqNum()));
  }

  @Test
  void aFrameThatDoesNotFitEndsItsWorkQueueAlone() {
    WorkQueue small = ready();
    WorkQueue other = ready();
    small.postRecv(RecvWr.of(1, b.region().sge(0, 17)));
    post(small, 2);
    spreading(RxHashField.SRC_IPV4);

    assertThat(Outcomes.of(arrived(Frames.PLAIN.bytes())))
        .containsExactly("1 LOC_LEN_ERR", "2 WR_FLUSH_ERR");
    assertThat(small.state()).isEqualTo(WqState.ERR);
    assertThat(other.state()).isEqualTo(WqState.RDY);
  }

  @Test
  void anOverrunOfTheCompletionQueueIsFatalForTheWorkQueue() {
    CompletionQueue tiny = context.createCq(1);
    WorkQueue wq = context.createWq(WqInitAttr.of(b.pd(), tiny, RECEIVES, 1));
    wq.modify(WqAttr.to(WqState.RDY));
    post(wq, 1);
    post(wq, 2);
    spreading(context.createRwqIndTable(List.of(wq)), RxHashField.SRC_IPV4);

    arrived(Frames.PLAIN.bytes());
    arrived(Frames.PLAIN.bytes());

    assertThat(wq.state()).isEqualTo(WqState.ERR);
    assertThat(List.of(event(), event()))
        .containsExactlyInAnyOrder(
            AsyncEvent.of(EventType.CQ_ERR, tiny), AsyncEvent.of(EventType.WQ_FATAL, wq));
  }

  @Test
  void tagsAreTakenOffWhereThatIsAskedFor() {
    WorkQueue wq = ready(WqFlag.CVLAN_STRIPPING);
    post(wq, 1);
    post(wq, 2);
    post(wq, 3);
    spreading(RxHashField.SRC_IPV4);
    Set<WqFlag> stripping = Set.of(WqFlag.CVLAN_STRIPPING);

    List<String> asCreated = Outcomes.of(arrived(Frames.VLAN_IPV4.bytes()));
    wq.modify(WqAttr.ofFlags(Set.of(), stripping));
    List<String> without = Outcomes.of(arrived(Frames.VLAN_IPV4.bytes()));
    wq.modify(WqAttr.ofFlags(stripping, stripping));
    List<String> again = Outcomes.of(arrived(Frames.VLAN_IPV4.bytes()));

    assertThat(asCreated).containsExactly("1 RECV 46");
    assertThat(without).containsExactly("2 RECV 50");
    assertThat(again).containsExactly("3 RECV 46");
    assertThat(wq.state()).isEqualTo(WqState.RDY);
  }

  @Test
  void whatIsUsedCannotBeDestroyed() {
    WorkQueue wq = ready();
    RwqIndTable table = context.createRwqIndTable(wqs);
    QueuePair qp = spreading(table, RxHashField.SRC_IPV4);

    assertThat(table.wqs()).containsExactly(wq);
    assertThat(Errnos.of(wq::close)).isEqualTo(Errno.EBUSY);
    assertThat(Errnos.of(table::close)).isEqualTo(Errno.EBUSY);
    assertThat(Errnos.of(cq::close)).isEqualTo(Errno.EBUSY);
    assertThat(Errnos.of(qp::close)).isEqualTo(Errno.EBUSY);
  }

  private static final int KEY_BYTES = 40;
  private static final QpCap NOTHING = new QpCap(0, 0, 0, 0, 0);

  /** Of a queue pair that has no queues of its own. */
  private static final QpInitAttr BASE = own(null, NOTHING);

  private final WqInitAttr attr = WqInitAttr.of(b.pd(), cq, 4, 1);
  private final WorkQueue wq = context.createWq(attr);
  private final RssCaps caps = context.queryDeviceEx().rssCaps();

  private static void assertEinval(String message, ThrowingCallable verb) {
    assertRefused(Errno.EINVAL, message, verb);
  }

  private static QpInitAttr own(CompletionQueue send, QpCap cap) {
    return new QpInitAttr(QpType.RAW_PACKET, send, null, null, cap, false);
  }

  private QueuePair spreading(QpInitAttr base, RwqIndTable table, int keyBytes, RxHashField field) {
    RxHashConf hash = RxHashConf.toeplitz(new byte[keyBytes], field);
    return b.pd().createQpEx(QpInitAttrEx.of(base).withRss(table, hash));
  }

  private RwqIndTable table() {
    return context.createRwqIndTable(List.of(wq));
  }

  private QueuePair spreadingNothing() {
    return spreading(BASE, table(), KEY_BYTES, RxHashField.SRC_IPV4);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, max_wr 0 is not 1 to 1048576",
    "1048577, 1, max_wr 1048577 is not 1 to 1048576",
    "1, -1, max_sge -1 is not 0 to 32",
    "1, 33, max_sge 33 is not 0 to 32"
  })
  void capacitiesHaveLimits(int maxWr, int maxSge, String message) {
    WqInitAttr wrong = WqInitAttr.of(b.pd(), cq, maxWr, maxSge);

    assertEinval(message, () -> context.createWq(wrong));
  }

  @Test
  void oneEntryIsGrantedAtLeast() {
    assertThat(context.createWq(WqInitAttr.of(b.pd(), cq, 1, 0)).initAttr().maxSge()).isOne();
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
    Context other = b.device().open();
    String message = "must be there and of the context";

    assertEinval(message, () -> context.createWq(WqInitAttr.of(other.allocPd(), cq, 1, 1)));
    assertEinval(message, () -> context.createWq(WqInitAttr.of(b.pd(), other.createCq(1), 1, 1)));
    assertEinval(
        message, () -> context.createWq(new WqInitAttr(WqType.RQ, 1, 1, null, null, Set.of())));
    assertEinval(
        "a work queue belongs to another context", () -> other.createRwqIndTable(List.of(wq)));
    assertEinval(
        "the indirection table belongs to another context",
        () ->
            other
                .allocPd()
                .createQpEx(
                    QpInitAttrEx.of(BASE)
                        .withRss(table(), RxHashConf.toeplitz(new byte[KEY_BYTES]))));
  }

  @Test
  void readyComesFromResetOnly() {
    assertEinval("from RESET to UNKNOWN", () -> wq.modify(WqAttr.to(WqState.UNKNOWN)));
    wq.modify(WqAttr.to(WqState.ERR));

    assertEinval("from ERR to RDY", () -> wq.modify(WqAttr.to(WqState.RDY)));
  }

  @Test
  void theAssumedStateIsTheRealOne() {
    assertEinval(
        "the state is RESET, not RDY", () -> wq.modify(WqAttr.to(WqState.ERR).from(WqState.RDY)));
    assertThat(wq.state()).isEqualTo(WqState.RESET);
  }

  @Test
  void somethingIsModified() {
    WqAttr nothing = new WqAttr(Set.of(), WqState.RDY, null, Set.of(), Set.of());

    assertEinval("the mask is empty", () -> wq.modify(nothing));
  }

  @Test
  void receivesArePostedToWhatIsReadyAndHasRoom() {
    RecvWr receive = RecvWr.of(1, b.region().sge(0, 8));
    assertEinval("not accepted in state RESET", () -> wq.postRecv(receive));
    wq.modify(WqAttr.to(WqState.RDY));
    wq.postRecv(Collections.nCopies(4, receive));

    assertRefused(Errno.ENOMEM, "ibv_post_wq_recv", () -> wq.postRecv(receive));
    wq.modify(WqAttr.to(WqState.RESET));
    wq.modify(WqAttr.to(WqState.RDY));
    Sge[] two = {b.region().sge(0, 8), b.region().sge(8, 8)};
    assertEinval("ibv_post_wq_recv", () -> wq.postRecv(RecvWr.of(1, two)));
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
    assertEinval(message, () -> context.createRwqIndTable(table));
  }

  /** As {@code create_qp} of uverbs_cmd.c in Linux, and its mlx5 driver. */
  @Test
  void theQueuePairHasNoQueuesOfItsOwn() {
    RwqIndTable table = table();
    String message = "beside work queues there are no queues of its own";

    for (QpInitAttr wrong :
        List.of(
            own(cq, NOTHING),
            new QpInitAttr(QpType.RAW_PACKET, null, cq, null, NOTHING, false),
            own(null, new QpCap(1, 0, 0, 0, 0)),
            own(null, new QpCap(0, 1, 0, 0, 0)))) {
      assertEinval(message, () -> spreading(wrong, table, KEY_BYTES, RxHashField.SRC_IPV4));
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
            BASE, mask, Set.of(), Set.of(), 0, table(), RxHashConf.toeplitz(new byte[KEY_BYTES]));

    assertEinval("go together", () -> b.pd().createQpEx(half));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 39, 41})
  void theKeyHasFortyBytes(int bytes) {
    RwqIndTable table = table();

    assertEinval(
        "a key of " + bytes + " bytes is not of 40",
        () -> spreading(BASE, table, bytes, RxHashField.SRC_IPV4));
  }

  @ParameterizedTest
  @EnumSource(RxHashField.class)
  void theFieldsHashedAreThoseNamed(RxHashField field) {
    RwqIndTable table = table();
    boolean isNamed = caps.rxHashFields().contains(field);

    assertThat(isNamed).isEqualTo(field != RxHashField.IPSEC_SPI && field != RxHashField.INNER);
    assertThat(Errnos.of(() -> spreading(BASE, table, KEY_BYTES, field)))
        .isEqualTo(isNamed ? null : Errno.EOPNOTSUPP);
  }

  @Test
  void aQueuePairThatSpreadsFramesNeitherChangesNorTakesRequests() {
    QueuePair qp = spreadingNothing();

    assertRefused(
        Errno.EOPNOTSUPP, "has nothing to modify", () -> qp.modify(QpAttr.to(QpState.RTS)));
    assertEinval("post them there", () -> qp.postRecv(RecvWr.of(1, b.region().sge(0, 8))));
    assertEinval("RTR", () -> qp.postSend(SendWr.send(1, b.region().sge(0, 8))));
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
