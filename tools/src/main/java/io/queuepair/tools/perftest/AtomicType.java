// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

/** Which atomic operation, by the names of {@code -A}. */
enum AtomicType {
  FETCH_AND_ADD,
  CMP_AND_SWAP
}
