// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Automatic path migration between two devices with two ports each: the primary path joins the
 * first ports, the alternate path the second ones. (InfiniBand Architecture, "Automatic Path
 * Migration".)
 */
final class PathMigrationTest {
  private static final int ALT_TIMEOUT = 15;

  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final MigrationSide a = new MigrationSide("10.0.0.1", "10.1.0.1");
  private final MigrationSide b = new MigrationSide("10.0.0.2", "10.1.0.2");

  @BeforeEach
  void create() {
    a.createQp(QpType.RC);
    b.createQp(QpType.RC);
  }

  private void connect() {
    a.connect(b);
    b.connect(a);
  }

  private void armBoth() {
    connect();
    a.loadAlternate(b);
    b.loadAlternate(a);
    a.rearm();
    b.rearm();
    exchange();
  }

  /** A message there and one back, so that both ends hear of each other. */
  private void exchange() {
    send(a, b);
    send(b, a);
  }

  private void send(MigrationSide from, MigrationSide to) {
    to.qp.postRecv(RecvWr.of(2));
    from.qp.postSend(SendWr.send(1));
    assertThat(emulator.await(from.cq).status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(emulator.await(to.cq).status()).isEqualTo(WcStatus.SUCCESS);
  }

  @Test
  void migratesWhenRetriesAreExhausted() {
    armBoth();
    a.events();
    b.events();
    AlternatePath alternate = a.qp.query().altPath();
    a.device.setPortUp(1, false);

    exchange();

    assertThat(a.events()).containsExactly(EventType.PORT_ERR, EventType.PATH_MIG);
    assertThat(b.events()).containsExactly(EventType.PATH_MIG);
    QpAttr after = a.qp.query();
    assertThat(after.pathMigState()).isEqualTo(MigState.MIGRATED);
    assertThat(after.ahAttr()).isEqualTo(alternate.ahAttr());
    assertThat(after.portNum()).isEqualTo(2);
    assertThat(after.timeout()).isEqualTo(ALT_TIMEOUT);
    assertThat(b.state()).isEqualTo(MigState.MIGRATED);
    assertThat(b.qp.query().portNum()).isEqualTo(2);
  }

  /**
   * The event "path migration request error": a migration that the peer asks for, and that is not
   * possible. An unreliable connection answers nothing, so one end can be armed and the other not.
   */
  @Test
  void refusesAMigrationThatItIsNotArmedFor() {
    a.createQp(QpType.UC);
    b.createQp(QpType.UC);
    connect();
    a.loadAlternate(b);
    b.loadAlternate(a);
    a.rearm();
    b.rearm();
    send(b, a);
    assertThat(a.state()).isEqualTo(MigState.ARMED);
    assertThat(b.state()).isEqualTo(MigState.REARM);

    a.qp.modify(new QpAttr().pathMigState(MigState.MIGRATED));
    b.qp.postRecv(RecvWr.of(2));
    a.qp.postSend(List.of(SendWr.send(1), SendWr.send(2)));
    Optional<AsyncEvent> event = b.context.getAsyncEvent(Duration.ofSeconds(1));

    assertThat(event).contains(AsyncEvent.of(EventType.PATH_MIG_ERR, b.qp));
    b.context.ackAsyncEvent(event.orElseThrow());
    assertThat(b.context.getAsyncEvent(Duration.ofSeconds(1))).as("once").isEmpty();
    assertThat(b.cq.poll(1)).as("what came by the other path").isEmpty();
    assertThat(b.qp.query().portNum()).isEqualTo(1);
  }

  /** One device with one queue pair. */
  private final class MigrationSide {
    private final EmulatedDevice device;
    private final Context context;
    private final CompletionQueue cq;
    private QueuePair qp;

    MigrationSide(String port1, String port2) {
      device = emulator.addDevice(DeviceProfile.standard(), List.of(port1), List.of(port2));
      context = device.open();
      cq = context.createCq(64);
    }

    void createQp(QpType type) {
      qp = context.allocPd().createQp(QpInitAttr.of(type, cq, QpCap.of(8)));
    }

    void connect(MigrationSide peer) {
      QpType type = qp.initAttr().qpType();
      qp.modify(Attributes.init(type));
      qp.modify(Attributes.rtr(type, peer.context.queryGid(1, 0), peer.qp.qpNum(), 7));
      QpAttr rts = Attributes.rts(type, 7);
      qp.modify(type == QpType.RC ? rts.timeout(10) : rts);
    }

    void loadAlternate(MigrationSide peer) {
      GlobalRoute route = GlobalRoute.to(peer.context.queryGid(2, 0), 0);
      AhAttr address = new AhAttr(route, 0, 2);
      qp.modify(new QpAttr().altPath(AlternatePath.to(address, ALT_TIMEOUT)));
    }

    void rearm() {
      qp.modify(new QpAttr().pathMigState(MigState.REARM));
    }

    MigState state() {
      return qp.query().pathMigState();
    }

    List<EventType> events() {
      return TestEndpoint.events(context);
    }
  }
}
