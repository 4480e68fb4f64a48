package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.ProtectionDomain;

/** An address handle: a checked address of a protection domain. */
final class EmulatedAddressHandle implements AddressHandle, Owned {
  private final EmulatedProtectionDomain pd;
  private final AhAttr attr;
  private final Ports ports;
  private final Lifetime lifetime = new Lifetime("address handle");

  EmulatedAddressHandle(EmulatedProtectionDomain pd, AhAttr attr, Ports ports) {
    this.pd = pd;
    this.attr = attr;
    this.ports = ports;
  }

  EmulatedProtectionDomain emulatedPd() {
    return pd;
  }

  /** The ports that the address was checked against. */
  Ports ports() {
    return ports;
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
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
    pd.emulatedContext().driver().failAsPlanned("ibv_destroy_ah");
    pd.emulatedContext().destroy("ibv_destroy_ah", this);
  }

  @Override
  public void release(Hca hca) {
    hca.destroyAh();
    pd.lifetime().removeUser();
  }
}
