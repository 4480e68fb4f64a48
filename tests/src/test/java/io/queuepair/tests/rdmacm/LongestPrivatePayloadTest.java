// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Private data of the lengths that the messages have room for (InfiniBand Architecture volume 1,
 * 12.6, less the 36 bytes of the header of IP addresses in requests) arrives whole; one byte more
 * is refused before anything is sent.
 */
final class LongestPrivatePayloadTest {
  private static final int OF_REQ = 56;
  private static final int OF_REP = 196;
  private static final int OF_REJ = 148;
  private static final int OF_SIDR_REQ = 180;
  private static final int OF_SIDR_REP = 136;

  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  /** No byte is 0, as the field is filled with that. */
  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (1 + i % 255);
    }
    return bytes;
  }

  private static RdmaConnParam with(byte[] bytes) {
    return RdmaConnParam.of(0, 0).withPrivateData(bytes);
  }

  /** Refuses one byte too many, and takes as many as there may be. */
  private static void longest(int most, Consumer<byte[]> call) {
    assertThatThrownBy(() -> call.accept(bytes(most + 1)))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining((most + 1) + " bytes of private data are more than " + most);
    call.accept(bytes(most));
  }

  private RdmaCmId asked() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    longest(OF_REQ, bytes -> active.connect(with(bytes)));
    RdmaCmEvent request = RdmaHosts.next(hosts.channelB);
    assertThat(RdmaHosts.bytes(request.conn().privateData())).isEqualTo(bytes(OF_REQ));
    return request.id();
  }

  @Test
  void requestAndReply() {
    RdmaCmId passive = asked();
    passive.createQp(null, RdmaHosts.attr(QpType.RC));

    passive.accept(with(bytes(OF_REP)));

    RdmaCmEvent established = RdmaHosts.next(hosts.channelA);
    assertThat(established.event()).isEqualTo(RdmaCmEventType.ESTABLISHED);
    assertThat(RdmaHosts.bytes(established.conn().privateData())).isEqualTo(bytes(OF_REP));
  }

  @Test
  void rejection() {
    longest(OF_REJ, asked()::reject);

    RdmaCmEvent rejected = RdmaHosts.next(hosts.channelA);
    assertThat(rejected.event()).isEqualTo(RdmaCmEventType.REJECTED);
    assertThat(RdmaHosts.bytes(rejected.conn().privateData())).isEqualTo(bytes(OF_REJ));
  }

  private RdmaCmId lookedUp() {
    hosts.listener(RdmaPortSpace.UDP, 1);
    RdmaCmId active = hosts.routed(RdmaPortSpace.UDP);
    active.createQp(null, RdmaHosts.attr(QpType.UD));
    longest(OF_SIDR_REQ, bytes -> active.connect(with(bytes)));
    RdmaCmEvent request = RdmaHosts.next(hosts.channelB);
    assertThat(RdmaHosts.bytes(request.ud().privateData())).isEqualTo(bytes(OF_SIDR_REQ));
    return request.id();
  }

  @Test
  void datagramRequestAndReply() {
    RdmaCmId passive = lookedUp();
    passive.createQp(null, RdmaHosts.attr(QpType.UD));

    passive.accept(with(bytes(OF_SIDR_REP)));

    RdmaCmEvent established = RdmaHosts.next(hosts.channelA);
    assertThat(established.event()).isEqualTo(RdmaCmEventType.ESTABLISHED);
    assertThat(RdmaHosts.bytes(established.ud().privateData())).isEqualTo(bytes(OF_SIDR_REP));
  }

  @Test
  void datagramRejection() {
    longest(OF_SIDR_REP, lookedUp()::reject);

    RdmaCmEvent unreachable = RdmaHosts.next(hosts.channelA);
    assertThat(unreachable.event()).isEqualTo(RdmaCmEventType.UNREACHABLE);
    assertThat(RdmaHosts.bytes(unreachable.ud().privateData())).isEqualTo(bytes(OF_SIDR_REP));
  }
}
