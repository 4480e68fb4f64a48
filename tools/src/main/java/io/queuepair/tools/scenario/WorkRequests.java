// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Reads work requests: arguments of each, with a semicolon between two. */
final class WorkRequests {
  private static final String SEPARATOR = ";";

  private WorkRequests() {}

  /** Reads the list of a post; each request needs a wr_id. */
  static ObjectNode read(String verb, String device, List<String> words) {
    ObjectNode read = Arguments.read(device, List.of());
    ArrayNode list = read.putArray("wrs");
    List<String> one = new ArrayList<>();
    for (String word : words) {
      if (word.equals(SEPARATOR)) {
        list.add(request(verb, device, one));
        one.clear();
      } else {
        one.add(word);
      }
    }
    list.add(request(verb, device, one));
    return read;
  }

  /** A send asks for a completion unless it says otherwise. */
  private static ObjectNode request(String verb, String device, List<String> words) {
    ObjectNode request = Arguments.read(device, words);
    if (!request.has("wr_id")) {
      throw new StatementException("a work request needs wr_id=NUMBER");
    }
    if (verb.equals("post_send")) {
      if (!request.has("opcode")) {
        throw new StatementException("a send needs opcode=NAME, such as SEND or RDMA_WRITE");
      }
      Arguments.addDefaults(request, Arguments.read(device, List.of("flags=SIGNALED")));
    }
    return request;
  }
}
