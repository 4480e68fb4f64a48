// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm.internal;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import java.util.List;
import java.util.function.Consumer;

/**
 * Host as the library of C programs needs it, which takes events before the program reads them: a
 * request counts for the backlog of its listener until it is read, as it does in the kernel.
 */
public interface CProgramHost {
  /**
   * Creates a channel whose events are taken ahead.
   *
   * @param devices places, from 0, of the devices of the host that ids of the channel may use
   * @param arrived runs for each event, on a thread of the device, which it must not keep
   * @return the channel
   */
  RdmaEventChannel createReadAheadChannel(List<Integer> devices, Runnable arrived);

  /**
   * Says that the program reads a request that was taken ahead.
   *
   * @param request an event of such a channel
   */
  void read(RdmaCmEvent request);

  /**
   * How far an id has come.
   *
   * @param id of this host
   * @return a number of {@code enum rdma_cm_state} of Linux
   */
  int stateOf(RdmaCmId id);

  /**
   * Tells, in sentences, which requests of peers are rejected before a program hears of them.
   *
   * @param explanations takes them, on a thread of the device
   */
  void explainRefusals(Consumer<String> explanations);
}
