// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
    RdmaCmId id = requests.createId(RdmaPortSpace.TCP);
    id.bindAddr(new InetSocketAddress(address, PORT));
    id.listen(8);
    return id;
  }

  private RdmaCmId connecting(String address) {
    RdmaCmId id = events.createId(RdmaPortSpace.TCP);
    id.resolveAddr(null, new InetSocketAddress(address, PORT), RdmaHosts.SOON);
    RdmaHosts.expect(events, RdmaCmEventType.ADDR_RESOLVED, id);
    id.resolveRoute(RdmaHosts.SOON);
    RdmaHosts.expect(events, RdmaCmEventType.ROUTE_RESOLVED, id);
    id.createQp(null, RdmaHosts.attr(QpType.RC));
    id.connect(RdmaConnParam.of(0, 0));
    return id;
  }

  private RdmaCmId request() {
    RdmaCmEvent event = RdmaHosts.next(requests);
    assertThat(event.event()).isEqualTo(RdmaCmEventType.CONNECT_REQUEST);
    return event.id();
  }

  @Test
  void aWildcardListensOnEachAndARequestBelongsToTheOneThatItCameTo() {
    RdmaCmId listener = listener("0.0.0.0");
    connecting("10.0.0.3");
    RdmaCmId atSecond = request();
    connecting("10.0.0.2");
    RdmaCmId atFirst = request();

    assertThat(listener.verbs()).isNull();
    assertThat(atSecond.verbs()).isSameAs(secondContext);
    assertThat(atSecond.localAddr()).isEqualTo(new InetSocketAddress("10.0.0.3", PORT));
    assertThat(atFirst.verbs()).isSameAs(firstContext);
    assertThat(atFirst.localAddr()).isEqualTo(new InetSocketAddress("10.0.0.2", PORT));
  }

  @Test
  void anAddressListensOnItsDeviceOnly() {
    listener("10.0.0.3");
    RdmaCmId elsewhere = connecting("10.0.0.2");

    RdmaCmEvent refused = RdmaHosts.next(events);

    assertThat(refused.id()).isSameAs(elsewhere);
    assertThat(refused.event()).isEqualTo(RdmaCmEventType.REJECTED);
    assertThat(refused.status()).as("invalid service ID").isEqualTo(8);
  }

  @Test
  void theOwnAddressSaysByWhichAPeerIsReached() {
    RdmaCmId id = requests.createId(RdmaPortSpace.TCP);
    InetSocketAddress own = new InetSocketAddress("10.0.0.3", 0);
    id.resolveAddr(own, new InetSocketAddress("10.0.0.1", PORT), RdmaHosts.SOON);

    RdmaHosts.expect(requests, RdmaCmEventType.ADDR_RESOLVED, id);

    assertThat(id.verbs()).isSameAs(secondContext);
  }

  @Test
  void aDeviceThatFailsTakesOnlyItsOwnIds() {
    listener("0.0.0.0");
    connecting("10.0.0.3");
    RdmaCmId lost = request();

    second.fail();

    RdmaHosts.expect(requests, RdmaCmEventType.DEVICE_REMOVAL, lost);
    lost.close();
    connecting("10.0.0.2");
    assertThat(request().verbs()).isSameAs(firstContext);
    assertThat(server.getDevices()).containsExactly(firstContext);
  }

  /** {@code cma_remove_one} tells each id of the device, whatever it waits for. */
  @Test
  void aDeviceThatFailsWhileItsIdWaitsForAnAnswerIsRemoved() {
    listener("10.0.0.2");
    RdmaCmId id = connecting("10.0.0.2");
    request();

    client.fail();

    RdmaHosts.expect(events, RdmaCmEventType.DEVICE_REMOVAL, id);
    id.close();
  }

  /** The program gets the request first, and with it the id that the removal is about. */
  @Test
  void aRequestThatNobodyHasTakenGoesWithItsDevice() {
    RdmaCmId listener = listener("10.0.0.2");
    connecting("10.0.0.2");
    assertThat(events.getCmEvent(Duration.ofMillis(1))).isEmpty();

    first.fail();

    RdmaCmId asked = request();
    List<RdmaCmEvent> removals = List.of(RdmaHosts.next(requests), RdmaHosts.next(requests));
    assertThat(removals)
        .extracting(RdmaCmEvent::event)
        .containsOnly(RdmaCmEventType.DEVICE_REMOVAL);
    assertThat(removals).extracting(RdmaCmEvent::id).containsExactlyInAnyOrder(listener, asked);
    asked.close();
    listener.close();
    assertThat(requests.getCmEvent(Duration.ZERO)).isEmpty();
  }

  @Test
  void nothingCanBeMadeWhenAllAreGone() {
    RdmaCm host = emulator.rdmaCm(client);
    client.fail();
    emulator.run(Duration.ofMillis(1));

    refusedWithoutDevice(host::createEventChannel);
    refusedWithoutDevice(host::getDevices);
    refusedWithoutDevice(() -> host.createId(RdmaPortSpace.TCP));
  }

  private static void refusedWithoutDevice(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV));
  }
}
