// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Decides which requests are answered.
 *
 * <p>A page of another site can make a browser send requests to this host. A name of that site may
 * also resolve to this host (DNS rebinding), so the Host header must be an IP address, localhost,
 * or the name given to the command. A request that runs a scenario must come from a page of this
 * server according to its Origin header, if the client sends one.
 */
final class RequestFilter {
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int BAD_TYPE = 415;
  private static final String FORM_TYPE = "application/x-www-form-urlencoded";
  private static final String HOST = "Host";

  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|\\[[0-9A-Fa-f:.]+]");

  private final String ownName;

  /**
   * Creates a filter.
   *
   * @param ownName name of this host, besides addresses and localhost
   */
  RequestFilter(String ownName) {
    this.ownName = ownName;
  }

  /** Target of a request; refuses one for another host, or without a path. */
  URI target(FullHttpRequest request) {
    if (!request.decoderResult().isSuccess()) {
      throw new RequestRefusedException(BAD_REQUEST, "The request is wrong or too long");
    }
    if (!isOwnHost(single(request.headers(), HOST))) {
      throw new RequestRefusedException(
          FORBIDDEN, "The Host header names neither an address nor this host");
    }
    try {
      URI target = new URI(request.uri());
      if (target.getPath() != null && target.getPath().startsWith("/")) {
        return target;
      }
    } catch (URISyntaxException wrong) {
      throw new RequestRefusedException(BAD_REQUEST, "The path is not encoded as it should be");
    }
    throw new RequestRefusedException(BAD_REQUEST, "The request is not for a path");
  }

  private boolean isOwnHost(String host) {
    String name = PORT.matcher(host).replaceFirst("");
    return name.equalsIgnoreCase("localhost")
        || name.equalsIgnoreCase(ownName)
        || ADDRESS.matcher(name).matches();
  }

  /** Form of a request; refuses one that comes from a page of another server. */
  String form(FullHttpRequest request) {
    HttpHeaders headers = request.headers();
    if (headers.contains("Origin")
        && !single(headers, "Origin").equals("http://" + single(headers, HOST))) {
      throw new RequestRefusedException(FORBIDDEN, "The request comes from a page of another site");
    }
    if (!single(headers, "Content-Type").split(";", 2)[0].strip().equalsIgnoreCase(FORM_TYPE)) {
      throw new RequestRefusedException(BAD_TYPE, "The type of the content is not " + FORM_TYPE);
    }
    return request.content().toString(StandardCharsets.US_ASCII);
  }

  /** Value of a header that occurs exactly once; refuses any other number. */
  private static String single(HttpHeaders headers, String name) {
    List<String> values = headers.getAll(name);
    if (values.size() != 1) {
      throw new RequestRefusedException(BAD_REQUEST, "There is not exactly one header " + name);
    }
    return values.get(0);
  }
}
