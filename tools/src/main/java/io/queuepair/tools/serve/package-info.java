// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code serve}: an HTTP server, on Netty, for the site and a playground where
 * scenarios are edited and run. Clients, requests and scenarios are not trusted: connections have
 * limits of number and time; each run is a process with limits of time, memory and output. No
 * request reads a file.
 */
package io.queuepair.tools.serve;
