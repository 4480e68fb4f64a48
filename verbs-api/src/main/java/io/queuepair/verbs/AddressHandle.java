// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Where a datagram goes ({@code struct ibv_ah}); needed until posted. Thread-safe. */
public interface AddressHandle extends AutoCloseable {
  /**
   * The domain.
   *
   * @return the domain it was created in, which must be that of the sending queue pair
   */
  ProtectionDomain pd();

  /**
   * The address.
   *
   * @return the attributes it was created from
   */
  AhAttr attr();

  /** Destroys the handle. */
  @Override
  @Verb("ibv_destroy_ah")
  void close();
}
