// SPDX-License-Identifier: Apache-2.0
/**
 * The site command: the pages of the project as a static site, with a page for each scenario to
 * step through. The text is the project's Markdown; a scenario is run when its page is written.
 */
package io.queuepair.tools.site;
