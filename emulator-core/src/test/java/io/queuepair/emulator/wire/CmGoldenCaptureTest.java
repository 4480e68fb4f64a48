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

    List<CmMessage> decoded = mads.stream().map(mad -> (CmMessage) CmMessage.decode(mad)).toList();

    assertThat(decoded)
        .extracting(message -> message.kind().name())
        .containsExactly(kinds.split(" "));
    for (int i = 0; i < mads.size(); i++) {
      assertThat(Payload.of(decoded.get(i).toBytes())).isEqualTo(mads.get(i));
    }
  }

  /** The values are those that tshark shows; of the flow label it drops the last digit. */
  @Test
  void theRequestSaysWhatLinuxAskedFor() throws UnknownHostException {
    CmMessage message = (CmMessage) CmMessage.decode(mads("cm_rping").get(0));

    InetAddress client = InetAddress.getByName("192.0.2.3");
    InetAddress server = InetAddress.getByName("192.0.2.2");
    CmMessage expected =
        CmMessage.of(CmKind.REQ)
            .set(CmField.MAD_TRANSACTION_ID, 0x0000000285bc0dabL)
            .set(CmField.REQ_LOCAL_COMM_ID, 0xab0dbc85)
            .set(CmField.REQ_SERVICE_ID, 0x0000000001061c06L)
            .set(CmField.REQ_LOCAL_CA_GUID, 0x505400fffe000003L)
            .set(CmField.REQ_LOCAL_QPN, 0x25)
            .set(CmField.REQ_RESPONDER_RESOURCES, 1)
            .set(CmField.REQ_INITIATOR_DEPTH, 1)
            .set(CmField.REQ_REMOTE_CM_RESPONSE_TIMEOUT, 0x14)
            .set(CmField.REQ_STARTING_PSN, 0xcf644e)
            .set(CmField.REQ_LOCAL_CM_RESPONSE_TIMEOUT, 0x14)
            .set(CmField.REQ_RETRY_COUNT, 7)
            .set(CmField.REQ_PKEY, 0xffff)
            .set(CmField.REQ_PATH_MTU, 3)
            .set(CmField.REQ_RNR_RETRY_COUNT, 7)
            .set(CmField.REQ_MAX_CM_RETRIES, 0xf)
            .set(CmField.REQ_PRIMARY_LOCAL_LID, 0xffff)
            .set(CmField.REQ_PRIMARY_REMOTE_LID, 0xffff)
            .set(CmField.REQ_PRIMARY_LOCAL_GID, Gid.of(client))
            .set(CmField.REQ_PRIMARY_REMOTE_GID, Gid.of(server))
            .set(CmField.REQ_PRIMARY_FLOW_LABEL, 0x84ab3)
            .set(CmField.REQ_PRIMARY_HOP_LIMIT, 0x40)
            .set(CmField.REQ_PRIMARY_LOCAL_ACK_TIMEOUT, 0x13)
            .setPrivateData(CmaHeader.of(client, 0xc7b3, server).before(ImmutableBytes.EMPTY));
    assertThat(message).isEqualTo(expected);
  }

  private static List<Payload> mads(String capture) {
    return RecordedMads.packets(capture).stream().map(Packet::payload).toList();
  }
}
