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

/** HTTP response. */
record WebAnswer(int status, String type, Map<String, String> headers, String content) {
  /** Content Security Policy: browsers load files of this server only, and run no inline script. */
  private static final String CONTENT_POLICY =
      "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src"
          + " 'self'; frame-src 'self'; form-action 'self'; base-uri 'none';"
          + " frame-ancestors ";

  /** Source list that allows frames on pages of this server only. */
  static final String OWN_PAGES = "'self'";

  /** Format of dates in RFC 9110. */
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private static final int BAD_METHOD = 405;

  /** Creates a response with one sentence. */
  static WebAnswer of(int status, String sentence) {
    return new WebAnswer(status, "text/plain; charset=utf-8", Map.of(), sentence + ".\n");
  }

  /** Creates the response to a method that is not allowed. */
  static WebAnswer badMethod(List<String> methods) {
    WebAnswer answer = of(BAD_METHOD, "This page takes " + String.join(" and ", methods) + " only");
    Map<String, String> headers = Map.of("Allow", String.join(", ", methods));
    return new WebAnswer(answer.status, answer.type, headers, answer.content);
  }

  static WebAnswer html(int status, String page) {
    return new WebAnswer(status, "text/html; charset=utf-8", Map.of(), page);
  }

  /** Creates a response that the browser saves as a file. */
  static WebAnswer download(String name, String content) {
    Map<String, String> headers =
        Map.of("Content-Disposition", "attachment; filename=\"" + name + "\"");
    return new WebAnswer(200, "text/markdown; charset=utf-8", headers, content);
  }

  /** Creates a response with a file of the site; its extension determines the type. */
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

  /** Copy that pages of the given sources may show in a frame. */
  WebAnswer framedBy(String ancestors) {
    Map<String, String> more = new HashMap<>(headers);
    more.put("Content-Security-Policy", CONTENT_POLICY + ancestors);
    return new WebAnswer(status, type, more, content);
  }

  /** Converts to an HTTP message; for HEAD the content is not sent. */
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
