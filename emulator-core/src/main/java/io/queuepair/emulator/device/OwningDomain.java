// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.hca.HcaObject;

/** A protection domain as the objects that were made in it see it. */
abstract class OwningDomain implements HcaObject.Domain, ContextObject {
  /** The context that it belongs to. */
  public abstract OwningContext emulatedContext();

  /** The calling thread begins to use what was created in it; holding no lock of the driver. */
  public abstract void enter(String kind, int number);

  /** The calling thread ends what it began with {@link #enter}. */
  public abstract void leave();
}
