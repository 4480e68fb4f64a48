// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.Gsi;
import io.queuepair.emulator.hca.AddressRules;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.MadHeader;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.umad.Umad;
import io.queuepair.umad.UmadAgent;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Errno;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A program's agent for the management datagrams of one class. Guarded by the driver's lock. */
final class EmulatedUmadAgent implements UmadAgent {
  private static final String RECV = "umad_recv";

  private final HcaDriver driver;
  private final int portNum;
  private final int mgmtClass;
  private final ObjectLifecycle lifecycle = new ObjectLifecycle("agent");
  private final Deque<Umad> receivedUmads = new ArrayDeque<>();

  private EmulatedUmadAgent(HcaDriver driver, int portNum, int mgmtClass) {
    this.driver = driver;
    this.portNum = portNum;
    this.mgmtClass = mgmtClass;
  }

  static UmadAgent register(HcaDriver driver, int portNum, int mgmtClass) {
    try (Step step = driver.step("umad_register")) {
      if (mgmtClass < 1 || mgmtClass > Gsi.MAX_CLASS) {
        throw step.refusal(Errno.EINVAL, "class " + mgmtClass + " is not 1 to " + Gsi.MAX_CLASS);
      }
      step.hca().ports().port(step.verb(), portNum);
      EmulatedUmadAgent agent = new EmulatedUmadAgent(driver, portNum, mgmtClass);
      boolean isReserved = mgmtClass == MadHeader.CM_CLASS;
      if (isReserved || !step.hca().engine().gsi().register(portNum, mgmtClass, agent::take)) {
        String whose = isReserved ? "is that of the connection manager" : "has an agent already";
        throw step.refusal(Errno.EBUSY, "class " + mgmtClass + " of port " + portNum + " " + whose);
      }
      return agent;
    }
  }

  private @Nullable DropReason take(AhAttr from, int sourceQpn, Payload mad, long nowNanos) {
    if (receivedUmads.size() == MAX_RECEIVED) {
      return DropReason.NO_RECEIVE;
    }
    receivedUmads.addLast(new Umad(from, sourceQpn, mad.copy().buffer().asReadOnlyBuffer()));
    driver.waiters().wake();
    return null;
  }

  @Override
  public int mgmtClass() {
    return mgmtClass;
  }

  @Override
  public void send(AhAttr to, ByteBuffer mad) {
    Objects.requireNonNull(to, "to");
    Objects.requireNonNull(mad, "mad");
    try (Step step = driver.step("umad_send", lifecycle)) {
      if (mad.remaining() != MAD_BYTES) {
        throw step.refusal(
            Errno.EINVAL, "a MAD has " + MAD_BYTES + " bytes, not " + mad.remaining());
      }
      AddressRules.checkHandle(step.verb(), to, step.hca().ports());
      if (to.portNum() != portNum) {
        throw step.refusal(
            Errno.EINVAL, "port " + to.portNum() + " is not that of the agent, " + portNum);
      }
      Payload copy = Payload.copyOf(List.of(mad));
      if (!step.hca().engine().gsi().send(to, copy)) {
        throw step.refusal(Errno.ENOMEM, Gsi.MAX_WAITING + " datagrams wait to be sent already");
      }
    }
  }

  @Override
  public Umad recv() {
    driver.failAsPlanned(RECV);
    return driver.waiters().await(waitDescription(), this::poll, null).orElseThrow();
  }

  @Override
  public Optional<Umad> recv(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    driver.failAsPlanned(RECV);
    return driver.waiters().await(waitDescription(), this::poll, timeout);
  }

  private WaitDescription waitDescription() {
    return new WaitDescription(
        RECV, () -> "a management datagram of class " + mgmtClass + " at port " + portNum);
  }

  private @Nullable Umad poll() {
    lifecycle.check(RECV);
    return receivedUmads.pollFirst();
  }

  @Override
  public void close() {
    try (Step step = driver.step()) {
      if (lifecycle.endAnyway()) {
        step.hca().engine().gsi().deregister(portNum, mgmtClass);
        receivedUmads.clear();
      }
    }
  }

  @Override
  public String toString() {
    return "agent of class " + mgmtClass + " at port " + portNum;
  }
}
