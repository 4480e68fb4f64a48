// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Decides which requests are answered.
 *
 * <p>A page of another site can make a browser send requests to this host. A name of that site may
 * lead to this host too (DNS rebinding), so a Host header has to be an address, localhost, or the
 * name that the command was given. What runs something has to come from a page of this server, by
 * its Origin header, if the client sends one.
 */
final class RequestFilter {
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int BAD_METHOD = 405;
  private static final int TOO_LARGE = 413;
  private static final int BAD_TYPE = 415;
  private static final int MOST_BODY_BYTES = 200_000;
  private static final String FORM_TYPE = "application/x-www-form-urlencoded";
  private static final String HOST = "Host";

  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|\\[[0-9A-Fa-f:.]+]");

  private final String ownName;

  /**
   * Creates the filter.
   *
   * @param ownName the name or address that the server listens on
   */
  RequestFilter(String ownName) {
    this.ownName = ownName;
  }

  /** Refuses requests for another host, and methods that are not among those given. */
  void checkHead(HttpExchange exchange, List<String> methods) {
    if (!isOwnHost(single(exchange.getRequestHeaders(), HOST))) {
      throw new RequestRefusedException(
          FORBIDDEN, "The Host header names neither an address nor this host");
    }
    if (!methods.contains(exchange.getRequestMethod())) {
      exchange.getResponseHeaders().set("Allow", String.join(", ", methods));
      throw new RequestRefusedException(
          BAD_METHOD, "This page takes " + String.join(" and ", methods) + " only");
    }
  }

  private boolean isOwnHost(String host) {
    String name = PORT.matcher(host).replaceFirst("");
    return name.equalsIgnoreCase("localhost")
        || name.equalsIgnoreCase(ownName)
        || ADDRESS.matcher(name).matches();
  }

  /** The form of a request that was sent from a page of this server. */
  String form(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    if (headers.containsKey("Origin")
        && !single(headers, "Origin").equals("http://" + single(headers, HOST))) {
      throw new RequestRefusedException(FORBIDDEN, "The request comes from a page of another site");
    }
    if (!single(headers, "Content-Type").split(";", 2)[0].strip().equalsIgnoreCase(FORM_TYPE)) {
      throw new RequestRefusedException(BAD_TYPE, "The type of the content is not " + FORM_TYPE);
    }
    byte[] body = exchange.getRequestBody().readNBytes(MOST_BODY_BYTES + 1);
    if (body.length > MOST_BODY_BYTES) {
      throw new RequestRefusedException(
          TOO_LARGE, "The form has more than " + MOST_BODY_BYTES + " bytes");
    }
    return new String(body, StandardCharsets.US_ASCII);
  }

  /** A header that is there once. */
  private static String single(Headers headers, String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    if (values.size() != 1) {
      throw new RequestRefusedException(BAD_REQUEST, "There is not exactly one header " + name);
    }
    return values.get(0);
  }
}
