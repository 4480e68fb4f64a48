// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.Gsi;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.DecodedMad;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.MadHeader;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.Mtu;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A device as the connection manager sees it: MADs of queue pair 1, addresses and QPNs. */
public final class CmMadAgent {
  private final HcaDevice device;
  private final HcaDriver driver;
  private final BiPredicate<AhAttr, CmMessage> messages;
  private final Consumer<EventType> eventListener;

  private CmMadAgent(
      HcaDevice device,
      HcaDriver driver,
      BiPredicate<AhAttr, CmMessage> messages,
      Consumer<EventType> eventListener) {
    this.device = device;
    this.driver = driver;
    this.messages = messages;
    this.eventListener = eventListener;
  }

  /**
   * Position of an address of the device.
   *
   * @param portNum the port that has the address
   * @param gidIndex its slot of the GID table
   */
  public record GidPosition(int portNum, int gidIndex) {}

  static CmMadAgent register(
      HcaDevice device,
      HcaDriver driver,
      BiPredicate<AhAttr, CmMessage> messages,
      Consumer<EventType> eventListener) {
    CmMadAgent agent = new CmMadAgent(device, driver, messages, eventListener);
    try (Step step = driver.step()) {
      for (int portNum = 1; portNum <= step.hca().profile().ports(); portNum++) {
        boolean isFirst =
            step.hca().engine().gsi().register(portNum, MadHeader.CM_CLASS, agent::receive);
        assert isFirst : "two connection managers";
      }
    }
    return agent;
  }

  private @Nullable DropReason receive(AhAttr from, int sourceQpn, Payload mad, long nowNanos) {
    DecodedMad decoded = CmMessage.decode(mad);
    if (!(decoded instanceof CmMessage message) || sourceQpn != Gsi.QPN) {
      return DropReason.MALFORMED;
    }
    return messages.test(from, message) ? null : DropReason.NO_RECEIVE;
  }

  void changed(EventType event) {
    eventListener.accept(event);
  }

  /** Sends a message; one that cannot leave counts as lost. */
  public void send(AhAttr to, CmMessage message) {
    Payload mad = Payload.of(message.toBytes());
    try (Step step = driver.step()) {
      step.hca().engine().gsi().send(to, mad);
    }
  }

  public HcaDevice device() {
    return device;
  }

  public boolean isGone() {
    return driver.waiters().areDismissed();
  }

  public @Nullable GidPosition placeOf(InetAddress address) {
    try (Step step = driver.call()) {
      for (int portNum = 1; portNum <= step.hca().profile().ports(); portNum++) {
        int index = step.hca().ports().at(portNum).addresses().indexOf(address);
        if (index >= 0) {
          return new GidPosition(portNum, index);
        }
      }
      return null;
    }
  }

  /** GID at a position; zero if the slot is empty. */
  public Gid gidAt(GidPosition position) {
    try (Step step = driver.call()) {
      List<InetAddress> addresses = step.hca().ports().at(position.portNum()).addresses();
      return position.gidIndex() >= 0 && position.gidIndex() < addresses.size()
          ? Gid.of(addresses.get(position.gidIndex()))
          : Gid.ZERO;
    }
  }

  /** The addresses of ports that are up, in the order of the GID tables. */
  public List<InetAddress> addresses() {
    try (Step step = driver.call()) {
      return step.hca().ports().addresses().stream()
          .filter(address -> !address.isAnyLocalAddress())
          .filter(address -> step.hca().ports().isUpOrNone(step.hca().ports().numberOf(address)))
          .toList();
    }
  }

  public Mtu activeMtu(int portNum) {
    try (Step step = driver.call()) {
      return step.hca().ports().at(portNum).activeMtu();
    }
  }

  /** Number of losses known so far: a starting point for {@link #losses}. */
  public long knownLosses() {
    return driver.lostPackets().known();
  }

  /** Number of messages from one address to another that were lost since then, by fate. */
  public Map<String, Integer> losses(InetAddress from, InetAddress to, long since) {
    return driver.lostPackets().ofManagement(from, to, since);
  }

  /** Keeps the number of a queue pair from being used again after the queue pair is destroyed. */
  public void holdQpn(int qpn) {
    try (Step step = driver.step()) {
      step.hca().engine().holdQpn(qpn);
    }
  }

  /** Lets the number be used again, after {@link #holdQpn}. */
  public void releaseQpn(int qpn) {
    try (Step step = driver.step()) {
      step.hca().engine().releaseQpn(qpn);
    }
  }
}
