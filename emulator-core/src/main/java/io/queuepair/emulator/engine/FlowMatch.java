// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.IpPacket;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.Gid;

/** Matches frames against flow specifications ({@code struct ibv_flow_spec}). */
final class FlowMatch {
  private FlowMatch() {}

  static boolean matches(FlowSpec spec, RawFrame frame) {
    if (spec instanceof FlowSpec.Eth eth) {
      return ethernet(eth.val(), eth.mask(), frame);
    }
    IpPacket ip = frame.ip();
    return ip != null && matches(spec, ip);
  }

  private static boolean matches(FlowSpec spec, IpPacket ip) {
    if (spec instanceof FlowSpec.Ipv4 ipv4) {
      return ip.isIpv4() && ipv4(ipv4.val(), ipv4.mask(), ip);
    }
    if (spec instanceof FlowSpec.Ipv4Ext ipv4) {
      return ip.isIpv4() && ipv4(ipv4.val(), ipv4.mask(), ip);
    }
    if (spec instanceof FlowSpec.Ipv6 ipv6) {
      return !ip.isIpv4() && ipv6(ipv6.val(), ipv6.mask(), ip);
    }
    if (spec instanceof FlowSpec.Tcp tcp) {
      return ip.isTcp() && ports(tcp.val(), tcp.mask(), ip);
    }
    return spec instanceof FlowSpec.Udp udp && ip.isUdp() && ports(udp.val(), udp.mask(), ip);
  }

  private static boolean ethernet(FlowSpec.EthFilter val, FlowSpec.EthFilter mask, RawFrame frame) {
    return agree(frame.destination().bits(), val.dstMac().bits(), mask.dstMac().bits())
        && agree(frame.source().bits(), val.srcMac().bits(), mask.srcMac().bits())
        && agree(frame.etherType(), val.etherType(), mask.etherType())
        && (mask.vlanTag() == 0
            || (frame.hasVlanTag() && agree(frame.vlanTag(), val.vlanTag(), mask.vlanTag())));
  }

  private static boolean ipv4(FlowSpec.Ipv4Filter val, FlowSpec.Ipv4Filter mask, IpPacket ip) {
    return agree(ip.ipv4Source(), val.srcIp(), mask.srcIp())
        && agree(ip.ipv4Destination(), val.dstIp(), mask.dstIp());
  }

  private static boolean ipv4(
      FlowSpec.Ipv4ExtFilter val, FlowSpec.Ipv4ExtFilter mask, IpPacket ip) {
    int flags = ip.ipv4DontFragment() ? FlowSpec.Ipv4ExtFilter.DONT_FRAGMENT : 0;
    flags |= ip.ipv4MoreFragments() ? FlowSpec.Ipv4ExtFilter.MORE_FRAGMENTS : 0;
    return agree(ip.ipv4Source(), val.srcIp(), mask.srcIp())
        && agree(ip.ipv4Destination(), val.dstIp(), mask.dstIp())
        && agree(ip.ipv4Protocol(), val.proto(), mask.proto())
        && agree(ip.ipv4TypeOfService(), val.tos(), mask.tos())
        && agree(ip.ipv4TimeToLive(), val.ttl(), mask.ttl())
        && agree(flags, val.flags(), mask.flags());
  }

  private static boolean ipv6(FlowSpec.Ipv6Filter val, FlowSpec.Ipv6Filter mask, IpPacket ip) {
    return agree(ip.ipv6Source(), val.srcIp(), mask.srcIp())
        && agree(ip.ipv6Destination(), val.dstIp(), mask.dstIp())
        && agree(ip.ipv6FlowLabel(), val.flowLabel(), mask.flowLabel())
        && agree(ip.ipv6NextHeader(), val.nextHdr(), mask.nextHdr())
        && agree(ip.ipv6TrafficClass(), val.trafficClass(), mask.trafficClass())
        && agree(ip.ipv6HopLimit(), val.hopLimit(), mask.hopLimit());
  }

  private static boolean ports(FlowSpec.TcpUdpFilter val, FlowSpec.TcpUdpFilter mask, IpPacket ip) {
    return agree(ip.destinationPort(), val.dstPort(), mask.dstPort())
        && agree(ip.sourcePort(), val.srcPort(), mask.srcPort());
  }

  private static boolean agree(Gid gid, Gid val, Gid mask) {
    return agree(gid.subnetPrefix(), val.subnetPrefix(), mask.subnetPrefix())
        && agree(gid.interfaceId(), val.interfaceId(), mask.interfaceId());
  }

  private static boolean agree(long actual, long val, long mask) {
    return ((actual ^ val) & mask) == 0;
  }
}
