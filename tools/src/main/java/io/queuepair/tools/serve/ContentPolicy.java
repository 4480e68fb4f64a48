// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a browser may load and run on a page: files of this server, and the scripts that stand in
 * the pages of the site, by their hashes. A script that got into a page in any other way is not
 * run.
 */
final class ContentPolicy {
  private static final Pattern SCRIPT = Pattern.compile("(?s)<script>(.*?)</script>");

  private ContentPolicy() {}

  /**
   * The value of the header.
   *
   * @param pages those whose scripts may be run
   */
  static String of(Collection<String> pages) {
    Set<String> hashes = new TreeSet<>();
    for (String page : pages) {
      for (Matcher script = SCRIPT.matcher(page); script.find(); ) {
        hashes.add("'sha256-" + hash(script.group(1)) + "'");
      }
    }
    return "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src"
        + " 'self' "
        + String.join(" ", hashes)
        + "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  }

  private static String hash(String script) {
    try {
      byte[] bytes = script.getBytes(StandardCharsets.UTF_8);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every JDK has SHA-256", impossible);
    }
  }
}
