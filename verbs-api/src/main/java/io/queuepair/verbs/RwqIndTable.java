// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;

/**
 * Where the hash of a frame leads: a table of work queues, some of which may be in it several times
 * ({@code struct ibv_rwq_ind_table}).
 */
public interface RwqIndTable extends AutoCloseable {
  /**
   * The context.
   *
   * @return the context it was created on
   */
  Context context();

  /**
   * The work queues.
   *
   * @return one for each value of the lowest bits of the hash, from 0
   */
  List<WorkQueue> wqs();

  /**
   * Destroys the table.
   *
   * @throws VerbsException EBUSY while a queue pair uses it
   */
  @Override
  @Verb("ibv_destroy_rwq_ind_table")
  void close();
}
