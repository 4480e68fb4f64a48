// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.HcaObject;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.Ports;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.ProtectionDomain;

/** An address handle: a checked address vector of a protection domain. */
final class EmulatedAddressHandle implements HcaObject.Address, ContextObject {
  private final EmulatedProtectionDomain pd;
  private final AhAttr attr;
  private final Ports ports;
  private final ObjectLifecycle lifecycle = new ObjectLifecycle("address handle");

  public EmulatedAddressHandle(EmulatedProtectionDomain pd, AhAttr attr, Ports ports) {
    this.pd = pd;
    this.attr = attr;
    this.ports = ports;
  }

  @Override
  public int domain() {
    return pd.number();
  }

  @Override
  public Ports ports() {
    return ports;
  }

  @Override
  public ObjectLifecycle lifecycle() {
    return lifecycle;
  }

  @Override
  public ProtectionDomain pd() {
    return pd;
  }

  @Override
  public AhAttr attr() {
    return attr;
  }

  @Override
  public String toString() {
    return pd.emulatedContext().describe(this, "AH", attr);
  }

  @Override
  public void close() {
    pd.emulatedContext().destroy("ibv_destroy_ah", this);
  }

  @Override
  public void release(Hca hca) {
    hca.destroyAh();
    pd.lifecycle().removeUser();
  }
}
