// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which key opens what: separate and stale keys, regions without memory or with windows. */
final class MemoryKeyTest {
  private static final int BYTES = 3000;

  @AutoClose
  private final Pair pair =
      Pair.on(LinkForm.OBJECTS).profile(DeviceProfile.standard().withSeparateKeys()).connect();

  private final MemoryRegion here = pair.a().register(BYTES);
  private final MemoryRegion there = pair.b().register(BYTES);

  private void assertOutcome(String expected, SendWr request) {
    pair.send(request);

    assertThat(pair.a().sends()).containsExactly("1 " + expected);
  }

  private SendWr write(int rkey, int lkey) {
    return SendWr.rdmaWrite(1, there.addr(), rkey, new Sge(here.addr(), BYTES, lkey));
  }

  @Test
  void theRightKeysOpenBothSides() {
    assertThat(here.lkey()).isNotEqualTo(here.rkey());
    Bytes.into(here, 0, Bytes.pattern(BYTES, 1));

    assertOutcome("RDMA_WRITE", write(there.rkey(), here.lkey()));

    assertThat(Bytes.in(there, 0, BYTES)).isEqualTo(Bytes.pattern(BYTES, 1));
  }

  @Test
  void anLkeyIsUnknownToPeers() {
    assertOutcome("REM_ACCESS_ERR", write(there.lkey(), here.lkey()));
  }

  @Test
  void anRkeyIsUnknownToTheDeviceItself() {
    assertOutcome("LOC_PROT_ERR", write(there.rkey(), here.rkey()));
  }

  @Test
  void anRkeyIsUnknownToReceives() {
    pair.b().qp().postRecv(RecvWr.of(2, new Sge(there.addr(), BYTES, there.rkey())));

    assertOutcome("REM_OP_ERR", SendWr.send(1, here.sge()));
    assertThat(pair.b().receives()).containsExactly("2 LOC_PROT_ERR");
  }

  private static Pair connected(boolean hasSeparateKeys) {
    DeviceProfile usual = DeviceProfile.standard();
    return Pair.on(LinkForm.OBJECTS)
        .profile(hasSeparateKeys ? usual.withSeparateKeys() : usual)
        .access(
            EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC))
        .connect();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingReadsAsZerosAndTakesEverything(boolean hasSeparateKeys) {
    try (Pair two = connected(hasSeparateKeys)) {
      MemoryRegion nothing = two.a().pd().allocNullMr();
      MemoryRegion target = two.b().register(BYTES);
      Sge anywhere = new Sge(-12345, BYTES, nothing.lkey());
      Bytes.into(target, 0, Bytes.pattern(BYTES, 1));
      two.a().qp().postSend(SendWr.rdmaRead(1, target.addr(), target.rkey(), anywhere));
      two.send(SendWr.rdmaWrite(2, target.addr(), target.rkey(), anywhere));

      assertThat(two.a().sends()).isEqualTo(List.of("1 RDMA_READ 3000", "2 RDMA_WRITE"));
      assertThat(Bytes.in(target, 0, BYTES)).containsOnly(0);
      assertThat(nothing.length()).isZero();
      assertThat(nothing.buffer().capacity()).isZero();
    }
  }

  @Test
  void aMessageForNothingIsReceivedAndLost() {
    MemoryRegion nothing = pair.b().pd().allocNullMr();
    Sge kept = there.sge(0, 1000);
    Sge lost = new Sge(7, 1000, nothing.lkey());
    pair.b().qp().postRecv(RecvWr.of(2, lost, kept, lost));
    Bytes.into(here, 0, Bytes.pattern(BYTES, 1));
    byte[] middle = Bytes.in(here, 1000, 1000);

    pair.send(SendWr.send(1, here.sge()));

    assertThat(pair.b().receives()).containsExactly("2 RECV 3000");
    assertThat(Bytes.in(there, 0, 1000)).isEqualTo(middle);
    assertThat(Bytes.in(there, 1000, 2000)).containsOnly(TestEndpoint.FILL);
  }

  private enum Access {
    READ,
    WRITE,
    FETCH_ADD
  }

  @ParameterizedTest
  @EnumSource(Access.class)
  void peersHaveNoRightToNothing(Access access) {
    try (Pair two = connected(false)) {
      MemoryRegion nothing = two.b().pd().allocNullMr();
      SendWr.RemoteTarget target = new SendWr.RemoteTarget(0, nothing.lkey());
      Sge word = two.a().register(BYTES).sge(0, Long.BYTES);

      assertThat(nothing.rkey()).isZero();
      two.send(
          switch (access) {
            case READ -> SendWr.rdmaRead(1, 0, nothing.lkey(), word);
            case WRITE -> SendWr.rdmaWrite(1, 0, nothing.lkey(), word);
            case FETCH_ADD -> SendWr.fetchAndAdd(1, target, 1, word);
          });
      assertThat(two.a().sends()).containsExactly("1 REM_ACCESS_ERR");
    }
  }

  @Test
  void nothingBelongsToADomain() {
    MemoryRegion nothing = pair.a().context().allocPd().allocNullMr();

    assertOutcome("LOC_PROT_ERR", SendWr.send(1, new Sge(0, 10, nothing.lkey())));
  }

  @ParameterizedTest
  @EnumSource(MwType.class)
  void aRegionWithABoundWindowStaysWhatItIs(MwType type) {
    MemoryRegion region = pair.b().register(BYTES, Window.BINDABLE);
    ReregMr change = ReregMr.nothing().withAccess(AccessFlag.LOCAL_WRITE);
    Window window = Window.bound(pair, pair.b(), type, Window.over(region, Window.ALL_REMOTE));

    ReregMrException refusal =
        catchThrowableOfType(ReregMrException.class, () -> region.rereg(change));

    assertThat(refusal.code()).isEqualTo(ReregMrErrCode.CMD);
    assertThat(refusal.errno()).isEqualTo(Errno.EBUSY);
    assertOutcome("RDMA_WRITE", SendWr.rdmaWrite(1, region.addr(), window.rkey(), here.sge()));
    window.mw().close();
    region.rereg(change);
  }

  @Test
  void aBindThatWaitsForItsTurnSeesTheRegionAsItIsThen() {
    MemoryRegion region = pair.b().register(BYTES, Window.BINDABLE);
    MemoryWindow mw = pair.b().pd().allocMw(MwType.TYPE_2);
    MwBindInfo former = Window.over(region, Window.ALL_REMOTE);
    region.rereg(ReregMr.nothing().withTranslation(ByteBuffer.allocateDirect(BYTES)));

    Window.posted(pair.b().qp(), mw, former);
    pair.drain();

    assertThat(pair.b().sends()).containsExactly(Window.BIND + " MW_BIND_ERR");
  }

  @Test
  void nothingCannotBeOpened() {
    MemoryRegion nothing = pair.b().pd().allocNullMr();
    MemoryWindow mw = pair.b().pd().allocMw(MwType.TYPE_2);

    Window.posted(
        pair.b().qp(), mw, new MwBindInfo(nothing, 0, 8, EnumSet.of(AccessFlag.REMOTE_READ)));
    pair.drain();

    assertThat(pair.b().sends()).containsExactly(Window.BIND + " MW_BIND_ERR");
  }
}
