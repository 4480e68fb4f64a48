// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.verbs.AccessFlag;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a memory registration.
 *
 * @param verb which verb asks, for messages
 * @param buffer the bytes, from the position to the limit; null if the caller gave none
 * @param iova address of the first byte, empty if the device is to choose it
 * @param access rights
 */
public record RegMrRequest(
    String verb, @Nullable ByteBuffer buffer, OptionalLong iova, Set<AccessFlag> access) {
  /** Makes a request for an address that the device chooses. */
  public static RegMrRequest of(String verb, @Nullable ByteBuffer buffer, Set<AccessFlag> access) {
    return new RegMrRequest(verb, buffer, OptionalLong.empty(), access);
  }

  /** Copies the request, but for an address that the caller chooses. */
  public RegMrRequest at(long addr) {
    return new RegMrRequest(verb, buffer, OptionalLong.of(addr), access);
  }
}
