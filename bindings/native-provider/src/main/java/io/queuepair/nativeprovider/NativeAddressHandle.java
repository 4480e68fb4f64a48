// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.ProtectionDomain;

/** An address handle. */
final class NativeAddressHandle extends NativeObject implements AddressHandle {
  private final NativeProtectionDomain pd;
  private final AhAttr attr;

  NativeAddressHandle(NativeProtectionDomain pd, long address, AhAttr attr) {
    super(pd.context(), address);
    this.pd = pd;
    this.attr = attr;
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
  void destroy(long address) {
    Libibverbs.DESTROY_AH.status(address);
  }
}
