// SPDX-License-Identifier: Apache-2.0
/**
 * The serve command: the site, and a playground where scenarios are edited and run, from an HTTP
 * server made of Netty's parts. Every client, request and scenario is of someone who is not
 * trusted: connections have limits on number and time; each run is a process of its own, with
 * limits on time, memory and size. No file is read for a request.
 */
package io.queuepair.tools.serve;
