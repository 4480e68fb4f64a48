// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.memory.MemoryWindowState;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.ProtectionDomain;

/** An object of the application as the adapter sees it where a verb has it for an argument. */
public interface HcaObject {
  /** Whether it still exists. */
  ObjectLifecycle lifecycle();

  /** A protection domain. */
  interface Domain extends HcaObject, ProtectionDomain {
    /** The number that its objects carry. */
    int number();
  }

  /** A memory region. */
  interface Region extends HcaObject, MemoryRegion {
    RegisteredMemory memory();
  }

  /** A memory window. */
  interface Window extends HcaObject, MemoryWindow {
    MemoryWindowState window();

    /** The key that the next bind of type 1 gives, whatever becomes of the one before. */
    int nextRkey();

    /** A bind of type 1 was posted. */
    void takeRkey(int newRkey);
  }

  /** An address handle. */
  interface Address extends HcaObject, AddressHandle {
    /** The number of its protection domain. */
    int domain();

    /** The ports that the address was checked against. */
    Ports ports();
  }
}
