// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.HcaObject;
import io.queuepair.emulator.hca.Ports;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.ProtectionDomain;
import java.util.List;

/** An address handle: a checked address vector of a protection domain. */
final class EmulatedAddressHandle extends ContextObject implements HcaObject.Address {
  private final EmulatedProtectionDomain pd;
  private final AhAttr attr;
  private final Ports ports;

  public EmulatedAddressHandle(EmulatedProtectionDomain pd, AhAttr attr, Ports ports) {
    super(pd.context(), "address handle", List.of(pd.lifecycle()));
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
  public ProtectionDomain pd() {
    return pd;
  }

  @Override
  public AhAttr attr() {
    return attr;
  }

  @Override
  public String toString() {
    return context().describe(this, "AH", attr);
  }

  @Override
  public void close() {
    context().destroy("ibv_destroy_ah", this);
  }

  @Override
  public void release(Hca hca) {
    hca.destroyAh();
  }
}
