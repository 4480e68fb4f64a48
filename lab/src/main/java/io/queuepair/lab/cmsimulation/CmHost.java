// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.rdmacm.EmulatedHost;
import io.queuepair.lab.simulation.Violation;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A host with one device, one event channel, and the open ids of its program. */
final class CmHost {
  private final EmulatedHost cm;
  private final RdmaEventChannel channel;
  private final InetAddress address;
  private final Map<RdmaCmId, CmEnd> ends = new LinkedHashMap<>();
  private boolean isDead;

  CmHost(Emulator emulator, String address) {
    EmulatedDevice device = emulator.addDevice(address);
    cm = (EmulatedHost) emulator.rdmaCm(device);
    channel = cm.createEventChannel();
    this.address = IpAddress.parse(address);
  }

  InetAddress address() {
    return address;
  }

  InetSocketAddress at(int port) {
    return new InetSocketAddress(address, port);
  }

  boolean isDead() {
    return isDead;
  }

  RdmaCmId create(RdmaPortSpace space) {
    return channel.createId(space);
  }

  RdmaCmId listen(RdmaPortSpace space, int port) {
    RdmaCmId id = create(space);
    id.bindAddr(at(port));
    id.listen(0);
    return id;
  }

  void open(CmEnd end) {
    ends.put(end.id(), end);
  }

  CmEnd endOf(RdmaCmId id) {
    return ends.get(id);
  }

  List<CmEnd> ends() {
    return List.copyOf(ends.values());
  }

  void close(CmEnd end) {
    if (ends.remove(end.id()) != null) {
      attempt(end.id()::close);
    }
  }

  /** Takes the next event, if any. If the device is gone, the host counts as dead. */
  Optional<RdmaCmEvent> next() {
    if (isDead) {
      return Optional.empty();
    }
    try {
      return channel.getCmEvent(Duration.ZERO);
    } catch (VerbsException gone) {
      Violation.unless(gone.errno() == Errno.ENODEV, "an event is refused: %s", gone);
      isDead = true;
      return Optional.empty();
    }
  }

  /** Makes a call, refused if the connection is over; returns whether it succeeded. */
  boolean attempt(Runnable call) {
    try {
      call.run();
      return true;
    } catch (VerbsException refused) {
      isDead |= refused.errno() == Errno.ENODEV;
      return false;
    }
  }

  CmCounts counts() {
    return CmCounts.of(cm);
  }
}
