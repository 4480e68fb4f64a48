// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code site}: generates a static site from the project's Markdown files, with a page
 * to step through each scenario. A scenario runs when its page is generated.
 */
package io.queuepair.tools.site;
