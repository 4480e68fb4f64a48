// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Which frames a queue pair receives ({@code struct ibv_flow_attr}).
 *
 * @param type what the flow takes
 * @param priority 0 to 65535; flows with lower numbers are asked first, those with equal ones in
 *     the order of creation
 * @param portNum port that frames arrive at, from 1: that of the queue pair
 * @param flags the flags
 * @param specs for type NORMAL: all must match; at most one for each layer, in any order. None for
 *     the other types
 */
public record FlowAttr(
    FlowAttrType type, int priority, int portNum, Set<FlowFlag> flags, List<FlowSpec> specs) {
  /**
   * Copies the list and the flags.
   *
   * @param type what the flow takes
   * @param priority 0 to 65535; flows with lower numbers are asked first, those with equal ones in
   *     the order of creation
   * @param portNum port that frames arrive at, from 1: that of the queue pair
   * @param flags the flags
   * @param specs for type NORMAL: all must match; at most one for each layer, in any order. None
   *     for the other types
   */
  public FlowAttr {
    Objects.requireNonNull(type, "type");
    flags = FlagSet.copyOf(flags, "flags");
    for (FlowSpec spec : Objects.requireNonNull(specs, "specs")) {
      Objects.requireNonNull(spec, "specs");
    }
    specs = List.copyOf(specs);
  }

  /**
   * A flow of type NORMAL on port 1, with priority 0.
   *
   * @param specs what frames must be like
   * @return the attributes
   */
  public static FlowAttr normal(FlowSpec... specs) {
    return new FlowAttr(
        FlowAttrType.NORMAL, 0, 1, Set.of(), Arrays.asList(Objects.requireNonNull(specs, "specs")));
  }

  /**
   * A flow without specifications on port 1, with priority 0.
   *
   * @param type what the flow takes
   * @return the attributes
   */
  public static FlowAttr of(FlowAttrType type) {
    return new FlowAttr(type, 0, 1, Set.of(), List.of());
  }

  /**
   * A copy with another priority.
   *
   * @param newPriority 0 to 65535
   * @return new attributes
   */
  public FlowAttr withPriority(int newPriority) {
    return new FlowAttr(type, newPriority, portNum, flags, specs);
  }

  /**
   * A copy for another port.
   *
   * @param newPortNum that of the queue pair
   * @return new attributes
   */
  public FlowAttr withPort(int newPortNum) {
    return new FlowAttr(type, priority, newPortNum, flags, specs);
  }

  /**
   * A copy with other flags.
   *
   * @param newFlags all flags
   * @return new attributes
   */
  public FlowAttr withFlags(FlowFlag... newFlags) {
    return new FlowAttr(type, priority, portNum, FlagSet.of("newFlags", newFlags), specs);
  }
}
