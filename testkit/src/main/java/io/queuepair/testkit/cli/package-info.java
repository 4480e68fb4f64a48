// SPDX-License-Identifier: Apache-2.0
/**
 * What commands share, here and in the tools: how they fail, how they read and write files, options
 * for captures, faults and coverage. No command lives here.
 */
package io.queuepair.testkit.cli;
