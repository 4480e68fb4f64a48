// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * Condition on one layer of a frame ({@code struct ibv_flow_spec}): the layer must be there, and
 * wherever a bit of the mask is set, frame and value must agree.
 */
public sealed interface FlowSpec {
  /**
   * The Ethernet header ({@code IBV_FLOW_SPEC_ETH}).
   *
   * @param val what the fields must be
   * @param mask which bits of them count
   */
  record Eth(EthFilter val, EthFilter mask) implements FlowSpec {
    /**
     * Frames to one address.
     *
     * @param dstMac destination
     * @return a specification that leaves everything else open
     */
    public static Eth to(MacAddress dstMac) {
      return new Eth(
          new EthFilter(dstMac, MacAddress.ZERO, 0, 0),
          new EthFilter(MacAddress.BROADCAST, MacAddress.ZERO, 0, 0));
    }
  }

  /**
   * The IPv4 header ({@code IBV_FLOW_SPEC_IPV4}).
   *
   * @param val what the fields must be
   * @param mask which bits of them count
   */
  record Ipv4(Ipv4Filter val, Ipv4Filter mask) implements FlowSpec {}

  /**
   * More of the IPv4 header ({@code IBV_FLOW_SPEC_IPV4_EXT}).
   *
   * @param val what the fields must be
   * @param mask which bits of them count
   */
  record Ipv4Ext(Ipv4ExtFilter val, Ipv4ExtFilter mask) implements FlowSpec {}

  /**
   * The IPv6 header ({@code IBV_FLOW_SPEC_IPV6}).
   *
   * @param val what the fields must be
   * @param mask which bits of them count
   */
  record Ipv6(Ipv6Filter val, Ipv6Filter mask) implements FlowSpec {}

  /**
   * The TCP header, behind either kind of IP header ({@code IBV_FLOW_SPEC_TCP}).
   *
   * @param val what the fields must be
   * @param mask which bits of them count
   */
  record Tcp(TcpUdpFilter val, TcpUdpFilter mask) implements FlowSpec {}

  /**
   * The UDP header, behind either kind of IP header ({@code IBV_FLOW_SPEC_UDP}).
   *
   * @param val what the fields must be
   * @param mask which bits of them count
   */
  record Udp(TcpUdpFilter val, TcpUdpFilter mask) implements FlowSpec {}

  /**
   * Fields of an Ethernet header ({@code struct ibv_flow_eth_filter}).
   *
   * @param dstMac destination
   * @param srcMac source
   * @param etherType type of what follows the header and the VLAN tag, 16 bits
   * @param vlanTag priority and VLAN number, 16 bits; if any of its mask is set, untagged frames do
   *     not match
   */
  record EthFilter(MacAddress dstMac, MacAddress srcMac, int etherType, int vlanTag) {}

  /**
   * Fields of an IPv4 header ({@code struct ibv_flow_ipv4_filter}).
   *
   * @param srcIp source; first byte on the wire uppermost
   * @param dstIp destination
   */
  record Ipv4Filter(int srcIp, int dstIp) {}

  /**
   * More fields of an IPv4 header ({@code struct ibv_flow_ipv4_ext_filter}).
   *
   * @param srcIp source; first byte on the wire uppermost
   * @param dstIp destination
   * @param proto protocol of what follows the header, 8 bits
   * @param tos type of service, 8 bits
   * @param ttl time to live, 8 bits
   * @param flags {@link #DONT_FRAGMENT} and {@link #MORE_FRAGMENTS}
   */
  record Ipv4ExtFilter(int srcIp, int dstIp, int proto, int tos, int ttl, int flags) {
    /** The packet must not be fragmented ({@code IB_IPV4_DONT_FRAG} of Linux). */
    public static final int DONT_FRAGMENT = 2;

    /** The packet is a fragment, and not the last one ({@code IB_IPV4_MORE_FRAG}). */
    public static final int MORE_FRAGMENTS = 4;
  }

  /**
   * Fields of an IPv6 header ({@code struct ibv_flow_ipv6_filter}).
   *
   * @param srcIp source, as the 128 bits of a GID
   * @param dstIp destination
   * @param flowLabel 20 bits
   * @param nextHdr type of what follows the header, 8 bits
   * @param trafficClass 8 bits
   * @param hopLimit 8 bits
   */
  record Ipv6Filter(
      Gid srcIp, Gid dstIp, int flowLabel, int nextHdr, int trafficClass, int hopLimit) {}

  /**
   * Ports of a TCP or UDP header ({@code struct ibv_flow_tcp_udp_filter}).
   *
   * @param dstPort destination, 16 bits
   * @param srcPort source, 16 bits
   */
  record TcpUdpFilter(int dstPort, int srcPort) {}
}
