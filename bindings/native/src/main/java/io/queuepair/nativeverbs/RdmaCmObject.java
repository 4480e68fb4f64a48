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

  /** Group of a membership; null for an id. */
  final InetSocketAddress group;

  /** The {@code uid} that librdmacm expects in events; 0 for an id of a request until accepted. */
  long uid;

  /** Events about the object that librdmacm has read. */
  int eventsReported;

  RdmaCmFile file;

  /** State of the id: a number of {@code enum rdma_cm_state}. */
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
