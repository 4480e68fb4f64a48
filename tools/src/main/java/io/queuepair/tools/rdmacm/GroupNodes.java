// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.tools.cli.DatagramPeer;
import io.queuepair.tools.cli.GidText;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.QpCreateFlag;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The queue pairs of one member of a multicast group: of mckey. */
final class GroupNodes implements AutoCloseable {
  private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

  private final MckeyCommand command;
  private final RdmaEventChannel channel;
  private final InetSocketAddress group;
  private final List<Node> nodes = new ArrayList<>();
  private int joinsLeft;

  GroupNodes(MckeyCommand command, RdmaCm host, InetSocketAddress group) {
    this.command = command;
    this.group = group;
    channel = host.createEventChannel();
    joinsLeft = command.messages().connections;
  }

  int run(InetSocketAddress source, RdmaPortSpace space) {
    command.say("mckey: joining");
    int wanted = joinsLeft;
    int status = 0;
    for (int i = 0; i < wanted && status == 0; i++) {
      Node node = new Node(channel.createId(space), command.messages());
      nodes.add(node);
      status = begin(node, source);
    }
    if (status == 0) {
      status = handleAll();
    }
    if (status == 0) {
      status = pause();
    }
    if (status == 0 && command.messages().count() > 0) {
      transfer();
    }
    nodes.stream().filter(Node::isConnected).forEach(node -> node.id().leaveMulticast(group));
    return status;
  }

  private int begin(Node node, InetSocketAddress source) {
    if (source != null) {
      node.id().bindAddr(source);
    }
    if (command.isUnmapped()) {
      return join(node);
    }
    node.id().resolveAddr(source, group, RESOLVE_TIMEOUT);
    return 0;
  }

  private void transfer() {
    if (command.isSender()) {
      command.say("initiating data transfers");
      nodes.forEach(Node::postSends);
      nodes.forEach(Node::awaitSends);
    } else {
      command.say("receiving data transfers");
      nodes.forEach(Node::awaitReceives);
    }
    command.say("data transfers complete");
  }

  private int handleAll() {
    int status = 0;
    while (status == 0 && joinsLeft > 0) {
      try (RdmaCmEvent event = channel.getCmEvent()) {
        status = handle(event);
      }
    }
    return status;
  }

  /** The time the network has to learn the way to the group, unless the group is lost meanwhile. */
  private int pause() {
    Optional<RdmaCmEvent> late = channel.getCmEvent(command.pause());
    if (late.isEmpty()) {
      return 0;
    }
    try (RdmaCmEvent event = late.get()) {
      return handle(event);
    }
  }

  private int handle(RdmaCmEvent event) {
    RdmaCmEventType type = event.event();
    if (type == RdmaCmEventType.ADDR_RESOLVED) {
      return join(Node.of(event.id()));
    }
    if (type == RdmaCmEventType.MULTICAST_JOIN) {
      return joined(Node.of(event.id()), event.ud());
    }
    boolean isFailure =
        type == RdmaCmEventType.ADDR_ERROR
            || type == RdmaCmEventType.ROUTE_ERROR
            || type == RdmaCmEventType.MULTICAST_ERROR;
    return isFailure ? command.failed(event) : 0;
  }

  private int join(Node node) {
    int status = command.checkSize(node.id());
    if (status != 0) {
      return status;
    }
    if (command.blocksLoopback()) {
      node.createQp(QpCreateFlag.BLOCK_SELF_MCAST_LB);
    } else {
      node.createQp();
    }
    if (!command.isSender()) {
      node.postReceives();
    }
    node.id().joinMulticastEx(group, command.joinFlag(), node);
    return 0;
  }

  /** There are no LIDs on Ethernet. */
  private int joined(Node node, RdmaUdParam address) {
    AhAttr way = address.ahAttr();
    command.say(
        String.format(
            Locale.ROOT,
            "mckey: joined dgid: %s mlid 0x0 sl %d",
            GidText.of(way.grh().dgid()),
            way.sl()));
    var ah = node.id().pd().createAh(way);
    node.sendTo(new DatagramPeer(ah, address.qpNum(), address.qkey()));
    node.setConnected(true);
    joinsLeft--;
    return 0;
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
    channel.close();
  }
}
