// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Decoded fields of a form or query by name; of several fields with one name, the last. */
record FormFields(Map<String, String> values) {
  private static final int BAD_REQUEST = 400;

  static FormFields of(String encoded) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String field : encoded.split("&", -1)) {
      String[] parts = field.split("=", 2);
      values.put(decoded(parts[0]), parts.length == 2 ? decoded(parts[1]) : "");
    }
    return new FormFields(values);
  }

  private static String decoded(String part) {
    try {
      return URLDecoder.decode(part, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException wrong) {
      throw new RequestRefusedException(BAD_REQUEST, "The form is not encoded as it should be");
    }
  }

  /** Value of a field; empty if there is none. */
  String value(String name) {
    return values.getOrDefault(name, "");
  }
}
