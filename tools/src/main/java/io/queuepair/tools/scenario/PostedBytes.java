// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Scatter/gather entry of a posted work request: memory that belongs to the device until the
 * request completes.
 *
 * @param region name of the region, with its device
 * @param isToBeWritten whether the device writes the memory; otherwise it reads it
 */
record PostedBytes(String region, long offset, long length, boolean isToBeWritten) {
  private static final String SEND = "post_send";
  private static final Set<String> RECEIVES = Set.of("post_recv", "post_srq_recv");

  /** Opcodes with a response that the device writes to the requester's memory. */
  private static final Set<String> ANSWERED =
      Set.of("RDMA_READ", "ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD");

  /**
   * Entries that a verb has posted.
   *
   * @param answer result of the verb: of a list, the requests before the refused one are posted
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

  /** Whether the entry lies within a buffer of the given name and length. */
  boolean isIn(String name, int capacity) {
    return region.equals(name) && length > 0 && offset >= 0 && offset <= capacity - length;
  }
}
