// SPDX-License-Identifier: Apache-2.0
/**
 * What commands of the tools share: arguments, where their device comes from, how they reach the
 * other side of a test over TCP. No command lives here; more of this is in {@code testkit.cli}.
 */
package io.queuepair.tools.cli;
