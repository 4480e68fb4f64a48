// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.TsoWr;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Frames whose headers end early or say what is not so. They cross the network like others, and
 * what the device does with them is harmless.
 */
final class HostileFrameTest {
  private static final int DATA = 8 * RawHost.SLOT_BYTES;
  private static final int ETHERNET_BYTES = 14;
  private static final String ETHERNET = "02000a000002 02000a000001 ";

  /** Hop-by-hop options, then UDP with the right checksum. */
  private static final byte[] EXTENDED_IPV6 =
      Bytes.ofHex(
          ETHERNET
              + "86dd 60000000 00140040"
              + "fd000000000000000000000000000001 fd000000000000000000000000000002"
              + "1100010400000000 00071234 000c55f9 deadbeef");

  @AutoClose private final Segment segment = new Segment();

  HostileFrameTest() {
    FlowSpec.Udp anyUdp = new FlowSpec.Udp(ports(0), ports(0));
    segment.b().steer(FlowAttr.normal(anyUdp));
    segment.b().steer(FlowAttr.normal());
  }

  private static FlowSpec.TcpUdpFilter ports(int both) {
    return new FlowSpec.TcpUdpFilter(both, both);
  }

  /** Every beginning of a frame, and every frame with one byte all zeros or all ones. */
  static Stream<byte[]> variants(byte[] frame) {
    List<byte[]> variants = new ArrayList<>();
    for (int length = ETHERNET_BYTES; length < frame.length; length++) {
      variants.add(Arrays.copyOf(frame, length));
    }
    for (int i = 12; i < frame.length; i++) {
      for (int value : new int[] {0, 0x0f, 0x40, 0xff}) {
        byte[] changed = frame.clone();
        changed[i] = (byte) value;
        variants.add(changed);
      }
    }
    return variants.stream();
  }

  static Stream<byte[]> frames() {
    return Stream.concat(
        Arrays.stream(Frames.values()).map(Frames::bytes), Stream.of(EXTENDED_IPV6));
  }

  @ParameterizedTest
  @MethodSource("frames")
  void arriveWhateverTheySay(byte[] frame) {
    variants(frame)
        .forEach(
            variant -> {
              segment.b().postRecv(0);

              segment.a().send(1, variant);
              segment.drain();

              assertThat(segment.a().sends()).containsExactly("1 SEND");
              assertThat(segment.b().recvCq().poll(2))
                  .singleElement()
                  .satisfies(each -> assertThat(each.byteLen()).isEqualTo(variant.length));
              assertThat(segment.b().slot(0, variant.length)).isEqualTo(variant);
            });
  }

  @ParameterizedTest
  @MethodSource("frames")
  void areSentWithChecksumsWhateverTheySay(byte[] frame) {
    variants(frame)
        .forEach(
            variant -> {
              segment.b().postRecv(0);
              Bytes.into(segment.a().region(), DATA, variant);
              SendWr wr = SendWr.send(1, segment.a().region().sge(DATA, variant.length));

              segment.a().qp().postSend(wr.withFlags(SendFlag.SIGNALED, SendFlag.IP_CSUM));
              segment.drain();

              assertThat(segment.a().sends()).containsExactly("1 SEND");
              assertThat(segment.b().recvCq().poll(2))
                  .singleElement()
                  .satisfies(each -> assertThat(each.byteLen()).isEqualTo(variant.length));
            });
  }

  @ParameterizedTest
  @MethodSource("frames")
  void areHeadersOfLargeSendsWhateverTheySay(byte[] frame) {
    variants(frame)
        .forEach(
            variant -> {
              segment.b().postRecv(0);
              segment.b().postRecv(1);
              ByteBuffer hdr = ByteBuffer.wrap(variant);

              segment
                  .a()
                  .qp()
                  .postSend(
                      new TsoWr(
                          1,
                          List.of(segment.a().region().sge(DATA, 10)),
                          Set.of(SendFlag.SIGNALED),
                          hdr,
                          5));
              segment.drain();

              assertThat(segment.a().sends()).containsExactly("1 TSO");
              assertThat(segment.b().recvCq().poll(3))
                  .hasSize(2)
                  .allSatisfy(each -> assertThat(each.byteLen()).isEqualTo(variant.length + 5));
            });
  }

  @Test
  void whatLiesBehindExtensionHeadersIsNotLookedAt() {
    segment.b().postRecv(0);

    Bytes.into(segment.a().region(), DATA, EXTENDED_IPV6);
    SendWr wr = SendWr.send(1, segment.a().region().sge(DATA, EXTENDED_IPV6.length));
    segment.a().qp().postSend(wr.withFlags(SendFlag.IP_CSUM));
    segment.drain();

    assertThat(segment.b().slot(0, EXTENDED_IPV6.length)).isEqualTo(EXTENDED_IPV6);
    assertThat(segment.b().receives()).containsExactly("0 RECV " + EXTENDED_IPV6.length);
  }

  /** Lengths that contradict each other, all with the right checksum of the header. */
  @Test
  void lengthsThatLieHaveNoRightChecksums() {
    for (String packet :
        List.of(
            // Total length 0x21, one more than there is; 0x1f, less than UDP says; 0.
            "45000021 00004000 401126ca 0a000001 0a000002 00071234 000c3bfb deadbeef",
            "4500001f 00004000 401126cc 0a000001 0a000002 00071234 000c3bfb deadbeef",
            "45000000 00004000 401126eb 0a000001 0a000002 00071234 000c3bfb deadbeef",
            // UDP length 7, less than its header.
            "45000020 00004000 401126cb 0a000001 0a000002 00071234 00075c1f deadbeef",
            // Fifteen words of header, which there are not.
            "4f000020 00004000 40111ccb 0a000001 0a000002 00071234 000c3bfb deadbeef")) {
      byte[] frame = Bytes.ofHex(ETHERNET + "0800" + packet);
      segment.b().postRecv(0);

      segment.a().send(1, frame);
      segment.drain();

      assertThat(segment.b().receives()).as(packet).containsExactly("0 RECV 46");
    }
  }
}
