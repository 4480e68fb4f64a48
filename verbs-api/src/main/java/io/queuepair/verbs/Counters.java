// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Counters that an application points at what it wants counted ({@code struct ibv_counters}). */
public interface Counters extends AutoCloseable {
  /**
   * The context.
   *
   * @return the context they were created on
   */
  Context context();

  /**
   * Counts what a flow takes, from now on. Several flows may share a counter.
   *
   * @param description what to count
   * @param index which counter, 0 to 1023
   * @param flow a flow of the same context
   * @throws VerbsException EINVAL if the index is out of range, or the flow is missing, was
   *     destroyed or is of another context
   */
  @Verb("ibv_attach_counters_point_flow")
  void attachPointFlow(CounterDescription description, int index, Flow flow);

  /**
   * The counters now.
   *
   * @param count how many, from index 0; 0 to 1024
   * @return their values; 0 for those that nothing was attached to
   * @throws VerbsException EINVAL if the count is out of range
   */
  @Verb("ibv_read_counters")
  long[] read(int count);

  /**
   * Destroys the counters.
   *
   * @throws VerbsException EBUSY while a flow is attached that was not destroyed
   */
  @Override
  @Verb("ibv_destroy_counters")
  void close();
}
