// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where the bytes of a send with INLINE come from: "the L_Key will not be checked"
 * (ibv_post_send(3)).
 */
@ParameterizedClass
@MethodSource("profiles")
final class InlineSendTest {
  private static final int AT = 100;

  @Parameter private DeviceProfile profile;

  @AutoClose private Pair pair;

  static Stream<DeviceProfile> profiles() {
    return Stream.of(
        DeviceProfile.standard(),
        DeviceProfile.standard().withSeparateKeys(),
        DeviceProfile.softRoce());
  }

  private Pair pair() {
    if (pair == null) {
      pair = Pair.on(LinkForm.OBJECTS).profile(profile).connect();
    }
    return pair;
  }

  /** Bytes that the peer receives of a send with INLINE of these entries. */
  private String received(Sge... entries) {
    pair().b().qp().postRecv(RecvWr.of(2, pair.b().region().sge(AT, 64)));
    SendWr send = new SendWr.Send(1, List.of(entries), EnumSet.of(SendFlag.SIGNALED));
    pair.send(send.withFlags(SendFlag.SIGNALED, SendFlag.INLINE));
    assertThat(pair.a().sends()).containsExactly("1 SEND");
    int bytes = pair.b().receiveCompletions().get(0).byteLen();
    return new String(Bytes.in(pair.b().region(), AT, bytes), US_ASCII);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }

  private MemoryRegion filled(String text, Set<AccessFlag> rights) {
    MemoryRegion region = pair().a().register(64, rights);
    Bytes.into(region, 0, ascii(text));
    return region;
  }

  @Test
  void theLkeyIsIgnored() {
    MemoryRegion region = filled("hello", TestEndpoint.ALL_RIGHTS);

    assertThat(received(new Sge(region.addr(), 5, 0))).isEqualTo("hello");
    assertThat(received(new Sge(region.addr() + 1, 3, 0x7f7f_7f7f))).isEqualTo("ell");
    assertThat(received(new Sge(region.addr(), 4, pair.a().region().lkey()))).isEqualTo("hell");
  }

  @Test
  void theDomainAndTheRightsDoNotMatter() {
    MemoryRegion withoutRights = filled("read", Set.of());
    MemoryRegion elsewhere =
        TestEndpoint.registerIn(pair().a().context().allocPd(), 64, TestEndpoint.ALL_RIGHTS);
    Bytes.into(elsewhere, 0, ascii("other"));

    Sge ofOtherDomain = new Sge(elsewhere.addr(), 5, elsewhere.lkey());
    assertThat(received(withoutRights.sge(0, 4), ofOtherDomain)).isEqualTo("readother");
  }

  private void assertRefused(String why, SendWr send) {
    assertThatThrownBy(() -> pair().a().qp().postSend(send))
        .isInstanceOf(BadWorkRequestException.class)
        .hasMessageContaining("EINVAL")
        .hasMessageContaining(why);
  }

  @Test
  void memoryThatIsNotOfTheContextIsNotRead() {
    MemoryRegion ofAnother =
        TestEndpoint.registerIn(
            pair().a().context().device().open().allocPd(), 64, TestEndpoint.ALL_RIGHTS);
    MemoryRegion gone = filled("gone", TestEndpoint.ALL_RIGHTS);
    Sge formerly = gone.sge(0, 4);
    gone.close();
    MemoryRegion region = filled("end", TestEndpoint.ALL_RIGHTS);

    for (Sge missing :
        List.of(ofAnother.sge(0, 4), formerly, new Sge(region.addr() + 61, 4, region.lkey()))) {
      assertRefused(
          String.format("no region with the 4 bytes at 0x%x", missing.addr()),
          SendWr.send(1, missing).withFlags(SendFlag.INLINE));
    }
  }

  @Test
  void anEntryMayHoldBytesOfAnyMemory() {
    ByteBuffer text = ByteBuffer.wrap(ascii("unregistered"));
    text.position(2);
    Sge fromBuffer = Sge.inline(text);
    byte[] array = ascii("!?");
    Sge fromArray = Sge.inline(array);
    array[0] = 'x';
    text.put(2, (byte) 'x');
    MemoryRegion region = filled("hello", TestEndpoint.ALL_RIGHTS);

    assertThat(received(fromBuffer, region.sge(0, 5), fromArray)).isEqualTo("registeredhello!?");
    assertThat(text.position()).isEqualTo(2);
    assertThat(fromBuffer).isEqualTo(Sge.inline(ascii("registered")));
    assertThat(fromBuffer.inlineData().orElseThrow().isReadOnly()).isTrue();
  }

  @Test
  void suchAnEntryCountsForTheLimit() {
    SendWr large = SendWr.send(1, Sge.inline(new byte[4096]));

    assertRefused("4096 bytes inline are more than the limit", large.withFlags(SendFlag.INLINE));
    assertThatThrownBy(() -> new Sge(0, 3, 0, Optional.of(ByteBuffer.allocate(2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("length 3 is not that of the data, 2");
  }

  @Test
  void suchAnEntryIsForSendsWithInlineOnly() {
    Sge entry = Sge.inline(ascii("hello"));
    SharedReceiveQueue srq = pair().a().pd().createSrq(SrqAttr.of(4, 1));

    assertRefused("entry 0 holds inline data, which needs", SendWr.send(1, entry));
    assertThatThrownBy(() -> pair.a().qp().postRecv(RecvWr.of(1, entry)))
        .hasMessageContaining("ibv_post_recv: EINVAL", "entry 0 holds inline data");
    assertThatThrownBy(() -> srq.postRecv(RecvWr.of(1, entry)))
        .hasMessageContaining("ibv_post_srq_recv: EINVAL", "entry 0 holds inline data");
  }
}
