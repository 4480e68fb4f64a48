// SPDX-License-Identifier: Apache-2.0
/**
 * Parts that commands share: arguments, files, progress, errors, where their device comes from, how
 * they reach the other side of a test over TCP. No command lives here.
 */
package io.queuepair.tools.cli;
