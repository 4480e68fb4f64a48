// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import java.util.Arrays;

/**
 * Identifies a send of a call in messages.
 *
 * @param verb name of the call
 * @param index its position, from 0
 * @param ahead how many requests of the same call will be in the queue before it
 */
public record WrPosition(String verb, int index, int ahead) {
  private static final String LIST = "ibv_post_send";
  private static final String BATCH = "ibv_wr_complete";

  /** The places that most requests have, made once. */
  private static final WrPosition[] OF_SHORT_LISTS = new WrPosition[256];

  private static final WrPosition[] OF_SHORT_BATCHES = new WrPosition[256];

  static {
    Arrays.setAll(OF_SHORT_LISTS, index -> new WrPosition(LIST, index, 0));
    Arrays.setAll(OF_SHORT_BATCHES, index -> new WrPosition(BATCH, index, index));
  }

  /** One of a list, of which those before it are posted by now. */
  public static WrPosition inList(int index) {
    return index < OF_SHORT_LISTS.length ? OF_SHORT_LISTS[index] : new WrPosition(LIST, index, 0);
  }

  /** The only one of a call of its own. */
  public static WrPosition alone(String verb) {
    return new WrPosition(verb, 0, 0);
  }

  /** One of a batch, which is posted as a whole. */
  public static WrPosition inBatch(int index) {
    return index < OF_SHORT_BATCHES.length
        ? OF_SHORT_BATCHES[index]
        : new WrPosition(BATCH, index, index);
  }

  /** Refuses it with EINVAL. */
  public BadWorkRequestException refusal(String message) {
    return new BadWorkRequestException(Errno.EINVAL, verb, index, message);
  }

  /** Refuses it as too much for the queue or for one request. */
  BadWorkRequestException noRoom(QpContext qp, Errno errno, String message) {
    boolean isNoSpace = verb.equals(BATCH) && qp.has(Quirk.BATCHES_ENOSPC);
    return new BadWorkRequestException(isNoSpace ? Errno.ENOSPC : errno, verb, index, message);
  }
}
