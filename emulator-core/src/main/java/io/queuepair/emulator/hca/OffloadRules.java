// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.Offloads;
import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.emulator.wire.Ethernet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.TsoWr;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The checks of {@code ibv_post_send} for TSO and checksum offload. The segment size counts payload
 * only: ibv_post_send(3) leaves that open; the mlx4 and mlx5 providers do the same.
 */
final class OffloadRules {
  /** {@code mss} has 16 bits. */
  private static final int MAX_MSS = 0xffff;

  private OffloadRules() {}

  /** Why a request that asks for checksums cannot have them; types without IP ignore it. */
  static Optional<String> checksumRefusal(QpContext qp, SendRequest request) {
    boolean carriesIp = qp.type() == QpType.UD || qp.type() == QpType.RAW_PACKET;
    if (!carriesIp
        || !request.has(SendFlag.IP_CSUM)
        || qp.setup().offloads().checksums()
        || qp.has(Quirk.CHECKSUM_FLAG_IGNORED)) {
      return Optional.empty();
    }
    return Optional.of("IP_CSUM is not offered by this device for type " + qp.type());
  }

  /**
   * Why a large send cannot be segmented.
   *
   * @param length bytes of its data
   */
  static Optional<String> segmentationRefusal(QpContext qp, TsoWr tso, long length) {
    Offloads offloads = qp.setup().offloads();
    int hdrBytes = tso.hdr().remaining();
    int least = qp.type() == QpType.RAW_PACKET ? Ethernet.HEADER_BYTES : 0;
    String refusal = null;
    if (offloads.maxTsoHeader() == 0) {
      refusal = "the queue pair was created without max_tso_header";
    } else if (hdrBytes > offloads.maxTsoHeader()) {
      String granted = " bytes is longer than max_tso_header, " + offloads.maxTsoHeader();
      refusal = "a header of " + hdrBytes + granted;
    } else if (hdrBytes < least) {
      refusal = "a header of " + hdrBytes + " bytes has no room for that of Ethernet, " + least;
    } else if (tso.mss() < 1 || tso.mss() > MAX_MSS) {
      refusal = "mss " + tso.mss() + " is not 1 to " + MAX_MSS;
    } else if (length > offloads.maxTso()) {
      refusal = length + " bytes are more than max_tso, " + offloads.maxTso();
    } else if (counted(qp, tso.hdr()) + tso.mss() > qp.portMtuBytes()) {
      String mtu = " do not fit the MTU, " + qp.portMtuBytes();
      refusal = "a header of " + hdrBytes + " bytes and an mss of " + tso.mss() + mtu;
    }
    return Optional.ofNullable(refusal);
  }

  /** Bytes of a header that count for the MTU: the Ethernet header and a VLAN tag do not. */
  private static int counted(QpContext qp, ByteBuffer hdr) {
    if (qp.type() != QpType.RAW_PACKET) {
      return hdr.remaining();
    }
    boolean isTagged = new RawFrame(copyOf(hdr)).hasVlanTag();
    int link = Ethernet.HEADER_BYTES + (isTagged ? Ethernet.VLAN_BYTES : 0);
    return hdr.remaining() - link;
  }

  /** The same with a header that the application can no longer change. */
  static TsoWr withOwnHeader(TsoWr tso) {
    return new TsoWr(tso.wrId(), tso.sgList(), tso.flags(), copyOf(tso.hdr()).buffer(), tso.mss());
  }

  private static Payload copyOf(ByteBuffer hdr) {
    return new Payload(hdr, hdr.position(), hdr.remaining()).copy();
  }
}
