package io.queuepair.emulator.device;

import io.queuepair.verbs.AccessFlag;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Memory that is to be registered.
 *
 * @param verb which verb asks, for messages
 * @param buffer the bytes, from the position to the limit; null if the caller gave none
 * @param iova address of the first byte, empty if the device is to choose it
 * @param access rights
 */
record Registration(String verb, ByteBuffer buffer, OptionalLong iova, Set<AccessFlag> access) {
  /** At an address of the device's choice. */
  static Registration of(String verb, ByteBuffer buffer, Set<AccessFlag> access) {
    return new Registration(verb, buffer, OptionalLong.empty(), access);
  }

  /** At an address of the caller's choice. */
  Registration at(long addr) {
    return new Registration(verb, buffer, OptionalLong.of(addr), access);
  }
}
