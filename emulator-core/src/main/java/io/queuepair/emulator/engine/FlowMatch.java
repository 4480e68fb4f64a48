package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.Gid;

/** Whether a frame is what the specifications of a flow ask for. */
final class FlowMatch {
  private FlowMatch() {}

  static boolean matches(FlowSpec spec, RawFrame frame) {
    if (spec instanceof FlowSpec.Eth eth) {
      return ethernet(eth.val(), eth.mask(), frame);
    }
    if (spec instanceof FlowSpec.Ipv4 ipv4) {
      return frame.isIpv4() && ipv4(ipv4.val(), ipv4.mask(), frame);
    }
    if (spec instanceof FlowSpec.Ipv6 ipv6) {
      return frame.isIpv6() && ipv6(ipv6.val(), ipv6.mask(), frame);
    }
    if (spec instanceof FlowSpec.Tcp tcp) {
      return frame.isTcp() && ports(tcp.val(), tcp.mask(), frame);
    }
    return spec instanceof FlowSpec.Udp udp && frame.isUdp() && ports(udp.val(), udp.mask(), frame);
  }

  private static boolean ethernet(FlowSpec.EthFilter val, FlowSpec.EthFilter mask, RawFrame frame) {
    return agree(frame.destination().bits(), val.dstMac().bits(), mask.dstMac().bits())
        && agree(frame.source().bits(), val.srcMac().bits(), mask.srcMac().bits())
        && agree(frame.etherType(), val.etherType(), mask.etherType())
        && (mask.vlanTag() == 0
            || (frame.hasVlanTag() && agree(frame.vlanTag(), val.vlanTag(), mask.vlanTag())));
  }

  private static boolean ipv4(FlowSpec.Ipv4Filter val, FlowSpec.Ipv4Filter mask, RawFrame frame) {
    return agree(frame.ipv4Source(), val.srcIp(), mask.srcIp())
        && agree(frame.ipv4Destination(), val.dstIp(), mask.dstIp());
  }

  private static boolean ipv6(FlowSpec.Ipv6Filter val, FlowSpec.Ipv6Filter mask, RawFrame frame) {
    return agree(frame.ipv6Source(), val.srcIp(), mask.srcIp())
        && agree(frame.ipv6Destination(), val.dstIp(), mask.dstIp())
        && agree(frame.ipv6FlowLabel(), val.flowLabel(), mask.flowLabel())
        && agree(frame.ipv6NextHeader(), val.nextHdr(), mask.nextHdr())
        && agree(frame.ipv6TrafficClass(), val.trafficClass(), mask.trafficClass())
        && agree(frame.ipv6HopLimit(), val.hopLimit(), mask.hopLimit());
  }

  private static boolean ports(
      FlowSpec.TcpUdpFilter val, FlowSpec.TcpUdpFilter mask, RawFrame frame) {
    return agree(frame.destinationPort(), val.dstPort(), mask.dstPort())
        && agree(frame.sourcePort(), val.srcPort(), mask.srcPort());
  }

  private static boolean agree(Gid actual, Gid val, Gid mask) {
    return agree(actual.subnetPrefix(), val.subnetPrefix(), mask.subnetPrefix())
        && agree(actual.interfaceId(), val.interfaceId(), mask.interfaceId());
  }

  private static boolean agree(long actual, long val, long mask) {
    return ((actual ^ val) & mask) == 0;
  }
}
