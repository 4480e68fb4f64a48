package io.queuepair.emulator.qp;

import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import java.util.Arrays;

/**
 * Which send of which call is meant, for what is said about it.
 *
 * @param verb name of the call
 * @param index its position, from 0
 * @param ahead how many requests of the same call will be in the queue before it
 */
public record RequestPlace(String verb, int index, int ahead) {
  private static final String LIST = "ibv_post_send";
  private static final String BATCH = "ibv_wr_complete";

  /** The places that most requests have, made once. */
  private static final RequestPlace[] OF_SHORT_LISTS = new RequestPlace[256];

  static {
    Arrays.setAll(OF_SHORT_LISTS, index -> new RequestPlace(LIST, index, 0));
  }

  /** One of a list, of which those before it are posted by now. */
  public static RequestPlace inList(int index) {
    return index < OF_SHORT_LISTS.length ? OF_SHORT_LISTS[index] : new RequestPlace(LIST, index, 0);
  }

  /** The only one of a call of its own. */
  public static RequestPlace alone(String verb) {
    return new RequestPlace(verb, 0, 0);
  }

  /** One of a batch, which is posted as a whole. */
  public static RequestPlace inBatch(int index) {
    return new RequestPlace(BATCH, index, index);
  }

  /** Refuses it with EINVAL. */
  public BadWorkRequestException refusal(String message) {
    return new BadWorkRequestException(Errno.EINVAL, verb, index, message);
  }

  /** Refuses it as too much for the queue or for one request. */
  BadWorkRequestException noRoom(QpContext qp, Errno usual, String message) {
    boolean isNoSpace = verb.equals(BATCH) && qp.has(Quirk.BATCHES_ENOSPC);
    return new BadWorkRequestException(isNoSpace ? Errno.ENOSPC : usual, verb, index, message);
  }
}
