// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/**
 * Result of a run.
 *
 * @param error sentence on why there was no run; empty if there was
 * @param page page with the player of the run
 * @param file the scenario, with the actual output as expected output
 */
record RunAnswer(String error, String page, String file) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  static RunAnswer failed(String error) {
    return new RunAnswer(error, "", "");
  }

  boolean isFailed() {
    return !error.isEmpty();
  }

  String json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("error", error)
        .put("page", page)
        .put("file", file)
        .toString();
  }

  static RunAnswer ofJson(String json) throws JsonProcessingException {
    JsonNode answer = MAPPER.readTree(json);
    return new RunAnswer(
        answer.path("error").asText(), answer.path("page").asText(), answer.path("file").asText());
  }
}
