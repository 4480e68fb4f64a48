// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.ADDR_RESOLVED;
import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_REQUEST;
import static io.queuepair.rdmacm.RdmaCmEventType.DEVICE_REMOVAL;
import static io.queuepair.rdmacm.RdmaCmEventType.ESTABLISHED;
import static io.queuepair.rdmacm.RdmaCmEventType.REJECTED;
import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static io.queuepair.tests.rdmacm.RdmaHosts.NOTHING;
import static io.queuepair.tests.rdmacm.RdmaHosts.SOON;
import static io.queuepair.tests.rdmacm.RdmaHosts.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.internal.CProgramHost;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A host with two devices, and one with a device that connects to it. */
final class SeveralDevicesTest {
  private static final int PORT = 7471;

  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final EmulatedDevice client = emulator.addDevice("10.0.0.1");
  private final EmulatedDevice first = emulator.addDevice("10.0.0.2");
  private final EmulatedDevice second = emulator.addDevice("10.0.0.3");
  private final RdmaCm server = emulator.rdmaCm(first, second);
  private final Context firstContext = server.getDevices().get(0);
  private final Context secondContext = server.getDevices().get(1);
  private final RdmaEventChannel requests = server.createEventChannel();
  private final RdmaEventChannel events = emulator.rdmaCm(client).createEventChannel();

  private RdmaCmId listener(String address) {
    return RdmaHosts.listening(requests.createId(RdmaPortSpace.TCP), address(address, PORT), 8);
  }

  private RdmaCmId connecting(String address) {
    RdmaCmId id = events.createId(RdmaPortSpace.TCP);
    RdmaHosts.routed(events, id, address(address, PORT));
    RdmaHosts.withQp(id).connect(NOTHING);
    return id;
  }

  private RdmaCmId request() {
    return RdmaHosts.next(requests, CONNECT_REQUEST).id();
  }

  @Test
  void anAddressListensOnItsDeviceOnly() {
    listener("10.0.0.3");
    RdmaCmId elsewhere = connecting("10.0.0.2");

    RdmaCmEvent refused = RdmaHosts.next(events, REJECTED);

    assertThat(refused.id()).isSameAs(elsewhere);
    assertThat(refused.event()).isEqualTo(REJECTED);
    assertThat(refused.status()).as("invalid service ID").isEqualTo(8);
  }

  @Test
  void theOwnAddressSaysByWhichAPeerIsReached() {
    RdmaCmId id = requests.createId(RdmaPortSpace.TCP);
    InetSocketAddress own = address("10.0.0.3", 0);
    id.resolveAddr(own, address("10.0.0.1", PORT), SOON);

    RdmaHosts.next(requests, ADDR_RESOLVED, id);

    assertThat(id.verbs()).isSameAs(secondContext);
  }

  @Test
  void aDeviceThatFailsTakesOnlyItsOwnIds() {
    listener("0.0.0.0");
    RdmaCmId active = connecting("10.0.0.3");
    RdmaCmId lost = RdmaHosts.withQp(request());
    lost.accept();
    RdmaHosts.next(events, ESTABLISHED, active);
    RdmaHosts.next(requests, ESTABLISHED, lost);

    second.fail();

    RdmaHosts.next(requests, DEVICE_REMOVAL, lost);
    lost.close();
    connecting("10.0.0.2");
    assertThat(request().verbs()).isSameAs(firstContext);
    assertThat(server.getDevices()).containsExactly(firstContext);
  }

  /** As two network namespaces of Linux, with a device each. */
  @Test
  void programsOfOneDeviceEachConnectAsTwoHosts() {
    RdmaEventChannel atFirst = ((CProgramHost) server).createReadAheadChannel(List.of(0), () -> {});
    RdmaEventChannel atSecond =
        ((CProgramHost) server).createReadAheadChannel(List.of(1), () -> {});
    RdmaHosts.listening(atFirst.createId(RdmaPortSpace.TCP), address("0.0.0.0", PORT), 8);
    RdmaHosts.listening(atSecond.createId(RdmaPortSpace.TCP), address("0.0.0.0", PORT), 8);
    RdmaCmId active = atSecond.createId(RdmaPortSpace.TCP);

    RdmaHosts.routed(atSecond, active, address("10.0.0.2", PORT));
    RdmaHosts.withQp(active).connect(NOTHING);

    assertThat(active.verbs()).isSameAs(secondContext);
    assertThat(RdmaHosts.next(atFirst, CONNECT_REQUEST).id().verbs()).isSameAs(firstContext);
    connecting("10.0.0.3");
    assertThat(RdmaHosts.next(atSecond, CONNECT_REQUEST).id().verbs()).isSameAs(secondContext);
    RdmaCmId foreign = atSecond.createId(RdmaPortSpace.TCP);
    assertRefused(Errno.EADDRNOTAVAIL, "10.0.0.2", () -> foreign.bindAddr(address("10.0.0.2", 0)));
  }

  /** {@code cma_remove_one} tells each id of the device, whatever it waits for. */
  @Test
  void aDeviceThatFailsWhileItsIdWaitsForAnAnswerIsRemoved() {
    listener("10.0.0.2");
    RdmaCmId id = connecting("10.0.0.2");
    request();

    client.fail();

    RdmaHosts.next(events, DEVICE_REMOVAL, id);
    id.close();
  }

  /** {@code cma_cancel_operation} ends what the id waits for. */
  @Test
  void aDeviceThatFailsEndsTheResolutionsOfItsIds() {
    RdmaCmId id = requests.createId(RdmaPortSpace.TCP);
    id.resolveAddr(address("10.0.0.2", 0), address("10.0.0.9", PORT), SOON);

    first.fail();

    RdmaHosts.next(requests, DEVICE_REMOVAL, id);
    assertThat(requests.getCmEvent(SOON.plusSeconds(1))).isEmpty();
  }

  /** As in {@code ucma_event_handler}, the id of a request has no events before it is accepted. */
  @Test
  void aRequestThatNobodyHasTakenGoesWithItsDevice() {
    RdmaCmId listener = listener("10.0.0.2");
    connecting("10.0.0.2");
    assertThat(events.getCmEvent(Duration.ofMillis(1))).isEmpty();

    first.fail();

    RdmaCmId asked = request();
    RdmaHosts.next(requests, DEVICE_REMOVAL, listener);
    asked.close();
    listener.close();
    assertThat(requests.getCmEvent(Duration.ZERO)).isEmpty();
  }

  @Test
  void nothingCanBeMadeWhenAllAreGone() {
    RdmaCm host = emulator.rdmaCm(client);
    client.fail();
    emulator.run(Duration.ofMillis(1));

    assertRefused(Errno.ENODEV, host::createEventChannel);
    assertRefused(Errno.ENODEV, host::getDevices);
    assertRefused(Errno.ENODEV, () -> host.createId(RdmaPortSpace.TCP));
  }
}
