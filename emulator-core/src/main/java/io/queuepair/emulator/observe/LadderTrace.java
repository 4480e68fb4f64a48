// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.Fabric;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Writes one line for each packet, to be read as a sequence diagram:
 *
 * <pre>
 *       0.000 us  10.0.0.1 ---&gt; 10.0.0.2  RC_SEND_ONLY qp=0x000012 psn=100 ackreq 64 bytes
 *       1.000 us  10.0.0.1 &lt;--- 10.0.0.2  RC_ACKNOWLEDGE qp=0x000011 psn=100 ACK msn=1
 * </pre>
 *
 * Hosts stand in the order of their first packet; the arrow points to the receiver. A packet gets
 * its line when it is sent, or when it arrives if it was sent outside of this network. The time
 * counts from the beginning of the trace. The line of a packet tells the faults injected into it; a
 * packet dropped by a fault has its line, too. In virtual time the same run gives the same lines.
 */
public final class LadderTrace {
  private LadderTrace() {}

  /**
   * Traces a network.
   *
   * @param fabric the network
   * @param output takes the lines, one at a time, while no lock of a device is held
   * @return the network to attach devices to; closing it closes {@code fabric}
   */
  public static Fabric on(Fabric fabric, Consumer<String> output) {
    return on(fabric, UnaryOperator.identity(), output);
  }

  /**
   * Traces a network whose hosts have names.
   *
   * @param fabric the network
   * @param names the name of a host by its address, or the address itself
   * @param output takes the lines, one at a time, while no lock of a device is held
   * @return the network to attach devices to; closing it closes {@code fabric}
   */
  public static Fabric on(Fabric fabric, UnaryOperator<String> names, Consumer<String> output) {
    Ladder ladder = new Ladder(fabric.scheduler().nowNanos(), names, output);
    return fabric.observed(f -> new ObservedFabric(f, ladder));
  }
}
