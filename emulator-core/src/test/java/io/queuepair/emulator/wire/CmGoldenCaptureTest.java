// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections recorded between Linux hosts; {@code pcap/README.md} says how. */
class CmGoldenCaptureTest {
  @ParameterizedTest
  @CsvSource({
    "cm_rdma_client, REQ REP RTU DREQ DREQ DREP",
    "cm_rping, REQ REP RTU DREQ DREP",
  })
  void everyMessageIsUnderstoodAndRewrittenByteForByte(String capture, String kinds) {
    List<Payload> mads = mads(capture);

    List<CmMad> decoded = mads.stream().map(mad -> (CmMad) CmMad.decode(mad)).toList();

    assertThat(decoded)
        .extracting(mad -> mad.message().kind().name())
        .containsExactly(kinds.split(" "));
    for (int i = 0; i < mads.size(); i++) {
      assertThat(Payload.of(decoded.get(i).toBytes())).isEqualTo(mads.get(i));
    }
  }

  /** The values are those that tshark shows; of the flow label it drops the last digit. */
  @Test
  void theRequestSaysWhatLinuxAskedFor() throws UnknownHostException {
    CmMad mad = (CmMad) CmMad.decode(mads("cm_rping").get(0));

    InetAddress client = InetAddress.getByName("192.0.2.3");
    InetAddress server = InetAddress.getByName("192.0.2.2");
    CmPath path =
        new CmPath(
            0xffff, 0xffff, Gid.of(client), Gid.of(server), 0x84ab3, 0, 0, 0x40, 0, false, 0x13);
    CmReq expected =
        CmReq.builder()
            .localCommId(0xab0dbc85)
            .serviceId(0x0000000001061c06L)
            .localCaGuid(0x505400fffe000003L)
            .localQpn(0x25)
            .responderResources(1)
            .initiatorDepth(1)
            .remoteCmResponseTimeout(0x14)
            .startingPsn(0xcf644e)
            .localCmResponseTimeout(0x14)
            .retryCount(7)
            .pkey(0xffff)
            .pathMtu(3)
            .rnrRetryCount(7)
            .maxCmRetries(0xf)
            .primary(path)
            .privateBytes(CmaHeader.of(client, 0xc7b3, server).before(ImmutableBytes.EMPTY))
            .build();
    assertThat(mad).isEqualTo(CmMad.of(0x0000000285bc0dabL, expected));
  }

  private static List<Payload> mads(String capture) {
    return RecordedMads.packets(capture).stream().map(Packet::payload).toList();
  }
}
