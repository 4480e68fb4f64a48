// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import java.util.Map;

/**
 * What a request is answered with.
 *
 * @param status of HTTP
 * @param type of the content
 * @param headers more headers, by name
 * @param content the body
 */
record WebAnswer(int status, String type, Map<String, String> headers, String content) {
  /** One sentence. */
  static WebAnswer of(int status, String sentence) {
    return new WebAnswer(status, "text/plain; charset=utf-8", Map.of(), sentence + ".\n");
  }

  static WebAnswer html(int status, String page) {
    return new WebAnswer(status, "text/html; charset=utf-8", Map.of(), page);
  }

  /** A file that the browser stores. */
  static WebAnswer download(String name, String content) {
    Map<String, String> headers =
        Map.of("Content-Disposition", "attachment; filename=\"" + name + "\"");
    return new WebAnswer(200, "text/markdown; charset=utf-8", headers, content);
  }

  /** A file of the site, by its path. */
  static WebAnswer file(String path, String content) {
    String ending = path.substring(path.lastIndexOf('.') + 1);
    String type =
        switch (ending) {
          case "css" -> "text/css";
          case "js" -> "text/javascript";
          case "svg" -> "image/svg+xml";
          case "html" -> "text/html";
          default -> "text/plain";
        };
    return new WebAnswer(200, type + "; charset=utf-8", Map.of(), content);
  }
}
