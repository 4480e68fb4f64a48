// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.tools.cli.DatagramPeer;
import io.queuepair.verbs.WorkCompletion;

/** The queue pairs of one side of udaddy. */
final class DatagramNodes extends ExchangeNodes {
  private final UdaddyCommand command;

  DatagramNodes(UdaddyCommand command, RdmaCm host, RdmaPortSpace space) {
    super(command, host, space);
    this.command = command;
  }

  /** Tells clients its queue pairs, receives, and answers to where the datagrams come from. */
  int serve(RdmaAddrinfo own) {
    listen(own);
    int status = handleWhile(() -> connectsLeft > 0);
    if (status == 0 && command.messages().count() > 0) {
      command.say("receiving data transfers");
      nodes.forEach(this::receiveAsServer);
      command.say("sending replies");
      nodes.forEach(Node::postSends);
      nodes.forEach(Node::awaitSends);
      command.say("data transfers complete");
    }
    return status;
  }

  private void receiveAsServer(Node node) {
    for (int message = 0; message < command.messages().count(); message++) {
      WorkCompletion received = node.nextReceived();
      if (!node.hasPeer()) {
        RdmaCmId id = node.id();
        var ah = id.pd().createAhFromWc(received, node.grh(), id.portNum());
        node.sendTo(new DatagramPeer(ah, received.immData(), id.qp().query().qkey()));
      }
    }
  }

  /** Asks for the queue pairs of the server, sends, and receives the answers. */
  int connect(RdmaAddrinfo way) {
    command.say("udaddy: connecting");
    resolve(way);
    int status = handleWhile(() -> connectsLeft > 0);
    if (status == 0 && command.messages().count() > 0) {
      command.say("initiating data transfers");
      nodes.forEach(Node::postSends);
      command.say("receiving data transfers");
      nodes.forEach(Node::awaitReceives);
      command.say("data transfers complete");
    }
    return status;
  }

  @Override
  void setOptions(RdmaCmId id) {
    if (command.typeOfService() != null) {
      id.setOption(new RdmaOption.Tos(command.typeOfService()));
    }
  }

  @Override
  int routeResolved(Node node) {
    int status = command.checkSize(node.id());
    if (status == 0) {
      node.createQp();
      node.postReceives();
      node.id().connect(RdmaConnParam.of(0, 0));
    }
    return status;
  }

  @Override
  int requested(RdmaCmId id) {
    Node node = new Node(id, command.messages());
    nodes.add(node);
    int status = command.checkSize(id);
    if (status != 0) {
      command.say("udaddy: failing connection request");
      id.reject();
      return status;
    }
    node.createQp();
    node.postReceives();
    id.accept();
    connectsLeft--;
    return 0;
  }

  @Override
  void established(Node node, RdmaCmEvent event) {
    RdmaUdParam peer = event.ud();
    var ah = node.id().pd().createAh(peer.ahAttr());
    node.sendTo(new DatagramPeer(ah, peer.qpNum(), peer.qkey()));
    connectsLeft--;
  }
}
