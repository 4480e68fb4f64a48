// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;

/**
 * How a queue pair spreads frames over work queues ({@code struct ibv_rx_hash_conf}). The lowest
 * bits of the hash are the place in the {@link RwqIndTable}. The fields that a frame has are hashed
 * in the order source address, destination address, source port, destination port; without any the
 * hash is 0.
 *
 * @param function how the fields are hashed
 * @param key the secret of the hash, 40 bytes of it; read-only
 * @param fields which fields take part
 */
public record RxHashConf(RxHashFunction function, ByteBuffer key, Set<RxHashField> fields) {
  /**
   * Copies the key, from the buffer's position to its limit, and the fields.
   *
   * @param function how the fields are hashed
   * @param key the secret of the hash, 40 bytes of it
   * @param fields which fields take part
   */
  public RxHashConf {
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(key, "key");
    key = ByteBuffer.allocate(key.remaining()).put(key.duplicate()).flip().asReadOnlyBuffer();
    fields = FlagSet.copyOf(fields, "fields");
  }

  /**
   * The Toeplitz hash of some fields.
   *
   * @param key the secret of the hash, 40 bytes
   * @param fields which fields take part
   * @return the configuration
   */
  public static RxHashConf toeplitz(byte[] key, RxHashField... fields) {
    return new RxHashConf(
        RxHashFunction.FUNC_TOEPLITZ, ByteBuffer.wrap(key), FlagSet.of("fields", fields));
  }
}
