// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * Order of data that an application which watches memory may rely on ({@code enum
 * ibv_query_qp_data_in_order_caps}).
 */
public enum DataInOrderCap implements VerbsConstant {
  /** The bytes of a message appear in order. */
  WHOLE_MSG(1),

  /** The bytes of each aligned block of 128 appear in order. */
  ALIGNED_128_BYTES(2);

  private final int code;

  DataInOrderCap(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
