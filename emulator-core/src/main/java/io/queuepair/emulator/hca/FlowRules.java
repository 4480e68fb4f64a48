// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.QpContext;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowFlag;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;

/** Checks of {@code ibv_create_flow}, and their errnos. */
final class FlowRules {

  private static final String VERB = "ibv_create_flow";
  private static final int MAX_16_BITS = 0xffff;
  private static final int MAX_20_BITS = 0xf_ffff;
  private static final int MAX_8_BITS = 0xff;
  private static final int MAX_IPV4_FLAGS =
      FlowSpec.Ipv4ExtFilter.DONT_FRAGMENT | FlowSpec.Ipv4ExtFilter.MORE_FRAGMENTS;

  private FlowRules() {}

  /** Layers of flow specifications; a flow has at most one of each. */
  private enum Layer {
    ETHERNET,
    NETWORK,
    TRANSPORT
  }

  /** Refuses a flow that the queue pair cannot have, or that no frame could ever match. */
  public static void check(QpContext qp, FlowAttr attr, Ports ports) {
    if (qp.type() != QpType.RAW_PACKET) {
      throw refusal("type " + qp.type() + " receives no frames: flows lead to type RAW_PACKET");
    }
    checkPort(qp.attributes().portNum(), attr.portNum(), ports);
    range("priority", attr.priority(), MAX_16_BITS);
    if (attr.flags().contains(FlowFlag.EGRESS)) {
      throw new VerbsException(Errno.EOPNOTSUPP, VERB, "EGRESS is not offered");
    }
    if (attr.type() == FlowAttrType.NORMAL) {
      checkSpecs(attr);
    } else {
      checkUnspecific(attr);
    }
  }

  /** Checks the port of a flow. A queue pair in RESET has no port yet: its number is 0. */
  private static void checkPort(int ofQueuePair, int ofFlow, Ports ports) {
    if (!ports.hasPort(ofFlow)) {
      throw refusal("port " + ofFlow + " is not " + ports.portRange());
    }
    if (ofQueuePair != 0 && ofFlow != ofQueuePair) {
      throw refusal("port " + ofFlow + " is not that of the queue pair, which is " + ofQueuePair);
    }
  }

  private static void checkUnspecific(FlowAttr attr) {
    if (attr.flags().contains(FlowFlag.DONT_TRAP)) {
      throw refusal("DONT_TRAP is for flows of type NORMAL, not " + attr.type());
    }
    if (!attr.specs().isEmpty()) {
      throw refusal("a flow of type " + attr.type() + " has no specifications");
    }
  }

  private static void checkSpecs(FlowAttr attr) {
    Set<Layer> layers = EnumSet.noneOf(Layer.class);
    for (FlowSpec spec : attr.specs()) {
      Layer layer = layerOf(spec);
      if (!layers.add(layer)) {
        throw refusal("there are two specifications of layer " + layer + ", no frame matches both");
      }
    }
  }

  /** Layer of a specification, whose numbers are checked, too. */
  private static Layer layerOf(FlowSpec spec) {
    if (spec instanceof FlowSpec.Eth eth) {
      checkEthernet(eth.val());
      checkEthernet(eth.mask());
      return Layer.ETHERNET;
    }
    if (spec instanceof FlowSpec.Ipv4) {
      return Layer.NETWORK;
    }
    if (spec instanceof FlowSpec.Ipv4Ext ipv4) {
      checkIpv4(ipv4.val());
      checkIpv4(ipv4.mask());
      return Layer.NETWORK;
    }
    if (spec instanceof FlowSpec.Ipv6 ipv6) {
      checkIpv6(ipv6.val());
      checkIpv6(ipv6.mask());
      return Layer.NETWORK;
    }
    if (spec instanceof FlowSpec.Tcp tcp) {
      checkPorts(tcp.val());
      checkPorts(tcp.mask());
    } else if (spec instanceof FlowSpec.Udp udp) {
      checkPorts(udp.val());
      checkPorts(udp.mask());
    }
    return Layer.TRANSPORT;
  }

  private static void checkEthernet(FlowSpec.EthFilter filter) {
    range("ether_type", filter.etherType(), MAX_16_BITS);
    range("vlan_tag", filter.vlanTag(), MAX_16_BITS);
    checkMac("dst_mac", filter.dstMac().bits());
    checkMac("src_mac", filter.srcMac().bits());
  }

  private static void checkMac(String name, long bits) {
    if (bits >>> 48 != 0) {
      throw refusal(name + " has more than 48 bits");
    }
  }

  private static void checkIpv4(FlowSpec.Ipv4ExtFilter filter) {
    range("proto", filter.proto(), MAX_8_BITS);
    range("tos", filter.tos(), MAX_8_BITS);
    range("ttl", filter.ttl(), MAX_8_BITS);
    range("flags", filter.flags(), MAX_IPV4_FLAGS);
  }

  private static void checkIpv6(FlowSpec.Ipv6Filter filter) {
    range("flow_label", filter.flowLabel(), MAX_20_BITS);
    range("next_hdr", filter.nextHdr(), MAX_8_BITS);
    range("traffic_class", filter.trafficClass(), MAX_8_BITS);
    range("hop_limit", filter.hopLimit(), MAX_8_BITS);
  }

  private static void checkPorts(FlowSpec.TcpUdpFilter filter) {
    range("dst_port", filter.dstPort(), MAX_16_BITS);
    range("src_port", filter.srcPort(), MAX_16_BITS);
  }

  private static void range(String name, int value, int max) {
    if (value < 0 || value > max) {
      throw refusal(name + " " + value + " is not 0 to " + max);
    }
  }

  private static VerbsException refusal(String message) {
    return new VerbsException(Errno.EINVAL, VERB, message);
  }
}
