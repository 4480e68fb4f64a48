// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * An entry of the scatter/gather list of a work request that was posted: memory that belongs to the
 * device until the request is completed.
 *
 * @param region whole name of the region
 * @param isToBeWritten whether data is put there; otherwise it is taken from there
 */
record PostedBytes(String region, long offset, long length, boolean isToBeWritten) {
  private static final String SEND = "post_send";
  private static final Set<String> RECEIVES = Set.of("post_recv", "post_srq_recv");

  /** Whose answer comes back to the requester. */
  private static final Set<String> ANSWERED =
      Set.of("RDMA_READ", "ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD");

  /**
   * Bytes that a verb has posted.
   *
   * @param answer what it returned: of a list, the requests before the refused one are posted
   */
  static List<PostedBytes> of(String device, String verb, ObjectNode arguments, ObjectNode answer) {
    List<PostedBytes> posted = new ArrayList<>();
    if (!verb.equals(SEND) && !RECEIVES.contains(verb)) {
      return posted;
    }
    int count = answer.path("bad_wr").asInt(arguments.path("wrs").size());
    for (int i = 0; i < count; i++) {
      JsonNode wr = arguments.path("wrs").path(i);
      boolean isToBeWritten = !verb.equals(SEND) || ANSWERED.contains(wr.path("opcode").asText());
      for (JsonNode sge : wr.path("sge")) {
        posted.add(
            new PostedBytes(
                device + "." + sge.path("mr").asText(),
                sge.path("off").asLong(),
                sge.path("len").asLong(),
                isToBeWritten));
      }
    }
    return posted;
  }

  /** Whether it lies in a buffer of that name and length. */
  boolean isIn(String name, int capacity) {
    return region.equals(name) && length > 0 && offset >= 0 && offset <= capacity - length;
  }
}
