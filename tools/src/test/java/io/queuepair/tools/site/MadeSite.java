// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import java.util.Map;

/** The site, made once for all tests that read it. */
final class MadeSite {
  /** The text of each file, by its path. */
  static final Map<String, String> FILES = Site.files();

  private MadeSite() {}
}
