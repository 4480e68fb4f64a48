// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import java.util.Arrays;

/**
 * Position of a send in a call, for messages.
 *
 * @param verb name of the call
 * @param index position in the call, from 0
 * @param ahead number of requests of the same call that will be in the queue before it
 */
public record WrPosition(String verb, int index, int ahead) {
  private static final String LIST = "ibv_post_send";
  private static final String BATCH = "ibv_wr_complete";

  /** Positions in short lists and batches, made once to avoid allocation. */
  private static final WrPosition[] OF_SHORT_LISTS = new WrPosition[256];

  private static final WrPosition[] OF_SHORT_BATCHES = new WrPosition[256];

  static {
    Arrays.setAll(OF_SHORT_LISTS, index -> new WrPosition(LIST, index, 0));
    Arrays.setAll(OF_SHORT_BATCHES, index -> new WrPosition(BATCH, index, index));
  }

  /** Position in a list; the requests before it are posted already. */
  public static WrPosition inList(int index) {
    return index < OF_SHORT_LISTS.length ? OF_SHORT_LISTS[index] : new WrPosition(LIST, index, 0);
  }

  /** Position of the only request of a call. */
  public static WrPosition alone(String verb) {
    return new WrPosition(verb, 0, 0);
  }

  /** Position in a batch, which is posted as a whole. */
  public static WrPosition inBatch(int index) {
    return index < OF_SHORT_BATCHES.length
        ? OF_SHORT_BATCHES[index]
        : new WrPosition(BATCH, index, index);
  }

  public BadWorkRequestException refusal(String message) {
    return new BadWorkRequestException(Errno.EINVAL, verb, index, message);
  }

  /** Makes a refusal of a request that does not fit the queue, or exceeds a limit of requests. */
  BadWorkRequestException noRoom(QpContext qp, Errno errno, String message) {
    boolean isNoSpace = verb.equals(BATCH) && qp.has(Quirk.BATCHES_ENOSPC);
    return new BadWorkRequestException(isNoSpace ? Errno.ENOSPC : errno, verb, index, message);
  }
}
