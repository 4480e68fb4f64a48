// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPortSpace;
import java.util.ArrayList;
import java.util.List;

/** The connections of one side of ucmatose, from the first event to the last. */
final class ConnectedNodes extends ExchangeNodes {
  private static final int RETRIES = 5;

  private final UcmatoseCommand command;
  private final RdmaCm host;
  private final List<RdmaCmId> refused = new ArrayList<>();
  private int disconnectsLeft;

  ConnectedNodes(UcmatoseCommand command, RdmaCm host, RdmaPortSpace space) {
    super(command, host, space);
    this.command = command;
    this.host = host;
  }

  /** Accepts, sends first, and disconnects. */
  int serve(RdmaAddrinfo own) {
    listen(own);
    int status = handleWhile(() -> connectsLeft > 0);
    if (status != 0) {
      return status;
    }
    if (command.messages().count() > 0) {
      command.say("initiating data transfers");
      connected().forEach(Node::postSends);
      command.say("completing sends");
      connected().forEach(Node::awaitSends);
      command.say("receiving data transfers");
      connected().forEach(Node::awaitReceives);
      command.say("data transfers complete");
    }
    migrate();
    command.say("cmatose: disconnecting");
    for (Node node : connected()) {
      node.setConnected(false);
      node.id().disconnect();
    }
    return handleWhile(() -> disconnectsLeft > 0);
  }

  /** Connects, answers, and waits for the server to disconnect. */
  int connect(RdmaAddrinfo way) {
    command.say("cmatose: connecting");
    resolve(way);
    int status = handleWhile(() -> connectsLeft > 0);
    if (status != 0) {
      return status;
    }
    if (command.messages().count() > 0) {
      command.say("receiving data transfers");
      connected().forEach(Node::awaitReceives);
      command.say("sending replies");
      connected().forEach(Node::postSends);
      command.say("data transfers complete");
    }
    migrate();
    return handleWhile(() -> disconnectsLeft > 0);
  }

  private List<Node> connected() {
    return nodes.stream().filter(Node::isConnected).toList();
  }

  private void migrate() {
    if (!command.migrates()) {
      return;
    }
    command.say("migrating to new event channel");
    RdmaEventChannel next = host.createEventChannel();
    if (listener != null) {
      listener.migrate(next);
    }
    nodes.forEach(node -> node.id().migrate(next));
    refused.forEach(id -> id.migrate(next));
    channel.close();
    channel = next;
  }

  @Override
  void setOptions(RdmaCmId id) {
    if (command.typeOfService() != null) {
      id.setOption(new RdmaOption.Tos(command.typeOfService()));
    }
    if (command.ackTimeout() != null) {
      id.setOption(new RdmaOption.AckTimeout(command.ackTimeout()));
    }
  }

  @Override
  int routeResolved(Node node) {
    node.createQp();
    node.postReceives();
    node.id().connect(RdmaConnParam.of(1, 1).withRetries(RETRIES, 0));
    return 0;
  }

  /** One request more than connections are wanted is refused. */
  @Override
  int requested(RdmaCmId id) {
    if (nodes.size() == wanted) {
      command.say("cmatose: failing connection request");
      refused.add(id);
      id.reject();
      return 0;
    }
    Node node = new Node(id, command.messages());
    nodes.add(node);
    node.createQp();
    node.postReceives();
    id.accept();
    return 0;
  }

  @Override
  void established(Node node, RdmaCmEvent event) {
    node.setConnected(true);
    connectsLeft--;
    disconnectsLeft++;
  }

  /** The side that got the event first answers; that which was not established never counted. */
  @Override
  void disconnected(RdmaCmId id) {
    Node node = Node.of(id);
    if (node.isConnected()) {
      node.setConnected(false);
      id.disconnect();
    }
    disconnectsLeft--;
  }

  @Override
  public void close() {
    refused.forEach(RdmaCmId::close);
    super.close();
  }
}
