// SPDX-License-Identifier: Apache-2.0
/**
 * The serve command: the site, and a playground where scenarios are edited and run, from the JDK's
 * HTTP server. Every request and every scenario is input of someone who is not trusted; each run is
 * a process of its own, with limits on time, memory and size. No file is read for a request.
 */
package io.queuepair.tools.serve;
