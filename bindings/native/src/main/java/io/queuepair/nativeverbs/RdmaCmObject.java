// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.rdmacm.RdmaCmId;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Object that librdmacm knows by number: an id, or an id's membership of a multicast group. Guarded
 * by the lock of {@link RdmaCmFile}.
 */
final class RdmaCmObject {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  final int number = NUMBERS.incrementAndGet();
  final RdmaCmId id;

  /** Its group, if it is a membership, or null. */
  final InetSocketAddress group;

  /** Name in librdmacm; 0 for an id of a request that was not accepted yet. */
  long uid;

  /** Events about it that librdmacm was given. */
  int eventsReported;

  RdmaCmFile file;

  /** How far the id has come: a number of {@code enum rdma_cm_state}. */
  int state() {
    return file.stateOf(this);
  }

  RdmaCmObject(RdmaCmFile file, RdmaCmId id, InetSocketAddress group, long uid) {
    this.file = file;
    this.id = id;
    this.group = group;
    this.uid = uid;
  }
}
