// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attributes to create an extended completion queue with ({@code struct ibv_cq_init_attr_ex}).
 *
 * @param cqe entries, at least 1
 * @param channel where notifications go, or null
 * @param compVector completion vector, from 0 to {@link Context#numCompVectors()} - 1
 * @param wcFlags fields that completions are to have
 * @param flags properties of the queue
 */
public record CqInitAttrEx(
    int cqe,
    @Nullable CompletionChannel channel,
    int compVector,
    Set<CreateCqWcFlag> wcFlags,
    Set<CreateCqAttrFlag> flags) {
  /**
   * Copies the flags.
   *
   * @param cqe entries, at least 1
   * @param channel where notifications go, or null
   * @param compVector completion vector, from 0 to {@link Context#numCompVectors()} - 1
   * @param wcFlags fields that completions are to have
   * @param flags properties of the queue
   */
  public CqInitAttrEx {
    wcFlags = FlagSet.copyOf(wcFlags, "wcFlags");
    flags = FlagSet.copyOf(flags, "flags");
  }

  /**
   * A queue without channel whose completions have the standard fields.
   *
   * @param cqe entries, at least 1
   * @return the attributes
   */
  public static CqInitAttrEx of(int cqe) {
    return new CqInitAttrEx(cqe, null, 0, CreateCqWcFlag.standard(), Set.of());
  }

  /**
   * A copy with a channel.
   *
   * @param newChannel where notifications go, or null
   * @return new attributes
   */
  public CqInitAttrEx withChannel(@Nullable CompletionChannel newChannel) {
    return new CqInitAttrEx(cqe, newChannel, compVector, wcFlags, flags);
  }

  /**
   * A copy with just these fields.
   *
   * @param fields what completions are to have
   * @return new attributes
   */
  public CqInitAttrEx withWcFlags(CreateCqWcFlag... fields) {
    return new CqInitAttrEx(cqe, channel, compVector, FlagSet.of("fields", fields), flags);
  }

  /**
   * A copy with just these properties.
   *
   * @param properties those of the queue
   * @return new attributes
   */
  public CqInitAttrEx withFlags(CreateCqAttrFlag... properties) {
    return new CqInitAttrEx(
        cqe, channel, compVector, wcFlags, FlagSet.of("properties", properties));
  }

  /**
   * A copy with a completion vector.
   *
   * @param vector from 0 to {@link Context#numCompVectors()} - 1
   * @return new attributes
   */
  public CqInitAttrEx withCompVector(int vector) {
    return new CqInitAttrEx(cqe, channel, vector, wcFlags, flags);
  }
}
