// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.memory.MemoryWindowState;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.ProtectionDomain;

/** An object of the application that is an argument of a verb, as the adapter sees it. */
public interface HcaObject {
  ObjectLifecycle lifecycle();

  interface Domain extends HcaObject, ProtectionDomain {
    /** Number of the domain, which its objects refer to. */
    int number();
  }

  interface Region extends HcaObject, MemoryRegion {
    RegisteredMemory memory();
  }

  interface Window extends HcaObject, MemoryWindow {
    MemoryWindowState window();

    /** rkey that the next bind of type 1 gives, whether or not the one before succeeds. */
    int nextRkey();

    /** Records the rkey of a bind of type 1 that was posted. */
    void takeRkey(int newRkey);
  }

  interface Address extends HcaObject, AddressHandle {
    /** Number of the protection domain of the handle. */
    int domain();

    Ports ports();
  }
}
