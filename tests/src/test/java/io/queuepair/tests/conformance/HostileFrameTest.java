// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
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
  static List<byte[]> variants(byte[] frame) {
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
    return variants;
  }

  static Stream<byte[]> frames() {
    return Stream.concat(
        Arrays.stream(Frames.values()).map(Frames::bytes), Stream.of(EXTENDED_IPV6));
  }

  /** A send completes, and arrives in so many frames of so many bytes. */
  private void assertArrives(SendWr send, String completion, int frames, int bytes) {
    for (int slot = 0; slot < frames; slot++) {
      segment.b().postRecv(slot);
    }

    segment.send(send);

    assertThat(segment.a().sends()).containsExactly(completion);
    assertThat(segment.b().recvCq().poll(3))
        .hasSize(frames)
        .allSatisfy(each -> assertThat(each.byteLen()).isEqualTo(bytes));
  }

  @ParameterizedTest
  @MethodSource("frames")
  void areSentWhateverTheySay(byte[] frame) {
    MemoryRegion region = segment.a().region();
    Set<SendFlag> signaled = Set.of(SendFlag.SIGNALED);
    for (byte[] variant : variants(frame)) {
      int bytes = variant.length;
      Bytes.into(region, DATA, variant);
      SendWr send = SendWr.send(1, region.sge(DATA, bytes));
      List<Sge> ten = List.of(region.sge(DATA, 10));

      assertArrives(send, "1 SEND", 1, bytes);
      assertThat(segment.b().slot(0, bytes)).isEqualTo(variant);
      assertArrives(send.withFlags(SendFlag.SIGNALED, SendFlag.IP_CSUM), "1 SEND", 1, bytes);
      ByteBuffer hdr = ByteBuffer.wrap(variant);
      assertArrives(new TsoWr(1, ten, signaled, hdr, 5), "1 TSO", 2, bytes + 5);
    }
  }

  @Test
  void whatLiesBehindExtensionHeadersIsNotLookedAt() {
    segment.b().postRecv(0);

    Bytes.into(segment.a().region(), DATA, EXTENDED_IPV6);
    SendWr wr = SendWr.send(1, segment.a().region().sge(DATA, EXTENDED_IPV6.length));
    segment.send(wr.withFlags(SendFlag.IP_CSUM));

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
