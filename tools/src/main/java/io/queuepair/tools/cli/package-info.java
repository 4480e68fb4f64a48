// SPDX-License-Identifier: Apache-2.0
/**
 * Parts that commands share: arguments, files, progress, errors, where their device comes from.
 * No command lives here.
 */
package io.queuepair.tools.cli;
