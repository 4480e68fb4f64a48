// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import static io.netty.handler.codec.http.HttpVersion.HTTP_1_1;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Answer to a request. */
record WebAnswer(int status, String type, Map<String, String> headers, String content) {
  /** Policy for browsers: they load files of this server only, and run no script in a page. */
  private static final String CONTENT_POLICY =
      "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src"
          + " 'self'; frame-src 'self'; form-action 'self'; base-uri 'none';"
          + " frame-ancestors ";

  /** Only pages of this server show its pages in a frame. */
  static final String OWN_PAGES = "'self'";

  /** Format of dates in RFC 9110. */
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private static final int BAD_METHOD = 405;

  /** Answer that is one sentence. */
  static WebAnswer of(int status, String sentence) {
    return new WebAnswer(status, "text/plain; charset=utf-8", Map.of(), sentence + ".\n");
  }

  /** The refusal of a method that is none of these. */
  static WebAnswer badMethod(List<String> methods) {
    WebAnswer answer = of(BAD_METHOD, "This page takes " + String.join(" and ", methods) + " only");
    Map<String, String> headers = Map.of("Allow", String.join(", ", methods));
    return new WebAnswer(answer.status, answer.type, headers, answer.content);
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

  /** The same answer, to be shown in frames of these pages, as Content Security Policy says it. */
  WebAnswer framedBy(String ancestors) {
    Map<String, String> more = new HashMap<>(headers);
    more.put("Content-Security-Policy", CONTENT_POLICY + ancestors);
    return new WebAnswer(status, type, more, content);
  }

  /** The answer as a message of HTTP; one to HEAD is sent without its content. */
  FullHttpResponse response() {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HTTP_1_1, HttpResponseStatus.valueOf(status), Unpooled.wrappedBuffer(bytes));
    HttpHeaders fields = response.headers();
    fields.set("Date", DATE.format(Instant.now()));
    fields.set("Content-Type", type);
    fields.set("Content-Length", bytes.length);
    fields.set("Content-Security-Policy", CONTENT_POLICY + OWN_PAGES);
    fields.set("X-Content-Type-Options", "nosniff");
    fields.set("Referrer-Policy", "same-origin");
    fields.set("Cross-Origin-Resource-Policy", "same-origin");
    fields.set("Cross-Origin-Opener-Policy", "same-origin");
    fields.set("Cache-Control", "no-store");
    headers.forEach(fields::set);
    return response;
  }
}
