// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.cm.CmEngine;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCmEvent.EventContent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;

/** What the library does for the program when that takes an event, as librdmacm. */
final class FollowUps {
  private static final String GET = "rdma_get_cm_event";

  /** Status that librdmacm reports, whatever the errno ({@code ucma_process_conn_resp}). */
  private static final int FAILED = -1;

  private final EmulatedRdmaCm host;

  FollowUps(EmulatedRdmaCm host) {
    this.host = host;
  }

  @SuppressWarnings("try") // Only the lock of the step is needed.
  void carryOut(EmulatedRdmaCmEvent event) {
    switch (event.followUp()) {
      case NONE -> {}
      case MAKE_READY -> {
        try (HostDriver.Step step = host.driver().step(GET)) {
          makeReady(event, step.engine());
        }
      }
      case FAIL_QP -> {
        try (HostDriver.Step step = host.driver().step(GET)) {
          fail(event);
        }
      }
      case ATTACH -> attach(event);
    }
  }

  /** The peer has accepted: without a queue pair on the id, the program does the rest. */
  private void makeReady(EmulatedRdmaCmEvent event, CmEngine engine) {
    IdContext id = event.context();
    QueuePair qp = id.facade().resources().qp();
    EventContent content = event.content();
    if (qp == null) {
      return;
    }
    try {
      id.facade().resources().makeReady();
    } catch (VerbsException refused) {
      connectError(event, "The queue pair could not be made ready: " + refused.getMessage());
      return;
    }
    boolean isThere = engine.sendRtu(id.cm(), host.driver().nowNanos());
    if (isThere) {
      id.markAccepted();
      event.replace(
          EventContent.ofConnection(
              RdmaCmEventType.ESTABLISHED, 0, content.conn(), content.explanation()));
    } else {
      connectError(event, "The connection has ended before the answer of the peer was taken.");
    }
  }

  /** Keeps what the peer has said; the peer hears nothing until the id is destroyed. */
  private static void connectError(EmulatedRdmaCmEvent event, String why) {
    event.replace(
        EventContent.ofConnection(
            RdmaCmEventType.CONNECT_ERROR, FAILED, event.content().conn(), why));
    fail(event);
  }

  /** The event counts all the same, if the program has done something to the queue pair. */
  private static void fail(EmulatedRdmaCmEvent event) {
    try {
      event.context().facade().resources().failQp();
    } catch (VerbsException refused) {
      EventContent content = event.content();
      String why =
          content.explanation() + " The queue pair could not fail: " + refused.getMessage();
      event.replace(
          EventContent.ofConnection(content.type(), content.status(), content.conn(), why));
    }
  }

  /** Outside of the lock, as the network may have to be asked. */
  private void attach(EmulatedRdmaCmEvent event) {
    MulticastJoins.Group group = event.group();
    QueuePair qp = event.context().facade().resources().qp();
    if (qp == null) {
      return;
    }
    try {
      qp.attachMcast(group.gid());
      group.markAttached();
    } catch (VerbsException refused) {
      event.replace(
          new EventContent(
              RdmaCmEventType.MULTICAST_ERROR,
              -refused.errno().code(),
              null,
              event.content().ud(),
              event.content().arg(),
              "The queue pair could not be attached: " + refused.getMessage()));
    }
  }
}
