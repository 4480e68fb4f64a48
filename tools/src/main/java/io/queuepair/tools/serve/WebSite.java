// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import io.netty.handler.codec.http.FullHttpRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Answers requests with a file of the site or the playground. */
final class WebSite {
  private static final String PLAYGROUND = "/playground";
  private static final Set<String> OWN_FILES = Set.of("playground.css", "playground.js");
  private static final String FIRST = "index.html";
  private static final List<String> READING = List.of("GET", "HEAD");
  private static final List<String> EDITING = List.of("GET", "HEAD", "POST");

  private final RequestFilter filter;
  private final Map<String, String> files;
  private final Playground playground;

  WebSite(RequestFilter filter, Map<String, String> files, Playground playground) {
    this.filter = filter;
    this.files = files;
    this.playground = playground;
  }

  /** Answers a request; may take long for a run in the playground. */
  WebAnswer answer(FullHttpRequest request) {
    try {
      URI target = filter.target(request);
      return target.getPath().equals(PLAYGROUND)
          ? edit(request, target)
          : read(request, target.getPath().substring(1));
    } catch (RequestRefusedException refused) {
      return WebAnswer.of(refused.status(), refused.getMessage());
    }
  }

  private WebAnswer edit(FullHttpRequest request, URI target) {
    String method = request.method().name();
    if (!EDITING.contains(method)) {
      return WebAnswer.badMethod(EDITING);
    }
    return method.equals("POST")
        ? playground.run(filter.form(request))
        : playground.open(Objects.requireNonNullElse(target.getRawQuery(), ""));
  }

  /** Looks a file up in a table: paths never reach the file system. */
  private WebAnswer read(FullHttpRequest request, String path) {
    if (!READING.contains(request.method().name())) {
      return WebAnswer.badMethod(READING);
    }
    if (OWN_FILES.contains(path)) {
      return WebAnswer.file(path, PlaygroundPage.read(path));
    }
    String name = path.isEmpty() || path.endsWith("/") ? path + FIRST : path;
    String content = files.get(name);
    return content == null
        ? WebAnswer.of(404, "There is no page of that address")
        : WebAnswer.file(name, content);
  }
}
